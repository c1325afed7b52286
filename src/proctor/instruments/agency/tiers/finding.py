"""What was found at one gate: status, the number that decided it, and what it rests on. Data only."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

Status = Literal["passed", "failed", "not tested", "not evaluable"]


class FalsePromotion(Struct, frozen=True):
    """How often a gate is passed without the ability, at this number of instances."""

    at_zero: float | None
    """Where the true effect is 0; None for a rate, which has no effect to be 0."""
    below_threshold: float | None
    """Where it lies 5 points (for a correlation 0.05) below what is asked."""


class OfFamily(Struct, frozen=True):
    """The same in one family."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    regime: str
    met: bool


class Finding(Struct, frozen=True):
    """What a rule gives; the ladder adds the gate it belongs to."""

    status: Status
    text: str
    """Numbers first; what is missing where it is not passed."""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    needs: float | None = None
    n: int = 0
    families: dict[str, OfFamily] = field(default_factory=dict)
    regime: str = ""
    false_promotion: FalsePromotion | None = None
    provisional: bool = False
    """Not passed, and more evidence could decide it; or passed with a family too low or too many units missing."""
    beside: dict[str, float | str | None] = field(default_factory=dict)
    """What stands beside the number and does not decide."""


def not_tested(why: str) -> Finding:
    """Nothing speaks for it: not passed, and not called failed."""
    return Finding("not tested", why, provisional=False)


def not_evaluable(why: str, *, n: int = 0) -> Finding:
    """It cannot be told here; the reason says why."""
    return Finding("not evaluable", why, n=n)
