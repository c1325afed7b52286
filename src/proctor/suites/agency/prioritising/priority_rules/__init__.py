"""Family `priority-rules`: a queue under several priority rules with exceptions, tie-breaks and a time limit."""

from proctor.suites.agency.prioritising.priority_rules.family import family

__all__ = ["family"]
