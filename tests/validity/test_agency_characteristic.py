"""The printed operating characteristic is what happens: item-response agents near the threshold, many readings each.

Success on each of 100 items follows a two-parameter logistic model with difficulties and discriminations of its own;
the ability is set so that the mean success over items is the true rate.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from proctor.instruments.agency.level import read_level
from proctor.instruments.agency.rubric import RUBRIC
from proctor.instruments.agency.threshold import Policy, promotion
from proctor.instruments.agency.units import Unit
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.rules import Rules

READINGS = 5_000
N = 100
RATES = (0.60, 0.65, 0.70, 0.75, 0.80, 0.85)
Items = npt.NDArray[np.float64]


def probabilities(ability: float, discrimination: Items, difficulty: Items) -> Items:
    return np.asarray(1.0 / (1.0 + np.exp(-discrimination * (ability - difficulty))), dtype=np.float64)


def ability_for(rate: float, rng: np.random.Generator) -> float:
    """The ability whose mean success over the population of items is this rate, by bisection."""
    a, b = rng.lognormal(0.2, 0.3, 200_000), rng.normal(0.0, 1.0, 200_000)
    low, high = -6.0, 8.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if probabilities(middle, a, b).mean() < rate else (low, middle)
    return (low + high) / 2


def units(successes: npt.NDArray[np.bool_]) -> list[Unit]:
    return [
        Unit(
            "S1",
            "fam@1.0",
            "baseline",
            "none",
            "test",
            f"t{n % 8}",
            f"{n:x}",
            0,
            bool(hit),
            None,
            False,
            None,
            "r",
            (n,),
        )
        for n, hit in enumerate(successes)
    ]


def promoted(rate: float, policy: Policy, readings: int = READINGS) -> float:
    """The share of readings in which an agent of this true rate is promoted."""
    rng = np.random.default_rng(round(1000 * rate))
    ability = ability_for(rate, rng)
    level, rules = RUBRIC["S"][0], Rules()
    met = 0
    for _ in range(readings):
        p = probabilities(ability, rng.lognormal(0.2, 0.3, N), rng.normal(0.0, 1.0, N))
        found = read_level(
            level, units(rng.random(N) < p), families=1, regimes=STANDARD_REGIMES, rules=rules, policy=policy
        )
        met += found.met
    return met / readings


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["worked", "strict"])
@pytest.mark.parametrize("rate", RATES)
def test_item_response_agents_are_promoted_as_printed(rate: float, policy: Policy) -> None:
    expected = promotion(N, rate, rules=Rules(), policy=policy)
    assert abs(promoted(rate, policy) - expected) < 0.02
