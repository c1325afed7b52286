"""The interval of a share over clusters at and near its ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.clustered_ratio import ratio_bounds
from proctor.stats.intervals import clustered_proportion, proportion_bounds


def test_clusters_that_do_not_differ_are_one_observation_each() -> None:
    sizes = np.full(25, 20.0)
    quantile = float(stats.t.ppf(0.975, 24))
    found = ratio_bounds(sizes, sizes, n=500.0)
    assert found == pytest.approx((25 / (25 + quantile**2), 1.0))
    none = ratio_bounds(0.0 * sizes, sizes, n=500.0)
    assert none == pytest.approx((0.0, quantile**2 / (25 + quantile**2)))
    scores = ratio_bounds(0.7 * sizes, sizes, n=500.0)
    assert scores == pytest.approx(proportion_bounds(0.7 * 25 * (1.96 / quantile) ** 2, 25 * (1.96 / quantile) ** 2))


def test_unequal_clusters_are_worth_fewer_equal_ones() -> None:
    even, uneven = np.full(10, 10.0), np.array([91.0, *[1.0] * 9])
    one, two = ratio_bounds(even, even, n=100.0), ratio_bounds(uneven, uneven, n=100.0)
    assert one is not None and two is not None
    assert two.low < one.low - 0.3


def test_with_ordinary_clusters_it_is_the_usual_interval() -> None:
    rng = np.random.default_rng(3)
    hits, sizes = rng.binomial(20, rng.beta(7.0, 3.0, 60)).astype(np.float64), np.full(60, 20.0)
    found = ratio_bounds(hits, sizes, n=1200.0)
    usual = clustered_proportion(hits.astype(int).tolist(), sizes.astype(int).tolist())
    assert found is not None
    assert found == pytest.approx((usual.low, usual.high), abs=0.002)


def test_one_cluster_says_nothing_about_others() -> None:
    assert ratio_bounds(np.array([3.0, 0.0]), np.array([4.0, 0.0]), n=4.0) is None


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), min_size=2, max_size=40),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_it_holds_the_share_within_0_and_1_and_is_never_a_point(
    clusters: list[tuple[int, int]], confidence: float
) -> None:
    parts = np.array([min(one, size) for one, size in clusters], dtype=np.float64)
    sizes = np.array([size for _, size in clusters], dtype=np.float64)
    found = ratio_bounds(parts, sizes, n=float(sizes.sum()), confidence=confidence)
    assert found is not None
    assert 0.0 <= found.low <= parts.sum() / sizes.sum() + 1e-12
    assert parts.sum() / sizes.sum() - 1e-12 <= found.high <= 1.0
    assert found.low < found.high
    turned = ratio_bounds(sizes - parts, sizes, n=float(sizes.sum()), confidence=confidence)
    assert turned == pytest.approx((1.0 - found.high, 1.0 - found.low), abs=1e-9)
