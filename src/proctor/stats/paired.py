"""Tests on pairs and units: McNemar, sign, sign-flip, Wilcoxon, and Holm's adjustment for several at once.

Exact where exact is affordable. The two-sided p value of a discrete test is twice the one-sided, capped at 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from proctor.stats.estimate import Alternative, Significance, check_alternative
from proctor.stats.sample import FloatArray, Values, sample

_NO_UNITS = "no unit with a value"
_BLOCK = 4_000_000


def mcnemar(
    first_only: int,
    second_only: int,
    *,
    method: Literal["exact", "mid_p"] = "exact",
    alternative: Alternative = "two-sided",
    missing: int = 0,
) -> Significance:
    """Whether the first succeeds where the second fails more often than the reverse; `greater` means the first.

    `n` counts discordant pairs: concordant ones carry no information. Mid-p gives half weight to the observed table
    and is closer to its nominal level (Fagerland, Lydersen and Laake 2013). No discordant pair: p = 1.
    """
    from scipy import stats

    check_alternative(alternative)
    if first_only < 0 or second_only < 0:
        raise ValueError("counts of pairs cannot be negative")
    if method not in ("exact", "mid_p"):
        raise ValueError(f"method {method!r} must be exact or mid_p")
    n = first_only + second_only
    half = 0.5 * float(stats.binom.pmf(first_only, n, 0.5)) if method == "mid_p" else 0.0
    greater = float(stats.binom.sf(first_only - 1, n, 0.5)) - half
    less = float(stats.binom.cdf(first_only, n, 0.5)) - half
    if n == 0:
        greater = less = 1.0
    return Significance(
        p_value=_directed(greater, less, alternative),
        statistic=float(first_only),
        n=n,
        missing=missing,
        method="McNemar exact" if method == "exact" else "McNemar mid-p",
        alternative=alternative,
    )


def sign_test(
    differences: Values, *, alternative: Alternative = "greater", zeros: Literal["drop", "against"] = "drop"
) -> Significance:
    """Exact sign test of units: p that so many are positive if each sign were a coin.

    Zeros are dropped, or kept as units without the claimed direction (`against`, which never lowers a one-sided p and
    is refused for a two-sided test). The statistic is the number of positive units. Two-sided: doubled, capped at 1.
    """
    from scipy import stats

    check_alternative(alternative)
    if zeros == "against" and alternative == "two-sided":
        raise ValueError("zeros count against a direction; a two-sided test has none")
    given = sample(differences)
    positive, negative = int((given.values > 0).sum()), int((given.values < 0).sum())
    n = int(given.values.size) if zeros == "against" else positive + negative
    if n == 0:
        return _undefined("exact sign test", alternative, given.missing, "no unit with a sign")
    greater = float(stats.binom.sf(positive - 1, n, 0.5))
    less = float(stats.binom.sf(negative - 1, n, 0.5))
    return Significance(
        p_value=_directed(greater, less, alternative),
        statistic=float(positive),
        n=n,
        missing=given.missing,
        method="exact sign test",
        alternative=alternative,
    )


def sign_flip(
    differences: Values,
    *,
    alternative: Alternative = "two-sided",
    exact_up_to: int = 18,
    draws: int = 100_000,
    rng: np.random.Generator | None = None,
) -> Significance:
    """Permutation test that flips signs: is the mean of the units' differences beyond symmetry around 0?

    All 2^n patterns up to `exact_up_to` units (at most 24); beyond, `draws` random patterns from `rng`, which is then
    required, with the observed pattern counted among them so that p is never 0. The statistic is the mean difference.
    The two-sided p compares absolute means.
    """
    check_alternative(alternative)
    given = sample(differences)
    n = int(given.values.size)
    if n == 0:
        return _undefined("exact sign-flip", alternative, given.missing, _NO_UNITS)
    if exact_up_to > 24:
        raise ValueError("beyond 24 units the patterns do not fit in memory; let the test sample")
    observed = float(given.values.sum())
    # Sums that are equal on paper differ by rounding; without slack the observed pattern could miss itself.
    slack = 1e-9 * float(np.abs(given.values).sum())
    if n <= exact_up_to:
        extreme = _at_least(_all_flipped_sums(given.values), observed, slack, alternative)
        p, method = extreme / 2**n, f"exact sign-flip, {2**n} patterns"
    else:
        if rng is None:
            raise ValueError(f"{n} units need random patterns: pass rng=numpy.random.default_rng(seed)")
        extreme = 0
        block = max(1, _BLOCK // n)
        for start in range(0, draws, block):
            signs = rng.integers(0, 2, size=(min(block, draws - start), n), dtype=np.int8)
            sums = 2.0 * (signs.astype(np.float64) @ given.values) - observed
            extreme += _at_least(sums, observed, slack, alternative)
        p, method = (extreme + 1) / (draws + 1), f"sampled sign-flip, {draws} patterns"
    return Significance(
        p_value=min(p, 1.0),
        statistic=observed / n,
        n=n,
        missing=given.missing,
        method=method,
        alternative=alternative,
    )


def wilcoxon(differences: Values, *, alternative: Alternative = "two-sided") -> Significance:
    """Wilcoxon's signed-rank test by SciPy: exact for few untied units, normal otherwise; zeros are dropped."""
    from scipy import stats

    check_alternative(alternative)
    given = sample(differences)
    units = given.values[given.values != 0.0]
    if units.size == 0:
        return _undefined("Wilcoxon signed rank", alternative, given.missing, "no unit with a sign")
    outcome = stats.wilcoxon(units, alternative=alternative)
    return Significance(
        p_value=float(outcome.pvalue),
        statistic=float(outcome.statistic),
        n=int(units.size),
        missing=given.missing,
        method="Wilcoxon signed rank",
        alternative=alternative,
    )


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm's adjusted p values in the order given. An undefined test (None) stays None and is not in the family."""
    known = sample(p_values)
    count = int(known.values.size)
    if ((known.values < 0.0) | (known.values > 1.0)).any():
        raise ValueError("a p value lies in [0, 1]")
    adjusted: list[float | None] = [None] * len(p_values)
    # statsmodels' multipletests runs a full garbage collection at each call, 40 ms in a process of ours.
    order = np.argsort(known.values)
    raised = np.minimum(np.maximum.accumulate(known.values[order] * np.arange(count, 0, -1)), 1.0)
    for index, value in zip(np.flatnonzero(known.kept)[order].tolist(), raised.tolist(), strict=True):
        adjusted[index] = value
    return tuple(adjusted)


def _directed(greater: float, less: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return min(1.0, 2.0 * min(greater, less))
    return min(1.0, greater if alternative == "greater" else less)


def _undefined(method: str, alternative: Alternative, missing: int, reason: str) -> Significance:
    return Significance(p_value=None, n=0, missing=missing, method=method, alternative=alternative, reason=reason)


def _all_flipped_sums(values: FloatArray) -> FloatArray:
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums + value, sums - value))
    return sums


def _at_least(sums: FloatArray, observed: float, slack: float, alternative: Alternative) -> int:
    if alternative == "greater":
        return int((sums >= observed - slack).sum())
    if alternative == "less":
        return int((sums <= observed + slack).sum())
    return int((np.abs(sums) >= abs(observed) - slack).sum())
