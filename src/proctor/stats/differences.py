"""Differences with intervals: two proportions, two samples, one run against a baseline, contrasts across units.

Every difference is first minus second. Intervals are two-sided at the declared confidence whatever the alternative;
only the p value follows the alternative.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from proctor.stats.estimate import Alternative, Estimate, check_alternative, check_confidence, check_counts
from proctor.stats.external import statsmodels
from proctor.stats.intervals import NOTHING_SCORED, mean, normal_alpha, proportion_bounds
from proctor.stats.sample import FloatArray, Values, sample


class MeanDifference(Estimate, frozen=True, kw_only=True):
    """A difference of means with its t test."""

    p_value: float | None
    """None, with the reason, where the test is undefined."""
    statistic: float | None
    degrees_of_freedom: float | None
    alternative: Alternative


class UnitContrast(Estimate, frozen=True, kw_only=True):
    """A contrast measured once per unit (dataset, model–scaffold–family cell), and how much hangs on single units."""

    positive: int
    """Units strictly above 0; zero is not positive."""
    minimum: float | None
    """The smallest unit contrast."""
    leave_one_out_minimum: float | None
    """The smallest mean after leaving out any one unit; None for a single unit."""
    top_removed: float | None
    """The mean without the unit of largest absolute contrast; None for a single unit."""


def newcombe(k1: int, n1: int, k2: int, n2: int, *, confidence: float = 0.95, missing: int = 0) -> Estimate:
    """p1 − p2 for independent samples by Newcombe's hybrid score interval (1998, method 10). `n` is n1 + n2."""
    check_counts(k1, n1)
    check_counts(k2, n2)
    check_confidence(confidence)
    method = "Newcombe hybrid score, independent"
    if n1 == 0 or n2 == 0:
        return Estimate(
            estimate=None, n=n1 + n2, missing=missing, method=method, confidence=confidence, reason=NOTHING_SCORED
        )
    low, high = statsmodels("stats.proportion").confint_proportions_2indep(
        k1, n1, k2, n2, method="newcomb", compare="diff", alpha=normal_alpha(confidence)
    )
    return Estimate(
        estimate=k1 / n1 - k2 / n2,
        low=max(float(low), -1.0),
        high=min(float(high), 1.0),
        n=n1 + n2,
        missing=missing,
        method=method,
        confidence=confidence,
    )


def newcombe_paired(
    both: int, first_only: int, second_only: int, neither: int, *, confidence: float = 0.95, missing: int = 0
) -> Estimate:
    """p1 − p2 on the same instances by Newcombe's score interval for pairs (1998b, method 10). `n` counts pairs.

    Wilson bounds of the two margins are combined with their correlation φ, which is shrunk by n/2 in its numerator
    when positive and taken as 0 where a margin is empty.
    """
    if min(both, first_only, second_only, neither) < 0:
        raise ValueError("counts of pairs cannot be negative")
    check_confidence(confidence)
    n = both + first_only + second_only + neither
    method = "Newcombe score, paired"
    if n == 0:
        return Estimate(
            estimate=None, n=0, missing=missing, method=method, confidence=confidence, reason=NOTHING_SCORED
        )
    first, second = both + first_only, both + second_only
    p1, p2 = first / n, second / n
    low1, high1 = proportion_bounds(first, n, confidence=confidence)
    low2, high2 = proportion_bounds(second, n, confidence=confidence)
    cross = both * neither - first_only * second_only
    margins = first * (n - first) * second * (n - second)
    shrunk = max(cross - n / 2, 0.0) if cross > 0 else float(cross)
    phi = shrunk / sqrt(margins) if margins else 0.0

    def reach(one: float, two: float) -> float:
        return sqrt(max(one**2 - 2.0 * phi * one * two + two**2, 0.0))

    difference = (first_only - second_only) / n
    return Estimate(
        estimate=difference,
        low=max(difference - reach(p1 - low1, high2 - p2), -1.0),
        high=min(difference + reach(high1 - p1, p2 - low2), 1.0),
        n=n,
        missing=missing,
        method=method,
        confidence=confidence,
    )


