"""Roads with stops that want goods, and what a journey along each brings.

Always: one road brings clearly more than any other. Neither the allowance, which is paid at once, nor the price of the
first stop says anything of what a road brings in all, and the dearest stop of all is often on a poor road.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream

CLEARLY = 12
"""By how many coins the best road brings more than any other."""

LEAST = 5
"""Every stop pays at least so much."""


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
    most = stops * stream.integer(24, 31)
    totals = [most, *(most - stream.integer(CLEARLY, 2 * CLEARLY) for _ in names[1:])]
    stream.shuffle(totals)
    allowances = stream.sample(range(3, 16), len(names))
    return [
        Road(
            name,
            allowance,
            _stops(stream, stream.sample(goods, stops), total - allowance, steep=0.2 if total == most else 0.7),
        )
        for name, allowance, total in zip(names, allowances, totals, strict=True)
    ]


def _stops(stream: Stream, goods: list[str], total: int, *, steep: float) -> list[Stop]:
    """Stops whose prices add up to a total. The first price does not depend on it.

    With probability `steep` one of the others pays by far the most, otherwise they pay much alike.
    """
    first = stream.integer(LEAST, 20)
    later = len(goods) - 1
    spread = total - first - LEAST * later
    weights = [stream.integer(4, 6) for _ in range(later)]
    dear = stream.below(later)
    if stream.chance(steep):
        weights[dear] *= 4
    shares = [spread * weight // sum(weights) for weight in weights]
    shares[dear] += spread - sum(shares)
    return [Stop(good, price) for good, price in zip(goods, [first, *(LEAST + one for one in shares)], strict=True)]


def best(drawn: list[Road]) -> Road:
    """The road that brings most."""
    return max(drawn, key=Road.brings)
