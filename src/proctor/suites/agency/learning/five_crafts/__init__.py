"""Family `five-crafts`: five kinds of work, each by house rules of its own, learned one after the other."""

from proctor.suites.agency.learning.five_crafts.family import family

__all__ = ["family"]
