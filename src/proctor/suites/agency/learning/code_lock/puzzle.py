"""What every kind of puzzle has: a secret, a hint for each attempt, and a way to the secret by hints alone.

A puzzle is drawn whole and written into `hidden` as plain JSON. `guess` never looks at the secret: it is given the
public part and the hints, and is what the oracle and the ceiling rest on.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Protocol

from proctor.core.seeds import Stream

Entry = list[Any]
"""An attempt, or the secret, as a list of numbers or words."""
Hint = dict[str, Any]
History = list[tuple[Entry, Hint]]
Public = dict[str, Any]
"""What anybody may know of one puzzle: how many symbols there are, what they are called."""

_STRIDE = 7_919
"""Codes are tried in strides of a prime, so that the first ones differ in every place."""


class Puzzle(Protocol):
    """One kind of puzzle."""

    rules: str
    """For the goal: what is hidden, what an attempt looks like, what the hint says. `{…}` are public values."""

    def draw(self, stream: Stream, size: int) -> tuple[Public, Entry]:
        """A puzzle of size 1 to 3, and its secret."""
        ...

    def read(self, text: str, public: Public) -> Entry | None:
        """What somebody entered; None where it is no possible entry."""
        ...

    def hint(self, public: Public, secret: Entry, entry: Entry, number: int) -> Hint:
        """What attempt `number` (from 1) is answered with."""
        ...

    def guess(self, public: Public, history: History) -> Entry:
        """The next attempt of a good solver."""
        ...

    def write(self, entry: Entry) -> str:
        """An entry as one would type it."""
        ...


def consistent(codes: Sequence[Entry], puzzle: Puzzle, public: Public, history: History) -> Entry:
    """The first code that could be the secret given every hint so far; earlier attempts were found here too.

    What came before the last attempt was ruled out by fewer hints and stays so.
    """
    start = codes.index(history[-1][0]) if history else 0
    for candidate in islice(codes, start, None):
        if all(
            puzzle.hint(public, candidate, entry, number) == seen
            for number, (entry, seen) in reversed(list(enumerate(history, start=1)))
        ):
            return candidate
    return codes[-1]


def strides(total: int) -> list[int]:
    """The numbers below `total`, in strides."""
    return [(total // 3 + index * _STRIDE) % total for index in range(total)]


def spelled(number: int, bases: list[int]) -> list[int]:
    """A number as digits, each with a base of its own."""
    digits: list[int] = []
    for base in bases:
        number, digit = divmod(number, base)
        digits.append(digit)
    return digits
