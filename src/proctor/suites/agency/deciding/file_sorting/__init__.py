"""Family `file-sorting`: ten files, rules for their places, and a sequence of moves that gets them there."""

from proctor.suites.agency.deciding.file_sorting.family import family

__all__ = ["family"]
