"""A bench in miniature: a real LiveSession over a tiny world, without engine, store or suite."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext
from proctor.core.seeds import Stream
from proctor.engine.session import LiveSession
from proctor.engine.state import ConditionedState
from proctor.evidence.chain import Recorder, genesis
from proctor.spec.condition import NO_INTERVENTION, Sampling
from proctor.spec.system import System
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.worlds.adversity.layer import Adversity, Layer, Stack
from proctor.worlds.world import BaseWorld, Place


class Bench:
    """One episode, set up by hand. `task` and `session` are what the agent gets."""

    def __init__(
        self,
        world: type[BaseWorld] = BaseWorld,
        *,
        goal: str,
        answer_format: str = "Free text.",
        shown: dict[str, Any] | None = None,
        hidden: dict[str, Any] | None = None,
        limits: Budget | None = None,
        layers: list[Layer] | None = None,
    ) -> None:
        limits = limits or Budget()
        instance = Instance("only", goal, answer_format, shown or {}, hidden or {}, budget=limits)
        place = Place()
        recorder = Recorder(genesis("00" * 32, 0))
        self.world = world(instance, place)
        self.session = LiveSession(
            world=self.world,
            tools=self.world.tools,
            recorder=recorder,
            clock=place.clock,
            limits=limits,
            state=ConditionedState({}, NO_INTERVENTION, recorder),
            stack=Stack.of(layers or []),
            adversity=Adversity(Stream.keyed("test"), place.clock, 500) if layers else None,
            sampling=Sampling(),
        )
        self.recorder = recorder
        self.session.show(self.world.observe(), [])
        specs = tuple(tool.spec for tool in self.world.tools.values())
        self.task = TaskView("t", goal, answer_format, specs, limits, "test", "n", "c")

    def run(self, agent: Agent) -> Submission:
        """Let the agent live the episode."""
        return asyncio.run(agent.run(self.task, self.session))


@pytest.fixture
def bench() -> type[Bench]:
    return Bench


@pytest.fixture
def context() -> AgentContext:
    return AgentContext(System(name="tested"), Stream.keyed("lifetime"), 1, Path())
