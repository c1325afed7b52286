"""What the notes on the past say: dealings of those at the table, of some who are not, and remarks, all mixed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.social.identity import Cast
from proctor.suites.agency.social.notes import Note
from proctor.suites.kit.draws import Dice

Way = TypeVar("Way")
Dealing = TypeVar("Dealing")
WayIn = TypeVar("WayIn", contravariant=True)
ABSENT = 2
"""So many who are in the notes, with one dealing each, and not at the table."""


class Teller(Protocol[WayIn, Dealing]):
    """How a family lives past dealings and writes them down. Without a name the note leaves it out."""

    def past_of(self, name: str | None, way: WayIn, dice: Dice) -> list[Dealing]:
        """Dealings that tell the way."""
        ...

    def note_on(self, dealing: Dealing, dice: Dice, *, matters: bool) -> Note:
        """A dealing as a note."""
        ...

    def remark_on(self, name: str | None, dice: Dice) -> Note:
        """Something that says nothing of anybody's way."""
        ...


class Past(Struct, Generic[Dealing], frozen=True):
    """The dealings as the notes tell them, under the names they give; and the notes."""

    dealings: list[Dealing]
    notes: tuple[Note, ...]


def past(
    people: Cast[Way], away: Sequence[tuple[Way, str]], teller: Teller[Way, Dealing], remarks: int, stream: Stream
) -> Past[Dealing]:
    """The past of these people, and of some of those who are away; nothing where there are no notes."""
    if not people.noted:
        return Past([], ())
    heard, pen, gossip = (Dice(stream.child(what)) for what in ("past", "writing", "remarks"))
    names = people.names if people.named else (None,) * len(people.names)
    here = [one for name, way in zip(names, people.past, strict=True) for one in teller.past_of(name, way, heard)]
    others = [teller.past_of(name if people.named else None, way, heard)[0] for way, name in heard.sample(away, ABSENT)]
    notes = [teller.note_on(dealing, pen, matters=True) for dealing in here]
    notes += [teller.note_on(dealing, pen, matters=False) for dealing in others]
    notes = heard.shuffled(notes)
    for _ in range(remarks):
        notes.insert(gossip.below(len(notes) + 1), teller.remark_on(gossip.choice(names), gossip))
    return Past(heard.shuffled([*here, *others]), tuple(notes))
