"""A bench in miniature: a small session over a tiny world, without engine, store or suite."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proctor.agents.contract import Agent, State
from proctor.agents.kind import AgentContext
from proctor.core.errors import LimitReached, ToolError
from proctor.core.seeds import Stream
from proctor.spec.condition import Sampling
from proctor.spec.system import System
from proctor.spec.task import Budget, Instance, Observation, Submission, TaskView, ToolResult
from proctor.worlds.world import BaseWorld, Place

Fault = Callable[[str, int, ToolResult | None], ToolResult | None]
"""(tool, number of earlier calls of it, what it gave, or None before the call) -> what the agent gets instead."""


class SmallSession:
    """The session contract, kept as simple as can be; `log` is every call that was made."""

    def __init__(self, world: BaseWorld, limits: Budget, fault: Fault | None) -> None:
        self._world = world
        self._limits = limits
        self._fault = fault
        self.observations: list[Observation] = []
        self.sampling = Sampling()
        self.log: list[tuple[str, dict[str, Any]]] = []
        self.said: list[str] = []
        self.misfits = 0
        self.limit_hit = False

    @property
    def budget(self) -> Budget:
        actions = self._limits.actions
        return Budget(actions=None if actions is None else actions - len(self.log))

    @property
    def state(self) -> State:
        raise NotImplementedError

    @property
    def calls(self) -> int:
        return len(self.log)

    def say(self, text: str) -> None:
        self.said.append(text)

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        raise NotImplementedError

    def show(self, fields: dict[str, Any], call: int | None = None) -> None:
        self.observations.append(Observation(len(self.observations), fields, call))

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        if self._limits.actions is not None and self.calls >= self._limits.actions:
            self.limit_hit = True
            raise LimitReached("actions")
        nth = sum(name == tool for name, _ in self.log)
        self.log.append((tool, arguments))
        result = (self._fault(tool, nth, None) if self._fault else None) or await self._apply(tool, arguments)
        result = (self._fault(tool, nth, result) if self._fault else None) or result
        self.show({"result": result.value} if result.ok else {"error": result.error}, self.calls - 1)
        return result

    async def _apply(self, tool: str, arguments: dict[str, Any]) -> ToolResult:
        compiled = self._world.tools.get(tool)
        try:
            if compiled is None:
                message = f"there is no tool '{tool}'; there are {', '.join(self._world.tools) or 'none'}"
                raise ToolError(message)
            return await self._world.apply(compiled, compiled.check(arguments))
        except ToolError as refusal:
            return ToolResult(False, None, str(refusal))
        except (msgspec.ValidationError, TypeError) as error:
            self.misfits += 1
            return ToolResult(False, None, f"arguments of '{tool}' do not fit: {error}")


class Bench:
    """One episode, set up by hand. `task` and `session` are what the agent gets."""

    def __init__(
        self,
        world: type[BaseWorld] = BaseWorld,
        *,
        goal: str,
        answer_format: str = "Free text.",
        shown: dict[str, Any] | None = None,
        limits: Budget | None = None,
        fault: Fault | None = None,
    ) -> None:
        limits = limits or Budget()
        self.world = world(Instance("only", goal, answer_format, shown or {}, {}, budget=limits), Place())
        self.session = SmallSession(self.world, limits, fault)
        self.session.show(self.world.observe())
        specs = tuple(tool.spec for tool in self.world.tools.values())
        self.task = TaskView("t", goal, answer_format, specs, limits, "n", "c")

    def run(self, agent: Agent) -> Submission:
        """Let the agent live the episode."""
        return asyncio.run(agent.run(self.task, self.session))


@pytest.fixture
def bench() -> type[Bench]:
    return Bench


@pytest.fixture
def context() -> AgentContext:
    return AgentContext(system=System(name="tested"), source=Stream.keyed("agent"), lifetime=(1,), folder=Path())
