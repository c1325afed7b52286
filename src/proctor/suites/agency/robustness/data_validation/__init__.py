"""Family `data-validation`: which records of a batch break which rules, flagged record by record."""

from proctor.suites.agency.robustness.data_validation.family import family

__all__ = ["family"]
