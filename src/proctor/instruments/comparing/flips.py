"""Units whose verdict changed between two runs of the same tasks, newly failing first."""

from __future__ import annotations

from msgspec import Struct

from proctor.evidence.evidence import Evidence
from proctor.evidence.row import SUCCESS
from proctor.instruments.comparing.units import ComparedUnit, Matched


class Flip(Struct, frozen=True):
    """A unit that succeeded in one run and not in the other."""

    newly: str
    """`failing` or `passing`, in the second run."""
    family: str
    cell: str
    regime: str
    condition: str
    phase: str
    instance: str
    replicate: int
    first: tuple[str, int, str, str]
    """(run, position, outcome, reason) of the episode that shows it."""
    second: tuple[str, int, str, str]
    diverges: str = ""
    """The first step at which the two episodes differ; empty where nobody looked."""


def flips_of(first: Evidence, second: Evidence, matched: Matched) -> tuple[Flip, ...]:
    """The flipped units in presentation order of the first run, newly failing before newly passing."""
    found = [
        _flip(first, second, one, two)
        for one, two in matched.pairs
        if None not in (one.success, two.success) and one.success != two.success
    ]
    return tuple(sorted(found, key=lambda flip: flip.newly != "failing"))


def _flip(first: Evidence, second: Evidence, one: ComparedUnit, two: ComparedUnit) -> Flip:
    # Of a pair, the part whose verdict changed.
    at = next(
        (
            n
            for n, (a, b) in enumerate(zip(one.rows, two.rows, strict=True))
            if (a.outcome == SUCCESS) != (b.outcome == SUCCESS)
        ),
        0,
    )
    left, right = one.rows[at], two.rows[at]
    return Flip(
        newly="failing" if one.success else "passing",
        family=one.key.family,
        cell=one.key.cell,
        regime=one.key.regime,
        condition=one.key.condition,
        phase=one.key.phase,
        instance=left.instance,
        replicate=left.replicate,
        first=(*first.locate(left.position), left.outcome, left.reason),
        second=(*second.locate(right.position), right.outcome, right.reason),
    )
