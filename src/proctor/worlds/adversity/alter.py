"""How one field comes to hold something else: misread, or replaced.

Both always give a value that differs from the one they were given, of the same type, and draw only from the stream
they are handed. The text given must not be blank; what misreading makes of it is not blank either.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from math import isfinite
from typing import Any

from proctor.core.seeds import Stream

_PAIRS = {"rn": "m", "cl": "d", "vv": "w", "nn": "m", "ri": "n"}
_CONFUSED = {
    "0": ("O", "o"),
    "1": ("l", "I"),
    "2": ("Z", "7"),
    "3": ("8",),
    "4": ("A", "9"),
    "5": ("S", "s"),
    "6": ("G", "b"),
    "7": ("1", "T"),
    "8": ("B", "3"),
    "9": ("g", "q"),
    "O": ("0", "Q"),
    "o": ("0", "c"),
    "l": ("1", "I"),
    "I": ("l", "1"),
    "S": ("5",),
    "s": ("5",),
    "B": ("8",),
    "Z": ("2",),
    "G": ("6",),
    "m": ("rn",),
    "w": ("vv",),
    "d": ("cl",),
    "n": ("ri", "h"),
    "h": ("b",),
    "e": ("c",),
    "c": ("e",),
    "u": ("v", "ii"),
    "g": ("q", "9"),
    ".": (",",),
    ",": (".",),
}
_DIGITS = {"0": "8", "1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "5", "7": "1", "8": "3", "9": "4"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"\d{1,15}")
_WORD = re.compile(r"\S+")
_SCRAMBLED_WORDS = 12
"""At most so many neighbouring words change places: a long paragraph costs no more than a line."""


def misread(value: Any, stream: Stream) -> Any:
    """The value as a bad scan gives it: one to three characters of a text confused, dropped or swapped, or one digit
    of a number taken for another."""
    if type(value) is str:
        return _misread_text(value, stream)
    return _misread_number(value, stream)


def replacement(value: Any, stream: Stream, *, blank: bool = True) -> Any:
    """Another value in its place: a number off by 5 to 50 %, a date up to a month away, a boolean turned round, a text
    with a number changed, its words scrambled, or (if `blank`) nothing left of it."""
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        return _other_integer(value, stream)
    if kind is float:
        return _other_float(value, stream)
    if blank and stream.chance(0.2):
        return ""
    new = _other_text(value, stream)
    return new if new != value else _misread_text(value, stream)


def _misread_text(text: str, stream: Stream) -> str:
    new = text
    for _ in range(stream.integer(1, 3)):
        place = stream.below(len(new))
        while new[place].isspace():
            place = (place + 1) % len(new)
        new = _smudged(new, place, stream)
    if new != text:
        return new
    # The changes took each other back.
    place = len(text) - len(text.lstrip())
    return text[:place] + ("y" if text[place] == "x" else "x") + text[place + 1 :]


def _smudged(text: str, place: int, stream: Stream) -> str:
    before, letter, after = text[:place], text[place], text[place + 1 :]
    if after and letter + after[0] in _PAIRS:
        return before + _PAIRS[letter + after[0]] + after[1:]
    if letter in _CONFUSED and stream.chance(0.8):
        return before + stream.choice(_CONFUSED[letter]) + after
    way = stream.below(3)
    if way == 0 and (before or after) and not (before + after).isspace():
        return before + after
    if way == 1 and after and not after[0].isspace():
        return before + after[0] + letter + after[1:]
    other = _DIGITS[letter] if letter in _DIGITS else stream.choice(_LETTERS)
    return before + other + after


def _misread_number(value: int | float, stream: Stream) -> int | float:
    text = repr(value)
    places = [place for place, digit in enumerate(text.partition("e")[0]) if digit in _DIGITS]
    if not places:
        return _other_float(float(value), stream)
    place = stream.choice(places)
    text = text[:place] + _DIGITS[text[place]] + text[place + 1 :]
    if type(value) is int:
        return int(text)
    new = float(text)
    # Seventeen digits say more than a double can hold, so the misread one may be the same double.
    return new if new != value and isfinite(new) else _other_float(value, stream)


def _other_integer(value: int, stream: Stream) -> int:
    delta = max(1, abs(value) * stream.integer(5, 50) // 100)
    return value + delta if stream.chance(0.5) else value - delta


def _other_float(value: float, stream: Stream) -> float:
    if not value or not isfinite(value):
        return stream.integer(1, 99) / 10
    share = stream.integer(5, 50) / 100
    new = value * (1 + share if stream.chance(0.5) else 1 - share)
    _, _, decimals = repr(value).partition(".")
    if decimals.isdigit():
        new = round(new, len(decimals))
    return new if new != value and isfinite(new) else value / 2


def _other_text(text: str, stream: Stream) -> str:
    match = _DATE.search(text)
    if match is not None:
        shifted = _other_date(match.group(), stream)
        return text[: match.start()] + shifted + text[match.end() :]
    numbers = list(_NUMBER.finditer(text))
    if numbers and stream.chance(0.6):
        chosen = stream.choice(numbers)
        digits = str(_other_integer(int(chosen.group()), stream)).lstrip("-").zfill(len(chosen.group()))
        return text[: chosen.start()] + digits + text[chosen.end() :]
    words = list(_WORD.finditer(text))
    if len(words) < 2:
        return _scrambled_word(text, words[0], stream)
    start = stream.below(max(1, len(words) - _SCRAMBLED_WORDS + 1))
    return _scrambled(text, words[start : start + _SCRAMBLED_WORDS], stream)


def _other_date(text: str, stream: Stream) -> str:
    days = stream.integer(1, 30) * stream.choice((1, -1))
    try:
        return (date.fromisoformat(text) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return text


def _scrambled(text: str, words: list[re.Match[str]], stream: Stream) -> str:
    """The same text with these words in another order; the space between them stays where it was."""
    mixed = [word.group() for word in words]
    stream.shuffle(mixed)
    if mixed == [word.group() for word in words]:
        mixed = mixed[1:] + mixed[:1]
    parts, last = [], 0
    for old, new in zip(words, mixed, strict=True):
        parts += [text[last : old.start()], new]
        last = old.end()
    return "".join([*parts, text[last:]])


def _scrambled_word(text: str, word: re.Match[str], stream: Stream) -> str:
    letters = list(word.group())
    if len(letters) <= 64:
        stream.shuffle(letters)
    return text[: word.start()] + "".join(letters) + text[word.end() :]
