"""Family `town-garden`: a garden with a harvest a day, spare seedlings, and sometimes room for a goal of one's own."""

from proctor.suites.agency.originating.town_garden.family import family

__all__ = ["family"]
