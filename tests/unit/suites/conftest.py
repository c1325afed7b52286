"""A bench in miniature for families: a real LiveSession over the family's own world, without engine or store."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from proctor.agents.contract import Agent
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.engine.family import Draw, Family
from proctor.engine.session import LiveSession
from proctor.engine.state import ConditionedState
from proctor.evidence.chain import Recorder, genesis
from proctor.evidence.events import Delivery
from proctor.spec.condition import NO_INTERVENTION, Sampling
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.rules import Limits
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.layer import Adversity
from proctor.worlds.adversity.limits import effective_budget
from proctor.worlds.world import Place, World

FAMILIES = ("extract", "track", "route", "files", "orders", "pipeline")


class Driver:
    """One episode. `world` and `session` stay open until the test ends, for a look at what was left."""

    def __init__(self, family: Family, instance: Instance, regime: str, key: tuple[str | int, ...]) -> None:
        declared = STANDARD_REGIMES[regime]
        self.family = family
        self.place = Place()
        self.world: World = family.world(instance, self.place)
        self.limits = effective_budget(instance, declared, Limits())
        self.recorder = Recorder(genesis("0" * 64, 0))
        self.stack = stack_for(declared)
        faults = Stream.keyed("faults", *key)
        self.session = LiveSession(
            world=self.world,
            tools=self.world.tools,
            recorder=self.recorder,
            clock=self.place.clock,
            limits=self.limits,
            make_state=lambda: ConditionedState({}, NO_INTERVENTION, self.recorder),
            stack=self.stack,
            adversity=Adversity(faults, self.place.clock, instance.call_milliseconds) if self.stack else None,
            sampling=Sampling(),
        )
        fields = self.world.observe()
        receipts: list[Delivery] = []
        for layer in reversed(self.stack.show):
            fields = layer.show(fields, faults.child(layer.name, "show"), receipts)
        self.session.show(fields, receipts)
        specs = tuple(tool.spec for tool in self.world.tools.values())
        self.task = TaskView("opaque", instance.goal, instance.answer_format, specs, self.limits, "n", "c")

    def call(self, tool: str, **arguments: Any) -> Any:
        """The value of a call that must go well."""
        result = asyncio.run(self.session.call(tool, **arguments))
        assert result.ok, result.error
        return result.value

    def error(self, tool: str, **arguments: Any) -> str:
        """The error of a call that must be refused."""
        result = asyncio.run(self.session.call(tool, **arguments))
        assert not result.ok
        return result.error or ""

    def run(self, agent: Agent) -> Verification:
        """Let an agent live the episode; a limit it runs into is a failure."""
        try:
            submission = asyncio.run(agent.run(self.task, self.session))
        except LimitReached as limit:
            return Verification(False, limit.limit)
        return self.verify(submission.answer)

    def verify(self, answer: Any = None) -> Verification:
        """What the verifier says; its reason must be a declared one."""
        found = self.world.verify(Submission(answer))
        assert found.reason in self.family.spec.reasons
        assert found.success == (found.reason == "correct")
        return found

    def close(self) -> None:
        self.world.close()
        self.place.close()


Drive = Callable[..., Driver]


@pytest.fixture
def drive() -> Iterator[Drive]:
    """`drive(family, instance, regime=…, key=…)` sets up an episode; everything is closed afterwards."""
    opened: list[Driver] = []

    def start(family: Family, instance: Instance, regime: str = "baseline", key: tuple[str | int, ...] = ()) -> Driver:
        opened.append(Driver(family, instance, regime, key))
        return opened[-1]

    yield start
    for driver in opened:
        driver.close()


@pytest.fixture(params=FAMILIES)
def family(request: pytest.FixtureRequest) -> Family:
    """Each family in turn."""
    found: Family = import_module(f"proctor.suites.hello.{request.param}").family
    return found


@pytest.fixture
def sample() -> Callable[..., list[Instance]]:
    """`sample(family, n, **knobs)`: the first n instances."""

    def take(family: Family, n: int, **knobs: Any) -> list[Instance]:
        return [family.instance(Draw.of("sample", family.spec.id, i, **knobs)) for i in range(n)]

    return take
