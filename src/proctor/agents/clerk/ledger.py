"""Keeping a ledger: follows quantities through a list of events, and answers from the accounts.

Events come as sentences ("received 5 lamps", "moved 3 crates from A to B") or as records with an amount, a thing and
where it went from and to; a record may also undo an earlier one. An account is a thing at a place; either may be
unstated. Sentences that are not understood are skipped, which is where it goes wrong.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding, turns_pages
from proctor.agents.clerk.reading import name_words, singular

MAX_RECORDS = 40

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
_SMALL = r"(?!(?:to|from|on|at|in|into|out|for|and|by|were|was|are|is|left|of|with)\b)"
_AMOUNT = re.compile(r"(?<![\w.:/-])(\d+)(?![\w:/-]|\.\d)")
_THING = re.compile(
    rf"(?<![\w.:/-])\d+\s+(?:of\s+|more\s+|units of\s+|x\s+)?{_SMALL}([A-Za-z]+(?:[ -]{_SMALL}[A-Za-z]+)?)"
)
_AT = rf"(?:the\s+)?([A-Za-z]\w*(?:[ -]{_SMALL}\w+)?)"
_FROM = re.compile(rf"\b(?:from|out of)\s+{_AT}", re.IGNORECASE)
_TO = re.compile(rf"\b(?:to|into|in|at)\s+{_AT}", re.IGNORECASE)
_QUESTION = re.compile(
    r"how many|how much|balance|in stock|stock check|quantit|whole stock|remain|holds? at the end|have kept|"
    r"current (?:count|amount)|are left",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"\n|(?<=[.;!])\s+")
_AMOUNTS, _THINGS = ("quantity", "amount", "count", "units"), ("good", "item", "product", "article", "thing", "what")
_SOURCES, _TARGETS = ("from", "source", "origin"), ("to", "target", "destination")
_UNDOES, _NUMBERS = ("cancels", "undoes", "reverses", "voids"), ("n", "number", "id", "no", "seq")

Account = tuple[str, str]
"""(place, thing), both in plain lower-case words."""


class Ledger(Struct):
    """Quantities by account, and what each numbered record changed."""

    amounts: dict[Account, int] = field(default_factory=dict)
    booked: dict[str | int, list[tuple[Account, int]]] = field(default_factory=dict)
    understood: int = 0
    skipped: int = 0

    def book(self, account: Account, change: int) -> None:
        """Change an account."""
        self.amounts[account] = self.amounts.get(account, 0) + change

    def sentence(self, line: str) -> None:
        """Follow an event told in words."""
        amount = _AMOUNT.search(line)
        if amount is None:
            return
        size = int(amount.group(1))
        thing, source, target = (_plain(pattern.search(line)) for pattern in (_THING, _FROM, _TO))
        self.understood += 1
        if _MOVE.search(line) and source:
            self.book((source, thing), -size)
            self.book((target, thing), size)
        elif _OUT.search(line):
            self.book((source or target, thing), -size)
        elif _IN.search(line):
            self.book((target or source, thing), size)
        elif _SET.search(line):
            self.amounts[(target or source, thing)] = size
        else:
            self.understood -= 1
            self.skipped += 1

    def record(self, event: dict[str, Any]) -> None:
        """Follow an event that comes as a record; one that was followed before is not followed twice."""
        number = _under(event, _NUMBERS)
        if number is not None and number in self.booked:
            return
        changes: list[tuple[Account, int]] = []
        undone = _under(event, _UNDOES)
        size, thing = _under(event, _AMOUNTS), _under(event, _THINGS)
        if undone is not None:
            changes = [(account, -change) for account, change in self.booked.get(undone, [])]
        elif isinstance(size, int):
            for places, sign in ((_SOURCES, -1), (_TARGETS, 1)):
                place = _under(event, places)
                if place:
                    changes.append(((_spoken(place), _spoken(thing or "")), sign * size))
        for account, change in changes:
            self.book(account, change)
        self.booked[number if number is not None else len(self.booked) + 1] = changes
        self.understood += bool(changes)
        self.skipped += not changes

    def about(self, question: set[str], thing: set[str]) -> int | None:
        """The sum over the places that a question names, of the things it names; None without such an account."""
        places = {place for place, _ in self.amounts if place and name_words(place) <= question}
        fitting = [
            amount
            for (place, held), amount in self.amounts.items()
            if (place in places or not places) and (not held or name_words(held) & thing)
        ]
        return sum(fitting) if fitting else None


def _under(event: dict[str, Any], names: tuple[str, ...]) -> str | int | None:
    values = (event[name] for name in names if name in event)
    return next((value for value in values if isinstance(value, (str, int)) and value != ""), None)


def _spoken(value: Any) -> str:
    return " ".join(singular(word) for word in str(value).lower().split())


def _plain(match: re.Match[str] | None) -> str:
    return "" if match is None else _spoken(match.group(1))


def read_ledger(desk: Desk) -> Ledger:
    """Everything known so far, as a ledger."""
    ledger = Ledger()
    for page in (desk.start, *desk.pages):
        _enter(ledger, page)
    return ledger


def _enter(ledger: Ledger, value: Any) -> None:
    if isinstance(value, str):
        for line in _SENTENCES.split(value):
            ledger.sentence(line)
    elif isinstance(value, list):
        for item in value:
            _enter(ledger, item)
    elif isinstance(value, dict):
        if _under(value, _AMOUNTS) is not None or _under(value, _UNDOES) is not None:
            ledger.record(value)
        else:
            for item in value.values():
                _enter(ledger, item)


def fits(desk: Desk) -> bool:
    """Quantities are asked for, and there are events to follow or a tool that shows them one by one."""
    only_numbers = desk.shape.kind != "object" or "text" not in desk.task.answer_format
    asked = bool(_QUESTION.search(desk.task.goal)) and only_numbers
    return asked and (bool(_shower(desk)) or read_ledger(desk).understood >= 2)


def _shower(desk: Desk) -> Any:
    """The tool that shows records by number, or page by page."""
    return next(iter([*desk.readers("integer"), *filter(turns_pages, desk.readers())]), None)


async def _gather(desk: Desk) -> None:
    """Read the records that a tool shows one at a time, as many as there are."""
    shower = _shower(desk)
    if shower is None:
        return
    stated = re.search(r"\b(\d+) (?:events|entries|records|lines|movements)\b", desk.task.goal)
    for number in range(1, 1 + min(MAX_RECORDS, int(stated.group(1)) if stated else MAX_RECORDS)):
        if turns_pages(shower):
            result = await desk.call(shower)
            if not result.ok or result.value in desk.pages:
                return
            desk.pages.append(result.value)
        else:
            result = await desk.read(shower, **{next(iter(shower.parameters["required"])): number})
            if not result.ok:
                return


async def work(desk: Desk) -> Finding | None:
    """Book every event and answer from the accounts the question names."""
    await desk.survey()
    await _gather(desk)
    ledger = read_ledger(desk)
    if not ledger.amounts:
        return None
    sure = 0.9 * ledger.understood / (ledger.understood + ledger.skipped)
    question = name_words(re.split(r"[.?!]\s", desk.task.goal)[0])
    if desk.shape.kind == "object":
        return Finding({key: ledger.about(question, name_words(key)) or 0 for key in desk.shape.keys}, sure)
    return Finding(ledger.about(question, question), sure)
