"""Numbers in words: turns `four hundred and twelve` into `412`, as transcripts and letters need it.

Ordinals, fractions and `a dozen` are left as they are. `and` joins only what follows a hundred or a thousand, so that
`five and three` stays two numbers.
"""

from __future__ import annotations

import re

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SIZES = {"hundred": 100, "thousand": 1000}
_UNITS = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
_ANY = "|".join(sorted([*_UNITS, *_SIZES], key=len, reverse=True))
_NUMBER = re.compile(rf"\b(?:{_ANY})\b(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and )(?:{_ANY})\b)*", re.IGNORECASE)


def in_digits(text: str) -> str:
    """The text with every number that is spelled out written in digits."""
    return _NUMBER.sub(lambda match: " ".join(map(str, _values(match.group().lower()))), text)


def _values(words: str) -> list[int]:
    """The numbers that a run of number words states: one, unless two stand side by side."""
    done: list[int] = []
    whole = part = last = 0
    started = False
    for word in re.split(r"[ -]", words):
        if word in _SIZES:
            size = _SIZES[word]
            if size == 1000:
                whole, part = whole + (part or 1) * size, 0
            else:
                part = (part or 1) * size
            last = size
        elif word in _UNITS:
            value = _UNITS[word]
            if started and not (value < last and (last >= 100 or (last >= 20 and value < 10))):
                done.append(whole + part)
                whole = part = 0
            part += value
            last = value
        started = True
    return [*done, whole + part]
