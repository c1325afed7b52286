"""A list with remarks: one item to be left out, one limit on single handling, and one of the two no longer holds.

Where the exception holds, everything has to be handled one by one, without it. Where the limit holds, everything has to
be handled at once. Both remarks stand in every text, and which of them holds is told in one of three ways: one was said
to be lifted and the other wrongly said to be; one comes from somebody without a say; one was valid for a time that is
over. In each of them only the relation between several sentences decides, and neither has words the other lacks.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.reflecting.frames import Line
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.word_file import read_words
from proctor.suites.kit.words import FIRM_ONE, FIRM_TWO, GIVEN, MONTHS, SURNAMES, WEEKDAYS

WORDS = read_words(__file__)
_LETTERS = "ABCDEFGHKLMNPRSTVWXZ"
_WORKDAYS = WEEKDAYS[:5]
_TOLD = ("lifted", "signed", "signed", "signed", "dated", "dated", "dated")
"""How it is told which remark holds; what words alone might tell is rarest."""
_DAYS_OF_MONTH = 28


class Listing(Struct, frozen=True):
    """What was drawn: the list, what the remarks come to, and the sentences."""

    items: list[str]
    mark: str
    exception: str
    exception_holds: bool
    limit: int
    """How many items can be handled one by one, where that limit holds."""
    house: dict[str, str]
    lines: list[Line]


class _Remarks:
    """Sentences about one list, in wordings of its house."""

    def __init__(self, dice: Dice, house: dict[str, str]) -> None:
        self.dice = dice
        self.house = {**house, "Desk": _capital(house["desk"])}

    def say(self, kind: str, **values: Any) -> str:
        """A sentence of this kind."""
        pattern: str = self.dice.choice(WORDS[kind])
        filled = {"who": self.dice.choice(GIVEN), "day": self.dice.choice(_WORKDAYS), **self.house, **values}
        return _capital(pattern.format(**filled))

    def topic(self, kind: str, **values: Any) -> str:
        """What a remark was about, as it is called within a sentence."""
        text = self.say(kind, **values)
        return text[0].lower() + text[1:]

    def status(self, kind: str, topic: str) -> str:
        """A sentence by which the remark on a topic is lifted, or upheld."""
        ended: str = self.dice.choice(WORDS["ended"]).format(topic=topic)
        return self.say(kind, ended=ended, Ended=_capital(ended))


def listing(stream: Stream, count: int, *, exception_holds: bool) -> Listing:
    """A list of so many items with its remarks: the one on the exception holds, or else the one on the limit."""
    dice = Dice(stream)
    house: dict[str, str] = dice.choice(WORDS["houses"])
    remarks = _Remarks(dice, house)
    ones, twos = dice.sample(FIRM_ONE, count), dice.shuffled(FIRM_TWO)
    items = [f"{one} {two}" for one, two in zip(ones, twos, strict=False)]
    mark, old = (f"{dice.choice(_LETTERS)}{dice.choice(_LETTERS)}-{dice.integer(210, 989)}" for _ in range(2))
    exception, limit = dice.choice(items), dice.integer(2, 3)
    live, dead = remarks.say("exceptions", x=exception), remarks.say("limits", k=limit)
    topics = [remarks.topic("topics_exception", x=exception), remarks.topic("topics_limit")]
    if not exception_holds:
        live, dead = dead, live
        topics.reverse()
    told = {"lifted": _lifted, "signed": _signed, "dated": _dated}[dice.choice(_TOLD)]
    lines = [
        *(Line(remarks.say("listed", x=item), True) for item in items),
        Line(remarks.say("marks", mark=mark, old=old), True),
        *(Line(text, True) for text in told(remarks, live, dead, topics)),
        Line(remarks.status(dice.choice(("lifted", "upheld")), remarks.topic("topics_other"))),
        Line(remarks.say("others", k=dice.integer(2, 9))),
    ]
    return Listing(items, mark, exception, exception_holds, limit, house, dice.shuffled(lines))


def _lifted(remarks: _Remarks, live: str, dead: str, topics: list[str]) -> list[str]:
    """One was lifted, the other was not."""
    return [live, dead, remarks.status("upheld", topics[0]), remarks.status("lifted", topics[1])]


def _signed(remarks: _Remarks, live: str, dead: str, topics: list[str]) -> list[str]:
    """One comes from somebody who has a say, the other does not."""
    good, bad = remarks.dice.sample(SURNAMES, 2)
    return [
        remarks.say("signed", text=live, name=good),
        remarks.say("signed", text=dead, name=bad),
        remarks.say("authority", good=good, bad=bad),
    ]


def _dated(remarks: _Remarks, live: str, dead: str, topics: list[str]) -> list[str]:
    """One is still valid, the other was."""
    month = remarks.dice.choice(MONTHS)
    today = remarks.dice.integer(6, _DAYS_OF_MONTH - 5)
    until, was = today + remarks.dice.integer(1, 5), today - remarks.dice.integer(1, 5)
    return [
        remarks.say("dated", text=live, date=f"{until} {month}"),
        remarks.say("dated", text=dead, date=f"{was} {month}"),
        remarks.say("today", date=f"{today} {month}"),
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
