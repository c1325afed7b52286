"""Dealings and prices as they are written down."""

from __future__ import annotations

from proctor.suites.agency.social.house_talks import texts
from proctor.suites.agency.social.house_talks.dealings import Dealing, past_of
from proctor.suites.agency.social.house_talks.habits import AGREED, BROKEN_OFF
from proctor.suites.agency.social.notes import Note, phrase
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.words import TOWNS

UNNAMED = "a house"


def note_on(dealing: Dealing, dice: Dice, *, matters: bool) -> Note:
    """One dealing as a note; every clause in one of its wordings."""
    course: list[str] = []
    for place, (offer, answer) in enumerate(zip(dealing.offers, dealing.answers, strict=True)):
        if not place:
            bank = texts.OFFERED
        else:
            bank = texts.OFFERED_NEXT if offer.crates == dealing.offers[0].crates else texts.ORDERED_NEXT
        course.append(phrase(dice, bank, price=offer.price, crates=offer.crates))
        if place < len(dealing.offers) - 1:
            said = texts.AGREED if answer == AGREED else texts.DECLINED
            course.append(phrase(dice, said, ask=dealing.ask))
    return Note(
        who=dealing.house or UNNAMED,
        opening=phrase(dice, texts.ASKED, ask=dealing.ask),
        course=tuple(course),
        ending=phrase(dice, _ending(dealing), price=dealing.offers[-1].price, ask=dealing.ask),
        matters=matters,
    )


def _ending(dealing: Dealing) -> tuple[str, ...]:
    if dealing.sold:
        return texts.SOLD if dealing.came else texts.CHEATED
    return texts.BROKE_OFF if dealing.answers[-1] == BROKEN_OFF else texts.UNSOLD


def remark_on(house: str | None, dice: Dice) -> Note:
    """Something about a house that says nothing about how it deals."""
    said = phrase(dice, texts.REMARKS, town=dice.choice(TOWNS))
    return Note(house or UNNAMED, "", (), said, matters=False)


class _Teller:
    """How houses are told of."""

    past_of = staticmethod(past_of)
    note_on = staticmethod(note_on)
    remark_on = staticmethod(remark_on)


TELLER = _Teller()
