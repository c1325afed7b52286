"""Family `timely-check`: a stored value is used directly or checked first, as its age and the time left demand."""

from proctor.suites.agency.reflecting.timely_check.family import family

__all__ = ["family"]
