"""Puzzles whose hints count: coloured pegs, an order of things, banks of switches, a word of two syllables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import factorial, prod
from operator import eq

from proctor.core.seeds import Stream
from proctor.suites.agency.learning.code_lock.puzzle import Entry, Hint, History, Public, consistent, spelled, strides

COLOURS = ("red", "blue", "green", "white", "black")
THINGS = (
    *("lantern", "anchor", "kettle", "ribbon", "saddle", "candle", "mirror", "basket", "hammer", "violin", "thimble"),
    *("compass", "feather", "bucket", "whistle"),
)
CONSONANTS = "bdklmt"
VOWELS = "aeiou"
BANK = 4
_WORDS = re.compile(r"[a-z]+")


class Pegs:
    """A row of coloured pegs; the hint counts those in place and those elsewhere."""

    rules = (
        "The lock is a covered row of {places} pegs. Each is one of these colours, and a colour may occur more than "
        "once: {colours}. Enter {places} colours from left to right, e.g. `{example}`. The hint says how many of your "
        "pegs have the right colour in the right place (in_place), and how many more have a colour that belongs in "
        "another place (elsewhere; each hidden peg counts once)."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        places, count = ((3, 5), (4, 5), (5, 4))[size - 1]
        colours = list(COLOURS[:count])
        example = " ".join([*colours, *colours][:places])
        public = {"places": places, "colours": ", ".join(colours), "example": example}
        return public, [stream.choice(colours) for _ in range(places)]

    def read(self, text: str, public: Public) -> Entry | None:
        entry = _WORDS.findall(text.lower())
        known = public["colours"].split(", ")
        return entry if len(entry) == public["places"] and all(colour in known for colour in entry) else None

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        in_place = sum(map(eq, secret, entry))
        common = sum(min(secret.count(colour), entry.count(colour)) for colour in set(entry))
        return {"in_place": in_place, "elsewhere": common - in_place}

    def guess(self, public: Public, history: History) -> Entry:
        colours = public["colours"].split(", ")
        return consistent(_rows((*colours,), (*colours,), places=public["places"]), self, public, history)

    def write(self, entry: Entry) -> str:
        return " ".join(entry)


class Order:
    """Things in an unknown order; the hint says which places are right."""

    rules = (
        "The lock is a shelf: it opens when these things stand on it in the right order from left to right: {things}. "
        "Each is used once. Enter all of them in order, e.g. `{things}`. The hint lists the places, counted from 1, "
        "that already hold the right thing (right_places)."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        things = stream.sample(THINGS, 4 + size)
        secret = stream.sample(things, len(things))
        return {"things": ", ".join(sorted(things))}, secret

    def read(self, text: str, public: Public) -> Entry | None:
        entry = _WORDS.findall(text.lower())
        return entry if sorted(entry) == public["things"].split(", ") else None

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        return {"right_places": [n for n, (a, b) in enumerate(zip(secret, entry, strict=True), start=1) if a == b]}

    def guess(self, public: Public, history: History) -> Entry:
        things = public["things"].split(", ")
        # By number, so that the orders need be made only once for as many things.
        numbered: History = [([things.index(thing) for thing in tried], seen) for tried, seen in history]
        return [things[number] for number in consistent(_orders(len(things)), self, public, numbered)]

    def write(self, entry: Entry) -> str:
        return ", ".join(entry)


class Switches:
    """Banks of four switches; the hint counts the right ones of each bank."""

    rules = (
        "The lock has {banks} banks of {bank} switches. Each switch has to be up or down. Enter `u` and `d` for all "
        "{total} switches, bank by bank, e.g. `{example}`. The hint says for each bank how many of its switches are "
        "right (right_in_bank), not which."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        banks = 1 + size
        secret = ["".join(stream.choice("ud") for _ in range(BANK)) for _ in range(banks)]
        example = " ".join(["udud", "uudd", "dddu", "uddu"][:banks])
        return {"banks": banks, "bank": BANK, "total": banks * BANK, "example": example}, secret

    def read(self, text: str, public: Public) -> Entry | None:
        plain = text.lower().replace("up", "u").replace("down", "d")
        settings = "".join(letter for letter in plain if letter not in " ,;|/-\n\t")
        if len(settings) != public["total"] or settings.strip("ud"):
            return None
        return [settings[start : start + BANK] for start in range(0, len(settings), BANK)]

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        return {"right_in_bank": [_alike(one, two) for one, two in zip(secret, entry, strict=True)]}

    def guess(self, public: Public, history: History) -> Entry:
        """The banks tell nothing of each other: each is solved by itself, all at the same time."""
        entry: Entry = []
        for bank in range(public["banks"]):
            own = [([tried[bank]], {"right_in_bank": [seen["right_in_bank"][bank]]}) for tried, seen in history]
            entry += consistent(_BANKS, self, public, own)
        return entry

    def write(self, entry: Entry) -> str:
        return " ".join(entry)


class Word:
    """A made-up word of two syllables; the hint marks each letter."""

    rules = (
        "The password is a made-up word of four letters: consonant, vowel, consonant, vowel. Its consonants come from "
        "{consonants} and its vowels from {vowels}; a letter may occur twice. Enter one such word, e.g. `{example}`. "
        "The hint has one mark for each of your letters in order: `+` right letter in the right place, `o` the letter "
        "occurs in the password but not in this place, `-` the letter does not occur."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        count, vowel_count = ((5, 3), (6, 4), (6, 5))[size - 1]
        consonants, vowels = CONSONANTS[:count], VOWELS[:vowel_count]
        letters = [stream.choice(pool) for pool in (consonants, vowels, consonants, vowels)]
        return {"consonants": consonants, "vowels": vowels, "example": f"{consonants[1]}a{consonants[0]}e"}, letters

    def read(self, text: str, public: Public) -> Entry | None:
        entry = list(text.strip().strip("`'\".").lower())
        pools = (public["consonants"], public["vowels"]) * 2
        fits = len(entry) == 4 and all(letter in pool for letter, pool in zip(entry, pools, strict=True))
        return entry if fits else None

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        pairs = zip(secret, entry, strict=True)
        return {"marks": "".join("+" if one == two else "o" if two in secret else "-" for one, two in pairs)}

    def guess(self, public: Public, history: History) -> Entry:
        return consistent(_rows(public["consonants"], public["vowels"], places=4), self, public, history)

    def write(self, entry: Entry) -> str:
        return "".join(entry)


@lru_cache(maxsize=32)
def _rows(odd: Sequence[str], even: Sequence[str], *, places: int) -> list[Entry]:
    """Every row of so many symbols, with those of `odd` in the first place, the third and so on."""
    pools = [odd if index % 2 == 0 else even for index in range(places)]
    bases = [len(pool) for pool in pools]
    return [
        [pool[digit] for pool, digit in zip(pools, spelled(number, bases), strict=True)]
        for number in strides(prod(bases))
    ]


@lru_cache(maxsize=8)
def _orders(count: int) -> list[Entry]:
    """Every order of so many numbers."""
    orders: list[Entry] = []
    for number in strides(factorial(count)):
        left = list(range(count))
        orders.append([left.pop(digit) for digit in spelled(number, list(range(count, 0, -1)))])
    return orders


_BANKS: list[Entry] = [["".join("ud"[digit] for digit in spelled(n, [2] * BANK))] for n in strides(2**BANK)]


def _alike(one: str, two: str) -> int:
    return sum(map(eq, one, two))
