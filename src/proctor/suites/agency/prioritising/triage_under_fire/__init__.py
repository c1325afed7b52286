"""Family `triage-under-fire`: too few crews for too many incidents, under Severe constraints."""

from proctor.suites.agency.prioritising.triage_under_fire.family import family

__all__ = ["family"]
