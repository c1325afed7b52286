"""Family `bounded-revision`: substitutes for plans that fell through, within budget, time, permissions and scope."""

from proctor.suites.agency.revising.bounded_revision.family import family

__all__ = ["family"]