def welch(
    first: Values, second: Values, *, alternative: Alternative = "two-sided", confidence: float = 0.95
) -> MeanDifference:
    """Difference of means of independent samples with unequal variances (Welch). `n` is the size of both together."""
    one, two = sample(first), sample(second)
    n1, n2 = int(one.values.size), int(two.values.size)
    outcome = _Contrast()
    if n1 == 0 or n2 == 0:
        outcome.reason = NOTHING_SCORED
    else:
        outcome.difference = float(one.values.mean() - two.values.mean())
        if n1 == 1 or n2 == 1:
            outcome.reason = "a sample of one has no spread"
        elif _constant(one.values) and _constant(two.values):
            outcome.reason = "neither sample varies"
        else:
            share1, share2 = float(one.values.var(ddof=1)) / n1, float(two.values.var(ddof=1)) / n2
            outcome.error = sqrt(share1 + share2)
            outcome.degrees = (share1 + share2) ** 2 / (share1**2 / (n1 - 1) + share2**2 / (n2 - 1))
    return _tested(
        outcome,
        n=n1 + n2,
        missing=one.missing + two.missing,
        method="Welch t",
        alternative=alternative,
        confidence=confidence,
    )


def prediction_test(
    value: float, baseline: Values, *, alternative: Alternative = "less", confidence: float = 0.95
) -> MeanDifference:
    """One new run against K accepted runs: (value − mean) / (s·√(1 + 1/K)) on K − 1 degrees of freedom.

    The run is the unit, so what a run's replicates share (one server, one day) is in s. The interval is for the
    difference between one such run and the baseline's mean. `n` is K.
    """
    runs, new = sample(baseline), sample([value])
    n = int(runs.values.size)
    outcome = _Contrast()
    if n == 0:
        outcome.reason = NOTHING_SCORED
    else:
        outcome.difference = float(new.values[0] - runs.values.mean())
        if n == 1:
            outcome.reason = "one baseline run has no spread"
        elif _constant(runs.values):
            outcome.reason = "the baseline runs do not vary"
        else:
            outcome.error = float(runs.values.std(ddof=1)) * sqrt(1.0 + 1.0 / n)
            outcome.degrees = float(n - 1)
    return _tested(
        outcome,
        n=n,
        missing=runs.missing,
        method="prediction t, one run against the baseline runs",
        alternative=alternative,
        confidence=confidence,
    )


def across_units(contrasts: Values, *, confidence: float = 0.95) -> UnitContrast:
    """The mean contrast with a t interval on units − 1 degrees of freedom, and its dependence on single units."""
    base = mean(contrasts, confidence=confidence)
    units = sample(contrasts).values
    n = int(units.size)
    left_out = (units.sum() - units) / (n - 1) if n > 1 else None
    return UnitContrast(
        estimate=base.estimate,
        low=base.low,
        high=base.high,
        n=n,
        missing=base.missing,
        method=f"{base.method}, across units",
        confidence=confidence,
        reason=base.reason,
        positive=int((units > 0.0).sum()),
        minimum=float(units.min()) if n else None,
        leave_one_out_minimum=None if left_out is None else float(left_out.min()),
        top_removed=None if left_out is None else float(left_out[int(np.abs(units).argmax())]),
    )


@dataclass
class _Contrast:
    """A difference with its standard error, or the reason why there is none."""

    difference: float | None = None
    error: float = 0.0
    degrees: float | None = None
    reason: str | None = None


def _tested(
    contrast: _Contrast, *, n: int, missing: int, method: str, alternative: Alternative, confidence: float
) -> MeanDifference:
    from scipy import stats

    check_alternative(alternative)
    check_confidence(confidence)
    low = high = p_value = statistic = None
    if contrast.difference is not None and contrast.degrees is not None:
        statistic = contrast.difference / contrast.error
        reach = float(stats.t.ppf(0.5 + confidence / 2.0, contrast.degrees)) * contrast.error
        low, high = contrast.difference - reach, contrast.difference + reach
        toward = {"greater": -statistic, "less": statistic, "two-sided": -abs(statistic)}[alternative]
        p_value = float(stats.t.cdf(toward, contrast.degrees)) * (2.0 if alternative == "two-sided" else 1.0)
    return MeanDifference(
        estimate=contrast.difference,
        low=low,
        high=high,
        n=n,
        missing=missing,
        method=method,
        confidence=confidence,
        reason=contrast.reason,
        p_value=p_value,
        statistic=statistic,
        degrees_of_freedom=contrast.degrees,
        alternative=alternative,
    )


def _constant(values: FloatArray) -> bool:
    """Equal up to rounding: a spread of a few bits is no spread, and would make any difference significant."""
    return bool(np.ptp(values) <= 1e-12 * np.abs(values).max())
