"""Family `coding-patterns`: functions to be labelled in the private language of a software house."""

from proctor.suites.agency.learning.coding_patterns.family import family

__all__ = ["family"]
