"""Family `optimal-revision`: the best plan that is left when the wanted one is out of reach, under strict caps."""

from proctor.suites.agency.revising.optimal_revision.family import family

__all__ = ["family"]
