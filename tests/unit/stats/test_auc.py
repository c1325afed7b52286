"""AUC and its gain under resampled clusters, against published data, scikit-learn and naive loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from proctor.stats import bootstrap_auc
from proctor.stats.auc import auc
from proctor.stats.bootstrap_auc import bootstrap_delta_auc
from proctor.stats.sample import BoolArray, FloatArray, IntArray


def test_hanley_and_mcneil_ratings() -> None:
    # Hanley and McNeil (1982), Radiology 143, table I: 58 normal and 51 abnormal images on a five-point scale; 0.893.
    normal, abnormal = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
    scores = np.repeat(np.tile(np.arange(1, 6), 2), normal + abnormal)
    labels = np.repeat([0, 1], [58, 51])
    result = auc(labels, scores)
    assert result.estimate == pytest.approx(0.893, abs=5e-4)
    assert result.low is not None and result.estimate is not None
    assert (result.estimate - result.low) / 1.959964 == pytest.approx(0.032, abs=2e-3)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=60))
def test_auc_equals_scikit_learn_and_negation_mirrors(rows: list[tuple[bool, int]]) -> None:
    labels, scores = [row[0] for row in rows], np.array([float(row[1]) for row in rows])
    result = auc(labels, scores)
    if len(set(labels)) < 2:
        assert result.estimate is None and "there is no pair" in (result.reason or "")
        return
    assert result.estimate == pytest.approx(roc_auc_score(labels, scores))
    assert auc(labels, -scores).estimate == pytest.approx(1 - roc_auc_score(labels, scores))


def test_delong_variance_is_that_of_all_pairs() -> None:
    rng = np.random.default_rng(1)
    labels = rng.random(80) < 0.4
    scores = np.round(rng.normal(size=80) + labels, 1)
    wins = (scores[labels][:, None] > scores[~labels]) + 0.5 * (scores[labels][:, None] == scores[~labels])
    variance = wins.mean(axis=1).var(ddof=1) / labels.sum() + wins.mean(axis=0).var(ddof=1) / (~labels).sum()
    result = auc(labels, scores)
    assert result.estimate is not None and result.high is not None
    assert result.high - result.estimate == pytest.approx(1.959964 * np.sqrt(variance), rel=1e-6)


def test_auc_without_interval_says_why() -> None:
    apart = auc([0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0])
    assert (apart.estimate, apart.low) == (1.0, None) and "variance is 0" in (apart.reason or "")
    assert "two of each" in (auc([0, 1, 1], [1.0, 2.0, 0.5]).reason or "")
    assert auc([], []).reason == "no scored observation"
    assert auc([1, None, 0], [0.2, 0.1, None]).missing == 2
    with pytest.raises(ValueError, match="0 or 1"):
        auc([0, 2], [0.1, 0.2])


def _rows(seed: int, clusters: int, each: int) -> tuple[BoolArray, FloatArray, FloatArray, IntArray]:
    rng = np.random.default_rng(seed)
    n = clusters * each
    labels = rng.random(n) < 0.45
    first = np.round(rng.normal(size=n) + labels, 1)
    second = np.round(rng.normal(size=n) + labels / 2.0, 1).astype(np.float64)
    return labels, first, second, np.repeat(np.arange(clusters), each)


def test_gain_equals_a_scikit_learn_loop_over_the_same_draws() -> None:
    labels, first, second, clusters = _rows(3, 15, 5)
    naive = []
    for pick in np.random.default_rng(5).integers(0, 15, (80, 15)):
        rows = np.concatenate([np.flatnonzero(clusters == cluster) for cluster in pick])
        naive.append(roc_auc_score(labels[rows], first[rows]) - roc_auc_score(labels[rows], second[rows]))
    result = bootstrap_delta_auc(labels, first, second, clusters, draws=80, rng=np.random.default_rng(5))
    assert result.estimate == pytest.approx(roc_auc_score(labels, first) - roc_auc_score(labels, second))
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(naive, [0.025, 0.975])))
    assert (result.n, result.clusters, result.undefined) == (75, 15, 0)


def test_blocks_and_precision_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    labels, first, second, clusters = _rows(4, 20, 6)
    single = bootstrap_delta_auc(labels, first, second, clusters, rng=np.random.default_rng(1))
    monkeypatch.setattr(bootstrap_auc, "_BLOCK", 50)
    monkeypatch.setattr(bootstrap_auc, "_EXACT_FLOAT32", 0.0)
    assert bootstrap_delta_auc(labels, first, second, clusters, rng=np.random.default_rng(1)) == single


def test_within_strata_ranks_only_pairs_of_one_stratum() -> None:
    labels, first, second, clusters = _rows(5, 24, 4)
    strata = np.tile(np.array(["m1", "m1", "m2", "m2"]), 24)
    # A shift between strata is no information about an outcome within them.
    first = first + 10.0 * (strata == "m2")
    result = bootstrap_delta_auc(labels, first, second, clusters, strata=strata, draws=50, rng=np.random.default_rng(2))

    def gain(rows: IntArray) -> float:
        parts = []
        for stratum in ("m1", "m2"):
            mine = rows[strata[rows] == stratum]
            parts.append(roc_auc_score(labels[mine], first[mine]) - roc_auc_score(labels[mine], second[mine]))
        return float(np.mean(parts))

    picks = np.random.default_rng(2).integers(0, 24, (50, 24))
    naive = [gain(np.concatenate([np.flatnonzero(clusters == cluster) for cluster in pick])) for pick in picks]
    assert result.estimate == pytest.approx(gain(np.arange(96)))
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(naive, [0.025, 0.975])))


def test_resamples_with_one_class_are_left_out() -> None:
    labels, scores = [1, 0, 0, 0], [0.9, 0.1, 0.2, 0.3]
    result = bootstrap_delta_auc(labels, scores, [0.5] * 4, ["a", "b", "c", "d"])
    assert result.estimate == 0.5
    # Without cluster a: C(6, 4) = 15 resamples of three clusters; and a four times has no negative.
    assert (result.exact, result.resamples, result.undefined) == (True, 35, 16)


def test_one_class_one_cluster_missing() -> None:
    assert bootstrap_delta_auc([1, 1], [0.1, 0.2], [0.1, 0.2], [1, 2]).estimate is None
    assert bootstrap_delta_auc([], [], [], []).reason == "no scored observation"
    single = bootstrap_delta_auc([1, 0], [0.3, 0.2], [0.1, 0.2], [1, 1])
    assert (single.estimate, single.low) == (1.0, None)
    gaps = bootstrap_delta_auc([1, 0, None, 1], [0.3, 0.2, 0.1, None], [0.1, 0.2, 0.3, 0.4], [1, 2, 3, 2])
    assert (gaps.n, gaps.missing, gaps.clusters, gaps.empty_clusters) == (2, 2, 2, 1)
    with pytest.raises(ValueError, match="another length"):
        bootstrap_delta_auc([1, 0], [0.3, 0.2], [0.1, 0.2], [1])
