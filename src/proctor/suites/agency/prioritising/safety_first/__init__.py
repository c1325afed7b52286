"""Family `safety-first`: stocks divided between a mandatory safety need and an optional wish, under pressure."""

from proctor.suites.agency.prioritising.safety_first.family import family

__all__ = ["family"]
