"""Road maps with distances: drawing one, and finding ways on it. Sets of roads are bit masks over road numbers."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from proctor.core.seeds import Stream

FAR = 10**9
"""Kilometres to a place that cannot be reached."""


class Road(NamedTuple):
    """Can be driven both ways."""

    one: int
    two: int
    km: int


class Map(NamedTuple):
    """Roads, and for each place what leads away from it."""

    roads: list[Road]
    ways: list[list[tuple[int, int, int]]]
    """(neighbour, kilometres, the road's bit) for each place."""


def drawn_map(stream: Stream, places: int) -> Map:
    """A ring of short roads with long cuts across: fewest roads is seldom shortest, and no road is the only one."""
    order = stream.sample(range(places), places)
    roads = [Road(order[place - 1], order[place], stream.integer(4, 12)) for place in range(places)]
    joined = {frozenset(road[:2]) for road in roads}
    for _ in range(places * 5 // 7):
        one = stream.below(places)
        two = (one + stream.integer(2, places - 2)) % places
        pair = frozenset((order[one], order[two]))
        if pair not in joined:
            joined.add(pair)
            roads.append(Road(order[one], order[two], stream.integer(28, 60)))
    ways: list[list[tuple[int, int, int]]] = [[] for _ in range(places)]
    for number, road in enumerate(roads):
        ways[road.one].append((road.two, road.km, 1 << number))
        ways[road.two].append((road.one, road.km, 1 << number))
    return Map(roads, ways)


class Reach(NamedTuple):
    """What can be reached from a place."""

    far: list[int]
    """Kilometres to every place."""
    came: list[int]
    """The place from which each is entered."""

    def way(self, to: int) -> list[int]:
        """The places on the way, both ends included."""
        stops = [to]
        while self.came[stops[-1]] != stops[-1]:
            stops.append(self.came[stops[-1]])
        return stops[::-1]


def shortest(road_map: Map, start: int, closed: int, later: int = 0) -> Reach:
    """Shortest ways from a place to all others without the closed roads.

    Of two equally short ways the one found first counts, or with `later` 1 the one found last.
    """
    ways = road_map.ways
    far = [FAR] * len(ways)
    came = list(range(len(ways)))
    far[start] = 0
    edge = [(0, start)]
    while edge:
        km, place = heappop(edge)
        if km > far[place]:
            continue
        for other, more, bit in ways[place]:
            total = km + more
            if total < far[other] + later and not closed & bit:
                far[other] = total
                came[other] = place
                heappush(edge, (total, other))
    return Reach(far, came)


def fewest(road_map: Map, start: int, stop: int, closed: int) -> list[int]:
    """A way over fewest roads, both ends included; `start` alone where there is none."""
    came = {start: start}
    edge = [start]
    for place in edge:
        if place == stop:
            way = [place]
            while way[-1] != start:
                way.append(came[way[-1]])
            return way[::-1]
        for other, _, bit in road_map.ways[place]:
            if other not in came and not closed & bit:
                came[other] = place
                edge.append(other)
    return [start]


def connected(road_map: Map, start: int, stops: list[int], closed: int) -> bool:
    """Whether all stops can be reached on the roads that are not closed."""
    seen = {start}
    edge = [start]
    for place in edge:
        for other, _, bit in road_map.ways[place]:
            if other not in seen and not closed & bit:
                seen.add(other)
                edge.append(other)
    return seen.issuperset(stops)


def best(road_map: Map, start: int, stop: int, closed: int) -> list[int]:
    """A shortest way, both ends included."""
    return shortest(road_map, start, closed).way(stop)


def also_best(road_map: Map, start: int, stop: int, closed: int) -> list[int]:
    """A shortest way, both ends included; another one than `best` gives, if there are several."""
    return shortest(road_map, start, closed, later=1).way(stop)
