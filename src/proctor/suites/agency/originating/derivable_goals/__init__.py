"""Family `derivable-goals`: goals that a specification does not state and that still follow from it."""

from proctor.suites.agency.originating.derivable_goals.family import family

__all__ = ["family"]
