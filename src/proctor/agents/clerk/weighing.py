"""Weighing up: runs, at each of several places, what earns most on average over the days on record there.

What a strategy earns on a kind of day counts as often as that kind of day is on record. Knows data, tables, minutes,
letters and chats; what is tallied in single letters, stated as a change of something else, or spoken in one breath it
does not understand.
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct, field

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.agents.clerk.statements import cells_of
from proctor.spec.task import ToolSpec

_PLACE = re.compile(r"\bsite (\w+)|^At (\w+) |\b(\w+)'s book\b|\b(\w+)/\w+ ->")
_STRATEGY = re.compile(r"\bfor the (\w+):|^The (\w+) would\b|/(\w+) ->")
_DAYS = re.compile(r"\bdays?\b.*\brecord\b|\bthe book has\b|\bbook:")
_NUMBER_FIRST = re.compile(r"\b(\d+)x?(?: on an?| if)? ([a-z]+)")
_KIND_FIRST = re.compile(r"\b([a-z]+):? (\d+)")


class Place(Struct):
    """How often each kind of day is on record, and what each strategy earns on it."""

    days: dict[str, int] = field(default_factory=dict)
    earnings: dict[str, dict[str, int]] = field(default_factory=dict)

    def best(self) -> str | None:
        """The strategy that earns most over all days on record."""
        if not self.days or len(self.earnings) < 2:
            return None
        return max(self.earnings, key=self._earned)

    def _earned(self, strategy: str) -> int:
        return sum(self.days.get(kind, 0) * coins for kind, coins in self.earnings[strategy].items())


def read_places(text: str) -> dict[str, Place]:
    """Every place that a text tells of."""
    try:
        return _of_data(json.loads(text))
    except (ValueError, RecursionError):
        return _of_lines(text.splitlines())


def _of_data(data: Any) -> dict[str, Place]:
    places: dict[str, Place] = {}
    inner = next((value for value in data.values() if isinstance(value, dict)), {}) if isinstance(data, dict) else {}
    for name, told in inner.items():
        if isinstance(told, dict) and isinstance(told.get("record"), dict):
            earnings = {strategy: coins for strategy, coins in told.items() if strategy != "record"}
            places[name] = Place(told["record"], earnings)
    return places


def _of_lines(lines: list[str]) -> dict[str, Place]:
    places: dict[str, Place] = {}
    name, kinds = "", list[str]()
    for line in lines:
        cells = cells_of(line)
        if place := _PLACE.search(line):
            name = next(filter(None, place.groups()))
            kinds = cells[1:]
        if not name:
            continue
        counts = _counts(line, cells[1:], kinds)
        strategy = _STRATEGY.search(line)
        if len(counts) > 1:
            about = places.setdefault(name, Place())
            if _DAYS.search(line):
                about.days = counts
            elif strategy or len(cells) > 1:
                about.earnings[next(filter(None, strategy.groups())) if strategy else cells[0]] = counts
    return places


def _counts(line: str, cells: list[str], kinds: list[str]) -> dict[str, int]:
    """A number for each kind of day."""
    if kinds and len(cells) == len(kinds) and all(cell.isdigit() for cell in cells):
        return dict(zip(kinds, map(int, cells), strict=True))
    if cells:
        return {}
    found = [(kind, number) for number, kind in _NUMBER_FIRST.findall(line)]
    return {kind: int(number) for kind, number in found or _KIND_FIRST.findall(line)}


def _runner(desk: Desk) -> ToolSpec | None:
    """The tool that runs a strategy at a place."""
    for tool in desk.task.tools:
        if tool.effect == "write" and required(tool)[1:] == ["strategy"]:
            return tool
    return None


def fits(desk: Desk) -> bool:
    """There is a tool that runs a strategy somewhere, and something that tells what strategies earn."""
    return _runner(desk) is not None and any(map(read_places, desk.texts()))


async def work(desk: Desk) -> Finding | None:
    """Weigh up every place, and run what is best there."""
    runner = _runner(desk)
    places = next((places for places in map(read_places, desk.texts()) if places), {})
    if runner is None:
        return None
    chosen = {name: best for name, place in places.items() if (best := place.best())}
    for pair in chosen.items():
        await desk.call(runner, **dict(zip(required(runner), pair, strict=True)))
    return Finding("done", 0.85 if chosen and len(chosen) == len(places) else 0.05)
