"""Family `email-triage`: four header fields of one mail, in eight layouts."""

from proctor.suites.agency.sensing.email_triage.family import family

__all__ = ["family"]
