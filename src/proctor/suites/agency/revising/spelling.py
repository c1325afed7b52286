"""How dates, numbers and lists are spelled: in data, in prose, and as somebody says them aloud.

Nothing is lost in any spelling: each names one day, one number, one list.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import lru_cache

from proctor.suites.agency.sensing.names import MONTHS, WEEKDAYS

Value = date | int | str | tuple[str, ...]
Spelling = Callable[[Value], str]

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_HUNDRED, _THOUSAND = 100, 1000


@lru_cache(maxsize=8192)
def data(value: Value) -> str:
    """As a machine writes it: ISO dates, plain digits."""
    if isinstance(value, date):
        return value.isoformat()
    return ", ".join(value) if isinstance(value, tuple) else str(value)


@lru_cache(maxsize=8192)
def prose(value: Value) -> str:
    """As a person writes it: `Thursday 12 March 2026`, `a, b and c`."""
    if isinstance(value, date):
        return f"{WEEKDAYS[value.weekday()]} {value.day} {MONTHS[value.month - 1]} {value.year}"
    return _listed(value) if isinstance(value, tuple) else str(value)


@lru_cache(maxsize=8192)
def aloud(value: Value) -> str:
    """As a person says it: `thursday the twelfth of march twenty twenty six`."""
    if isinstance(value, date):
        day, year = ordinal(value.day), f"twenty {in_words(value.year % _HUNDRED)}"
        return f"{WEEKDAYS[value.weekday()]} the {day} of {MONTHS[value.month - 1]} {year}"
    if isinstance(value, int):
        return in_words(value)
    return _listed(value) if isinstance(value, tuple) else value


def in_words(number: int) -> str:
    """A whole number from 0 to 999,999 in words, without hyphens or `and`."""
    if number < len(_UNITS):
        return _UNITS[number]
    if number < _HUNDRED:
        tens, rest = divmod(number, 10)
        return f"{_TENS[tens]} {_UNITS[rest]}" if rest else _TENS[tens]
    size, name = (_HUNDRED, "hundred") if number < _THOUSAND else (_THOUSAND, "thousand")
    front, rest = divmod(number, size)
    return f"{in_words(front)} {name} {in_words(rest)}" if rest else f"{in_words(front)} {name}"


def ordinal(number: int) -> str:
    """`first`, `twelfth`, `thirty first`."""
    *front, last = in_words(number).split()
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last.removesuffix('ve')}fth" if last.endswith("ve") else f"{last}th"
    return " ".join((*front, last))


def _listed(items: tuple[str, ...]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
