"""Intervals against printed tables, against independent formulas, and by exact coverage."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.external import statsmodels
from proctor.stats.intervals import (
    ProportionMethod,
    clustered_proportion,
    counts_by_cluster,
    mean,
    proportion,
    proportion_bounds,
    rate_ceiling,
)
from proctor.stats.power import min_successes
from proctor.stats.sample import FloatArray, IntArray

METHODS: tuple[ProportionMethod, ...] = ("wilson", "agresti_coull", "exact")


@pytest.mark.parametrize(
    ("k", "n", "wilson", "exact"),
    [
        # Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, table I.
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0000, 0.1611), (0.0000, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ],
)
def test_published_single_proportions(k: int, n: int, wilson: tuple[float, float], exact: tuple[float, float]) -> None:
    assert proportion_bounds(k, n) == pytest.approx(wilson, abs=5e-5)
    assert proportion_bounds(k, n, method="exact") == pytest.approx(exact, abs=5e-5)


def test_agresti_coull_is_the_formula_of_brown_cai_and_dasgupta() -> None:
    # Brown, Cai and DasGupta (2001), Statistical Science 16, equation (5).
    k, n, z = 7, 25, 1.96
    centre = (k + z**2 / 2) / (n + z**2)
    reach = z * sqrt(centre * (1 - centre) / (n + z**2))
    assert proportion_bounds(k, n, method="agresti_coull") == pytest.approx((centre - reach, centre + reach), abs=1e-12)


def test_worked_examples_of_the_white_paper() -> None:
    low = proportion(14, 20).low
    assert low is not None and low < 0.70
    strict = [k for k in range(21) if (proportion(k, 20).low or 0.0) >= 0.70]
    assert strict == [19, 20]


def test_z_is_the_white_papers_and_two_verdicts_turn_on_it() -> None:
    """1.96 against 1.959964: bounds agree to 0.00001; of all k of n ≤ 2,000, two verdicts at 0.70 do not."""

    def wilson_low(k: IntArray, n: IntArray, z: float) -> FloatArray:
        p = k / n
        return np.asarray((p + z * z / (2 * n) - z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n))

    n = np.repeat(np.arange(1, 2001), np.arange(2, 2002))
    k = np.concatenate([np.arange(size + 1) for size in range(1, 2001)])
    exact_z, rounded_z = wilson_low(k, n, float(stats.norm.ppf(0.975))), wilson_low(k, n, 1.96)
    assert np.abs(exact_z - rounded_z).max() < 1e-5
    turned = (exact_z >= 0.70) != (rounded_z >= 0.70)
    assert list(zip(k[turned].tolist(), n[turned].tolist(), strict=True)) == [(277, 371), (541, 738)]
    for hits, total in [(277, 371), (541, 738), (14, 20)]:
        assert proportion(hits, total).low == pytest.approx(rounded_z[(n == total) & (k == hits)][0], abs=1e-12)
    assert min_successes(371, 0.70) == 278


@pytest.mark.parametrize("method", METHODS)
def test_nothing_scored_is_not_zero(method: ProportionMethod) -> None:
    result = proportion(0, 0, method=method, missing=4)
    assert result.estimate is None and result.low is None and result.high is None
    assert result.missing == 4
    assert result.reason == "no scored observation"


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 400), share=st.floats(0, 1), confidence=st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_interval_holds_the_estimate_and_mirrors(
    method: ProportionMethod, n: int, share: float, confidence: float
) -> None:
    k = round(share * n)
    here = proportion(k, n, method=method, confidence=confidence)
    mirror = proportion(n - k, n, method=method, confidence=confidence)
    assert here.estimate is not None and here.low is not None and here.high is not None
    assert mirror.low is not None and mirror.high is not None
    assert 0.0 <= here.low <= here.estimate <= here.high <= 1.0
    assert (here.low, here.high) == pytest.approx((1.0 - mirror.high, 1.0 - mirror.low), abs=1e-9)


@pytest.mark.parametrize("n", [10, 20, 50, 100])
def test_exact_coverage_of_proportions(n: int) -> None:
    """Coverage by enumeration: Clopper–Pearson never below 95 %, Wilson 95 % on average and never far below."""
    rates = np.linspace(0.05, 0.95, 181)
    chance = stats.binom.pmf(np.arange(n + 1)[None, :], n, rates[:, None])
    coverage = {}
    for method in METHODS:
        bounds = np.array([proportion_bounds(k, n, method=method) for k in range(n + 1)])
        inside = (bounds[:, 0] <= rates[:, None]) & (rates[:, None] <= bounds[:, 1])
        coverage[method] = (chance * inside).sum(axis=1)
    assert coverage["exact"].min() >= 0.95
    assert abs(coverage["wilson"].mean() - 0.95) < 0.01
    assert coverage["wilson"].min() > 0.88
    assert coverage["agresti_coull"].min() > 0.92


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (1, -1)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="impossible"):
        proportion(k, n)


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="method"):
        proportion(1, 2, method="wald")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="confidence"):
        proportion(1, 2, confidence=95)


def test_rate_ceiling_of_no_incident() -> None:
    """None in 2,000 is at most 0.15 % (decisions, Safety); exactly 1 − 0.05^(1/2000)."""
    result = rate_ceiling(0, 2000)
    assert result.high == pytest.approx(1 - 0.05 ** (1 / 2000), rel=1e-9)
    assert round(100 * (result.high or 0), 2) == 0.15
    assert result.low == 0.0
    assert rate_ceiling(0, 0).estimate is None


def test_mean_of_students_sleep_data() -> None:
    # Student (1908), group 1 of the sleep data; R: t.test(extra[group == 1]) gives (−0.5297804, 2.0297804).
    result = mean([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
    assert (result.estimate, result.low, result.high) == pytest.approx((0.75, -0.5297804, 2.0297804), abs=1e-7)


def test_mean_of_few() -> None:
    assert mean([]).estimate is None
    assert mean([None, None]).missing == 2
    one = mean([2.0, None])
    assert (one.estimate, one.low, one.n, one.missing) == (2.0, None, 1, 1)
    same = mean([2.0, 2.0, 2.0])
    assert (same.low, same.high) == (2.0, 2.0)


def test_cluster_robust_variance_is_that_of_a_clustered_regression() -> None:
    rng = np.random.default_rng(3)
    clusters = rng.integers(0, 9, 300)
    outcomes = rng.random(300) < np.linspace(0.3, 0.9, 9)[clusters]
    counts = counts_by_cluster(outcomes.tolist(), clusters)
    result = clustered_proportion(counts.successes, counts.totals)
    fit = (
        statsmodels("api")
        .OLS(outcomes.astype(float), np.ones(300))
        .fit(cov_type="cluster", cov_kwds={"groups": clusters})
    )
    p = outcomes.mean()
    assert result.design_effect == pytest.approx(float(fit.bse[0]) ** 2 / (p * (1 - p) / 300), rel=1e-9)
    assert result.effective_n == pytest.approx(300 / (result.design_effect or 0))
    assert result.clusters == 9


def test_independent_clusters_cost_nothing_but_degrees_of_freedom() -> None:
    """Clusters of one row each: design effect n/(n − 1), and an interval close to the plain one."""
    outcomes = [True] * 70 + [False] * 30
    counts = counts_by_cluster(outcomes, list(range(100)))
    result = clustered_proportion(counts.successes, counts.totals)
    plain = proportion(70, 100)
    assert result.design_effect == pytest.approx(100 / 99)
    assert (result.low, result.high) == pytest.approx((plain.low, plain.high), abs=0.003)


def test_clusters_that_agree_within_themselves_are_worth_one_observation_each() -> None:
    result = clustered_proportion([20, 20, 20, 0], [20, 20, 20, 20])
    assert result.design_effect == pytest.approx(80 / 3)
    assert result.effective_n == pytest.approx(3.0)
    plain = proportion(60, 80)
    assert result.low is not None and plain.low is not None and result.low < plain.low - 0.3


def test_effective_n_never_exceeds_n_and_the_interval_is_never_shorter() -> None:
    """Clusters more alike than chance would give a design effect under 1: no credit for that."""
    result = clustered_proportion([7, 7, 7, 7, 7], [10] * 5)
    assert result.design_effect == pytest.approx(0.0)
    assert result.effective_n == 50.0
    plain = proportion(35, 50)
    assert result.low is not None and plain.low is not None and result.low < plain.low


def test_clustered_edge_cases() -> None:
    assert clustered_proportion([], []).estimate is None
    one = clustered_proportion([3], [4])
    assert (one.estimate, one.low) == (0.75, None)
    assert one.reason == "one cluster says nothing about others"
    perfect = clustered_proportion([20] * 5, [20] * 5)
    assert (perfect.estimate, perfect.high, perfect.design_effect) == (1.0, 1.0, None)
    assert perfect.low is not None and 0.90 < perfect.low < (proportion(100, 100).low or 0)
    none = clustered_proportion([0] * 5, [20] * 5)
    assert none.low == 0.0 and none.high == pytest.approx(1.0 - perfect.low)


def test_counts_by_cluster_leaves_out_what_is_missing() -> None:
    counts = counts_by_cluster([True, None, False, True, None], ["b", "b", "a", "b", "c"])
    assert counts.successes == (0, 2)
    assert counts.totals == (1, 2)
    assert counts.missing == 2
    with pytest.raises(ValueError, match="cluster labels"):
        counts_by_cluster([True], [])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 20, 100, 371, 2000, 2001])
def test_bounds_are_the_same_one_by_one_and_all_at_once(method: ProportionMethod, n: int) -> None:
    from statsmodels.stats.proportion import proportion_confint

    alpha = 0.05 if method == "exact" else 2.0 * float(stats.norm.cdf(-1.96))
    name = "beta" if method == "exact" else method
    for k in sorted({0, 1, n // 3, 7 * n // 10, n - 1, n}):
        low, high = proportion_confint(k, n, alpha=alpha, method=name)
        found = proportion_bounds(k, n, method=method)
        assert found.low == pytest.approx(0.0 if k == 0 else max(float(low), 0.0), abs=1e-12)
        assert found.high == pytest.approx(1.0 if k == n else min(float(high), 1.0), abs=1e-12)
