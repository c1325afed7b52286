"""Family `batch-or-single`: a list is handled all at once or one by one, and what the remarks say decides which."""

from proctor.suites.agency.reflecting.batch_or_single.family import family

__all__ = ["family"]
