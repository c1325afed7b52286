"""The cluster bootstrap against the published bound, a naive loop, and its own symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_difference, bootstrap_mean

# Composite, A4 minus A5, as counts of the binding paper's table 17: k over 4·n for the datasets in sorted order.
PUBLISHED = {
    "ds000210_self_loop": 1294 / 1440,
    "ds000212_choice": 1213 / 1440,
    "ds001618_self_loop": 1225 / 1440,
    "ds001882_choice": 1350 / 1440,
    "ds004042_recall": 1273 / 1428,
    "ds004917_uncertainty": 1369 / 1440,
    "narratives_formal": 839 / 1008,
}


def test_published_bound_from_the_published_draws() -> None:
    result = bootstrap_mean(
        list(PUBLISHED.values()), list(PUBLISHED), draws=1000, rng=np.random.default_rng(7), enumerate_up_to=0
    )
    assert result.low == pytest.approx(0.855732, abs=5e-7)
    assert (result.exact, result.resamples, result.clusters) == (False, 1000, 7)


def test_full_enumeration_of_the_published_contrast() -> None:
    result = bootstrap_mean(list(PUBLISHED.values()), list(PUBLISHED))
    assert result.low == pytest.approx(0.855329, abs=5e-7)
    assert (result.exact, result.resamples) == (True, 1716)


def test_order_of_rows_does_not_matter() -> None:
    names = list(PUBLISHED)[::-1]
    turned = bootstrap_mean(
        [PUBLISHED[name] for name in names], names, draws=1000, rng=np.random.default_rng(7), enumerate_up_to=0
    )
    assert turned.low == pytest.approx(0.855732, abs=5e-7)


@pytest.mark.parametrize("weighting", ["rows", "clusters"])
def test_vectorised_equals_a_loop_over_the_same_draws(weighting: str) -> None:
    rng = np.random.default_rng(2)
    clusters = rng.integers(0, 12, 90)
    values = rng.normal(size=90) + clusters
    picks = np.random.default_rng(9).integers(0, 12, (300, 12))
    naive = []
    for pick in picks:
        rows = [values[clusters == cluster] for cluster in pick]
        naive.append(np.concatenate(rows).mean() if weighting == "rows" else np.mean([row.mean() for row in rows]))
    result = bootstrap_mean(
        values,
        clusters,
        weighting="rows" if weighting == "rows" else "clusters",
        draws=300,
        rng=np.random.default_rng(9),
    )
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(naive, [0.025, 0.975])))
    assert result.n == 90 and result.clusters == 12


def test_sampling_approaches_enumeration() -> None:
    values = list(PUBLISHED.values())
    sampled = bootstrap_mean(values, list(PUBLISHED), draws=60_000, rng=np.random.default_rng(0), enumerate_up_to=0)
    exact = bootstrap_mean(values, list(PUBLISHED))
    assert (sampled.low, sampled.high) == pytest.approx((exact.low, exact.high), abs=0.0015)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.floats(-5, 5)), min_size=2, max_size=40),
    st.floats(0.1, 3),
    st.floats(-2, 2),
)
def test_shift_and_scale(rows: list[tuple[int, float]], scale: float, shift: float) -> None:
    clusters, values = [row[0] for row in rows], np.array([row[1] for row in rows])
    base, moved = bootstrap_mean(values, clusters), bootstrap_mean(values * scale + shift, clusters)
    assert base.clusters == len(set(clusters))
    if base.clusters == 1:
        assert base.low is None and base.reason == "one cluster says nothing about others"
        return
    assert base.low is not None and base.high is not None
    assert (moved.low, moved.high) == pytest.approx((base.low * scale + shift, base.high * scale + shift), abs=1e-7)


def test_missing_rows_and_empty_clusters_are_counted() -> None:
    result = bootstrap_mean([1.0, None, 0.0, None], ["a", "a", "b", "c"])
    assert (result.n, result.missing, result.clusters, result.empty_clusters) == (2, 2, 2, 1)
    assert result.estimate == 0.5
    nothing = bootstrap_mean([None], ["a"])
    assert (nothing.estimate, nothing.reason) == (None, "no scored observation")


def test_difference_is_the_mean_of_paired_differences() -> None:
    rng = np.random.default_rng(6)
    first, second, clusters = rng.random(60), rng.random(60), rng.integers(0, 6, 60)
    paired = bootstrap_difference(first, second, clusters)
    assert (paired.estimate, paired.low, paired.high) == pytest.approx(
        tuple(getattr(bootstrap_mean(first - second, clusters), name) for name in ("estimate", "low", "high"))
    )
    gap = bootstrap_difference([1.0, None, 1.0], [0.0, 0.0, 0.5], ["a", "a", "b"])
    assert (gap.estimate, gap.missing) == (0.75, 1)


def test_one_cluster_and_no_value_have_no_interval_and_a_reason() -> None:
    alone = bootstrap_mean([1.0, 0.0, None], ["a", "a", "b"])
    assert (alone.estimate, alone.low, alone.high, alone.n, alone.missing) == (0.5, None, None, 2, 1)
    assert (alone.clusters, alone.empty_clusters, alone.resamples, alone.undefined, alone.exact) == (1, 1, 0, 0, False)
    assert alone.reason == "one cluster says nothing about others"
    nothing = bootstrap_mean([None], ["a"])
    assert (nothing.estimate, nothing.clusters, nothing.reason) == (None, 0, "no scored observation")
    plain = BootstrapEstimate(
        estimate=None, n=0, method="m", confidence=0.95, reason="r", clusters=0, resamples=0, exact=False
    )
    assert (plain.undefined, plain.empty_clusters, plain.missing) == (0, 0, 0), "nothing is lost unless it is said"


def test_two_clusters_are_enumerated_by_hand() -> None:
    """Resamples {a, a}, {a, b}, {b, b} with probabilities ¼, ½, ¼; rows weigh equally, or clusters do."""
    values, labels = [0.0, 0.0, 0.0, 1.0], ["a", "a", "a", "b"]
    for weighting, middle in (("rows", 0.25), ("clusters", 0.5)):
        found = bootstrap_mean(values, labels, weighting=weighting, confidence=0.4)  # type: ignore[arg-type]
        assert found.estimate == middle
        # Tails of .3 lie within the middle resample, which stands between .25 and .75.
        assert (found.low, found.high) == (middle, middle)
        assert (found.resamples, found.exact, found.clusters) == (3, True, 2)
        wide = bootstrap_mean(values, labels, weighting=weighting, confidence=0.6)  # type: ignore[arg-type]
        assert (wide.low, wide.high) == (0.0, 1.0), "tails of .2 lie within the outer ones"


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="cluster labels"):
        bootstrap_mean([1.0], [])
    with pytest.raises(ValueError, match="weighting"):
        bootstrap_mean([1.0, 2.0], [1, 2], weighting="models")  # type: ignore[arg-type]
