"""A bad scanner: it takes characters for others that look like them. It never touches spaces and line ends.

Integer arithmetic throughout, so that the same stream gives the same scan on any machine.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from proctor.core.seeds import Stream

_LIKE = {
    "0": "O8Q",
    "1": "lI7",
    "2": "Z7",
    "3": "8E",
    "4": "A9",
    "5": "S6",
    "6": "G5b",
    "7": "1T",
    "8": "B3",
    "9": "g4",
    "a": "oe",
    "b": "h6",
    "c": "eo",
    "d": "cl",
    "e": "co",
    "f": "t",
    "g": "q9",
    "h": "bn",
    "i": "l1",
    "j": "i",
    "k": "x",
    "l": "1I",
    "m": "n",
    "n": "hr",
    "o": "0c",
    "p": "q",
    "q": "g",
    "r": "n",
    "s": "5",
    "t": "f+",
    "u": "vn",
    "v": "u",
    "w": "v",
    "x": "k",
    "y": "v",
    "z": "2",
    ".": ",",
    ",": ".",
    ":": ";",
    "-": "~",
    "/": "l",
}
_OTHER = "#*~?|"
_UNIT = 1 << 16


@lru_cache(maxsize=64)
def _gaps(per_mille: int) -> list[int]:
    """Ascending: how much of 2**16 belongs to gaps of more than so many characters; geometric."""
    gaps, left = [], _UNIT
    while left > 0:
        left = left * (1000 - per_mille) // 1000
        gaps.append(-left)
    return gaps


def scanned(text: str, per_mille: int, stream: Stream) -> str:
    """The text with so many per mille of its characters misread."""
    if not per_mille:
        return text
    gaps = _gaps(per_mille)
    characters = list(text)
    length = len(characters)
    place = -1
    while True:
        bits = stream.bits64()
        for _ in range(2):
            place += 1 + bisect_right(gaps, ~(bits & 0xFFFF))
            if place >= length:
                return "".join(characters)
            characters[place] = _misreadings(characters[place])[bits >> 16 & 63]
            bits >>= 32


@lru_cache(maxsize=512)
def _misreadings(letter: str) -> tuple[str, ...]:
    """Sixty-four characters to take its place, all equally likely: mostly such that look like it, now and then none."""
    if letter.isspace():
        return (letter,) * 64
    like = _LIKE.get(letter.lower(), _OTHER)
    alike = [sign.upper() if letter.isupper() and sign.upper() != letter else sign for sign in like]
    usual = [alike[index % len(alike)] for index in range(58)]
    return ("", "", *_OTHER[:4], *usual)
