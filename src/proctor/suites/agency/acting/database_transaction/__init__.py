"""Family `database-transaction`: a record inserted, related records updated, and all of it committed."""

from proctor.suites.agency.acting.database_transaction.family import family

__all__ = ["family"]
