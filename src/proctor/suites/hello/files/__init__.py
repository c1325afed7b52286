"""Family `files`: sort and rename real files and write what was asked for."""

from proctor.suites.hello.files.family import family

__all__ = ["family"]
