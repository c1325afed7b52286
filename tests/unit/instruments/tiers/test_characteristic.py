"""How often gates are passed at known true effects: exact numbers against the rule itself."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.instruments.agency.tiers.characteristic import of_contrast, of_correlation, of_reproduction, promotion
from proctor.instruments.agency.tiers.gates import GATES, Contrast
from proctor.stats.differences import newcombe_paired

CONTRASTS = {gate.id: gate.rule for gate in GATES if isinstance(gate.rule, Contrast)}


@pytest.mark.parametrize("gate", CONTRASTS)
@pytest.mark.parametrize("base", [0.1, 0.3, 0.5, 0.7])
def test_no_effect_is_promoted_in_at_most_one_test_of_forty(gate: str, base: float) -> None:
    """With 200 an arm in each of two families: every one by itself, or the pool of them."""
    rule = CONTRASTS[gate]
    sizes = [(200, 200)] * rule.families if rule.families > 1 else [(400, 400)]
    found = of_contrast(sizes, rule.points, base)
    assert found.at_zero is not None
    assert found.at_zero <= 0.025


@pytest.mark.parametrize("gate", CONTRASTS)
def test_thirty_points_are_seen(gate: str) -> None:
    rule = CONTRASTS[gate]
    assert promotion(200, 200, rule.points, 0.5, 0.30) ** rule.families >= 0.9


def test_exact_numbers_are_those_of_the_paired_rule() -> None:
    """Simulated with pairs of independent arms: the same within the error of the simulation."""
    rng = np.random.default_rng(7)
    n, base, effect, draws = 200, 0.4, 0.1, 2000
    one, two = rng.random((draws, n)) < base + effect, rng.random((draws, n)) < base
    passed = 0
    for a, b in zip(one, two, strict=True):
        both, first, second = int((a & b).sum()), int((a & ~b).sum()), int((b & ~a).sum())
        found = newcombe_paired(both, first, second, n - both - first - second)
        passed += 100 * (first - second) >= 10 * n and (found.low or 0.0) > 0
    assert passed / draws == pytest.approx(promotion(n, n, 10, base, effect), abs=0.035)


def test_five_points_below_is_printed_beside() -> None:
    found = of_contrast([(200, 200)], 10, 0.5)
    assert found.at_zero is not None
    assert found.below_threshold is not None
    assert found.at_zero < found.below_threshold < 0.5


def test_a_correlation_by_luck() -> None:
    found = of_correlation(200, 0.6)
    assert found.at_zero == 0.0
    assert found.below_threshold is not None
    assert 0.05 < found.below_threshold < 0.3


def test_a_change_that_does_nothing_again_seldom_seems_to_reproduce() -> None:
    assert of_reproduction(400, 5, 30) == 0.0
    assert of_reproduction(400, 5, 0) > 0.85
