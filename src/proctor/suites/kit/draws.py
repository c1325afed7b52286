"""Many small choices from few large draws: instances are made for every episode, and drawing is most of their cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeVar

from proctor.core.seeds import Stream

T = TypeVar("T")

_PRIME = (1 << 61) - 1
_MIN_LEFT = 1 << 24
"""Below this what is left of 64 bits is thrown away: below a hundred no number is then favoured by 10**-5."""


def split_draw(stream: Stream, *sizes: int) -> list[int]:
    """For each size an independent uniform number below it, all from one draw."""
    number = stream.below(prod(sizes))
    parts = []
    for size in sizes:
        number, rest = divmod(number, size)
        parts.append(rest)
    return parts


def sample_spaced(stream: Stream, items: Sequence[T], count: int) -> list[T]:
    """So many different items, evenly spaced from anywhere in the list on; each is as likely as any other."""
    size = len(items)
    start, step = split_draw(stream, size, max(1, (size - 1) // max(1, count - 1)))
    return [items[(start + number * (step + 1)) % size] for number in range(count)]


def quick_shuffle(stream: Stream, items: Sequence[T]) -> list[T]:
    """The items in an order that one number decides: good for the eye, not for what is judged."""
    factor = stream.bits64() | 1
    keyed = sorted([(factor * number * number * number % _PRIME, number) for number in range(1, len(items) + 1)])
    return [items[number - 1] for _, number in keyed]


class Dice:
    """Small numbers from a stream, several out of each 64 bits: for boards of over a hundred numbers."""

    __slots__ = ("_left", "_stream")

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._left = 0

    def below(self, n: int) -> int:
        """One of 0, …, n - 1; n is small."""
        if self._left < _MIN_LEFT:
            self._left = self._stream.bits64()
        self._left, number = divmod(self._left, n)
        return number

    def integer(self, low: int, high: int) -> int:
        """One of low, …, high."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """So many of the items, in another order."""
        drawn = list(items)
        for index in range(count):
            other = self.integer(index, len(drawn) - 1)
            drawn[index], drawn[other] = drawn[other], drawn[index]
        return drawn[:count]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in another order."""
        drawn = list(items)
        for index in range(len(drawn) - 1, 0, -1):
            other = self.below(index + 1)
            drawn[index], drawn[other] = drawn[other], drawn[index]
        return drawn
