"""Agreement between raters: raw, Cohen's κ, every pair of raters, Fleiss' κ.

An item without a rating from every rater concerned is missing there. κ is undefined where chance alone would agree
always (every rating equal): it is None with a reason, and raw agreement still stands.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations

import msgspec
import numpy as np

from proctor.stats.estimate import Estimate, check_confidence
from proctor.stats.external import statsmodels
from proctor.stats.intervals import NOTHING_SCORED, Bounds
from proctor.stats.sample import FloatArray, IntArray

Ratings = Sequence[Hashable | None]

_ONE_LABEL = "every rating is the same label: agreement by chance is certain"


class Agreement(Estimate, frozen=True, kw_only=True):
    """κ as the estimate, with what it corrects beside it. `n` counts items rated by all raters concerned."""

    agreement: float | None
    """Share of rater pairs, over items, that gave the same label."""
    raters: int
    categories: int


class PairAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Cohen's κ of two named raters."""

    first: str
    second: str
    kappa: Agreement


def raw_agreement(first: Ratings, second: Ratings) -> float | None:
    """Share of items that both rated and rated alike; None where they share no item."""
    both = _complete([first, second])
    return float((both[:, 0] == both[:, 1]).mean()) if both.size else None


def cohen_kappa(first: Ratings, second: Ratings, *, confidence: float = 0.95) -> Agreement:
    """Cohen's κ of two raters, interval from its large-sample standard error, cut to [−1, 1]."""
    from scipy import stats

    both = _complete([first, second])
    size = int(both.max()) + 1 if both.size else 0
    kappa = bounds = None
    if size > 1:
        table = np.zeros((size, size))
        np.add.at(table, (both[:, 0], both[:, 1]), 1.0)
        # A variance of 0 may come out as −1e−17 inside, and its root as a warning.
        with np.errstate(invalid="ignore"):
            outcome = statsmodels("stats.inter_rater").cohens_kappa(table)
        kappa = float(outcome.kappa)
        reach = (
            float(stats.norm.ppf(0.5 + check_confidence(confidence) / 2.0)) * max(float(outcome.var_kappa), 0.0) ** 0.5
        )
        bounds = Bounds(max(kappa - reach, -1.0), min(kappa + reach, 1.0))
    return _agreement(both, total=len(first), kappa=kappa, bounds=bounds, method="Cohen κ", confidence=confidence)


def pairwise_kappa(ratings: Mapping[str, Ratings], *, confidence: float = 0.95) -> tuple[PairAgreement, ...]:
    """Cohen's κ for every pair of raters, in the order of the mapping."""
    return tuple(
        PairAgreement(first=one, second=two, kappa=cohen_kappa(ratings[one], ratings[two], confidence=confidence))
        for one, two in combinations(ratings, 2)
    )


def fleiss_kappa(ratings: Mapping[str, Ratings], *, confidence: float = 0.95) -> Agreement:
    """Fleiss' κ over all raters, interval from the jackknife over items with Student's t, cut to [−1, 1]."""
    from scipy import stats

    if len(ratings) < 2:
        raise ValueError("agreement needs at least two raters")
    columns = list(ratings.values())
    full = _complete(columns)
    n, size = full.shape[0], int(full.max()) + 1 if full.size else 0
    kappa = bounds = None
    if size > 1:
        table = np.stack([(full == label).sum(axis=1) for label in range(size)], axis=1).astype(np.float64)
        kappa = float(statsmodels("stats.inter_rater").fleiss_kappa(table, method="fleiss"))
        left_out = _fleiss_without_each(table)
        if left_out is not None:
            error = float(np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()))
            reach = float(stats.t.ppf(0.5 + check_confidence(confidence) / 2.0, n - 1)) * error
            bounds = Bounds(max(kappa - reach, -1.0), min(kappa + reach, 1.0))
    return _agreement(
        full, total=len(columns[0]), kappa=kappa, bounds=bounds, method="Fleiss κ, jackknife", confidence=confidence
    )


def _fleiss_without_each(table: FloatArray) -> FloatArray | None:
    """κ with each item left out in turn; None where one of these is undefined."""
    n, raters = table.shape[0], float(table[0].sum())
    if n < 2:
        return None
    alike = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1.0))
    observed = (alike.sum() - alike) / (n - 1)
    shares = (table.sum(axis=0) - table) / ((n - 1) * raters)
    chance = (shares**2).sum(axis=1)
    if np.isclose(chance, 1.0).any():
        return None
    return np.asarray((observed - chance) / (1.0 - chance), dtype=np.float64)


def _complete(columns: Sequence[Ratings]) -> IntArray:
    """Codes of the items that every rater rated: one row an item, one column a rater."""
    lengths = {len(column) for column in columns}
    if len(lengths) != 1:
        raise ValueError(f"raters rated lists of different length: {sorted(lengths)}")
    rows = [row for row in zip(*columns, strict=True) if all(label is not None for label in row)]
    code: dict[Hashable, int] = {}
    flat = [code.setdefault(label, len(code)) for row in rows for label in row]
    return np.array(flat, dtype=np.int64).reshape(len(rows), len(columns))


def _agreement(
    codes: IntArray, *, total: int, kappa: float | None, bounds: Bounds | None, method: str, confidence: float
) -> Agreement:
    n, raters = codes.shape
    reason = None
    if n == 0:
        reason = NOTHING_SCORED
    elif kappa is None:
        reason = _ONE_LABEL
    elif bounds is None:
        reason = "too few items, or too uniform, for an interval"
    alike = [float((codes[:, i] == codes[:, j]).mean()) for i, j in combinations(range(raters), 2)] if n else []
    return Agreement(
        estimate=kappa,
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        n=n,
        missing=total - n,
        method=method,
        confidence=check_confidence(confidence),
        reason=reason,
        agreement=sum(alike) / len(alike) if alike else None,
        raters=raters,
        categories=int(codes.max()) + 1 if codes.size else 0,
    )
