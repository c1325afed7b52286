"""Past jobs as they are written down."""

from __future__ import annotations

from proctor.suites.agency.social.crew_promises import texts
from proctor.suites.agency.social.crew_promises.dealings import Dealing, past_of
from proctor.suites.agency.social.notes import Note, phrase
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.words import GIVEN, TOWNS

UNNAMED = "a crew"


def note_on(dealing: Dealing, dice: Dice, *, matters: bool) -> Note:
    """One job as a note; every clause in one of its wordings."""
    told = dealing.told
    banks = ((told.helped, texts.HELPED), (told.reminded, texts.REMINDED), (not told.reminded, texts.LEFT_ALONE))
    course = [phrase(dice, bank, who=dice.choice(GIVEN)) for holds, bank in banks if holds]
    ending = texts.STAYED_AWAY if dealing.came is None else texts.CAME
    return Note(
        who=dealing.crew or UNNAMED,
        opening=phrase(dice, texts.ASKED, day=told.day),
        course=tuple(clause for clause in course if clause),
        ending=phrase(dice, ending, came=dealing.came or 0),
        matters=matters,
    )


def remark_on(crew: str | None, dice: Dice) -> Note:
    """Something about a crew that says nothing about its promises."""
    said = phrase(dice, texts.REMARKS, town=dice.choice(TOWNS))
    return Note(crew or UNNAMED, "", (), said, matters=False)


class _Teller:
    """How crews are told of."""

    past_of = staticmethod(past_of)
    note_on = staticmethod(note_on)
    remark_on = staticmethod(remark_on)


TELLER = _Teller()
