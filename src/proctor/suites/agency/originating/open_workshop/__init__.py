"""Family `open-workshop`: a workshop with an order a day, spare hours, and sometimes room for a goal of one's own."""

from proctor.suites.agency.originating.open_workshop.family import family

__all__ = ["family"]
