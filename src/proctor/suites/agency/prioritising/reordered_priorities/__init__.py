"""Family `reordered-priorities`: the same choice twice, its priorities said in other words and another order."""

from proctor.suites.agency.prioritising.reordered_priorities.family import family

__all__ = ["family"]
