"""Which roads are closed: those that make plans fail.

Always: every stop can still be reached; the first plan of a driver who takes shortest ways meets a closed road; no
closed road is one that he drives. Further roads are closed where somebody who counts roads instead of kilometres would
get through with the same fuel.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from proctor.core.seeds import Stream
from proctor.suites.agency.deciding.delivery_routes.roads import Map, also_best, best, connected, fewest

Planner = Callable[[Map, int, int, int], list[int]]
"""Map, position, next stop, roads known to be closed; gives the places on the way, the position first."""
_AGAINST_COUNTING = 2
"""At most so many roads are closed to drivers who count roads."""


class Trip(NamedTuple):
    """What a driver did."""

    steps: list[tuple[str, int]]
    """(`drive`, place), (`unload`, stop), and (`blocked`, place) for an attempt that failed."""
    km: int
    driven: int
    """The roads driven."""


def drawn_stops(stream: Stream, road_map: Map, count: int) -> tuple[int, list[int]]:
    """A depot, and so many places in the order in which they have to be served, none next to the one before."""
    places = len(road_map.ways)
    depot = here = stream.below(places)
    stops: list[int] = []
    for _ in range(count):
        near = {here, depot, *stops, *(other for other, _, _ in road_map.ways[here])}
        here = stream.choice([place for place in range(places) if place not in near])
        stops.append(here)
    return depot, stops


def trip(
    road_map: Map,
    depot: int,
    stops: list[int],
    closed: int,
    planner: Planner = best,
    close: Callable[[list[int], int, int], int] | None = None,
) -> Trip:
    """Follow a planner from stop to stop; it plans again whenever a road is closed.

    `close` may close a road of each new plan: it is given the plan, the closed roads and the driven ones.
    """
    here, known, driven, km = depot, 0, 0, 0
    steps: list[tuple[str, int]] = []
    for stop in stops:
        while here != stop:
            way = planner(road_map, here, stop, known)
            if close is not None:
                closed = close(way, closed, driven)
            for place in way[1:]:
                more, bit = next((km, bit) for other, km, bit in road_map.ways[here] if other == place)
                if closed & bit:
                    known |= bit
                    steps.append(("blocked", place))
                    break
                driven |= bit
                km += more
                here = place
                steps.append(("drive", place))
        steps.append(("unload", stop))
    return Trip(steps, km, driven)


def bits_of(road_map: Map, way: list[int]) -> list[int]:
    """The roads of a way."""
    return [next(bit for other, _, bit in road_map.ways[one] if other == two) for one, two in pairwise(way)]


def closures(stream: Stream, road_map: Map, depot: int, stops: list[int], count: int) -> tuple[Trip, int]:
    """The careful driver's trip past so many closed roads, and the roads that are closed in the end."""
    met = 0

    def close(way: list[int], closed: int, driven: int) -> int:
        nonlocal met
        if closed.bit_count() < count:
            first, *later = bits_of(road_map, way)
            stream.shuffle(later)
            # Rather on the way than at its beginning, where finding out costs nothing.
            for bit in (*later, first):
                if not (closed | driven) & bit and connected(road_map, depot, stops, closed | bit):
                    met = closed | bit
                    break
        return met

    made = trip(road_map, depot, stops, 0, close=close)
    return made, met


def needed(road_map: Map, depot: int, stops: list[int], made: Trip, closed: int) -> int:
    """The kilometres of the careful driver, or of one who settles ties between equally short ways the other way."""
    return max(made.km, trip(road_map, depot, stops, closed, also_best).km)


def also_closed(road_map: Map, depot: int, stops: list[int], made: Trip, closed: int, fuel: int) -> int:
    """All closed roads, with some that stop a driver who counts roads; none of them was driven or tried before."""
    for _ in range(_AGAINST_COUNTING):
        other = trip(road_map, depot, stops, closed, fewest)
        if other.km > fuel:
            break
        spare = other.driven & ~made.driven
        while spare:
            bit = 1 << (spare.bit_length() - 1)
            if connected(road_map, depot, stops, closed | bit):
                closed |= bit
                break
            spare ^= bit
        if not spare:
            break
    return closed
