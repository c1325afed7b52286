"""Who is who: names that keep their ways, and the five arms in which a name says more or less about its bearer.

Everything is drawn before the arm is looked at, and in the same order: all arms of one instance have the same names,
the same ways, the same figures. An arm only says which name goes with which way, now and in the notes on the past.

| arm | behind a name today | behind it in the notes | names in the notes |
| --- | --- | --- | --- |
| `identified` | the way it has in every instance of the run | the same | yes |
| `reassigned` | the way of another name in this instance | the same | yes |
| `permuted` | the way of another name in this instance | its own | yes |
| `masked` | its own, and the name is a number | its own | no |
| `non-social` | its own, and the name is a number | | no notes |

Names keep their ways throughout a run, so that `reassigned` takes something away from whoever knows them by heart; with
names of today left in, `masked` would spare just that agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Generic, TypeVar

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.spec.family import Knob

T = TypeVar("T")

IDENTIFIED, REASSIGNED, PERMUTED, MASKED, NON_SOCIAL = ARMS = (
    "identified",
    "reassigned",
    "permuted",
    "masked",
    "non-social",
)
KNOB: Final = Knob(
    default=IDENTIFIED,
    values=ARMS,
    description="What a name tells of its bearer: all, all but by another assignment, a falsehood, or nothing.",
)
PER_WAY = 3
"""Names that have the same way throughout a run."""


@lru_cache(maxsize=64)
def _shared_out(key: bytes, names: tuple[str, ...], ways: int) -> tuple[tuple[str, ...], ...]:
    drawn = Stream(key).child("names").sample(names, ways * PER_WAY)
    return tuple(tuple(drawn[way * PER_WAY : (way + 1) * PER_WAY]) for way in range(ways))


def names_by_way(source: Stream, names: tuple[str, ...], ways: int) -> tuple[tuple[str, ...], ...]:
    """For each way the names that have it throughout the run that this stream belongs to; another run has others."""
    return _shared_out(source.key, names, ways)


class Cast(Struct, Generic[T], frozen=True):
    """The counterparties of one instance, by place."""

    names: tuple[str, ...]
    """What they are called today."""
    now: tuple[T, ...]
    """How each really acts."""
    past: tuple[T, ...]
    """How the notes show each."""
    noted: bool
    """Whether there are notes at all."""
    named: bool
    """Whether the notes say whom they are about."""


def cast(arm: str, names: Sequence[str], ways: Sequence[T], shift: int, anonymous: str) -> Cast[T]:
    """The counterparties in this arm. `shift`, at least 1 and below their number, moves every way to another name.

    `anonymous` is what everybody is called where there are no names, before a number.
    """
    own = tuple(ways)
    moved = own[shift:] + own[:shift]
    numbers = tuple(f"{anonymous} {number}" for number in range(1, len(own) + 1))
    return Cast(
        names=numbers if arm in (MASKED, NON_SOCIAL) else tuple(names),
        now=moved if arm in (REASSIGNED, PERMUTED) else own,
        past=moved if arm == REASSIGNED else own,
        noted=arm != NON_SOCIAL,
        named=arm != MASKED,
    )
