"""Family `feasibility-check`: which requests can be met, and what stands in the way of the others."""

from proctor.suites.agency.revising.feasibility_check.family import family

__all__ = ["family"]
