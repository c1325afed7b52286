"""How often a contrast is passed at a known true effect: exact over two binomials, no dice.

The rule asks for a point estimate of so many points and an interval that excludes 0. Arms are taken as independent,
which is what instances of mixed difficulty make of pairs at worst; a paired interval of such a table is Newcombe's for
independent samples up to the correlation seen by chance. `tests/validity/test_tiers.py` simulates the paired rule
itself and compares.
"""

from __future__ import annotations

from functools import lru_cache
from math import atanh, sqrt

import numpy as np
import numpy.typing as npt

from proctor.instruments.agency.tiers.finding import FalsePromotion

Z = 1.96
BELOW = 5
"""Points below what is asked at which a promotion is printed."""


def _wilson(k: npt.NDArray[np.float64], n: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    rate, square = k / n, Z * Z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    reach = Z * np.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    return middle - reach, middle + reach


@lru_cache(maxsize=64)
def _passes(first: int, second: int, points: int) -> npt.NDArray[np.bool_]:
    """For every pair of counts of these sizes: whether the contrast is passed."""
    one, two = np.arange(first + 1, dtype=np.float64), np.arange(second + 1, dtype=np.float64)
    low, _ = _wilson(one, first)
    _, high = _wilson(two, second)
    difference = one[:, None] / first - two[None, :] / second
    reach = np.sqrt((one / first - low)[:, None] ** 2 + (high - two / second)[None, :] ** 2)
    enough = 100 * (one[:, None] * second - two[None, :] * first) >= points * first * second
    passed: npt.NDArray[np.bool_] = enough & (difference - reach > 0)
    return passed


@lru_cache(maxsize=512)
def promotion(first: int, second: int, points: int, base: float, effect: float) -> float:
    """The chance that a contrast of so many points is passed where the worse arm's true rate is `base`."""
    if first == 0 or second == 0:
        return 0.0
    one = _binomial(first, min(1.0, base + effect))
    two = _binomial(second, base)
    return float(one @ _passes(first, second, points) @ two)


def _binomial(n: int, p: float) -> npt.NDArray[np.float64]:
    from scipy import stats

    return np.asarray(stats.binom.pmf(np.arange(n + 1), n, p), dtype=np.float64)


def of_contrast(sizes: list[tuple[int, int]], points: int, base: float) -> FalsePromotion:
    """Of a contrast that every one of these samples has to show, with this rate in the worse arm."""
    rate = round(min(max(base, 0.05), 0.95), 2)
    zero = below = 1.0
    for first, second in sizes:
        zero *= promotion(first, second, points, rate, 0.0)
        below *= promotion(first, second, points, rate, (points - BELOW) / 100)
    return FalsePromotion(round(zero, 4), round(below, 4)) if sizes else FalsePromotion(None, None)


@lru_cache(maxsize=64)
def of_correlation(n: int, asked: float) -> FalsePromotion:
    """Of a rank correlation, by the normal approximation to its null distribution and by Fisher's z."""
    from scipy import stats

    if n < 4:
        return FalsePromotion(None, None)
    zero = float(stats.norm.sf(asked * sqrt(n - 1)))
    near = asked - 0.05
    error = sqrt((1 + near * near / 2) / (n - 3))
    below = float(stats.norm.sf((atanh(asked) - atanh(near)) / error))
    return FalsePromotion(round(zero, 4), round(below, 4))


@lru_cache(maxsize=64)
def of_reproduction(n: int, points: int, apart: int) -> float:
    """The chance that two arms which truly lie so many points apart seem to lie within the tolerance."""
    if n == 0:
        return 0.0
    high = max(0.75, apart / 100)
    one, two = _binomial(n, min(1.0, high)), _binomial(n, max(0.0, high - apart / 100))
    k = np.arange(n + 1)
    near = 100 * np.abs(k[:, None] - k[None, :]) <= points * n
    return round(float(one @ near @ two), 4)
