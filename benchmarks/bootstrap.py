"""The cluster bootstraps, against the loop over scikit-learn that people write.

The loop makes a few of the draws and is extrapolated to all of them; on those few, its interval must be ours.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from benchmarks.figure import Figure
from benchmarks.setting import Setting

from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_mean
from proctor.stats.bootstrap_auc import bootstrap_delta_auc
from proctor.stats.sample import FloatArray

SUBJECT = "bootstrap"
DRAWS = 10_000
_ROWS, _CLUSTERS = 57_816, 7
_AUC_ROWS, _AUC_CLUSTERS = 1_800, 300
_SEED = 20260101
_REPEATS = 5

Draw = Callable[[Any], float]


def measure(setting: Setting) -> list[Figure]:
    """The mean over few large clusters, and the gain in AUC over many small ones."""
    draws = setting.sizes.reference_draws
    return [*_mean(draws), *_gain(draws)]


def _mean(reference_draws: int) -> list[Figure]:
    from sklearn.metrics import accuracy_score

    rng = np.random.default_rng(_SEED)
    clusters = rng.integers(0, _CLUSTERS, _ROWS)
    values = (rng.random(_ROWS) < 0.6 + 0.03 * clusters).astype(np.float64)
    members = [np.flatnonzero(clusters == number) for number in range(_CLUSTERS)]
    ones = np.ones(_CLUSTERS * max(rows.size for rows in members))

    def ours(draws: int, exact: bool = False) -> BootstrapEstimate:
        up_to = DRAWS if exact else 0
        return bootstrap_mean(values, clusters, draws=draws, rng=np.random.default_rng(_SEED), enumerate_up_to=up_to)

    def one(picks: Any) -> float:
        rows = np.concatenate([members[pick] for pick in picks])
        return float(accuracy_score(ones[: rows.size], values[rows]))

    name = f"mean, {_ROWS:,} rows in {_CLUSTERS} clusters"
    taken = _best(lambda: ours(DRAWS))
    exact = _best(lambda: ours(DRAWS, exact=True))
    loop = _reference(one, _CLUSTERS, reference_draws, ours(reference_draws))
    return [
        Figure(SUBJECT, f"{name}, {DRAWS:,} draws", taken, "s", 0.1, note=f"median of {_REPEATS}"),
        Figure(SUBJECT, f"{name}, every distinct resample", exact, "s", note="what is done unless draws are asked for"),
        *_against(name, loop, taken, reference_draws),
    ]


def _gain(reference_draws: int) -> list[Figure]:
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(_SEED)
    clusters = np.repeat(np.arange(_AUC_CLUSTERS), _AUC_ROWS // _AUC_CLUSTERS)
    labels = (rng.random(_AUC_ROWS) < 0.4).astype(np.float64)
    first = labels + rng.normal(0.0, 1.2, _AUC_ROWS)
    second = labels + rng.normal(0.0, 1.6, _AUC_ROWS)
    members = [np.flatnonzero(clusters == number) for number in range(_AUC_CLUSTERS)]

    def ours(draws: int) -> BootstrapEstimate:
        return bootstrap_delta_auc(labels, first, second, clusters, draws=draws, rng=np.random.default_rng(_SEED))

    def one(picks: Any) -> float:
        rows = np.concatenate([members[pick] for pick in picks])
        return float(roc_auc_score(labels[rows], first[rows]) - roc_auc_score(labels[rows], second[rows]))

    name = f"paired gain in AUC, {_AUC_ROWS:,} rows in {_AUC_CLUSTERS} clusters"
    taken = _best(lambda: ours(DRAWS))
    loop = _reference(one, _AUC_CLUSTERS, reference_draws, ours(reference_draws))
    return [
        Figure(SUBJECT, f"{name}, {DRAWS:,} draws", taken, "s", 0.3, note=f"median of {_REPEATS}"),
        *_against(name, loop, taken, reference_draws),
    ]


def _best(compute: Callable[[], BootstrapEstimate]) -> float:
    """Median seconds, the first time left out."""
    compute()
    seconds = []
    for _ in range(_REPEATS):
        began = perf_counter()
        compute()
        seconds.append(perf_counter() - began)
    return median(seconds)


def _reference(one: Draw, clusters: int, draws: int, ours: BootstrapEstimate) -> float:
    """Seconds the loop would take for all draws; raises if its interval over the few is not ours."""
    picks = np.random.default_rng(_SEED).integers(0, clusters, (draws, clusters))
    one(picks[0])
    began = perf_counter()
    values: FloatArray = np.array([one(row) for row in picks])
    seconds = perf_counter() - began
    low, high = np.quantile(values, [0.025, 0.975])
    if not _same(low, ours.low) or not _same(high, ours.high):
        message = f"the loop's interval {low} to {high} is not ours, {ours.low} to {ours.high}"
        raise RuntimeError(message)
    return seconds / draws * DRAWS


def _same(theirs: float, ours: float | None) -> bool:
    return ours is not None and abs(theirs - ours) < 1e-9


def _against(name: str, loop: float, ours: float, draws: int) -> list[Figure]:
    note = f"extrapolated from {draws} draws, on which both give the same interval"
    return [
        Figure(SUBJECT, f"{name}, scikit-learn loop", loop, "s", note=note),
        Figure(SUBJECT, f"{name}, times the loop", loop / ours, "×", better="more"),
    ]
