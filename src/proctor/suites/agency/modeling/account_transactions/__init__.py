"""Family `account-transactions`: balances after five bookings under house rules, in eight forms."""

from proctor.suites.agency.modeling.account_transactions.family import family

__all__ = ["family"]
