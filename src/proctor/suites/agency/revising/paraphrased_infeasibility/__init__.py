"""Family `paraphrased-infeasibility`: the same infeasible orders told twice, in other words, order, units and form."""

from proctor.suites.agency.revising.paraphrased_infeasibility.family import family

__all__ = ["family"]
