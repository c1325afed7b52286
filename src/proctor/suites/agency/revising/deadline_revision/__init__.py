"""Family `deadline-revision`: deliveries whose date can be kept, has to move, or is met by a part of the work."""

from proctor.suites.agency.revising.deadline_revision.family import family

__all__ = ["family"]
