"""Confidence that survives looking: an anytime-valid sequence for a success rate.

At a candidate rate m the likelihood ratio of a Beta(a, b) mixture against m is a martingale that starts at 1, so by
Ville's inequality it ever reaches 1/α with probability at most α. The rates it has not rejected form an interval that
holds at every n at once: look as often as you like, stop when you like. The price is width; a fixed-n interval looked
at repeatedly would promote far too often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from proctor.stats.estimate import Estimate, check_confidence, check_counts
from proctor.stats.intervals import NOTHING_SCORED
from proctor.stats.sample import FloatArray, sample

Decision = Literal["met", "not met", "undecided"]

_METHOD = "anytime-valid beta-binomial mixture"
_HALVINGS = 60


@dataclass(frozen=True)
class ConfidenceSequence:
    """Bounds after each observation. With probability ≥ confidence the true rate is inside all of them at once."""

    low: FloatArray
    high: FloatArray
    confidence: float
    method: str


class SequentialCharacteristic(msgspec.Struct, frozen=True, kw_only=True):
    """What the stopping rule does to an agent of true rate p: exact probabilities, not a simulation."""

    p: float
    threshold: float
    met: float
    """Probability of stopping because the lower bound reached the threshold."""
    not_met: float
    """Probability of stopping because the upper bound fell below the threshold."""
    undecided: float
    """Probability of reaching max_n without either."""
    expected_n: float
    """Observations spent on average."""
    max_n: int
    look_every: int
    confidence: float
    method: str = _METHOD


def log_evidence(k: npt.ArrayLike, n: npt.ArrayLike, m: npt.ArrayLike, *, a: float = 0.5, b: float = 0.5) -> FloatArray:
    """Natural log of the mixture's likelihood ratio against rate m after k successes in n; arrays broadcast."""
    from scipy.special import betaln, xlog1py, xlogy

    hits, total = np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64)
    rate = np.asarray(m, dtype=np.float64)
    likelihood = xlogy(hits, rate) + xlog1py(total - hits, -rate)
    return np.asarray(betaln(a + hits, b + total - hits) - betaln(a, b) - likelihood, dtype=np.float64)


def anytime_bounds(
    k: npt.ArrayLike, n: npt.ArrayLike, *, confidence: float = 0.95, a: float = 0.5, b: float = 0.5
) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds for arrays of k successes in n ≥ 1, inverted by bisection and rounded outward."""
    from scipy.special import betaln, xlog1py, xlogy

    hits, total = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    centre = hits / total
    # Evidence reaches its limit where the log-likelihood of m falls to this: computed once, compared at each halving.
    least = betaln(a + hits, b + total - hits) - betaln(a, b) + np.log(1.0 - check_confidence(confidence))

    def search(end: float) -> FloatArray:
        outside, inside = np.full(centre.shape, end), centre.copy()
        for _ in range(_HALVINGS):
            middle = 0.5 * (outside + inside)
            rejected = xlogy(hits, middle) + xlog1py(total - hits, -middle) <= least
            outside, inside = np.where(rejected, middle, outside), np.where(rejected, inside, middle)
        return outside

    low = np.where(hits == 0.0, 0.0, search(0.0))
    high = np.where(hits == total, 1.0, search(1.0))
    return low, high


def anytime_proportion(
    k: int, n: int, *, confidence: float = 0.95, missing: int = 0, a: float = 0.5, b: float = 0.5
) -> Estimate:
    """The sequence's interval now, after k successes in n. Valid however n came about; n = 0 is unscored."""
    check_counts(k, n)
    check_confidence(confidence)
    if n == 0:
        return Estimate(
            estimate=None, n=0, missing=missing, method=_METHOD, confidence=confidence, reason=NOTHING_SCORED
        )
    low, high = anytime_bounds(k, n, confidence=confidence, a=a, b=b)
    return Estimate(
        estimate=k / n,
        low=float(low),
        high=float(high),
        n=n,
        missing=missing,
        method=_METHOD,
        confidence=confidence,
    )


def confidence_sequence(
    outcomes: Sequence[bool] | npt.NDArray[np.bool_], *, confidence: float = 0.95, a: float = 0.5, b: float = 0.5
) -> ConfidenceSequence:
    """Bounds after each outcome, in the order seen, without intersecting: each row is `anytime_proportion` there."""
    given = sample(outcomes)
    if given.missing:
        raise ValueError("a sequence has no gaps: leave missing outcomes out and count them beside it")
    low, high = anytime_bounds(
        np.cumsum(given.values), np.arange(1, given.values.size + 1), confidence=confidence, a=a, b=b
    )
    return ConfidenceSequence(low=low, high=high, confidence=confidence, method=_METHOD)


def sequential_decision(
    k: int, n: int, *, threshold: float, confidence: float = 0.95, a: float = 0.5, b: float = 0.5
) -> Decision:
    """`met` once the lower bound reaches the threshold, `not met` once the upper bound is below it.

    Over all looks together, a wrong decision about a true rate has probability at most 1 − confidence.
    """
    check_counts(k, n)
    if n == 0:
        return "undecided"
    if float(log_evidence(k, n, threshold, a=a, b=b)) < -np.log(1.0 - check_confidence(confidence)):
        return "undecided"
    return "met" if k > n * threshold else "not met"


def sequential_characteristic(
    *, p: float, threshold: float, max_n: int, look_every: int = 1, confidence: float = 0.95
) -> SequentialCharacteristic:
    """Probabilities of each ending when the rule is looked at every `look_every` observations up to max_n."""
    if not 0.0 <= p <= 1.0 or not 0.0 < threshold < 1.0:
        raise ValueError(f"p {p} must lie in [0, 1] and the threshold {threshold} strictly inside")
    if max_n < 1 or look_every < 1:
        raise ValueError("max_n and look_every must be at least 1")
    limit = -np.log(1.0 - check_confidence(confidence))
    alive = np.zeros(max_n + 1)
    alive[0] = 1.0
    met = not_met = spent = 0.0
    for n in range(1, max_n + 1):
        spent += float(alive.sum())
        step = alive * (1.0 - p)
        step[1:] += alive[:-1] * p
        alive = step
        if n % look_every == 0 or n == max_n:
            hits = np.arange(n + 1)
            decided = log_evidence(hits, n, threshold) >= limit
            above = hits > n * threshold
            met += float(alive[: n + 1][decided & above].sum())
            not_met += float(alive[: n + 1][decided & ~above].sum())
            alive[: n + 1][decided] = 0.0
    return SequentialCharacteristic(
        p=p,
        threshold=threshold,
        met=met,
        not_met=not_met,
        undecided=float(alive.sum()),
        expected_n=spent,
        max_n=max_n,
        look_every=look_every,
        confidence=confidence,
    )
