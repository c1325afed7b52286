"""Maps, blocked roads and the way a careful traveller takes.

Places are numbers here; a map is, for each place, the list of its neighbours. A road is the pair of its ends, the
smaller first.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from proctor.core.seeds import Stream

Road = tuple[int, int]
Map = list[list[int]]

_WIDTH = 4


def grid(stream: Stream, count: int) -> set[Road]:
    """Streets at right angles, four to a row, with some diagonals."""
    roads = {(place, place + 1) for place in range(count - 1) if place % _WIDTH != _WIDTH - 1}
    roads |= {(place, place + _WIDTH) for place in range(count - _WIDTH)}
    inner = [place for place in range(count - _WIDTH - 1) if place % _WIDTH != _WIDTH - 1]
    return roads | {(place, place + _WIDTH + 1) for place in stream.sample(inner, 2)}


def ring(stream: Stream, count: int) -> set[Road]:
    """A ring with cuts across."""
    roads = {road(place, (place + 1) % count) for place in range(count)}
    for _ in range(count // 3):
        place = stream.below(count)
        roads.add(road(place, (place + stream.integer(2, count - 2)) % count))
    return roads


def districts(stream: Stream, count: int) -> set[Road]:
    """Two rings, each with a cut across, joined by three bridges."""
    half = count // 2
    roads: set[Road] = set()
    for first, size in ((0, half), (half, count - half)):
        roads |= {road(first + place, first + (place + 1) % size) for place in range(size)}
        place = stream.below(size)
        roads.add(road(first + place, first + (place + size // 2) % size))
    heads = stream.sample(range(half), 3)
    feet = stream.sample(range(half, count), 3)
    return roads | {road(head, foot) for head, foot in zip(heads, feet, strict=True)}


LAYOUTS = {"grid": grid, "ring": ring, "districts": districts}


def road(one: int, two: int) -> Road:
    """The road between two places."""
    return (one, two) if one < two else (two, one)


def neighbours(roads: Collection[Road], count: int) -> Map:
    """The neighbours of each place, in ascending order."""
    adjacent: Map = [[] for _ in range(count)]
    for one, two in sorted(roads):
        adjacent[one].append(two)
        adjacent[two].append(one)
    return adjacent


def path(ways: Map, start: int, destination: int, closed: Collection[Road] = ()) -> list[int] | None:
    """A shortest way without the closed roads, both ends included; None where there is none."""
    if start == destination:
        return [start]
    came: dict[int, int] = {destination: destination}
    edge = [destination]
    while edge:
        following = []
        for place in edge:
            for other in ways[place]:
                if other not in came and not (closed and road(place, other) in closed):
                    came[other] = place
                    if other == start:
                        return _followed(came, start, destination)
                    following.append(other)
        edge = following
    return None


def _followed(came: dict[int, int], start: int, destination: int) -> list[int]:
    stops = [start]
    while stops[-1] != destination:
        stops.append(came[stops[-1]])
    return stops


def farthest(ways: Map, start: int) -> int:
    """A place that is as far away as any."""
    seen = {start}
    edge, last = [start], start
    while edge:
        last = edge[-1]
        edge = list(dict.fromkeys(other for place in edge for other in ways[place] if other not in seen))
        seen.update(edge)
    return last


def blocked_roads(stream: Stream, ways: Map, start: int, destination: int, count: int) -> set[Road]:
    """Roads to block, each on what is then a shortest way, so that the destination can still be reached."""
    closed: set[Road] = set()
    way = path(ways, start, destination)
    for _ in range(count):
        assert way is not None
        legs = [road(one, two) for one, two in pairwise(way)]
        stream.shuffle(legs)
        for leg in legs:
            detour = path(ways, start, destination, {*closed, leg})
            if detour is not None:
                closed.add(leg)
                way = detour
                break
    return closed


def travel(ways: Map, start: int, destination: int, blocked: Collection[Road]) -> tuple[int, int]:
    """(moves, attempts on blocked roads) of a traveller who always takes a shortest way that may still be open."""
    known: set[Road] = set()
    here, moves, failed = start, 0, 0
    while here != destination:
        way = path(ways, here, destination, known)
        assert way is not None
        for place in way[1:]:
            leg = road(here, place)
            if leg in blocked:
                known.add(leg)
                failed += 1
                break
            here = place
            moves += 1
    return moves, failed
