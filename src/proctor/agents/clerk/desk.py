"""The clerk's desk: the task, the session, and the habits every skill shares.

A call that fails is tried again a few times; a reading that matters may be taken twice. Nothing here looks anywhere
but at the TaskView and at what the session gave back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from proctor.agents.contract import Session
from proctor.agents.drawing import resolve
from proctor.agents.shape import Shape, read_shape
from proctor.core.canonical import canonical
from proctor.spec.task import Claim, TaskView, ToolResult, ToolSpec

TRIES = 3
"""How often one call is attempted in all."""
ROOMY = 12
"""With at least this many calls left (or no limit), a reading may be taken twice."""

_POINTLESS = re.compile(
    r"do not fit|no tool|not found|no such|does not exist|there is no|invalid|unknown|missing|already|not allowed|"
    r"syntax|denied|forbidden|cannot|must ",
    re.IGNORECASE,
)


class Finding(Struct, frozen=True):
    """What a skill came to, and how sure it is."""

    answer: Any
    confidence: float


class Desk:
    """One task on the desk of the clerk."""

    def __init__(self, task: TaskView, session: Session) -> None:
        self.task = task
        self.session = session
        self.shape: Shape = read_shape(task.answer_format)
        self.draft: Finding | None = None
        """The best answer so far: handed in if the budget ends the work."""
        self.claims: list[Claim] = []
        self.failures = 0
        """Calls that failed in the end, for an honest confidence."""

    # Tools

    def tool(self, *words: str, effect: str | None = None, text: bool = False) -> ToolSpec | None:
        """The tool whose name has most of these words; with `text`, words of its description count a little too."""
        best, most = None, 0.0
        for tool in self.task.tools:
            if effect is not None and tool.effect != effect:
                continue
            name = set(re.split(r"[_\W]+", tool.name.lower()))
            score = float(sum(word in name for word in words))
            if text:
                described = set(re.findall(r"[a-z]+", tool.description.lower()))
                score += 0.1 * sum(word in described for word in words)
            if score > most:
                best, most = tool, score
        return best

    def parameters(self, tool: ToolSpec, *, kind: str | None = None) -> list[str]:
        """Names of a tool's parameters, the required ones first; of one JSON type if `kind` says so."""
        properties = tool.parameters.get("properties", {})
        required = list(tool.parameters.get("required", ()))
        names = required + [name for name in properties if name not in required]
        return [
            name
            for name in names
            if kind is None or resolve(properties.get(name, {}), tool.parameters).get("type") == kind
        ]

    async def call(self, tool: ToolSpec, /, **arguments: Any) -> ToolResult:
        """Call a tool, and again if it failed for no reason of the clerk's."""
        result = await self.session.call(tool.name, **arguments)
        for _ in range(TRIES - 1):
            if result.ok or _POINTLESS.search(result.error or ""):
                break
            result = await self.session.call(tool.name, **arguments)
        if not result.ok:
            self.failures += 1
        if tool.effect == "write":
            target = next((str(value) for value in arguments.values()), "")
            self.claims.append(Claim(tool.name, target, "done" if result.ok else "failed"))
        return result

    async def read_twice(self, tool: ToolSpec, /, **arguments: Any) -> ToolResult:
        """Read; where there is room read again, and if the two differ a third time, and believe the majority."""
        first = await self.call(tool, **arguments)
        if not first.ok or not self.roomy:
            return first
        second = await self.call(tool, **arguments)
        if not second.ok or canonical(first.value) == canonical(second.value) or not self.roomy:
            return first
        third = await self.call(tool, **arguments)
        readings = [reading.value for reading in (first, second, third) if reading.ok]
        return ToolResult(True, majority(readings))

    @property
    def roomy(self) -> bool:
        """Whether there are calls to spare."""
        left = [amount for amount in (self.session.budget.actions, self.session.budget.queries) if amount is not None]
        return not left or min(left) >= ROOMY

    async def look_around(self) -> None:
        """Call every reading tool that needs no argument, once."""
        for tool in self.task.tools:
            if tool.effect == "read" and not tool.parameters.get("required"):
                await self.call(tool)

    # What was shown

    def facts(self) -> Iterator[tuple[str, Any]]:
        """Every named value shown so far, nested ones included, oldest first."""
        for observation in self.session.observations:
            if observation.call is None or "error" not in observation.fields:
                yield from named(observation.fields)

    def fact(self, *names: str) -> Any:
        """The newest value shown under one of these names; None where there is none."""
        found = None
        for name, value in self.facts():
            if name.lower().replace("_", " ") in names:
                found = value
        return found

    def texts(self) -> list[str]:
        """Every text shown so far, oldest first."""
        return [value for _, value in self.facts() if isinstance(value, str)]

    def text(self) -> str:
        """All of it as one page."""
        return "\n".join(self.texts())


def named(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """(name, value) for a value and everything inside it; items of a list carry the list's name."""
    if name:
        yield name, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from named(item, str(key))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from named(item, name or "item")


def majority(readings: list[Any]) -> Any:
    """The reading most often seen; objects and lists of the same length are voted on part by part."""
    if all(isinstance(reading, dict) for reading in readings):
        keys = dict.fromkeys(key for reading in readings for key in reading)
        return {key: majority([reading[key] for reading in readings if key in reading]) for key in keys}
    if all(isinstance(reading, list) for reading in readings) and len({len(reading) for reading in readings}) == 1:
        return [majority(list(parts)) for parts in zip(*readings, strict=True)]
    texts = [canonical(reading) for reading in readings]
    winner = Counter(texts).most_common(1)[0][0]
    return readings[texts.index(winner)]
