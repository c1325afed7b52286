"""One thing that a level asks for, with what was found.

A level is met when all its criteria are. It is not met and Provisional when every criterion that fails lies where
sampling could have decided. Whoever shows a level shows these; nothing has to be guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from proctor.stats.estimate import Estimate

Kind = Literal["rate", "gain", "loss", "share", "families"]


class Criterion(Struct, frozen=True):
    """What was measured, what was needed, and whether that was reached."""

    kind: Kind
    what: str
    """In words: `rate under severe-standard`, `posttest above reset`."""
    value: float | None
    """A share; for gains and losses points over 100; for families how many. None: nothing was measured."""
    low: float | None
    high: float | None
    needs: float
    """In the same unit: at least, for losses at most."""
    met: bool
    text: str = ""
    """What was found and, where it is not enough, what is missing: numbers first."""
    provisional: bool = False
    """Not met, and sampling could have decided it."""
    k: int | None = None
    n: int | None = None


def all_met(criteria: Sequence[Criterion]) -> bool:
    """Whether nothing is missing."""
    return all(criterion.met for criterion in criteria)


def could_be_met(criteria: Sequence[Criterion]) -> bool:
    """Whether something is missing, and all that is missing lies where sampling could have decided."""
    missing = [criterion for criterion in criteria if not criterion.met]
    return bool(missing) and all(criterion.provisional for criterion in missing)


def decisive(criteria: Sequence[Criterion]) -> Criterion | None:
    """What decided: the first criterion that is not met and not open, else the first not met, else the first of all."""
    missing = [criterion for criterion in criteria if not criterion.met]
    settled = [criterion for criterion in missing if not criterion.provisional]
    return next(iter([*settled, *missing, *criteria]), None)


def families_criterion(
    holding: Sequence[str], open_ones: Sequence[str], needed: int, *, text: str, what: str
) -> Criterion:
    """How many families meet something by themselves. `open_ones` are too close to say."""
    met = len(holding) >= needed
    return Criterion(
        "families",
        what,
        float(len(holding)),
        None,
        None,
        float(needed),
        met,
        text,
        provisional=not met and len(holding) + len(open_ones) >= needed,
    )


def loss_criterion(loss: Estimate, allowed: int, *, kept: bool, what: str, text: str) -> Criterion:
    """What was lost against what may be."""
    return Criterion("loss", what, loss.estimate, loss.low, loss.high, allowed / 100, kept, text, n=loss.n)


def percent(share: float | Fraction) -> str:
    """70 % rather than 0.7; a decimal only where there is one."""
    return f"{float(100 * share):.1f}".removesuffix(".0") + " %"


def points(share: float | Fraction | None) -> str:
    """A difference in points, a decimal only where there is one."""
    shown = f"{float(100 * (share or 0)):.1f}".removesuffix(".0")
    return "0" if shown == "-0" else shown
