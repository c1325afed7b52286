"""The rules by which name and content are composed: each has a sentence for the reader and a function for the judge.

A rule reads only the record: what the material says, and which names the folder holds. Sentences name facts by the
labels of the trade, in braces.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from msgspec import Struct


class Item(Struct, frozen=True):
    """One article, how many of it, and what one of it weighs (or measures)."""

    article: str
    quantity: int
    weight: int


class Record(Struct, frozen=True):
    """What a file is composed from."""

    number: int
    sender: str
    place: str
    carrier: str
    day: date
    items: tuple[Item, ...]
    latest: int
    """The highest number that a file in the folder ends with."""


class Rule(Struct, frozen=True):
    """How one piece is made."""

    text: str
    make: Callable[[Record], str]


def _initials(text: str) -> str:
    return "".join(word[0] for word in text.split())


RUNNING = Rule(
    "the running number: one more than the highest that a file in the folder has before `.old`, three digits",
    lambda r: f"{r.latest + 1:03d}",
)
NAME_RULES = (
    Rule("the {day} as eight digits, year, month and day", lambda r: f"{r.day:%Y%m%d}"),
    Rule("the first three letters of the {place}, in capitals", lambda r: r.place[:3].upper()),
    Rule("the {number}, filled up with zeros on the left to seven digits", lambda r: f"{r.number:07d}"),
    Rule("the {carrier} in small letters, a full stop in place of each space", lambda r: _dotted(r.carrier)),
    Rule("the letter n and how many {item}s there are, with two digits (`n03`)", lambda r: f"n{len(r.items):02d}"),
    Rule("the initials of the {sender}, in small letters", lambda r: _initials(r.sender).lower()),
    Rule("the last two digits of the {number}", lambda r: f"{r.number % 100:02d}"),
)
CONTENT_RULES = {
    "SUM": Rule(
        "the quantity of each {item} times its {weight}, added up",
        lambda r: str(sum(item.quantity * item.weight for item in r.items)),
    ),
    "MOST": Rule(
        "the {article} of the {item} with the largest quantity",
        lambda r: max(r.items, key=lambda item: item.quantity).article,
    ),
    "FROM": Rule("the {sender} in capitals", lambda r: r.sender.upper()),
    "LIST": Rule(
        "every {article}, in alphabetical order of its full wording, separated by a semicolon",
        lambda r: ";".join(sorted(item.article for item in r.items)),
    ),
    "DUE": Rule("the day 45 days after the {day}, as DD.MM.YYYY", lambda r: f"{r.day + timedelta(days=45):%d.%m.%Y}"),
    "CHECK": Rule("the sum of the digits of the {number}, modulo 7", lambda r: str(sum(map(int, str(r.number))) % 7)),
    "PIECES": Rule(
        "all quantities added up, a slash, and how many {item}s there are",
        lambda r: f"{sum(item.quantity for item in r.items)}/{len(r.items)}",
    ),
    "LEAST": Rule(
        "the {article} with the smallest {weight}, an equals sign, and that number",
        lambda r: "{0.article}={0.weight}".format(min(r.items, key=lambda item: item.weight)),
    ),
    "TO": Rule("the {place} written backwards, in small letters", lambda r: r.place[::-1].lower()),
    "BY": Rule(
        "the initials of the {carrier} in capitals, a hyphen, and the {day}'s month as a number without leading zero",
        lambda r: f"{_initials(r.carrier)}-{r.day.month}",
    ),
}


def _dotted(text: str) -> str:
    return text.lower().replace(" ", ".")
