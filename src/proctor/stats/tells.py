"""Whether texts of two classes can be told apart without reading them.

Texts come in pairs, one of each class, that belong together (the same event). A logistic model on the features of all
other groups gives each text a score; the area under the curve of these scores is what somebody who has seen many such
pairs, and reads none, gets right. The test exchanges the two labels within pairs, which is exact in its variance: under
the hypothesis that nothing tells the two apart either label could be on either text.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct
from scipy.stats import norm, rankdata

from proctor.core.errors import InputError
from proctor.stats.sample import FloatArray, IntArray

FOLDS = 5
_ENOUGH = 300
"""Pairs from which on an area of .70 is as good as never missed."""
_DRAWS = 100
_NOISE_FEATURES = 10


class Tell(Struct, frozen=True):
    """What the surface of the texts gives away."""

    pairs: int
    auc: float
    upper: float
    """One-sided 95 % bound, pairs as clusters."""
    p: float
    """One-sided, from exchanging labels within pairs."""


def tell(ones: FloatArray, twos: FloatArray, groups: IntArray) -> Tell:
    """The tell of pairs: row i of `ones` and row i of `twos` are the two texts of a pair, of group `groups[i]`."""
    pairs = len(ones)
    if pairs < 2 * FOLDS or len(np.unique(groups)) < FOLDS:
        return Tell(pairs, 0.5, 1.0, 1.0)
    first, second = _scores(ones, twos, groups)
    ranks = rankdata(np.concatenate([first, second]))
    one, two = ranks[:pairs], ranks[pairs:]
    area = (float(one.sum()) - pairs * (pairs + 1) / 2) / pairs**2
    spread = sqrt(float(((one - two) ** 2).sum()) / 4)
    excess = float((one - two).sum()) / 2
    p = float(norm.sf(excess / spread)) if spread > 0 else 1.0
    error = _cluster_error(first, second, area)
    # An area below one half is no evidence of anything: what was learnt happened to be wrong.
    return Tell(pairs, area, min(1.0, max(area, 0.5) + float(norm.ppf(0.95)) * error), p)


@lru_cache(maxsize=64)
def power(pairs: int, cells: int, area: float = 0.70) -> float:
    """How often a tell of this area would be found in so many pairs, at 5 % over so many cells (Holm's first step).

    One feature carries it, among others that carry nothing; simulated, with draws of its own.
    """
    if pairs >= _ENOUGH:
        return 1.0
    generator = np.random.default_rng(20_260_101)
    shift = sqrt(2) * float(norm.ppf(area))
    found = 0
    for _ in range(_DRAWS):
        ones = generator.normal(size=(pairs, _NOISE_FEATURES + 1))
        twos = generator.normal(size=(pairs, _NOISE_FEATURES + 1))
        ones[:, 0] += shift
        found += tell(ones, twos, np.arange(pairs)).p <= 0.05 / max(1, cells)
    return found / _DRAWS


def _scores(ones: FloatArray, twos: FloatArray, groups: IntArray) -> tuple[FloatArray, FloatArray]:
    """Out-of-fold scores of both texts of every pair; a group is in one fold."""
    folds = np.unique(groups, return_inverse=True)[1] % FOLDS
    first, second = np.zeros(len(ones)), np.zeros(len(ones))
    for fold in range(FOLDS):
        held, kept = folds == fold, folds != fold
        train = np.vstack([ones[kept], twos[kept]])
        labels = np.repeat([1, 0], kept.sum())
        center, scale = train.mean(axis=0), train.std(axis=0)
        scale[scale == 0] = 1.0
        model = _regression().fit((train - center) / scale, labels)
        weights = model.coef_[0]
        # Rounded: two texts alike have one score, whatever the order of additions.
        first[held] = np.round((ones[held] - center) / scale @ weights, 9)
        second[held] = np.round((twos[held] - center) / scale @ weights, 9)
    return first, second


def _cluster_error(first: FloatArray, second: FloatArray, area: float) -> float:
    """The standard error of the area, from each pair's influence on it."""
    pairs = len(first)
    below = _share_below(second, first)
    above = 1.0 - _share_below(first, second)
    influence = below + above - 2 * area
    return sqrt(float((influence**2).sum()) / (pairs * (pairs - 1)))


def _share_below(reference: FloatArray, values: FloatArray) -> FloatArray:
    """For each value, the share of the reference below it; ties count half."""
    ordered = np.sort(reference)
    low, high = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    return np.asarray((low + high) / (2 * len(ordered)), dtype=np.float64)


def _regression() -> Any:
    try:
        linear: Any = import_module("sklearn.linear_model")
    except ImportError:
        message = "the check for tells needs scikit-learn: pip install 'proctor[stats]'"
        raise InputError(message) from None
    return linear.LogisticRegression(C=1.0, solver="newton-cholesky", max_iter=200)
