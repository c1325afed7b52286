"""Roads with stops that want goods, and what a journey along each brings.

Always: one road brings clearly more than any other. Allowances, which are paid at once, and the prices of first stops
are drawn like all others and say little of what a road brings in all.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream

CLEARLY = 12
"""By how many coins the best road brings more than any other."""


class Stop(Struct, frozen=True):
    """What a stop wants, and what it pays."""

    good: str
    price: int


class Road(Struct, frozen=True):
    """A road, from the depot to its end."""

    name: str
    allowance: int
    stops: list[Stop]

    def brings(self) -> int:
        """What a journey along it brings if every stop gets what it wants."""
        return self.allowance + sum(stop.price for stop in self.stops)


def roads(stream: Stream, names: list[str], goods: list[str], stops: int) -> list[Road]:
    """Roads of so many stops each, one of them clearly the best."""
    while True:
        allowances = stream.sample(range(3, 16), len(names))
        drawn = [
            Road(name, allowance, [Stop(good, stream.integer(6, 40)) for good in stream.sample(goods, stops)])
            for name, allowance in zip(names, allowances, strict=True)
        ]
        second, first = sorted(road.brings() for road in drawn)[-2:]
        if first - second >= CLEARLY:
            return drawn


def best(drawn: list[Road]) -> Road:
    """The road that brings most."""
    return max(drawn, key=Road.brings)
