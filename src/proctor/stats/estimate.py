"""What a computation gives back: an `Estimate` with its interval, or a `Significance`.

Both are frozen and can be written to evidence as they are. A value that cannot be computed is `None` and `reason` says
why; no field is ever NaN or infinite, and nothing undefined is written as 0.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

Alternative = Literal["two-sided", "greater", "less"]

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """A number with its interval.

    Always: no estimate means no bounds and a reason; a missing bound has a reason; low ≤ high; every number is finite.
    """

    estimate: float | None
    """The point estimate, or None where there is nothing to estimate."""
    low: float | None = None
    """Lower bound of the interval."""
    high: float | None = None
    """Upper bound of the interval."""
    n: int
    """Observations (or units, where the method says so) that entered."""
    missing: int = 0
    """Observations that were expected and are not there; never counted in n."""
    method: str
    """How the interval was computed, in words fit for a report."""
    confidence: float = 0.95
    """Nominal coverage of the interval."""
    reason: str | None = None
    """Why the estimate or a bound is absent."""

    def __post_init__(self) -> None:
        for value in (self.estimate, self.low, self.high):
            if value is not None and not math.isfinite(value):
                raise ValueError(f"{self.method}: {value} is not a result; use None with a reason")
        if self.estimate is None and (self.low is not None or self.high is not None):
            raise ValueError(f"{self.method}: bounds without an estimate")
        if (self.low is None or self.high is None) and not self.reason:
            raise ValueError(f"{self.method}: an absent value needs a reason")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"{self.method}: low {self.low} exceeds high {self.high}")

    @property
    def scored(self) -> bool:
        """Whether there is an estimate at all."""
        return self.estimate is not None

    def excludes(self, value: float) -> bool:
        """Whether the interval lies wholly to one side of `value`; False where the interval is unknown."""
        return (self.low is not None and self.low > value) or (self.high is not None and self.high < value)


class Significance(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a test. `p_value` is None, with a reason, where the test is undefined."""

    p_value: float | None
    """Probability, under the null hypothesis, of a result at least as extreme in the direction of `alternative`."""
    statistic: float | None = None
    """The test statistic; the method says which."""
    n: int
    """Observations or units that entered."""
    missing: int = 0
    """Observations or units left out because a value is absent."""
    method: str
    """The test, in words fit for a report."""
    alternative: Alternative = "two-sided"
    """Direction of the alternative hypothesis."""
    reason: str | None = None
    """Why the test is undefined."""

    def __post_init__(self) -> None:
        if self.p_value is None:
            if not self.reason:
                raise ValueError(f"{self.method}: an undefined test needs a reason")
        elif not 0.0 <= self.p_value <= 1.0:
            raise ValueError(f"{self.method}: p = {self.p_value} is not a probability")

    def below(self, alpha: float) -> bool:
        """Whether p ≤ alpha; False where the test is undefined."""
        return self.p_value is not None and self.p_value <= alpha


def check_confidence(confidence: float) -> float:
    """Return `confidence`, which must lie strictly between 0 and 1."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence {confidence} must lie strictly between 0 and 1, e.g. 0.95")
    return confidence


def check_alternative(alternative: str) -> None:
    """Refuse a direction that is not one of the three."""
    if alternative not in ALTERNATIVES:
        raise ValueError(f"alternative {alternative!r} must be one of {', '.join(ALTERNATIVES)}")


def check_counts(k: int, n: int) -> None:
    """Refuse counts that cannot be k successes among n."""
    if n < 0 or not 0 <= k <= n:
        raise ValueError(f"{k} successes among {n} observations is impossible")
