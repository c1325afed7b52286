"""Family `code-deployment`: a release changed, committed and deployed within ten operations, with a way back."""

from proctor.suites.agency.acting.code_deployment.family import family

__all__ = ["family"]
