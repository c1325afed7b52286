"""Area under the ROC curve, ties counted as half, with DeLong's interval."""

from __future__ import annotations

import numpy as np

from proctor.stats.estimate import Estimate, check_confidence
from proctor.stats.intervals import NOTHING_SCORED
from proctor.stats.sample import BoolArray, FloatArray, Values, pairs


def auc(labels: Values, scores: Values, *, confidence: float = 0.95) -> Estimate:
    """The chance that a positive (label 1 or True) scores above a negative (0 or False), ties half.

    With one class only it is undefined. The interval is DeLong's, cut to [0, 1]; it needs two of each class, and is
    absent where the classes separate fully and DeLong's variance is 0, which would claim certainty.
    """
    from scipy import stats

    check_confidence(confidence)
    rows = pairs(labels, scores)
    positive = as_classes(rows.first)
    n = int(positive.size)

    def result(area: float | None, reach: float | None, reason: str | None) -> Estimate:
        return Estimate(
            estimate=area,
            low=None if area is None or reach is None else max(area - reach, 0.0),
            high=None if area is None or reach is None else min(area + reach, 1.0),
            n=n,
            missing=rows.missing,
            method="AUC, DeLong interval",
            confidence=confidence,
            reason=reason,
        )

    if n == 0:
        return result(None, None, NOTHING_SCORED)
    if positive.all() or not positive.any():
        return result(None, None, f"only {'positives' if positive[0] else 'negatives'}: there is no pair to rank")
    above_negatives, below_positives = placements(positive, rows.second)
    area = float(above_negatives.mean())
    if min(above_negatives.size, below_positives.size) < 2:
        return result(area, None, "DeLong's interval needs two of each class")
    variance = above_negatives.var(ddof=1) / above_negatives.size + below_positives.var(ddof=1) / below_positives.size
    if variance == 0.0:
        return result(area, None, "DeLong's variance is 0: the classes separate fully or every score ties")
    return result(area, float(stats.norm.ppf(0.5 + confidence / 2.0) * np.sqrt(variance)), None)


def as_classes(labels: FloatArray) -> BoolArray:
    """Labels as booleans; anything but 0 and 1 is refused."""
    if not np.isin(labels, (0.0, 1.0)).all():
        raise ValueError("labels must be 0 or 1 (False or True)")
    return np.asarray(labels == 1.0, dtype=np.bool_)


def placements(positive: BoolArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each positive the share of negatives it beats, and for each negative the share of positives that beat it.

    Both average to the AUC. Ranks make this n·log n (Sun and Xu 2014), and both classes must be there.
    """
    from scipy.stats import rankdata

    ranks = rankdata(scores)
    of_positive = rankdata(scores[positive])
    of_negative = rankdata(scores[~positive])
    above = (ranks[positive] - of_positive) / of_negative.size
    below = 1.0 - (ranks[~positive] - of_negative) / of_positive.size
    return np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
