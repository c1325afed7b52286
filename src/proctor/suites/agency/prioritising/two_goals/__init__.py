"""Family `two-goals`: several trade-offs between two goals under one explicit priority rule."""

from proctor.suites.agency.prioritising.two_goals.family import family

__all__ = ["family"]
