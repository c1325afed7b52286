"""Family `code-review`: which hunks of a change break which rules of the project, whoever asks to look away."""

from proctor.suites.agency.robustness.code_review.family import family

__all__ = ["family"]
