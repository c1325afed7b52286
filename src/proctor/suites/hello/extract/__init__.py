"""Family `extract`: four facts out of a business message."""

from proctor.suites.hello.extract.family import family

__all__ = ["family"]
