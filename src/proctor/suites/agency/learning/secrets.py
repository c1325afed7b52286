"""What a lifetime hides and teaches: private words for known things, dealt so that training shows all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from proctor.core.seeds import Stream

T = TypeVar("T")

_ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "h",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "sk",
    "t",
    "tr",
    "v",
)
_VOWELS = ("a", "e", "i", "o", "u")
_ENDS = ("b", "g", "k", "ll", "m", "n", "nd", "rk", "rn", "sh", "sk", "t", "x", "zz")
_REAL = re.compile(
    r".+[aeiou][bgkmnt]e|(?:fag|fuk|kak|nig|put|sex|tit).*"
    r"|belle|beta|brand[aio]|brenda|bruno|dago|data|demo|drama|gaga|hello|hind[iu]|hobo|homo|honda|kendo|keto|krona"
    r"|lama|linda|logo|luna|mama|maxi|mega|memo|menu|meta|mezzo|mini|mono|moto|nano|nina|paki|panda|parka|pasha|pita"
    r"|pizza|porno|puma|raga|rondo|saga|semi|sumo|sushi|tabu|taxi|toga|tulle|tuna|turku|tutu|veto|villa|vino|vita"
)
"""What the syllables can spell and nobody made up, with whatever would be rude to print."""


def invented(stream: Stream, count: int, *, taken: Sequence[str] = ()) -> list[str]:
    """So many different made-up words of two syllables, none of them among `taken`."""
    words: dict[str, None] = {}
    while len(words) < count:
        word = stream.choice(_ONSETS) + stream.choice(_VOWELS) + stream.choice(_ENDS) + stream.choice(_VOWELS)
        if word not in taken and not _REAL.fullmatch(word):
            words[word] = None
    return list(words)


def code_book(stream: Stream, things: Sequence[str], *, taken: Sequence[str] = ()) -> dict[str, str]:
    """A private word for each thing."""
    return dict(zip(things, invented(stream, len(things), taken=taken), strict=True))


def dealt(shared: Stream, things: Sequence[T], count: int, turn: int) -> list[T]:
    """`count` things for this turn: consecutive turns go through all of them, in the lifetime's own order."""
    order = shared.sample(things, len(things))
    return [order[(turn * count + index) % len(order)] for index in range(count)]
