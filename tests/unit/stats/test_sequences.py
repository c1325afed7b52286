"""The confidence sequence: the martingale is one, the inversion inverts, continuous looking errs at most 5 %."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.intervals import proportion_bounds
from proctor.stats.sequences import (
    anytime_bounds,
    anytime_proportion,
    confidence_sequence,
    log_evidence,
    sequential_characteristic,
    sequential_decision,
)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 200), p=st.floats(0.01, 0.99))
def test_the_evidence_against_the_truth_averages_one(n: int, p: float) -> None:
    """A martingale from 1: its expectation under p is 1 at every n. This is what Ville's inequality rests on."""
    k = np.arange(n + 1)
    assert np.exp(stats.binom.logpmf(k, n, p) + log_evidence(k, n, p)).sum() == pytest.approx(1.0, rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 1000), share=st.floats(0, 1), confidence=st.sampled_from([0.9, 0.95, 0.99]))
def test_bounds_invert_the_evidence(n: int, share: float, confidence: float) -> None:
    k = round(share * n)
    low, high = (float(bound) for bound in anytime_bounds(k, n, confidence=confidence))
    limit = -np.log(1 - confidence)
    assert 0.0 <= low <= k / n <= high <= 1.0
    if k > 0:
        assert float(log_evidence(k, n, low)) == pytest.approx(limit, abs=1e-6)
    if k < n:
        assert float(log_evidence(k, n, high)) == pytest.approx(limit, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 300), share=st.floats(0, 1), threshold=st.sampled_from([0.5, 0.7, 0.9]))
def test_decisions_are_those_of_the_bounds(n: int, share: float, threshold: float) -> None:
    k = round(share * n)
    low, high = (float(bound) for bound in anytime_bounds(k, n))
    expected = "met" if low >= threshold else "not met" if high < threshold else "undecided"
    assert sequential_decision(k, n, threshold=threshold) == expected


def test_a_sequence_is_wider_than_a_fixed_interval_and_shrinks() -> None:
    for k, n in [(7, 10), (70, 100), (700, 1000)]:
        low, high = anytime_bounds(k, n)
        fixed = proportion_bounds(k, n)
        assert float(low) < fixed.low and float(high) > fixed.high
    widths = [float(high - low) for low, high in (anytime_bounds(7 * n, 10 * n) for n in (1, 10, 100, 1000))]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.7, 0.9])
def test_exact_error_of_looking_after_every_observation(p: float) -> None:
    """Probability that the true rate is ever outside, exactly, over 600 looks: at most 5 %, and not absurdly small."""
    ever = sequential_characteristic(p=p, threshold=p, max_n=600)
    assert 0.005 < ever.met + ever.not_met <= 0.05


def test_simulated_error_of_continuous_looking() -> None:
    rng = np.random.default_rng(11)
    looks = np.arange(1, 401)
    low, high = anytime_bounds(np.minimum(np.arange(401), looks[:, None]), looks[:, None])
    hits = np.cumsum(rng.random((3000, 400)) < 0.7, axis=1)
    outside = (low > 0.7) | (high < 0.7)
    anytime = float(outside[looks - 1, hits].any(axis=1).mean())
    assert anytime <= 0.05
    exact = sequential_characteristic(p=0.7, threshold=0.7, max_n=400)
    assert anytime == pytest.approx(exact.met + exact.not_met, abs=0.015)


def test_characteristic_matches_a_simulation_of_the_decision() -> None:
    rng = np.random.default_rng(5)
    exact = sequential_characteristic(p=0.85, threshold=0.7, max_n=120, look_every=10)
    endings, spent = {"met": 0, "not met": 0, "undecided": 0}, 0
    decisions = {(k, n): sequential_decision(k, n, threshold=0.7) for n in range(10, 121, 10) for k in range(n + 1)}
    runs = 4000
    for row in np.cumsum(rng.random((runs, 120)) < 0.85, axis=1)[:, 9::10].tolist():
        ending, n = "undecided", 120
        for look, k in enumerate(row, start=1):
            if decisions[k, 10 * look] != "undecided":
                ending, n = decisions[k, 10 * look], 10 * look
                break
        endings[ending] += 1
        spent += n
    assert endings["met"] / runs == pytest.approx(exact.met, abs=0.025)
    assert endings["not met"] / runs == pytest.approx(exact.not_met, abs=0.01)
    assert spent / runs == pytest.approx(exact.expected_n, abs=2.0)
    assert exact.met + exact.not_met + exact.undecided == pytest.approx(1.0)
    assert exact.met > 0.5


def test_sequence_rows_are_the_single_looks() -> None:
    outcomes = [True, False, True, True]
    whole = confidence_sequence(outcomes)
    for n in range(1, 5):
        single = anytime_proportion(sum(outcomes[:n]), n)
        assert (whole.low[n - 1], whole.high[n - 1]) == pytest.approx((single.low, single.high))
    with pytest.raises(ValueError, match="no gaps"):
        confidence_sequence([True, None])  # type: ignore[list-item]


def test_decisions_at_the_ends() -> None:
    assert sequential_decision(0, 0, threshold=0.7) == "undecided"
    assert sequential_decision(5, 5, threshold=0.7) == "undecided"
    assert sequential_decision(100, 100, threshold=0.7) == "met"
    assert sequential_decision(0, 10, threshold=0.7) == "not met"
    assert anytime_proportion(0, 0).reason == "no scored observation"


def test_characteristic_refuses_nonsense() -> None:
    with pytest.raises(ValueError, match="strictly inside"):
        sequential_characteristic(p=0.5, threshold=1.0, max_n=10)
    with pytest.raises(ValueError, match="at least 1"):
        sequential_characteristic(p=0.5, threshold=0.7, max_n=0)
