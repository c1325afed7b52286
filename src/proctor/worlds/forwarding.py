"""A world that passes everything on: what stands between an episode and its world to watch or disturb it."""

from __future__ import annotations

from typing import Any

from proctor.core.canonical import chainable, encode
from proctor.spec.task import Submission, ToolResult, Verification
from proctor.worlds.tool import Tool
from proctor.worlds.world import (
    EpisodeContext,
    NextShift,
    World,
    carries_over,
    hands_over,
    marks_state,
    takes_intervention,
)


class ForwardingWorld:
    """The same world; subclasses change what becomes of calls.

    It offers every ability and passes it on where the world inside has it; where not, it does what a world without
    the ability would.
    """

    __slots__ = ("_world",)

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def judges_conduct(self) -> bool:
        return self._world.judges_conduct

    @property
    def tools(self) -> dict[str, Tool]:
        return self._world.tools

    @property
    def forbidden(self) -> frozenset[str]:
        return self._world.forbidden

    @property
    def processor_seconds(self) -> float:
        return self._world.processor_seconds

    def set_context(self, context: EpisodeContext) -> None:
        if takes_intervention(self._world):
            self._world.set_context(context)

    def take_over(self, phase: str, carried: Any) -> None:
        if carries_over(self._world):
            self._world.take_over(phase, carried)

    def carry_over(self) -> Any:
        return self._world.carry_over() if carries_over(self._world) else None

    def observe(self) -> dict[str, Any]:
        return self._world.observe()

    async def apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        return await self._world.apply(tool, arguments)

    def refused(self, tool: str, arguments: dict[str, Any]) -> None:
        self._world.refused(tool, arguments)

    def canary(self) -> None:
        self._world.canary()

    def next_shift(self) -> NextShift | None:
        return self._world.next_shift() if hands_over(self._world) else None

    def verify(self, submission: Submission) -> Verification:
        return self._world.verify(submission)

    def state(self) -> Any:
        return self._world.state()

    def state_mark(self) -> object:
        return self._world.state_mark() if marks_state(self._world) else encode(chainable(self._world.state()))

    def artifact(self, name: str) -> bytes | None:
        return self._world.artifact(name)

    def close(self) -> None:
        self._world.close()
