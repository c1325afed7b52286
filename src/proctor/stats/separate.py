"""Tests on two separate samples."""

from __future__ import annotations

import numpy as np

from proctor.stats.estimate import Alternative, Significance, check_alternative, check_counts


def fisher(
    k1: int, n1: int, k2: int, n2: int, *, alternative: Alternative = "two-sided", missing: int = 0
) -> Significance:
    """Fisher's exact test of two proportions, by SciPy; `greater` means that the first is. `n` is n1 + n2."""
    from scipy import stats

    check_alternative(alternative)
    check_counts(k1, n1)
    check_counts(k2, n2)
    method = "Fisher exact"
    if n1 == 0 or n2 == 0:
        return Significance(
            p_value=None,
            n=n1 + n2,
            missing=missing,
            method=method,
            alternative=alternative,
            reason="a sample is empty",
        )
    table = np.array([[k1, n1 - k1], [k2, n2 - k2]])
    p = float(stats.fisher_exact(table, alternative=alternative).pvalue)
    return Significance(p_value=min(p, 1.0), n=n1 + n2, missing=missing, method=method, alternative=alternative)
