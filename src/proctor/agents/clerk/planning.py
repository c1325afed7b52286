"""Finding the way: plans the cheapest way on a map and walks it, planning again when a road proves blocked.

Where the journey starts and ends is read off the goal where it names places of the map, else off the observations.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.roads import Roads, read_roads
from proctor.spec.task import ToolSpec

MAX_STEPS = 60

_HERE = ("position", "location", "here", "at", "current", "current location", "start")
_THERE = ("destination", "goal", "target", "finish", "end")
_BLOCKED = re.compile(r"block|clos|flood|shut|no road|not connected|impass|jam|cannot", re.IGNORECASE)


class Journey(Struct):
    """A walk in progress: where it is, where it goes, and the places passed."""

    roads: Roads
    here: str
    there: str
    passed: list[str] = field(default_factory=list)
    cost: float = 0.0
    blocked: int = 0


def read_journey(desk: Desk) -> Journey | None:
    """The journey the task asks for, if a map with both ends on it is known."""
    roads = read_roads(desk.facts())
    if not roads.costs:
        return None
    on_map = "|".join(sorted(map(re.escape, roads.costs), key=len, reverse=True))
    mentioned = list(dict.fromkeys(re.findall(rf"(?<!\w)(?:{on_map})(?!\w)", desk.task.goal)))
    here, there = desk.fact(*_HERE), desk.fact(*_THERE)
    if len(mentioned) >= 2:
        here, there = mentioned[0], mentioned[-1]
    elif mentioned:
        there = mentioned[0]
    if not (isinstance(here, str) and isinstance(there, str)) or here not in roads.costs or there not in roads.costs:
        return None
    return Journey(roads, here, there, [here])


def fits(desk: Desk) -> bool:
    """A map with both ends on it."""
    return read_journey(desk) is not None


async def work(desk: Desk) -> Finding | None:
    """Walk the cheapest way with the tool for it, or just state it."""
    await desk.survey()
    journey = read_journey(desk)
    if journey is None:
        return None
    mover = desk.tool("move", "go", "travel", "walk", "drive", "step", effect="write")
    arrived = await _walk(desk, journey, mover) if mover else _imagine(journey)
    sure = 0.95 if not journey.blocked else 0.9
    return Finding(_answer(desk, journey), sure if arrived else 0.1)


def _imagine(journey: Journey) -> bool:
    plan = journey.roads.way(journey.here, journey.there)
    if plan is None:
        return False
    journey.cost, journey.passed = plan
    return True


async def _walk(desk: Desk, journey: Journey, mover: ToolSpec) -> bool:
    """Go step by step; a road that proves blocked is forgotten and the rest planned again."""
    names = desk.parameters(mover, "string")
    for _ in range(MAX_STEPS):
        if journey.here == journey.there:
            return True
        plan = journey.roads.way(journey.here, journey.there)
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
        if re.search(r"path|places|stops|visited|via|way", name):
            return journey.passed
        if re.search(r"steps|moves|count", name):
            return len(journey.passed) - 1
        return journey.here

    shape = desk.shape
    if shape.kind == "object":
        return {key: one(key) for key in shape.keys}
    if shape.kind == "list":
        return journey.passed
    if word := re.search(r"\bthe word[s]? [`'\"]?(\w+)", desk.task.answer_format, re.IGNORECASE):
        return word.group(1)
    return total if shape.kind == "number" else journey.here
