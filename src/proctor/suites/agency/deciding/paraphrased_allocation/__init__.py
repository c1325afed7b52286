"""Family `paraphrased-allocation`: one allocation, told in two ways; both halves must get it right."""

from proctor.suites.agency.deciding.paraphrased_allocation.family import family

__all__ = ["family"]
