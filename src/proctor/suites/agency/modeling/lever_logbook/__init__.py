"""Family `lever-logbook`: which plan ends best, where only earlier pulls of the levers tell what each does."""

from proctor.suites.agency.modeling.lever_logbook.family import family

__all__ = ["family"]
