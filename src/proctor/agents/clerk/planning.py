"""Finding the way: reads a map from observations, plans the cheapest route and walks it, planning again when blocked.

A map may come as a list of edges (`["A", "B", 3]`, `{"from": "A", "to": "B", "cost": 3}`), as neighbours by place, or
as lines of text (`A - B (3)`, `A to B: 3 minutes`). Roads go both ways unless written with an arrow.
"""

from __future__ import annotations

import heapq
import re
from typing import Any

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding
from proctor.spec.task import ToolSpec

MOST_STEPS = 60

_FROM = ("from", "a", "start", "source", "u", "between")
_TO = ("to", "b", "end", "target", "v", "and")
_COST = ("cost", "minutes", "distance", "length", "weight", "km", "time", "toll", "price")
_HERE = ("position", "location", "here", "at", "you are at", "current", "current location", "start", "start at")
_THERE = ("goal", "target", "destination", "to", "finish", "end")
_PLACE = r"[A-Z][\w']*(?: [A-Z][\w']*)*"
_LINE = re.compile(
    rf"({_PLACE}|\w+)\s*(->|→|-{{1,3}}|–|—|<->|↔| to | and )\s*({_PLACE}|\w+)(?:\D{{0,20}}?(\d+(?:\.\d+)?))?"
)
_ROUTE = re.compile(rf"from ({_PLACE}|\w+) to ({_PLACE}|\w+)")
_REACH = re.compile(rf"(?:reach|get to|arrive at|go to|travel to|deliver(?:ed)? to) (?:the )?({_PLACE}|\w+)")
_BLOCKED = re.compile(r"block|clos|flood|shut|no road|not connected|impass|jam|cannot", re.IGNORECASE)


class Roads(Struct):
    """Places and what it costs to go from one straight to another."""

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

    def route(self, start: str, end: str) -> tuple[float, list[str]] | None:
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


def read_roads(desk: Desk) -> Roads:
    """The roads that the observations so far describe."""
    roads = Roads()
    for _, value in desk.facts():
        if isinstance(value, list):
            for item in value:
                _add_edge(roads, item)
        elif isinstance(value, dict):
            _add_neighbours(roads, value)
        elif isinstance(value, str):
            for line in value.splitlines():
                _add_line(roads, line)
    return roads


def _add_edge(roads: Roads, item: Any) -> None:
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
        if isinstance(ends, list) and len(places) > 1 and places.intersection(map(str, ends)):
            for end in ends:
                roads.add(start, str(end), both=False)
        elif isinstance(ends, dict) and places & set(ends):
            for end, cost in ends.items():
                if isinstance(cost, (int, float)):
                    roads.add(start, end, float(cost), both=False)


def _add_line(roads: Roads, line: str) -> None:
    found = _LINE.search(line)
    if found:
        start, link, end, cost = found.groups()
        roads.add(start, end, float(cost) if cost else 1.0, both=link not in ("->", "→"))


class Journey(Struct):
    """A walk in progress: where it is, where it goes, and the places passed."""

    roads: Roads
    here: str
    there: str
    passed: list[str] = field(default_factory=list)
    cost: float = 0.0
    blocked: int = 0


def read_journey(desk: Desk) -> Journey | None:
    """The journey the task asks for, if the observations hold a map with both ends on it."""
    roads = read_roads(desk)
    asked = _ROUTE.search(desk.task.goal)
    reach = _REACH.search(desk.task.goal)
    starts = [desk.fact(*_HERE), asked.group(1) if asked else None]
    ends = [desk.fact(*_THERE), asked.group(2) if asked else None, reach.group(1) if reach else None]
    here = next((place for place in starts if isinstance(place, str) and place in roads.costs), None)
    there = next((place for place in ends if isinstance(place, str) and place in roads.costs), None)
    if here is None or there is None:
        return None
    return Journey(roads, here, there, [here])


def fits(desk: Desk) -> bool:
    """A map with both ends on it."""
    return read_journey(desk) is not None


async def work(desk: Desk) -> Finding | None:
    """Walk the cheapest route with the tool for it, or just state the route."""
    journey = read_journey(desk)
    if journey is None:
        return None
    mover = desk.tool("move", "go", "travel", "walk", "drive", "step", effect="write")
    arrived = await _walk(desk, journey, mover) if mover else _imagine(journey)
    sure = 0.9 if not journey.blocked else 0.75
    return Finding(_answer(desk, journey), sure if arrived else 0.1)


def _imagine(journey: Journey) -> bool:
    plan = journey.roads.route(journey.here, journey.there)
    if plan is None:
        return False
    journey.cost, journey.passed = plan
    return True


async def _walk(desk: Desk, journey: Journey, mover: ToolSpec) -> bool:
    """Go step by step; a road that proves blocked is forgotten and the rest planned again."""
    names = desk.parameters(mover, kind="string") or desk.parameters(mover)
    for _ in range(MOST_STEPS):
        if journey.here == journey.there:
            return True
        plan = journey.roads.route(journey.here, journey.there)
        if plan is None or not names:
            return False
        desk.draft = Finding(_answer(desk, journey), 0.1)
        ahead = plan[1][1]
        result = await desk.call(mover, **{names[0]: ahead})
        if result.ok and not _refused(result.value):
            journey.cost += journey.roads.costs[journey.here][ahead]
            journey.here = ahead
            journey.passed.append(ahead)
        else:
            journey.blocked += 1
            journey.roads.close(journey.here, ahead)
    return False


def _refused(value: Any) -> bool:
    """Whether an answer that came without an error still says that the step was not taken."""
    if isinstance(value, dict):
        return value.get("moved") is False or value.get("ok") is False
    return isinstance(value, str) and bool(_BLOCKED.search(value))


def _answer(desk: Desk, journey: Journey) -> Any:
    """The journey in the shape asked for: places passed, their total cost, or where it ended."""
    total = int(journey.cost) if journey.cost == int(journey.cost) else journey.cost

    def one(name: str) -> Any:
        if re.search(r"cost|distance|total|minutes|length|time", name):
            return total
        if re.search(r"route|path|places|stops|visited|via", name):
            return journey.passed
        if re.search(r"steps|moves|count", name):
            return len(journey.passed) - 1
        return journey.here

    shape = desk.shape
    if shape.kind == "object":
        return {key: one(key) for key in shape.keys}
    if shape.kind == "list":
        return journey.passed
    return total if shape.kind == "number" else one(desk.task.answer_format.lower())
