"""Puzzles whose hints measure: dials with arrows, a wheel of clicks, a field of squares, a pair of gears."""

from __future__ import annotations

import re
from functools import lru_cache

from proctor.core.seeds import Stream
from proctor.suites.agency.learning.code_lock.puzzle import Entry, Hint, History, Public, consistent, spelled, strides

_NUMBERS = re.compile(r"\d+")
_NOT_WHOLE = re.compile(r"(?<!\d)-\d|\d\.\d")
"""A number below zero or a fraction: no entry, and not to be taken for another number."""
_SQUARE = re.compile(r"([A-Za-z]{1,2})\s*[-,/]?\s*(\d{1,2})")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ARROWS = {-1: "higher", 0: "right", 1: "lower"}


class Dials:
    """Digits; the hint says for each whether the hidden one is higher or lower."""

    rules = (
        "The lock has {dials} dials, each with the digits 0 to 9. Enter {dials} digits, e.g. `{example}`. The hint "
        "says for each dial in order whether the hidden digit is `higher` or `lower` than yours, or `right` (dials)."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        dials = 2 + size
        return {"dials": dials, "example": "20417"[:dials]}, [stream.below(10) for _ in range(dials)]

    def read(self, text: str, public: Public) -> Entry | None:
        digits = [int(letter) for letter in text if letter in "0123456789"]
        return digits if len(digits) == public["dials"] else None

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        return {"dials": [_ARROWS[(two > one) - (two < one)] for one, two in zip(secret, entry, strict=True)]}

    def guess(self, public: Public, history: History) -> Entry:
        entry: Entry = []
        for dial in range(public["dials"]):
            low, high = 0, 9
            for tried, seen in history:
                if seen["dials"][dial] == "higher":
                    low = tried[dial] + 1
                elif seen["dials"][dial] == "lower":
                    high = tried[dial] - 1
                else:
                    low = high = tried[dial]
            entry.append((low + high) // 2)
        return entry

    def write(self, entry: Entry) -> str:
        return "".join(map(str, entry))


class Wheel:
    """A wheel of clicks; the hint is the shorter way round."""

    rules = (
        "The lock is a wheel with {clicks} positions in a circle, numbered from 0 to {last}; after {last} comes 0 "
        "again. It opens at one of them. Enter a position, e.g. `{example}`. The hint says how many clicks it is from "
        "there to the right position by the shorter way round (clicks_away), not in which direction."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        clicks = (300, 1000, 5000)[size - 1]
        return {"clicks": clicks, "last": clicks - 1, "example": clicks // 7}, [stream.below(clicks)]

    def read(self, text: str, public: Public) -> Entry | None:
        number = _whole(text.replace(",", ""))
        return number if len(number) == 1 and number[0] < public["clicks"] else None

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        away = abs(secret[0] - entry[0])
        return {"clicks_away": min(away, public["clicks"] - away)}

    def guess(self, public: Public, history: History) -> Entry:
        """One hint leaves two positions; the second says which."""
        clicks: int = public["clicks"]
        if not history:
            return [clicks // 3]
        (first,), seen = history[0]
        way = seen["clicks_away"]
        return [(first + way) % clicks] if len(history) == 1 else [(first - way) % clicks]

    def write(self, entry: Entry) -> str:
        return str(entry[0])


class Field:
    """A square of a field; the hint is the number of steps to it."""

    rules = (
        "The lock is a plan of {side} by {side} squares, one of which opens it. Columns are lettered A to {letter} "
        "from west to east, rows numbered 1 to {side} from north to south. Enter a square, e.g. `{example}`. The hint "
        "says how many steps it is from there to the right square (steps); a step goes to a neighbour in the north, "
        "south, east or west, never diagonally."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        side = (12, 20, 26)[size - 1]
        public = {"side": side, "letter": _LETTERS[side - 1], "example": f"C{side - 2}"}
        return public, [stream.below(side), stream.below(side)]

    def read(self, text: str, public: Public) -> Entry | None:
        match = _SQUARE.fullmatch(text.strip().strip("`'\"."))
        if match is None or len(match.group(1)) > 1:
            return None
        entry = [_LETTERS.index(match.group(1).upper()), int(match.group(2)) - 1]
        return entry if all(0 <= place < public["side"] for place in entry) else None

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        return {"steps": abs(secret[0] - entry[0]) + abs(secret[1] - entry[1])}

    def guess(self, public: Public, history: History) -> Entry:
        return consistent(_squares(public["side"]), self, public, history)

    def write(self, entry: Entry) -> str:
        return f"{_LETTERS[entry[0]]}{entry[1] + 1}"


@lru_cache(maxsize=8)
def _squares(side: int) -> list[Entry]:
    return [[*spelled(number, [side, side])] for number in strides(side * side)]


class Gears:
    """A machine with two hidden settings; the hint is what it makes of a number."""

    rules = (
        "The lock multiplies whatever number it is fed by a hidden factor and then adds a hidden offset. Factor and "
        "offset are whole numbers from 1 to {most}. Enter both, factor first, e.g. `{example}`. The lock is then fed "
        "the number of your attempt (1 at the first, 2 at the second, and so on); the hint says what was fed (fed), "
        "what the lock gave (gave), and what it would have given with your entry (yours)."
    )

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        most = (30, 60, 120)[size - 1]
        return {"most": most, "example": f"{most // 5} {most // 3}"}, [stream.integer(1, most), stream.integer(1, most)]

    def read(self, text: str, public: Public) -> Entry | None:
        entry = _whole(text)
        return entry if len(entry) == 2 and all(1 <= number <= public["most"] for number in entry) else None

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        return {"fed": number, "gave": secret[0] * number + secret[1], "yours": entry[0] * number + entry[1]}

    def guess(self, public: Public, history: History) -> Entry:
        """Two numbers fed, two results: that settles factor and offset."""
        middle: int = public["most"] // 2
        if not history:
            return [middle, middle]
        first = history[0][1]["gave"]
        if len(history) == 1:
            factor = min(max(first // 2, 1), public["most"])
            return [factor, min(max(first - factor, 1), public["most"])]
        factor = history[1][1]["gave"] - first
        return [factor, first - factor]

    def write(self, entry: Entry) -> str:
        return f"{entry[0]} {entry[1]}"


def _whole(text: str) -> list[int]:
    """The whole numbers in a text; none where one of its numbers is not whole."""
    return [] if _NOT_WHOLE.search(text) else [int(digits) for digits in _NUMBERS.findall(text)]
