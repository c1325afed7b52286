"""Opening by hints: tries entries one after the other and lets every answer narrow down what is left.

Understands three sorts of hint: higher or lower (for a number, or place by place), which places are right already, and
how far off a number is. Anything else it cannot use; it then makes one attempt with the example and leaves it at that.
"""

from __future__ import annotations

import re
from typing import Any, Protocol

from proctor.agents.clerk.desk import Desk, Finding, required
from proctor.spec.task import ToolSpec

MAX_ATTEMPTS = 12
WIDEST = 100_000
"""A range with more numbers than this is not gone through."""

_EXAMPLE = re.compile(r"e\.g\. `([^`]+)`")
_RANGE = re.compile(r"\b(\d{1,15}) to (\d{1,15})\b")
_ROUND = re.compile(r"\bcircle\b|\bround\b", re.IGNORECASE)
_FAR = re.compile(r"away|distance|off\b|far")
_RIGHT = re.compile(r"right|correct")


class Search(Protocol):
    """What can still be right."""

    def entry(self) -> str | None:
        """What to try next; None where nothing is left."""
        ...

    def learn(self, hint: dict[str, Any]) -> bool:
        """Leave out what the hint on the last entry excludes; whether the hint said anything."""
        ...


class Number:
    """One whole number of a range, which may close in a circle."""

    def __init__(self, low: int, high: int, *, closed: bool) -> None:
        self._size = high - low + 1 if closed else 0
        self._left = list(range(low, high + 1))
        self._tried = low

    def entry(self) -> str | None:
        if not self._left:
            return None
        self._tried = self._left[len(self._left) // 2]
        return str(self._tried)

    def learn(self, hint: dict[str, Any]) -> bool:
        way = next((value for value in hint.values() if value in ("higher", "lower")), None)
        far = next((value for name, value in hint.items() if _FAR.search(name) and isinstance(value, int)), None)
        if far is not None:
            self._left = [number for number in self._left if self._distance(number) == far]
        elif way is not None:
            self._left = [number for number in self._left if (number > self._tried) == (way == "higher")]
            self._left = [number for number in self._left if number != self._tried]
        return far is not None or way is not None

    def _distance(self, number: int) -> int:
        away = abs(number - self._tried)
        return min(away, self._size - away) if self._size else away


class Places:
    """Symbols in places; with `once`, each symbol stands in exactly one of them."""

    def __init__(self, pools: list[list[str]], joint: str, *, once: bool) -> None:
        self._pools = pools
        self._joint = joint
        self._once = once
        self._tried: list[str] = []

    def entry(self) -> str | None:
        if not all(self._pools):
            return None
        self._tried = self._arranged([]) if self._once else [pool[len(pool) // 2] for pool in self._pools]
        return self._joint.join(self._tried) if self._tried else None

    def _arranged(self, chosen: list[str]) -> list[str]:
        """The first arrangement in which every symbol is used once and may stand where it stands."""
        if len(chosen) == len(self._pools):
            return chosen
        for symbol in self._pools[len(chosen)]:
            if symbol not in chosen:
                arrangement = self._arranged([*chosen, symbol])
                if arrangement:
                    return arrangement
        return []

    def learn(self, hint: dict[str, Any]) -> bool:
        for name, value in hint.items():
            if not isinstance(value, list):
                continue
            if len(value) == len(self._pools) and all(isinstance(word, str) for word in value):
                for position, word in enumerate(value):
                    self._narrow(position, word)
                return True
            if _RIGHT.search(name) and all(isinstance(number, int) for number in value):
                for position in range(len(self._pools)):
                    self._narrow(position, "right" if position + 1 in value else "wrong")
                return True
        return False

    def _narrow(self, position: int, word: str) -> None:
        pool, tried = self._pools[position], self._tried[position]
        at = pool.index(tried)
        if word == "right":
            self._pools[position] = [tried]
        elif word in ("higher", "lower"):
            self._pools[position] = pool[at + 1 :] if word == "higher" else pool[:at]
        else:
            self._pools[position] = [symbol for symbol in pool if symbol != tried]


def search_for(goal: str) -> Search | None:
    """What the goal's example and range say about entries; None where there is no example to go by."""
    example = _EXAMPLE.search(goal)
    if example is None:
        return None
    text, limits = example.group(1), _RANGE.search(goal)
    if text.isdigit() and limits:
        low, high = int(limits.group(1)), int(limits.group(2))
        if high - low > WIDEST:
            return None
        if high > 9:
            return Number(low, high, closed=bool(_ROUND.search(goal)))
        return Places([[str(digit) for digit in range(low, high + 1)] for _ in text], "", once=False)
    things = [thing.strip() for thing in text.split(",")]
    return Places([list(things) for _ in things], ", ", once=True) if 1 < len(things) <= 8 else None


def _entering(desk: Desk) -> ToolSpec | None:
    """The tool that takes an entry."""
    for tool in desk.task.tools:
        if tool.effect == "write" and [desk.kind(tool, name) for name in required(tool)] == ["string"]:
            return tool
    return None


def fits(desk: Desk) -> bool:
    """There is something to enter, an example of it, and hints are promised."""
    goal = desk.task.goal
    return bool(_EXAMPLE.search(goal)) and "hint" in goal.lower() and _entering(desk) is not None


async def work(desk: Desk) -> Finding | None:
    """Try until it opens, nothing is left to try, or no attempt is left."""
    tool, example = _entering(desk), _EXAMPLE.search(desk.task.goal)
    if tool is None or example is None:
        return None
    search = search_for(desk.task.goal)
    for _ in range(MAX_ATTEMPTS):
        entry = search.entry() if search else example.group(1)
        if entry is None:
            break
        result = await desk.call(tool, **{required(tool)[0]: entry})
        if not result.ok or not isinstance(result.value, dict):
            break
        if any(value is True for value in result.value.values()):
            return Finding("done", 0.95)
        if search is None or not search.learn(result.value):
            break
    return Finding("done", 0.05)
