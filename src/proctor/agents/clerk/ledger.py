"""Keeping a ledger: follows quantities through a list of events ("received 5 lamps", "moved 3 from A to B").

Every event is one line or sentence. An account is a thing at a place; either may be unstated. Verbs decide the sign.
Events it does not understand are skipped, which is where it goes wrong.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.reading import name_words, singular

_IN = re.compile(
    r"\b(?:receiv|add|bought|buy|purchas|return|deliver|arriv|gain|deposit|credit|restock|put|stor|found|produc|"
    r"earn|join|board|collect|refill|unload|came in|made|plus)\w*",
    re.IGNORECASE,
)
_OUT = re.compile(
    r"\b(?:ship|sold|sell|remov|lost|lose|withdr|us(?:ed|es)|discard|br[eo]k|debit|spent|spend|took|take|scrapp|left|"
    r"gave|issu|paid|pay|consum|dispatch|minus|sent|writ|wrote|damag)\w*",
    re.IGNORECASE,
)
_MOVE = re.compile(r"\b(?:mov|transfer|shift|relocat|carri|brought)\w*", re.IGNORECASE)
_SET = re.compile(
    r"\b(?:start|open|initial|begin|holds?|has|have|contain|count(?:ed)?|set to|is now|there (?:are|were)|stock of)\w*",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?<![\w.:/-])(\d+)(?![\w:/-]|\.\d)")
_THING = re.compile(r"(?<![\w.:/-])\d+\s+(?:of\s+|more\s+|units of\s+|boxes of\s+|x\s+)?([A-Za-z]+(?:[ -][A-Za-z]+)?)")
_AT = r"(?:the\s+)?([A-Za-z]\w*(?:[ -](?!to\b|from\b|on\b|at\b|in\b|for\b|and\b|by\b)\w+)?)"
_FROM = re.compile(rf"\b(?:from|out of)\s+{_AT}", re.IGNORECASE)
_TO = re.compile(rf"\b(?:to|into|in|at)\s+{_AT}", re.IGNORECASE)
_QUESTION = re.compile(
    r"how many|how much|balance|in stock|left|remain|final|at the end|after all|current (?:count|amount)", re.IGNORECASE
)
_SENTENCES = re.compile(r"\n|(?<=[.;!])\s+")

Account = tuple[str, str]
"""(place, thing), both in plain lower-case words."""


class Ledger(Struct):
    """Quantities by account."""

    amounts: dict[Account, int] = field(default_factory=dict)
    understood: int = 0
    skipped: int = 0

    def book(self, place: str, thing: str, change: int) -> None:
        """Change an account."""
        key = (place, thing)
        self.amounts[key] = self.amounts.get(key, 0) + change

    def event(self, line: str) -> None:
        """Follow one event."""
        amount = _AMOUNT.search(line)
        if amount is None:
            return
        size = int(amount.group(1))
        thing = _plain(_THING.search(line))
        source, target = _plain(_FROM.search(line)), _plain(_TO.search(line))
        self.understood += 1
        if _MOVE.search(line) and source:
            self.book(source, thing, -size)
            self.book(target, thing, size)
        elif _OUT.search(line):
            self.book(source or target, thing, -size)
        elif _IN.search(line):
            self.book(target or source, thing, size)
        elif _SET.search(line):
            self.amounts[(target or source, thing)] = size
        else:
            self.understood -= 1
            self.skipped += 1

    def about(self, question: set[str]) -> int | None:
        """The sum over the accounts that share most words with a question; None without any account."""
        best, total = -1, 0
        for (place, thing), amount in self.amounts.items():
            likeness = len(question & (name_words(place) | name_words(thing)))
            if likeness > best:
                best, total = likeness, amount
            elif likeness == best:
                total += amount
        return None if best < 0 else total


def _plain(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    return " ".join(singular(word) for word in found.group(1).lower().split())


def read_ledger(desk: Desk) -> Ledger:
    """Everything shown so far, as a ledger."""
    ledger = Ledger()
    for text in desk.texts():
        for line in _SENTENCES.split(text):
            ledger.event(line)
    return ledger


def fits(desk: Desk) -> bool:
    """A quantity is asked for, and there are events to follow."""
    return bool(_QUESTION.search(desk.task.goal)) and read_ledger(desk).understood >= 2


async def work(desk: Desk) -> Finding | None:
    """Book every event and answer from the accounts."""
    await desk.look_around()
    ledger = read_ledger(desk)
    if not ledger.amounts:
        return None
    sure = 0.85 * ledger.understood / (ledger.understood + ledger.skipped)
    question = name_words(desk.task.goal)
    if desk.shape.kind == "object":
        answer: Any = {key: ledger.about(name_words(key)) for key in desk.shape.keys}
    else:
        answer = ledger.about(question)
    return Finding(answer, sure)
