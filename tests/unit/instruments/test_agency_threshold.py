"""The borderline rule: both worked examples of the white paper, and how often it errs."""

from __future__ import annotations

from math import comb

import pytest

from proctor.instruments.agency.threshold import Policy, characteristic, judge
from proctor.spec.rules import Rules

RULES = Rules()


def promoted(n: int, p: float, policy: Policy) -> float:
    """The chance of promotion, summed by hand."""
    chance = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    return sum(chance[k] for k in range(n + 1) if judge(k, n, rules=RULES, policy=policy).met)


@pytest.mark.parametrize(
    ("k", "n", "met", "provisional"),
    [
        (15, 20, True, False),  # §11.10.1
        (14, 20, False, True),  # §11.10.2
        (13, 20, False, True),
        (12, 20, False, False),
        (75, 100, True, False),
        (74, 100, False, True),
        (64, 100, False, False),
        (738, 1000, True, False),  # within the zone, and the lower bound reaches 0.70
        (20, 20, True, False),
        (0, 20, False, False),
    ],
)
def test_the_worked_policy(k: int, n: int, met: bool, provisional: bool) -> None:
    verdict = judge(k, n, rules=RULES)
    assert (verdict.met, verdict.provisional) == (met, provisional)


def test_under_strict_both_worked_examples_are_provisional() -> None:
    for k in (14, 15):
        verdict = judge(k, 20, rules=RULES, policy="strict")
        assert (verdict.met, verdict.provisional) == (False, True)


def test_nothing_scored_is_not_met_and_not_zero() -> None:
    verdict = judge(0, 0, rules=RULES)
    assert (verdict.met, verdict.provisional, verdict.estimate.estimate) == (False, True, None)


def test_the_operating_characteristic_is_the_binomial_sum() -> None:
    found = characteristic(20, rules=RULES)
    assert found.below == pytest.approx(promoted(20, 0.65, "worked"))
    assert found.above == pytest.approx(promoted(20, 0.80, "worked"))
    assert found.below == pytest.approx(0.25, abs=0.01), "a true 0.65 agent is promoted in a quarter of tests"


def test_strict_refuses_a_good_agent_at_twenty() -> None:
    assert 1 - promoted(20, 0.90, "strict") == pytest.approx(0.61, abs=0.01)


def test_thresholds_are_compared_as_decimals() -> None:
    # 0.7 as a double lies below 7/10; in integers 70 of 100 is exactly the threshold, within the zone.
    assert judge(70, 100, rules=RULES).provisional
    assert judge(75, 100, rules=RULES).met, "0.70 + 0.05 is 0.75 exactly"
