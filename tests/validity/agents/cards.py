"""Reading cards: a title and named values, in whichever of eight layouts they come."""

from __future__ import annotations

import re

from msgspec import Struct

_TITLES = tuple(
    map(
        re.compile,
        (
            r"^\*\*\* (.+) \*\*\*$",
            r'^\{"card": "(.+)",$',
            r"^\| (.+) \| \|$",
            r"^You ask about (.+)\.$",
            r"^\d\d:\d\d OPEN <(.+)>$",
            r"^\w+: (.+), please$",
            r"^Re: (.+)$",
            r"^this is about (.+)$",
        ),
    )
)
_PAIRS = tuple(
    map(
        re.compile,
        (
            r"^(?P<label>.+?) \.{4} (?P<value>.+)$",
            r'^  "(?P<label>.+)": "?(?P<value>.+?)"?,?$',
            r"^\| (?P<value>.+) \| (?P<label>.+) \|$",
            r"^For the (?P<label>.+) put down (?P<value>.+)\.$",
            r"^\d\d:\d\d (?P<label>.+) = (?P<value>.+)$",
            r"^\w+: (?P<label>.+)\? \w+: (?P<value>.+)$",
            r"^\d+\) (?P<value>.+) \[(?P<label>.+)\]$",
            r"^(?P<label>.+) that is (?P<value>.+)$",
        ),
    )
)
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS = {word: number for number, word in enumerate(_UNITS)} | {
    f"{ten}{f'-{_UNITS[unit]}' if unit else ''}": 10 * place + unit
    for place, ten in enumerate(_TENS, start=2)
    for unit in range(10)
}
"""Numbers in words, below one hundred."""


class Read(Struct, frozen=True):
    """What a card says; labels in lower case."""

    title: str
    values: dict[str, str]

    def number(self, label: str) -> int:
        """The only number under a label."""
        return numbers(self.values[label])[0]


def read_card(text: object) -> Read | None:
    """The card that a result shows; None where it shows none."""
    if not isinstance(text, str):
        return None
    first, *rest = text.split("\n")
    title = _first(_TITLES, first)
    if title is None:
        return None
    found = (_first(_PAIRS, line) for line in rest)
    return Read(title.group(1), {one["label"].lower(): one["value"] for one in found if one is not None})


def numbers(text: str) -> list[int]:
    """All numbers of a text, in digits or in words."""
    words = re.findall(r"\d+|[a-z]+(?:-[a-z]+)?", text)
    return [int(word) if word.isdigit() else NUMBERS[word] for word in words if word.isdigit() or word in NUMBERS]


def _first(patterns: tuple[re.Pattern[str], ...], line: str) -> re.Match[str] | None:
    return next((found for pattern in patterns if (found := pattern.match(line))), None)
