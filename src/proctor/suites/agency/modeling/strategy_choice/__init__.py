"""Family `strategy-choice`: the better of three strategies where chance decides each round, in eight forms."""

from proctor.suites.agency.modeling.strategy_choice.family import family

__all__ = ["family"]
