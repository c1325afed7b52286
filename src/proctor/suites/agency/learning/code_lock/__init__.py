"""Family `code-lock`: eight kinds of puzzle that answer every attempt with a hint."""

from proctor.suites.agency.learning.code_lock.family import family

__all__ = ["family"]
