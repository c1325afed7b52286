"""Power: figures of the decisions page, enumeration, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.intervals import proportion_bounds
from proctor.stats.power import (
    detectable_above_threshold,
    detectable_difference,
    meets_rule,
    min_successes,
    smallest_n_above_threshold,
    smallest_n_for_difference,
)


def test_operating_characteristics_of_the_decisions_page() -> None:
    """At n = 20 `worked` promotes a true 0.65 agent in 25 %, `strict` refuses a true 0.90 agent in 61 %."""
    assert meets_rule(20, 0.65, lambda k: k >= 15) == pytest.approx(0.25, abs=0.005)
    assert 1 - meets_rule(20, 0.90, lambda k: proportion_bounds(k, 20).low >= 0.70) == pytest.approx(0.61, abs=0.005)


def test_rules_that_always_and_never_hold() -> None:
    assert meets_rule(30, 0.3, lambda k: True) == pytest.approx(1.0)
    assert meets_rule(30, 0.3, lambda k: False) == 0.0
    assert meets_rule(0, 0.3, lambda k: k == 0) == 1.0
    with pytest.raises(ValueError, match="not a rate"):
        meets_rule(3, 1.3, lambda k: True)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 300), threshold=st.sampled_from([0.3, 0.5, 0.65, 0.7, 0.9]))
def test_min_successes_is_where_the_lower_bound_arrives(n: int, threshold: float) -> None:
    fewest = min_successes(n, threshold)
    if fewest is None:
        assert proportion_bounds(n, n).low < threshold
        return
    assert proportion_bounds(fewest, n).low >= threshold - 1e-9
    assert fewest == 0 or proportion_bounds(fewest - 1, n).low < threshold


def test_detectable_above_threshold_has_its_power() -> None:
    found = detectable_above_threshold(100, 0.70, power=0.9)
    assert found.rate is not None and found.estimate == pytest.approx(found.rate - 0.70)
    assert meets_rule(100, found.rate, lambda k: proportion_bounds(k, 100).low >= 0.70) == pytest.approx(0.9)
    hopeless = detectable_above_threshold(5, 0.70)
    assert hopeless.estimate is None and hopeless.reason == "even 5 of 5 do not clear the threshold"


def test_smallest_n_holds_from_there_on_and_not_before() -> None:
    n = smallest_n_above_threshold(0.85, 0.70, power=0.9)
    assert n is not None

    def power(size: int) -> float:
        return meets_rule(size, 0.85, lambda k: proportion_bounds(k, size).low >= 0.70)

    assert power(n - 1) < 0.9
    assert min(power(size) for size in range(n, n + 20)) >= 0.9
    assert smallest_n_above_threshold(0.70, 0.70) is None
    assert smallest_n_above_threshold(0.70001, 0.70) is None


def test_two_proportions_there_and_back() -> None:
    found = detectable_difference(200, 200, 0.80, direction="below", power=0.9)
    assert found.rate is not None and found.rate < 0.80
    assert smallest_n_for_difference(found.rate, 0.80, power=0.9) == 200
    assert smallest_n_for_difference(0.8, 0.8) is None
    none = detectable_difference(5, 5, 0.95)
    assert none.estimate is None and "far enough" in (none.reason or "")


def test_cohens_table_of_sample_sizes() -> None:
    # Cohen (1988), Statistical Power Analysis, chapter 6: h = 0.50, two-sided 0.05, power 0.80 needs n = 63 a group.
    p1 = float(np.sin(np.arcsin(np.sqrt(0.5)) + 0.25) ** 2)
    assert smallest_n_for_difference(p1, 0.5, power=0.8) == 63


@pytest.mark.parametrize("direction", ["above", "below"])
def test_detectable_difference_by_exact_power(direction: str) -> None:
    """The arcsine promise against the exact power of the pooled z test at 0.70 with 150 against 150."""
    found = detectable_difference(150, 150, 0.70, direction="above" if direction == "above" else "below", power=0.9)
    assert found.rate is not None
    k = np.arange(151)
    pooled = (k[:, None] + k) / 300
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (k[:, None] - k) / 150 / np.sqrt(pooled * (1 - pooled) * 2 / 150)
    chance = stats.binom.pmf(k, 150, found.rate)[:, None] * stats.binom.pmf(k, 150, 0.70)
    assert float(chance[np.abs(z) >= 1.959964].sum()) == pytest.approx(0.9, abs=0.02)
