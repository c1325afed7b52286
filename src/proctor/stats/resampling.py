"""Resampling clusters: every distinct resample where they are few, random ones otherwise, never a loop over draws.

A resample of C clusters is a vector of C multiplicities. A statistic takes a matrix of them, one resample a row, and
gives back one number a row; NaN says that it is undefined there, and such resamples are left out and counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from proctor.stats.estimate import check_confidence
from proctor.stats.intervals import Bounds
from proctor.stats.sample import FloatArray, IntArray

Statistic = Callable[[FloatArray], FloatArray]

# Multiplicities of one block stay in cache: larger blocks spend their time on page faults.
_BLOCK = 300_000


@dataclass(frozen=True)
class Distribution:
    """A statistic over resamples. `probability` weighs each value when exact, and is None for equal-weight draws."""

    values: FloatArray
    probability: FloatArray | None
    undefined: int

    @property
    def exact(self) -> bool:
        """Whether every distinct resample is in."""
        return self.probability is not None

    def interval(self, confidence: float) -> Bounds | None:
        """The percentile interval; None if the statistic was undefined throughout.

        Draws use NumPy's linear quantiles. Exact distributions use the inverse of the distribution function: the
        smallest value reached with at least the tail's probability.
        """
        tail = (1.0 - check_confidence(confidence)) / 2.0
        if self.values.size == 0:
            return None
        if self.probability is None:
            low, high = np.quantile(self.values, [tail, 1.0 - tail])
        else:
            order = np.argsort(self.values)
            reached = np.cumsum(self.probability[order])
            # Rounding may leave the last sum just short of 1, and ties with the tail just short of it.
            places = np.searchsorted(reached / reached[-1], [tail - 1e-12, 1.0 - tail - 1e-12])
            low, high = self.values[order][np.minimum(places, self.values.size - 1)]
        return Bounds(float(low), float(high))


def distinct_resamples(clusters: int) -> int:
    """How many different resamples of that many clusters there are, order aside: C(2C−1, C)."""
    return comb(2 * clusters - 1, clusters)


def resample(
    statistic: Statistic,
    *,
    clusters: int,
    draws: int = 10_000,
    rng: np.random.Generator | None = None,
    enumerate_up_to: int = 10_000,
) -> Distribution:
    """Distribution of `statistic` over resamples of the clusters.

    All distinct resamples if there are at most `enumerate_up_to` (0: never), otherwise `draws` of them: cluster
    indexes come from `rng.integers(0, C, (draws, C))`, drawn in blocks of rows that continue one stream.
    """
    if clusters < 1 or draws < 1:
        raise ValueError("a bootstrap needs at least one cluster and one draw")
    if distinct_resamples(clusters) <= enumerate_up_to:
        weights, probability = _every_resample(clusters)
        values = statistic(weights)
        defined = ~np.isnan(values)
        return Distribution(values[defined], probability[defined], int((~defined).sum()))
    if rng is None:
        raise ValueError(f"{clusters} clusters need random draws: pass rng=numpy.random.default_rng(seed)")
    block = max(1, _BLOCK // clusters)
    parts = [statistic(_drawn(rng, min(block, draws - start), clusters)) for start in range(0, draws, block)]
    values = np.concatenate(parts)
    defined = ~np.isnan(values)
    return Distribution(values[defined], None, int((~defined).sum()))


@lru_cache(maxsize=8)
def _every_resample(clusters: int) -> tuple[FloatArray, FloatArray]:
    """Multiplicities of every distinct resample, and the multinomial probability of each."""
    count = distinct_resamples(clusters)
    picks = np.fromiter(
        (index for pick in combinations_with_replacement(range(clusters), clusters) for index in pick),
        dtype=np.int64,
        count=count * clusters,
    )
    weights = _multiplicities(picks.reshape(count, clusters))
    factorial = np.cumprod(np.concatenate(([1.0], np.arange(1.0, clusters + 1.0))))
    probability = factorial[clusters] / float(clusters) ** clusters / factorial[weights.astype(np.int64)].prod(axis=1)
    weights.setflags(write=False)
    probability.setflags(write=False)
    return weights, probability


def _drawn(rng: np.random.Generator, draws: int, clusters: int) -> FloatArray:
    return _multiplicities(rng.integers(0, clusters, (draws, clusters)))


def _multiplicities(picks: IntArray) -> FloatArray:
    """How often each cluster occurs in each row of picks."""
    rows, clusters = picks.shape
    offset = picks + np.arange(0, rows * clusters, clusters, dtype=np.int64)[:, None]
    return np.bincount(offset.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(np.float64)
