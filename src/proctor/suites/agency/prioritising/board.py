"""What is on the table: records with the same columns, in one or more groups. Data only; `forms` writes it down."""

from __future__ import annotations

from math import gcd

from msgspec import Struct

from proctor.suites.kit.draws import Dice
from proctor.suites.kit.words import FIRM_ONE, FIRM_TWO

Value = int | str

_LETTERS = "BCDFGHKLMNPRTV"
_STEPS = (7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43)
"""None has a factor in common with 900: codes made by such steps never meet again."""
_NAMES = len(FIRM_ONE) * len(FIRM_TWO)
_NAME_STEPS = tuple(step for step in range(23, _NAMES - 23) if gcd(step, _NAMES) == 1)
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


class Column(Struct, frozen=True):
    """One property of every record. `says` is a clause about the record, with its verb, and {} for the value."""

    label: str
    says: str
    meaning: str
    """What the label stands for, as the goal explains it."""


class Record(Struct, frozen=True):
    """One thing to decide about."""

    code: str
    name: str
    values: tuple[Value, ...]


class Group(Struct, frozen=True):
    """Records that share a limit; a board with one group gives it no label."""

    label: str
    limit: int
    records: tuple[Record, ...]


class Board(Struct, frozen=True):
    """All of it. `limit` says what the groups' limits are; None where groups have none."""

    title: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    limit: Column | None = None
    asides: tuple[str, ...] = ()
    """What people say beside it. It changes nothing."""


def codes(dice: Dice, count: int) -> list[str]:
    """So many different codes, a letter and three digits each, whose numbers differ too."""
    first, step = dice.below(900), dice.choice(_STEPS)
    return [f"{dice.choice(_LETTERS)}-{100 + (first + step * index) % 900}" for index in range(count)]


def names(dice: Dice, count: int) -> list[str]:
    """So many different names of places that do not exist."""
    first, step = dice.below(_NAMES), dice.choice(_NAME_STEPS)
    chosen = ((first + step * index) % _NAMES for index in range(count))
    return [f"{FIRM_ONE[number % len(FIRM_ONE)]} {FIRM_TWO[number // len(FIRM_ONE)]}" for number in chosen]


def legend(columns: tuple[Column, ...]) -> str:
    """What the labels mean, one to a line."""
    return "\n".join(f"- {column.label}: {column.meaning}" for column in columns)


def spelled(value: Value) -> str:
    """A value as it is spoken: whole numbers below ten thousand in words."""
    if isinstance(value, str):
        return value
    if value < 20:
        return _ONES[value]
    if value < 100:
        return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")
    size, word = (100, "hundred") if value < 1000 else (1000, "thousand")
    return f"{spelled(value // size)} {word}" + (f" {spelled(value % size)}" if value % size else "")
