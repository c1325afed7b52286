"""Family `known-unknowns`: questions of which half can be answered from the books, and how sure one is."""

from proctor.suites.agency.reflecting.known_unknowns.family import family

__all__ = ["family"]
