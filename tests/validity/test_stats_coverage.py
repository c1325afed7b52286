"""Do the intervals cover, do the tests keep their level, are they as fast as promised? Seeds are fixed throughout."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from time import perf_counter

import numpy as np
import pytest

from proctor.stats.agreement import cohen_kappa, fleiss_kappa
from proctor.stats.auc import auc
from proctor.stats.bootstrap import bootstrap_mean
from proctor.stats.bootstrap_auc import bootstrap_delta_auc
from proctor.stats.differences import across_units, newcombe, newcombe_paired, prediction_test, welch
from proctor.stats.estimate import Estimate
from proctor.stats.intervals import clustered_proportion, proportion, proportion_bounds
from proctor.stats.paired import mcnemar, sign_flip
from proctor.stats.sample import IntArray
from proctor.stats.sequences import anytime_bounds, sequential_characteristic

pytestmark = pytest.mark.slow


def _covers(result: Estimate, truth: float) -> bool:
    return result.low is not None and result.high is not None and result.low <= truth <= result.high


def _share(tables: IntArray, holds: Callable[..., bool]) -> float:
    """Share of simulated tables for which `holds`, each distinct table judged once."""
    distinct, times = np.unique(tables, axis=0, return_counts=True)
    judged = np.array([holds(*row) for row in distinct.tolist()])
    return float((judged * times).sum() / times.sum())


def _clustered_counts(rng: np.random.Generator, *, rate: float, icc: float, clusters: int, each: int) -> IntArray:
    """20,000 samples of beta-binomial clusters with the given intraclass correlation."""
    weight = 1.0 / icc - 1.0
    rates = rng.beta(rate * weight, (1.0 - rate) * weight, (20_000, clusters))
    return np.sort(rng.binomial(each, rates), axis=1)


@pytest.mark.parametrize(
    ("rate", "clusters", "each", "least", "most"),
    [
        (0.5, 5, 20, 0.94, 0.97),
        (0.7, 5, 20, 0.93, 0.96),
        (0.7, 20, 5, 0.94, 0.96),
        (0.7, 40, 5, 0.94, 0.96),
        (0.9, 20, 5, 0.93, 0.96),
        (0.9, 5, 20, 0.86, 0.91),  # the known weak corner, as the docstring says
    ],
)
def test_clustered_interval_covers_where_the_plain_one_does_not(
    rate: float, clusters: int, each: int, least: float, most: float
) -> None:
    rng = np.random.default_rng(21)
    counts = _clustered_counts(rng, rate=rate, icc=0.3, clusters=clusters, each=each)
    sizes = [each] * clusters
    clustered = _share(counts, lambda *row: _covers(clustered_proportion(row, sizes), rate))
    plain = _share(counts.sum(axis=1, keepdims=True), lambda k: _covers(proportion(k, clusters * each), rate))
    assert least <= clustered <= most
    assert plain < 0.85


def test_false_promotion_by_templates() -> None:
    """A true 0.60 agent against 0.70: five templates at correlation 0.3 promote by the plain bound far too often."""
    rng = np.random.default_rng(22)
    counts = _clustered_counts(rng, rate=0.60, icc=0.3, clusters=5, each=20)
    plain = _share(counts.sum(axis=1, keepdims=True), lambda k: proportion_bounds(k, 100).low >= 0.70)
    clustered = _share(counts, lambda *row: (clustered_proportion(row, [20] * 5).low or 0.0) >= 0.70)
    assert plain > 0.05
    assert clustered < 0.02


def test_percentile_bootstrap_over_seven_units_is_too_short_and_t_is_not() -> None:
    """The decisions page says 86–88 % and 94–96 %."""
    rng = np.random.default_rng(23)
    rows = rng.normal(size=(8000, 7))
    labels = list(range(7))
    assert 0.86 <= np.mean([_covers(bootstrap_mean(row, labels), 0.0) for row in rows]) <= 0.885
    assert 0.94 <= np.mean([_covers(across_units(row), 0.0) for row in rows]) <= 0.96


def test_cluster_bootstrap_covers_with_many_clusters() -> None:
    rng = np.random.default_rng(24)
    clusters = np.repeat(np.arange(60), 5)
    covered = 0
    for _ in range(600):
        values = np.repeat(rng.normal(size=60), 5) + rng.normal(size=300)
        covered += _covers(bootstrap_mean(values, clusters, draws=1500, rng=rng), 0.0)
    assert covered / 600 == pytest.approx(0.945, abs=0.022)


def test_gain_in_auc_covers_and_a_useless_score_gains_nothing() -> None:
    """Clusters share a difficulty; both scores carry the same signal, so the true gain is 0."""
    rng = np.random.default_rng(25)
    clusters = np.repeat(np.arange(80), 4)
    covered = 0
    for _ in range(500):
        shared = np.repeat(rng.normal(size=80), 4)
        labels = rng.random(320) < 1 / (1 + np.exp(-shared))
        first, second = (0.8 * labels + 0.7 * shared + rng.normal(size=320) for _ in range(2))
        covered += _covers(bootstrap_delta_auc(labels, first, second, clusters, draws=800, rng=rng), 0.0)
    assert covered / 500 == pytest.approx(0.945, abs=0.025)


@pytest.mark.parametrize("p", [0.2, 0.5, 0.7, 0.9])
def test_continuous_looking_exactly_and_by_simulation(p: float) -> None:
    exact = sequential_characteristic(p=p, threshold=p, max_n=2000)
    assert 0.0 < exact.met + exact.not_met <= 0.05
    rng = np.random.default_rng(26)
    looks = np.arange(1, 801)
    low, high = anytime_bounds(np.minimum(np.arange(801), looks[:, None]), looks[:, None])
    outside = (low > p) | (high < p)
    hits = np.cumsum(rng.random((10_000, 800)) < p, axis=1)
    assert float(outside[looks - 1, hits].any(axis=1).mean()) <= 0.05


def test_a_fixed_interval_looked_at_every_ten_promotes_too_often() -> None:
    """The decisions page: looking every ten instances promotes at 10 % instead of 2.5 %."""
    rng = np.random.default_rng(27)
    looks = np.arange(10, 201, 10)
    hits = np.cumsum(rng.random((20_000, 200)) < 0.70, axis=1)[:, looks - 1]
    needed = [min(k for k in range(n + 1) if k == n or proportion_bounds(k, n).low >= 0.70) for n in looks.tolist()]
    fixed = float((hits >= np.array(needed)).any(axis=1).mean())
    assert fixed > 0.07
    assert sequential_characteristic(p=0.70, threshold=0.70, max_n=200, look_every=10).met <= 0.025


def test_newcombe_intervals_cover() -> None:
    rng = np.random.default_rng(28)
    for p1, n1, p2, n2 in [(0.8, 50, 0.7, 50), (0.95, 30, 0.9, 60), (0.5, 15, 0.5, 15)]:
        counts = np.stack([rng.binomial(n1, p1, 20_000), rng.binomial(n2, p2, 20_000)], axis=1)
        truth = p1 - p2
        covered = _share(counts, lambda a, b, n1=n1, n2=n2, truth=truth: _covers(newcombe(a, n1, b, n2), truth))
        assert 0.935 <= covered <= 0.985
    for cells in [(0.6, 0.15, 0.05, 0.2), (0.3, 0.2, 0.2, 0.3), (0.85, 0.08, 0.02, 0.05)]:
        tables = rng.multinomial(60, cells, 20_000)
        truth = cells[1] - cells[2]
        covered = _share(tables, lambda a, b, c, d, truth=truth: _covers(newcombe_paired(a, b, c, d), truth + 0.0))
        assert 0.935 <= covered <= 0.985


def test_mcnemar_levels() -> None:
    """Exact never exceeds its level; mid-p comes closer to it without passing (Fagerland et al. 2013)."""
    rng = np.random.default_rng(29)
    tables = rng.multinomial(60, (0.15, 0.15, 0.7), 40_000)[:, :2]
    exact = _share(tables, lambda b, c: mcnemar(b, c).below(0.05))
    mid = _share(tables, lambda b, c: mcnemar(b, c, method="mid_p").below(0.05))
    assert exact < mid <= 0.052
    assert mid > 0.035


def test_levels_of_welch_prediction_and_sign_flip() -> None:
    rng = np.random.default_rng(30)
    unequal = [welch(rng.normal(size=8), rng.normal(0, 4, size=20)).p_value or 0.0 for _ in range(5000)]
    assert np.mean(np.array(unequal) <= 0.05) == pytest.approx(0.05, abs=0.01)
    for runs in (5, 20):
        p = [prediction_test(row[0], row[1:]).p_value or 0.0 for row in rng.normal(size=(5000, runs + 1))]
        assert np.mean(np.array(p) <= 0.01) == pytest.approx(0.01, abs=0.004)
    flips = [sign_flip(row, alternative="greater").p_value or 0.0 for row in rng.laplace(size=(5000, 8))]
    assert np.mean(np.array(flips) <= 0.05) == pytest.approx(12 / 256, abs=0.009)


def test_auc_and_kappa_intervals_cover() -> None:
    rng = np.random.default_rng(31)
    labels = np.repeat([0, 1], [60, 40])
    truth = NormalDist().cdf(1 / 2**0.5)
    covered = [_covers(auc(labels, rng.normal(size=100) + labels), truth) for _ in range(4000)]
    assert np.mean(covered) == pytest.approx(0.945, abs=0.015)
    fleiss, cohen = 0, 0
    for _ in range(1200):
        # Raters who say yes with an item's own Beta(½, ½) chance agree beyond chance at κ = 1/(½ + ½ + 1).
        ratings = (rng.random((80, 4)) < rng.beta(0.5, 0.5, (80, 1))).T.tolist()
        fleiss += _covers(fleiss_kappa(dict(zip("abcd", ratings, strict=True))), 0.5)
        cohen += _covers(cohen_kappa(ratings[0], ratings[1]), 0.5)
    assert fleiss / 1200 == pytest.approx(0.95, abs=0.02)
    assert cohen / 1200 == pytest.approx(0.945, abs=0.02)


def _best_of(times: int, work: Callable[[], object]) -> float:
    spans = []
    for _ in range(times):
        start = perf_counter()
        work()
        spans.append(perf_counter() - start)
    return min(spans)


def test_speed_of_the_cluster_bootstrap() -> None:
    """10,000 draws over 57,816 rows in 7 clusters within 0.1 s; a gain in AUC, 1,800 rows in 300, within 0.3 s."""
    rng = np.random.default_rng(32)
    outcomes, labels = (rng.random(57_816) < 0.8).tolist(), [f"ds{i}" for i in rng.integers(0, 7, 57_816)]
    assert _best_of(3, lambda: bootstrap_mean(outcomes, labels)) <= 0.1
    assert _best_of(3, lambda: bootstrap_mean(outcomes, labels, rng=rng, enumerate_up_to=0)) <= 0.1
    solved = rng.random(1800) < 0.4
    first, second = rng.normal(size=1800) + solved, rng.normal(size=1800)
    issues = np.repeat(np.arange(300), 6)
    assert _best_of(3, lambda: bootstrap_delta_auc(solved, first, second, issues, rng=rng)) <= 0.3
