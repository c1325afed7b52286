"""Differences against Newcombe's tables, R, SciPy, and by exact coverage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.differences import across_units, newcombe, newcombe_paired, prediction_test, welch
from proctor.stats.estimate import ALTERNATIVES, Alternative

SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)
COMPOSITE = (1294 / 1440, 1213 / 1440, 1225 / 1440, 1350 / 1440, 1273 / 1428, 1369 / 1440, 839 / 1008)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # Newcombe (1998), Interval estimation for the difference between independent proportions,
        # Statistics in Medicine 17, table II, method 10; printed with z = 1.959964 where ours is 1.96.
        ((56, 70, 48, 80), 0.0524, 0.3339),
        ((9, 10, 3, 10), 0.1705, 0.8090),
        ((6, 7, 2, 7), 0.0582, 0.8062),
        ((5, 56, 0, 29), -0.0381, 0.1926),
        ((0, 10, 0, 20), -0.1611, 0.2775),
        ((0, 10, 0, 10), -0.2775, 0.2775),
        ((10, 10, 0, 20), 0.6791, 1.0000),
        ((10, 10, 0, 10), 0.6075, 1.0000),
    ],
)
def test_published_independent_differences(counts: tuple[int, int, int, int], low: float, high: float) -> None:
    result = newcombe(*counts)
    assert (result.low, result.high) == pytest.approx((low, high), abs=6e-5)
    assert result.n == counts[1] + counts[3]


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        # Newcombe (1998b), Improved confidence intervals for the difference between binomial proportions based on
        # paired data, Statistics in Medicine 17, method 10.
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((20, 12, 2, 16), 0.0562, 0.3292),
        # Fagerland, Lydersen and Laake, Statistical Analysis of Contingency Tables (2017), chapter 8: response
        # before and after consolidation therapy (Cavo et al. 2012), as printed by their package contingencytables.
        ((59, 6, 16, 80), -0.1186, -0.0046),
    ],
)
def test_published_paired_differences(table: tuple[int, int, int, int], low: float, high: float) -> None:
    result = newcombe_paired(*table)
    assert (result.low, result.high) == pytest.approx((low, high), abs=5e-5)
    assert result.n == sum(table)


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(0, 60)] * 4).filter(lambda table: sum(table) > 0))
def test_paired_interval_holds_the_estimate_and_swaps(table: tuple[int, int, int, int]) -> None:
    both, first, second, neither = table
    here, swapped = newcombe_paired(both, first, second, neither), newcombe_paired(both, second, first, neither)
    assert here.estimate is not None and here.low is not None and here.high is not None
    assert swapped.low is not None and swapped.high is not None
    assert -1.0 <= here.low <= here.estimate + 1e-12 and here.estimate - 1e-12 <= here.high <= 1.0
    assert (here.low, here.high) == pytest.approx((-swapped.high, -swapped.low), abs=1e-9)


def test_exact_coverage_of_the_independent_interval() -> None:
    n1, n2 = 20, 20
    bounds = np.array(
        [[(r.low, r.high) for k2 in range(n2 + 1) for r in [newcombe(k1, n1, k2, n2)]] for k1 in range(n1 + 1)]
    )
    covered = []
    for p1, p2 in [(0.5, 0.5), (0.7, 0.6), (0.9, 0.7), (0.3, 0.8), (0.95, 0.9)]:
        chance = stats.binom.pmf(np.arange(n1 + 1), n1, p1)[:, None] * stats.binom.pmf(np.arange(n2 + 1), n2, p2)
        inside = (bounds[..., 0] <= p1 - p2 + 1e-12) & (p1 - p2 - 1e-12 <= bounds[..., 1])
        covered.append(float((chance * inside).sum()))
    assert min(covered) > 0.93
    assert np.mean(covered) == pytest.approx(0.955, abs=0.015)


def test_simulated_coverage_of_the_paired_interval() -> None:
    rng = np.random.default_rng(2)
    cells = (0.55, 0.2, 0.1, 0.15)
    tables, times = np.unique(rng.multinomial(40, cells, size=4000), axis=0, return_counts=True)
    results = [newcombe_paired(*table) for table in tables.tolist()]
    inside = np.array([(r.low or 0.0) <= 0.1 <= (r.high or 0.0) for r in results])
    assert float((inside * times).sum() / times.sum()) == pytest.approx(0.95, abs=0.015)


def test_nothing_on_one_side_is_unscored() -> None:
    assert newcombe(0, 0, 3, 5).estimate is None
    assert newcombe_paired(0, 0, 0, 0).reason == "no scored observation"
    with pytest.raises(ValueError, match="negative"):
        newcombe_paired(-1, 0, 0, 2)


def test_welch_of_the_sleep_data() -> None:
    # R: t.test(extra ~ group, data = sleep): t = −1.8608, df = 17.776, p = 0.07939, (−3.3654832, 0.2054832).
    result = welch(*SLEEP)
    assert result.statistic == pytest.approx(-1.8608, abs=5e-5)
    assert result.degrees_of_freedom == pytest.approx(17.776, abs=5e-4)
    assert result.p_value == pytest.approx(0.07939, abs=5e-6)
    assert (result.low, result.high) == pytest.approx((-3.3654832, 0.2054832), abs=1e-7)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_welch_agrees_with_scipy_in_every_direction(alternative: Alternative) -> None:
    theirs = stats.ttest_ind(*SLEEP, equal_var=False, alternative=alternative)
    assert welch(*SLEEP, alternative=alternative).p_value == pytest.approx(float(theirs.pvalue), rel=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [1.0, 2.0], "no scored observation"),
        ([1.0], [1.0, 2.0], "a sample of one has no spread"),
        ([0.3, 0.1 + 0.2], [0.5, 0.5], "neither sample varies"),
    ],
)
def test_welch_undefined(first: Sequence[float], second: Sequence[float], reason: str) -> None:
    result = welch(first, second)
    assert (result.p_value, result.low, result.reason) == (None, None, reason)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_prediction_is_students_test_with_a_sample_of_one(alternative: Alternative) -> None:
    baseline = [0.91, 0.93, 0.90, 0.92, 0.94, 0.92]
    result = prediction_test(0.88, baseline, alternative=alternative)
    theirs = stats.ttest_ind([0.88], baseline, equal_var=True, alternative=alternative)
    assert result.p_value == pytest.approx(float(theirs.pvalue), rel=1e-9)
    assert result.degrees_of_freedom == 5
    assert result.estimate == pytest.approx(-0.04)


def test_prediction_keeps_its_level() -> None:
    """An unchanged agent is flagged at alpha, however few the baseline runs: exact under normal runs."""
    rng = np.random.default_rng(8)
    for runs in (5, 20):
        p = [prediction_test(row[0], row[1:]).p_value or 0.0 for row in rng.normal(size=(800, runs + 1))]
        assert np.mean(np.array(p) <= 0.05) == pytest.approx(0.05, abs=0.02)


def test_prediction_undefined() -> None:
    assert prediction_test(0.9, []).reason == "no scored observation"
    assert prediction_test(0.9, [0.9]).reason == "one baseline run has no spread"
    flat = prediction_test(0.8, [0.9, 0.9, 0.9])
    assert flat.reason == "the baseline runs do not vary"
    assert flat.estimate == pytest.approx(-0.1) and flat.p_value is None


def test_across_units_reprints_the_sensitivity_row() -> None:
    """Binding paper, table 34, row 1: composite, structured minus high stochasticity, from the published counts."""
    result = across_units(COMPOSITE)
    assert result.estimate == pytest.approx(0.886, abs=5e-4)
    assert result.minimum == pytest.approx(0.832, abs=5e-4)
    assert result.leave_one_out_minimum == pytest.approx(0.875, abs=5e-4)
    assert result.top_removed == pytest.approx(0.875, abs=5e-4)
    assert (result.positive, result.n) == (7, 7)
    theirs = stats.ttest_1samp(COMPOSITE, 0.0).confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx((theirs.low, theirs.high))


def test_across_units_zero_is_not_positive_and_few_are_told_apart() -> None:
    assert across_units([0.0, 0.1, -0.2, None]).positive == 1
    single = across_units([0.4])
    assert (single.estimate, single.low, single.leave_one_out_minimum, single.top_removed) == (0.4, None, None, None)
    assert across_units([]).minimum is None
    # Each of two is left out in turn: what remains is the other one.
    two = across_units([0.5, -0.75])
    assert (two.leave_one_out_minimum, two.top_removed, two.minimum) == (-0.75, 0.5, -0.75)
    assert across_units([0.0, 0.001, 0.04]).positive == 2, "a little above zero is above zero"
