"""What a design can see before it is run: operating characteristics, smallest detectable effects, smallest n.

Rules on one proportion are exact over the binomial. Two proportions use the arcsine approximation of statsmodels. What
one run against accepted runs can see is in `prediction_power`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import asin, ceil, sin, sqrt
from typing import Literal

import msgspec
import numpy as np

from proctor.stats.estimate import Alternative, check_alternative, check_confidence
from proctor.stats.external import statsmodels
from proctor.stats.intervals import normal_quantile
from proctor.stats.sample import FloatArray, IntArray

Direction = Literal["above", "below"]

_LARGEST_N = 10_000_000


class Detectable(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest effect a design finds with the stated power; None, with a reason, where none is large enough."""

    estimate: float | None
    """Size of the effect, never negative: a difference of rates."""
    rate: float | None = None
    """The true rate that lies this far from the reference."""
    reference: float | None = None
    """Baseline rate or threshold."""
    n: int
    """Observations a group."""
    power: float
    confidence: float
    method: str
    reason: str | None = None


def meets_rule(n: int, p: float, rule: Callable[[int], bool]) -> float:
    """Probability that a binomial(n, p) count k has `rule(k)`: the operating characteristic of the rule at p."""
    from scipy import stats

    _check_rate(p)
    if n < 0:
        raise ValueError(f"n {n} cannot be negative")
    chosen = np.array([k for k in range(n + 1) if rule(k)], dtype=np.int64)
    return min(1.0, float(stats.binom.pmf(chosen, n, p).sum()))


def min_successes(n: int, threshold: float, *, confidence: float = 0.95) -> int | None:
    """The fewest successes among n whose Wilson lower bound reaches the threshold; None if even n do not."""
    fewest = int(_min_successes(np.array([n]), threshold, confidence)[0])
    return fewest if fewest <= n else None


def detectable_above_threshold(n: int, threshold: float, *, power: float = 0.9, confidence: float = 0.95) -> Detectable:
    """The smallest true rate above the threshold for which the Wilson lower bound clears it with this power."""
    from scipy import stats

    _check_rate(power)
    fewest = min_successes(n, threshold, confidence=confidence)
    rate = None if fewest is None else float(stats.beta.ppf(power, fewest, n - fewest + 1))
    return Detectable(
        estimate=None if rate is None else rate - threshold,
        rate=rate,
        reference=threshold,
        n=n,
        power=power,
        confidence=confidence,
        method="exact binomial, Wilson lower bound at least the threshold",
        reason=None if rate is not None else f"even {n} of {n} do not clear the threshold",
    )


def smallest_n_above_threshold(
    p: float, threshold: float, *, power: float = 0.9, confidence: float = 0.95
) -> int | None:
    """The smallest n from which on a true rate p clears the threshold with this power at every larger n.

    Power over n is a saw: this is past its last tooth, not at its first. None where p does not exceed the threshold
    or more than ten million observations would be needed.
    """
    from scipy import stats

    _check_rate(p)
    if p <= threshold:
        return None
    reach = max(float(stats.norm.ppf(power)), 0.0)
    spread = normal_quantile(confidence) * sqrt(threshold * (1 - threshold)) + reach * sqrt(p * (1 - p))
    limit = ceil(2.0 * (spread / (p - threshold)) ** 2) + 200
    if limit > _LARGEST_N:
        return None
    sizes = np.arange(1, limit + 1)
    reached = stats.binom.sf(_min_successes(sizes, threshold, confidence) - 1, sizes, p)
    short = np.flatnonzero(reached < power)
    return int(sizes[short[-1]]) + 1 if short.size else 1


def detectable_difference(
    n1: int,
    n2: int,
    baseline: float,
    *,
    direction: Direction = "above",
    alternative: Alternative = "two-sided",
    power: float = 0.9,
    confidence: float = 0.95,
) -> Detectable:
    """The smallest distance from the baseline rate (of group 2) that n1 against n2 observations detect."""
    _check_rate(baseline)
    check_alternative(alternative)
    if n1 < 1 or n2 < 1:
        raise ValueError("both groups need at least one observation")
    effect = (
        statsmodels("stats.power")
        .NormalIndPower()
        .solve_power(
            nobs1=n1,
            alpha=1.0 - check_confidence(confidence),
            power=power,
            ratio=n2 / n1,
            alternative="two-sided" if alternative == "two-sided" else "larger",
        )
    )
    angle = 2.0 * asin(sqrt(baseline)) + (1.0 if direction == "above" else -1.0) * abs(float(effect))
    rate = sin(angle / 2.0) ** 2 if 0.0 <= angle <= np.pi else None
    return Detectable(
        estimate=None if rate is None else abs(rate - baseline),
        rate=rate,
        reference=baseline,
        n=min(n1, n2),
        power=power,
        confidence=confidence,
        method=f"two proportions, arcsine, {alternative}",
        reason=None if rate is not None else f"no rate {direction} {baseline} is far enough for this n",
    )


def smallest_n_for_difference(
    p1: float, p2: float, *, alternative: Alternative = "two-sided", power: float = 0.9, confidence: float = 0.95
) -> int | None:
    """Observations for each of two equal groups to detect p1 against p2; None where the rates are equal."""
    _check_rate(p1)
    _check_rate(p2)
    check_alternative(alternative)
    if p1 == p2:
        return None
    needed = (
        statsmodels("stats.power")
        .NormalIndPower()
        .solve_power(
            effect_size=abs(float(statsmodels("stats.proportion").proportion_effectsize(p1, p2))),
            alpha=1.0 - check_confidence(confidence),
            power=power,
            alternative="two-sided" if alternative == "two-sided" else "larger",
        )
    )
    return ceil(float(needed) - 1e-9)


def _min_successes(n: IntArray, threshold: float, confidence: float) -> IntArray:
    """Wilson's lower bound reaches θ exactly when the score statistic of θ reaches z; solved for k."""
    if not 0.0 < threshold < 1.0:
        raise ValueError(f"threshold {threshold} must lie strictly between 0 and 1")
    z = normal_quantile(confidence)
    fewest: FloatArray = np.ceil(n * threshold + z * np.sqrt(n * threshold * (1.0 - threshold)) - 1e-9)
    return fewest.astype(np.int64)


def _check_rate(p: float) -> None:
    if not 0.0 <= p <= 1.0:
        raise ValueError(f"{p} is not a rate")
