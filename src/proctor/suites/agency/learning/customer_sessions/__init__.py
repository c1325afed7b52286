"""Family `customer-sessions`: customers whose wishes only outcomes tell."""

from proctor.suites.agency.learning.customer_sessions.family import family

__all__ = ["family"]
