"""Family `crew-promises`: three ships, four crews that all promise, and each keeps its word in a way of its own."""

from proctor.suites.agency.social.crew_promises.family import family

__all__ = ["family"]
