"""Quantiles by nearest rank: always a value that was observed, never one between two."""

from __future__ import annotations

from collections.abc import Sequence

from proctor.stats.estimate import Estimate, check_confidence


def nearest_rank(values: Sequence[float], percent: int) -> float:
    """The smallest value that at least `percent` of the values do not exceed."""
    if not values:
        raise ValueError("no values, no quantile")
    if not 0 < percent <= 100:
        raise ValueError(f"{percent} is not a percentage above 0")
    # Whole numbers: 0.95 × 200 is not exactly 190 in floating point.
    rank = -(-percent * len(values) // 100)
    return sorted(values)[rank - 1]


def quantile_interval(values: Sequence[float], percent: int, *, confidence: float = 0.95) -> Estimate:
    """The quantile by nearest rank, with bounds that are order statistics (binomial, free of any distribution).

    A bound that would lie beyond the largest or smallest value is absent: so few values do not hold it.
    """
    from scipy import stats

    check_confidence(confidence)
    method = f"{percent}th percentile by nearest rank, order-statistic interval"
    if not values:
        return Estimate(estimate=None, n=0, method=method, confidence=confidence, reason="no values")
    n, ordered = len(values), sorted(values)
    tail = (1.0 - confidence) / 2.0
    low = int(stats.binom.ppf(tail, n, percent / 100))
    high = int(stats.binom.ppf(1.0 - tail, n, percent / 100)) + 1
    return Estimate(
        estimate=float(nearest_rank(ordered, percent)),
        low=float(ordered[low - 1]) if low >= 1 else None,
        high=float(ordered[high - 1]) if high <= n else None,
        n=n,
        method=method,
        confidence=confidence,
        reason=None if low >= 1 and high <= n else f"{n} values are too few for both bounds",
    )
