"""Many small draws from few large ones: a board has over a hundred numbers, and drawing it should take microseconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from proctor.core.seeds import Stream

T = TypeVar("T")

_LEAST = 1 << 24
"""Below this what is left of 64 bits is thrown away: below a hundred no number is then favoured by 10**-5."""


class Dice:
    """Small numbers from a stream, several out of each 64 bits."""

    __slots__ = ("_left", "_stream")

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._left = 0

    def below(self, n: int) -> int:
        """One of 0, …, n - 1; n is small."""
        if self._left < _LEAST:
            self._left = self._stream.bits64()
        self._left, found = divmod(self._left, n)
        return found

    def integer(self, low: int, high: int) -> int:
        """One of low, …, high."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """So many of the items, in another order."""
        found = list(items)
        for place in range(count):
            other = self.integer(place, len(found) - 1)
            found[place], found[other] = found[other], found[place]
        return found[:count]

    def mixed(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        found = list(items)
        for place in range(len(found) - 1, 0, -1):
            other = self.below(place + 1)
            found[place], found[other] = found[other], found[place]
        return found
