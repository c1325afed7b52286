"""Maps: reads roads off observations in several forms, and finds the cheapest way on them.

A map may come as a list of roads (`["A", "B", 3]`, `{"from": "A", "to": "B", "cost": 3}`), as neighbours by place, or
as lines of text (`A - B (3)`, `A to B: 3 minutes`). Roads go both ways unless written with an arrow.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

_FROM = ("from", "a", "start", "source", "u")
_TO = ("to", "b", "end", "target", "v")
_COST = ("cost", "minutes", "distance", "length", "weight", "km", "time", "toll", "price")
_PLACE = r"[A-Z][\w']*(?: [A-Z][\w']*)*"
_LINE = re.compile(
    rf"^\W*({_PLACE})\s*(->|→|<->|↔|-{{1,3}}|–|—|\bto\b|\band\b)\s*({_PLACE})(?:\D{{0,20}}?(\d+(?:\.\d+)?))?"
)


class Roads(Struct):
    """Places, and what it costs to go from one straight to another."""

    costs: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, start: str, end: str, cost: float = 1.0, *, both: bool = True) -> None:
        """Note a road."""
        self.costs.setdefault(start, {})[end] = cost
        self.costs.setdefault(end, {})
        if both:
            self.costs[end].setdefault(start, cost)

    def close(self, start: str, end: str) -> None:
        """Forget a road, in both directions."""
        self.costs.get(start, {}).pop(end, None)
        self.costs.get(end, {}).pop(start, None)

    def way(self, start: str, end: str) -> tuple[float, list[str]] | None:
        """The cheapest way (Dijkstra), ties broken by name; None where there is none."""
        queue: list[tuple[float, list[str]]] = [(0.0, [start])]
        done: set[str] = set()
        while queue:
            cost, path = heapq.heappop(queue)
            here = path[-1]
            if here == end:
                return cost, path
            if here in done:
                continue
            done.add(here)
            for there, step in self.costs.get(here, {}).items():
                if there not in done:
                    heapq.heappush(queue, (cost + step, [*path, there]))
        return None


def read_roads(facts: Iterable[tuple[str, Any]]) -> Roads:
    """The roads that these named values describe."""
    roads = Roads()
    for _, value in facts:
        if isinstance(value, list):
            for item in value:
                _add_pair(roads, item)
        elif isinstance(value, dict):
            _add_neighbours(roads, value)
        elif isinstance(value, str):
            for line in value.splitlines():
                _add_line(roads, line)
    return roads


def _add_pair(roads: Roads, item: Any) -> None:
    if isinstance(item, list) and len(item) in (2, 3) and all(isinstance(end, str) for end in item[:2]):
        cost = float(item[2]) if len(item) == 3 and isinstance(item[2], (int, float)) else 1.0
        roads.add(item[0], item[1], cost)
    elif isinstance(item, dict):
        start, end, cost = (_under(item, names) for names in (_FROM, _TO, _COST))
        if isinstance(start, str) and isinstance(end, str):
            roads.add(start, end, float(cost) if isinstance(cost, (int, float)) else 1.0)


def _under(item: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((item[name] for name in names if name in item), None)


def _add_neighbours(roads: Roads, value: dict[str, Any]) -> None:
    """Neighbours by place: `{"A": ["B", "C"]}` or `{"A": {"B": 3}}`."""
    places = set(value)
    for start, ends in value.items():
        if isinstance(ends, list) and places.intersection(end for end in ends if isinstance(end, str)):
            for end in ends:
                roads.add(start, str(end), both=False)
        elif isinstance(ends, dict) and places & set(ends):
            for end, cost in ends.items():
                if isinstance(cost, (int, float)):
                    roads.add(start, end, float(cost), both=False)


def _add_line(roads: Roads, line: str) -> None:
    match = _LINE.search(line)
    if match:
        start, link, end, cost = match.groups()
        roads.add(start, end, float(cost) if cost else 1.0, both=link not in ("->", "→"))
