"""How dates, numbers and lists are spelled: in data, in prose, and as somebody says them aloud.

Nothing is lost in any spelling: each names one day, one number, one list. Numbers in words come in two spellings, which
are different texts: `in_words` writes `one hundred and twenty-one`, `number_aloud` says `one hundred twenty one`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache

from proctor.suites.kit.words import MONTHS, WEEKDAYS

Value = date | int | str | tuple[str, ...]
Spelling = Callable[[Value], str]

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_HUNDRED, _THOUSAND = 100, 1000


@lru_cache(maxsize=8192)
def as_data(value: Value) -> str:
    """As a machine writes it: ISO dates, plain digits."""
    if isinstance(value, date):
        return value.isoformat()
    return ", ".join(value) if isinstance(value, tuple) else str(value)


@lru_cache(maxsize=8192)
def as_prose(value: Value) -> str:
    """As a person writes it: `Thursday 12 March 2026`, `a, b and c`."""
    if isinstance(value, date):
        return f"{WEEKDAYS[value.weekday()]} {value.day} {MONTHS[value.month - 1]} {value.year}"
    return enumerated(value) if isinstance(value, tuple) else str(value)


@lru_cache(maxsize=8192)
def as_spoken(value: Value) -> str:
    """As a person says it: `thursday the twelfth of march twenty twenty six`."""
    if isinstance(value, date):
        day, year = ordinal_aloud(value.day), f"twenty {number_aloud(value.year % _HUNDRED)}"
        return f"{WEEKDAYS[value.weekday()]} the {day} of {MONTHS[value.month - 1]} {year}"
    if isinstance(value, int):
        return number_aloud(value)
    return enumerated(value) if isinstance(value, tuple) else value


def in_words(number: int) -> str:
    """A number from 0 to 9,999 as it is written out: with hyphens and `and`."""
    if number < len(_UNITS):
        return _UNITS[number]
    if number < _HUNDRED:
        tens, rest = divmod(number, 10)
        return f"{_TENS[tens]}-{_UNITS[rest]}" if rest else _TENS[tens]
    if number < _THOUSAND:
        hundreds, rest = divmod(number, _HUNDRED)
        return f"{_UNITS[hundreds]} hundred" + (f" and {in_words(rest)}" if rest else "")
    thousands, rest = divmod(number, _THOUSAND)
    joint = " and " if rest < _HUNDRED else " "
    return f"{_UNITS[thousands]} thousand" + (f"{joint}{in_words(rest)}" if rest else "")


def number_aloud(number: int) -> str:
    """A number from 0 to 999,999 as it is said: without hyphens or `and`."""
    if number < len(_UNITS):
        return _UNITS[number]
    if number < _HUNDRED:
        tens, rest = divmod(number, 10)
        return f"{_TENS[tens]} {_UNITS[rest]}" if rest else _TENS[tens]
    size, name = (_HUNDRED, "hundred") if number < _THOUSAND else (_THOUSAND, "thousand")
    front, rest = divmod(number, size)
    return f"{number_aloud(front)} {name} {number_aloud(rest)}" if rest else f"{number_aloud(front)} {name}"


def ordinal_aloud(number: int) -> str:
    """`first`, `twelfth`, `thirty first`."""
    *front, last = number_aloud(number).split()
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last.removesuffix('ve')}fth" if last.endswith("ve") else f"{last}th"
    return " ".join((*front, last))


def enumerated(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
