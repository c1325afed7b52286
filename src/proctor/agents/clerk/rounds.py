"""Going the rounds: takes several things to several places in a stated order, always by the cheapest way left.

Roads are records of two places and a length, things to deliver are records of a code, a place and a rank. A road that
proves closed is forgotten, and the way is planned again from where one stands.
"""

from __future__ import annotations

import re

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.records import records
from proctor.agents.clerk.roads import Roads
from proctor.spec.task import ToolSpec

MAX_STEPS = 80

_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_CODE = re.compile(r"\b[A-Z]{1,3}-?\d{2,}\b")
_RANK = re.compile(r"(?:\brank|\bno\.|#)\W*(\d+)", re.IGNORECASE)
_FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")


class Round(Struct):
    """A map, and what is to be left where, in this order."""

    roads: Roads = field(default_factory=Roads)
    stops: list[tuple[int, str, str]] = field(default_factory=list)
    """(rank, thing, place)"""


def read_round(texts: list[str]) -> Round:
    """The map and the stops that texts tell of. A word with a capital that only ever begins a line is no name."""
    found = Round()
    told = [record for text in texts for record in records(text)]
    names = {name.group() for record in told for name in _NAME.finditer(record.text) if name.start()}
    for record in told:
        places = [name for name in _NAME.findall(record.text) if name in names]
        code, figures = _CODE.search(record.text), _FIGURE.findall(record.text)
        rank = _RANK.search(record.text)
        if code and rank and len(places) == 1:
            found.stops.append((int(rank.group(1)), code.group(), places[0]))
        elif not code and len(places) == 2 and len(figures) == 1:
            found.roads.add(places[0], places[1], float(figures[0]))
    found.stops.sort()
    return found


def _tools(desk: Desk) -> tuple[ToolSpec, ToolSpec] | None:
    """The tool that goes to a place, and the one that leaves a thing there."""
    goer = desk.tool("drive", "go", "walk", "move", "travel", "sail", effect="write")
    leaver = desk.tool("unload", "deliver", "leave", "drop", "hand", effect="write")
    if goer is None or leaver is None or len(required(goer)) != 1 or len(required(leaver)) != 1:
        return None
    return goer, leaver


def fits(desk: Desk) -> bool:
    """There is a map with things to be left on it, a start, and tools to go and to leave."""
    return _tools(desk) is not None and isinstance(desk.fact("position"), str) and bool(read_round(desk.texts()).stops)


async def work(desk: Desk) -> Finding | None:
    """One stop after the other."""
    tools, here = _tools(desk), str(desk.fact("position"))
    if tools is None:
        return None
    goer, leaver = tools
    plan = read_round(desk.texts())
    answer = re.search(r"\bthe word (\w+)", desk.task.answer_format, re.IGNORECASE)
    word = answer.group(1) if answer else "done"
    for _, thing, place in plan.stops:
        if not await _go(desk, goer, plan.roads, here, place):
            return Finding(word, 0.05)
        here = place
        result = await desk.call(leaver, **{required(leaver)[0]: thing})
        if not result.ok:
            return Finding(word, 0.05)
    return Finding(word, 0.9)


async def _go(desk: Desk, goer: ToolSpec, roads: Roads, here: str, there: str) -> bool:
    for _ in range(MAX_STEPS):
        if here == there:
            return True
        way = roads.way(here, there)
        if way is None:
            return False
        ahead = way[1][1]
        result = await desk.call(goer, **{required(goer)[0]: ahead})
        stayed = isinstance(result.value, dict) and result.value.get("position", ahead) != ahead
        if result.ok and not stayed:
            here = ahead
        else:
            roads.close(here, ahead)
    return False
