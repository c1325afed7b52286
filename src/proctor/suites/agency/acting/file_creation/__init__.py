"""Family `file-creation`: one call creates one file, its name and content composed from the material by rules."""

from proctor.suites.agency.acting.file_creation.family import family

__all__ = ["family"]
