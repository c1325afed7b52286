"""The clerk's desk: the task, the session, what is known so far, and the habits every skill shares.

A call that failed in passing is tried again; a reading is taken until two agree, or a few have been taken and the
majority is believed. Nothing here looks anywhere but at the TaskView and at what the session gave back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from proctor.agents.clerk.voting import majority, much_the_same
from proctor.agents.contract import Session
from proctor.agents.drawing import resolve
from proctor.agents.shape import Shape, read_shape
from proctor.spec.task import Claim, TaskView, ToolResult, ToolSpec

TRIES = 3
"""How often one call is attempted in all."""
READINGS = 7
"""How many readings are taken at most where they differ."""
ROOMY = 12
"""With fewer calls left than this, one reading has to do."""

_PASSING = re.compile(
    r"timed out|timeout|not carried out|busy|try again|unavailable|overloaded|restart|connection|gateway|temporar|lost",
    re.IGNORECASE,
)
_FINAL = re.compile(
    r"do not fit|no tool|not found|no such|not exist|there is no|there are no|has no|invalid|unknown|missing|already|"
    r"not allowed|not available|syntax|denied|forbidden|cannot|must |closed|blocked|not a ",
    re.IGNORECASE,
)


class Lesson(Struct, frozen=True):
    """What something was like, and the label that was right for it."""

    notions: list[str]
    label: str
    about: str = ""
    """Which of several choices the label is; empty where there is only one."""


class Finding(Struct, frozen=True):
    """What a skill came to, and how sure it is."""

    answer: Any
    confidence: float


class Desk:
    """One task on the desk of the clerk."""

    def __init__(self, task: TaskView, session: Session, lessons: list[Lesson] | None = None) -> None:
        self.task = task
        self.session = session
        self.lessons: list[Lesson] = [] if lessons is None else lessons
        """What was learned in earlier episodes of this lifetime, oldest first; learning more adds to it."""
        self.shape: Shape = read_shape(task.answer_format)
        self.draft: Finding | None = None
        """The best answer so far: handed in if the budget ends the work."""
        self.claims: list[Claim] = []
        self.start: dict[str, Any] = {}
        """What was shown at the start, put right by later readings of the same."""
        for observation in session.observations:
            if observation.call is None:
                self.start.update(observation.fields)
        self.pages: list[Any] = []
        """What was read since."""
        self._surveyed = False

    # Tools

    def tool(self, *words: str, effect: str | None = None) -> ToolSpec | None:
        """The tool whose name has most of these words; the first of equals, None where no name has any."""
        best, most = None, 0
        for tool in self.task.tools:
            name = set(re.split(r"[_\W]+", tool.name.lower()))
            score = sum(word in name for word in words)
            if score > most and effect in (None, tool.effect):
                best, most = tool, score
        return best

    def readers(self, *kinds: str) -> list[ToolSpec]:
        """The reading tools whose required parameters are of exactly these JSON types."""
        return [
            tool
            for tool in self.task.tools
            if tool.effect == "read" and [self.kind(tool, name) for name in required(tool)] == list(kinds)
        ]

    def kind(self, tool: ToolSpec, parameter: str) -> str:
        """The JSON type of a parameter, as far as its schema says."""
        schema = resolve(tool.parameters.get("properties", {}).get(parameter, {}), tool.parameters)
        return str(schema.get("type", ""))

    def parameters(self, tool: ToolSpec, kind: str) -> list[str]:
        """Names of a tool's parameters of one JSON type, the required ones first."""
        names = [*required(tool), *tool.parameters.get("properties", {})]
        return [name for name in dict.fromkeys(names) if self.kind(tool, name) == kind]

    async def call(self, tool: ToolSpec, /, **arguments: Any) -> ToolResult:
        """Call a tool, and again if it failed in passing."""
        result = await self.session.call(tool.name, **arguments)
        for _ in range(TRIES - 1):
            error = result.error or ""
            if result.ok or (_FINAL.search(error) and not _PASSING.search(error)):
                break
            result = await self.session.call(tool.name, **arguments)
        if tool.effect == "write":
            # Which call it was stands in the observation that answered it.
            self.claims.append(Claim("tool", self.session.observations[-1].call, "ok" if result.ok else "failed"))
        return result

    async def settle(self, tool: ToolSpec, /, **arguments: Any) -> ToolResult:
        """Read until two readings agree; after a few that all differ, believe the majority in every part."""
        readings: list[Any] = []
        while True:
            result = await self.call(tool, **arguments)
            if not result.ok:
                return ToolResult(True, majority(readings)) if readings else result
            if not readings and not arguments:
                readings.extend(self._shown_before(result.value))
            seen_before = result.value in readings
            readings.append(result.value)
            believed = majority(readings) if len(readings) > 1 else result.value
            if (seen_before and result.value == believed) or len(readings) >= READINGS or not self.roomy:
                return ToolResult(True, believed)

    def _shown_before(self, value: Any) -> list[Any]:
        """The first observation as one more reading, where a tool shows the same again."""
        if isinstance(value, dict) and value and value.keys() <= self.start.keys():
            return [{key: self.start[key] for key in value}]
        return [item for item in self.start.values() if isinstance(value, str) and much_the_same(item, value)]

    async def read(self, tool: ToolSpec, /, **arguments: Any) -> ToolResult:
        """Settle on a reading and keep it; what it shows again replaces what was shown at the start."""
        result = await self.settle(tool, **arguments)
        if not result.ok:
            return result
        value = result.value
        again = [name for name, item in self.start.items() if isinstance(value, str) and much_the_same(item, value)]
        if again:
            self.start[again[0]] = value
        elif isinstance(value, dict) and value.keys() <= self.start.keys():
            self.start.update(value)
        else:
            self.pages.append(value)
        return result

    async def survey(self) -> None:
        """Read, once, whatever can be read without saying what."""
        if not self._surveyed:
            self._surveyed = True
            for tool in self.readers():
                if not turns_pages(tool):
                    await self.read(tool)

    @property
    def roomy(self) -> bool:
        """Whether there are calls to spare."""
        left = [amount for amount in (self.session.budget.actions, self.session.budget.queries) if amount is not None]
        return not left or min(left) >= ROOMY

    # What is known

    def facts(self) -> Iterator[tuple[str, Any]]:
        """Every named value known so far, nested ones included, oldest first."""
        for page in (self.start, *self.pages):
            yield from named(page)

    def fact(self, *names: str) -> Any:
        """The newest value known under one of these names; None where there is none."""
        last = None
        for name, value in self.facts():
            if name.lower().replace("_", " ") in names:
                last = value
        return last

    def texts(self) -> list[str]:
        """Every text known so far, oldest first."""
        return [value for _, value in self.facts() if isinstance(value, str)]


def required(tool: ToolSpec) -> list[str]:
    """Names of the parameters that a call must give."""
    return list(tool.parameters.get("required", ()))


def turns_pages(tool: ToolSpec) -> bool:
    """Whether calling it twice shows two different things on purpose."""
    return bool(set(tool.name.lower().split("_")) & {"next", "more", "continue"})


def named(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """(name, value) for a value and everything inside it; items of a list carry the list's name."""
    if name or not isinstance(value, (dict, list)):
        yield name, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from named(item, str(key))
    elif isinstance(value, list):
        for item in value:
            yield from named(item, name)
