"""Several small choices from one draw: instances are made for every episode, and drawing is most of their cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeVar

from proctor.core.seeds import Stream

T = TypeVar("T")
_PRIME = (1 << 61) - 1


def at_once(stream: Stream, *sizes: int) -> list[int]:
    """For each size an independent uniform number below it, all from one draw."""
    number = stream.below(prod(sizes))
    found = []
    for size in sizes:
        number, rest = divmod(number, size)
        found.append(rest)
    return found


def some(stream: Stream, items: Sequence[T], count: int) -> list[T]:
    """So many different items, evenly spaced from anywhere in the list on; each is as likely as any other."""
    size = len(items)
    start, step = at_once(stream, size, max(1, (size - 1) // max(1, count - 1)))
    return [items[(start + place * (step + 1)) % size] for place in range(count)]


def mixed(stream: Stream, items: Sequence[T]) -> list[T]:
    """The items in an order that one number decides: good for the eye, not for what is judged."""
    number = stream.bits64() | 1
    keyed = sorted([(number * place * place * place % _PRIME, place) for place in range(1, len(items) + 1)])
    return [items[place - 1] for _, place in keyed]
