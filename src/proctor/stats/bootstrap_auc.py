"""The gain in AUC of one score over another on the same rows, with clusters resampled.

The number of concordant pairs between clusters c and d is computed once; under multiplicities w the AUC's numerator
is the quadratic form wᵀ·A·w and its denominator (w·positives)·(w·negatives), so all draws are one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from proctor.stats.auc import as_classes
from proctor.stats.bootstrap import BootstrapEstimate, percentile_estimate
from proctor.stats.resampling import resample
from proctor.stats.sample import BoolArray, FloatArray, IntArray, Labels, Values, group, pairs

_BLOCK = 4_000_000
_EXACT_FLOAT32 = float(2**24)


def bootstrap_delta_auc(
    labels: Values,
    first: Values,
    second: Values,
    clusters: Labels,
    *,
    strata: Labels | None = None,
    draws: int = 10_000,
    rng: np.random.Generator | None = None,
    enumerate_up_to: int = 10_000,
    confidence: float = 0.95,
) -> BootstrapEstimate:
    """AUC(first) − AUC(second), with a percentile interval over clusters (issues, say).

    Rows lacking a label or either score are missing. With `strata` (models, say) only pairs within a stratum are
    ranked, and the strata's gains are averaged with equal weight. Undefined, with a reason, when the rows or a
    stratum hold one class only; a resample in which that happens is left out and counted.
    """
    one, two = pairs(labels, first), pairs(labels, second)
    kept = one.kept & two.kept
    if len(clusters) != kept.size or (strata is not None and len(strata) != kept.size):
        raise ValueError(f"{kept.size} rows, but clusters or strata have another length")
    positive = as_classes(one.first[kept[one.kept]])
    first_scores, second_scores = one.second[kept[one.kept]], two.second[kept[two.kept]]
    everywhere = group(clusters)
    used, codes = np.unique(everywhere.codes[kept], return_inverse=True)
    count = int(used.size)
    layers = group(strata).codes[kept] if strata is not None else np.zeros(positive.size, dtype=np.int64)
    forms = [
        _Concordance.of(positive[rows], first_scores[rows], second_scores[rows], codes[rows], count)
        for rows in (layers == layer for layer in np.unique(layers))
    ]

    def gain(weights: FloatArray) -> FloatArray:
        return np.asarray(np.mean([form.gain(weights) for form in forms], axis=0), dtype=np.float64)

    observed = float(gain(np.ones((1, count)))[0]) if forms else float("nan")
    defined = not np.isnan(observed)
    drawn = None
    if defined and count > 1:
        drawn = resample(gain, clusters=count, draws=draws, rng=rng, enumerate_up_to=enumerate_up_to)
    return percentile_estimate(
        drawn,
        observed=observed if defined else None,
        n=int(positive.size),
        missing=int(kept.size - positive.size),
        clusters=count,
        empty_clusters=everywhere.count - count,
        method="gain in AUC" if strata is None else "gain in AUC within strata",
        confidence=confidence,
    )


@dataclass(frozen=True)
class _Concordance:
    """Twice the difference of concordant pairs between clusters, and the class counts of each cluster."""

    doubled: FloatArray
    single: npt.NDArray[np.float32]
    heaviest: float
    """Largest sum of absolute entries in a column: bounds every partial sum of a product with multiplicities."""
    positives: FloatArray
    negatives: FloatArray

    @classmethod
    def of(
        cls, positive: BoolArray, first: FloatArray, second: FloatArray, codes: IntArray, clusters: int
    ) -> _Concordance:
        doubled = _doubled_concordance(positive, first, codes, clusters)
        doubled -= _doubled_concordance(positive, second, codes, clusters)
        return cls(
            doubled=doubled,
            single=doubled.astype(np.float32),
            heaviest=float(np.abs(doubled).sum(axis=0).max(initial=0.0)),
            positives=np.bincount(codes[positive], minlength=clusters).astype(np.float64),
            negatives=np.bincount(codes[~positive], minlength=clusters).astype(np.float64),
        )

    def gain(self, weights: FloatArray) -> FloatArray:
        """The gain under each row of multiplicities; NaN where a class is absent."""
        numerator = np.einsum("rc,rc->r", self._product(weights), weights)
        denominator = 2.0 * (weights @ self.positives) * (weights @ self.negatives)
        out = np.full(numerator.shape, np.nan)
        np.divide(numerator, denominator, out=out, where=denominator > 0.0)
        return out

    def _product(self, weights: FloatArray) -> FloatArray:
        # Entries are whole numbers: while no partial sum can pass 2**24, single precision is exact and twice as fast.
        if weights.max(initial=0.0) * self.heaviest < _EXACT_FLOAT32:
            return np.asarray(weights.astype(np.float32) @ self.single, dtype=np.float64)
        return np.asarray(weights @ self.doubled, dtype=np.float64)


def _doubled_concordance(positive: BoolArray, scores: FloatArray, codes: IntArray, clusters: int) -> FloatArray:
    """2·A, A[c, d] = pairs of a positive in c and a negative in d in the right order, ties half."""
    order = np.argsort(codes[~positive], kind="stable")
    negative_scores, negative_codes = scores[~positive][order], codes[~positive][order]
    positive_scores, positive_codes = scores[positive], codes[positive]
    doubled = np.zeros((clusters, clusters))
    if negative_scores.size == 0 or positive_scores.size == 0:
        return doubled
    columns, starts = np.unique(negative_codes, return_index=True)
    rows = max(1, _BLOCK // negative_scores.size)
    for start in range(0, positive_scores.size, rows):
        mine = positive_scores[start : start + rows, None]
        wins = (mine > negative_scores).astype(np.int8) + (mine >= negative_scores)
        by_cluster = np.add.reduceat(wins, starts, axis=1, dtype=np.float64)
        part = np.zeros((by_cluster.shape[0], clusters))
        part[:, columns] = by_cluster
        np.add.at(doubled, positive_codes[start : start + rows], part)
    return doubled
