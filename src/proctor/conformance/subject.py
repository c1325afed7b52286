"""A family under examination: its draws, its instances and the trials that several checks look at.

Instances and trials are made once and shared, which changes nothing: both are functions of the seed alone. A check
that doubts this (`determinism`) makes its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from proctor.agents import chance, null, shortcuts
from proctor.agents.contract import Agent, learns
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.oracle import Oracle
from proctor.conformance.prober import Prober
from proctor.core.canonical import decode, unchain
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.family import Draw, Family, scenarios_of
from proctor.engine.job import Job
from proctor.engine.trial import MakeWorld, Trial, job_for, live
from proctor.spec.regime import STANDARD_REGIMES, Regime
from proctor.spec.system import System
from proctor.spec.task import Budget, Instance
from proctor.worlds.tool import Tool
from proctor.worlds.world import Place

BASELINE = STANDARD_REGIMES["baseline"]
SHORTCUTS: dict[str, AgentKind] = {
    kind.name: kind
    for kind in (
        shortcuts.refuse,
        shortcuts.ask,
        shortcuts.infeasible,
        shortcuts.retry,
        shortcuts.first,
        shortcuts.last,
        shortcuts.keyword,
    )
}
BASELINES: dict[str, AgentKind] = {"null": null.kind, "random": chance.kind, **SHORTCUTS}
_SYSTEM = System(name="conformance")
PROBE_BUDGET = Budget(actions=300)
TRAINING = "train"
"""The phase of training episodes."""


class Options(msgspec.Struct, frozen=True):
    """How much is looked at."""

    regimes: tuple[Regime, ...]
    instances: int
    """Episodes per agent and regime; every other number follows from it."""
    seed: int
    thorough: bool
    fresh_process: bool
    knobs: dict[str, Any] = {}
    """Difficulty, where it is not the family's own."""

    @property
    def few(self) -> int:
        """Instances for what takes many episodes each."""
        return max(3, self.instances // 5)

    @property
    def draws(self) -> int:
        """Draws for a ceiling: 300 at 30 instances, 1,000 when thorough."""
        return max(1_000, 10 * self.instances) if self.thorough else 10 * self.instances

    @property
    def distinct(self) -> int:
        """Instances compared with each other: 1,000 at 30 instances."""
        return -(-self.instances * 100 // 3)


class Subject:
    """One family, and everything about it that is needed more than once. Close it: it holds an event loop."""

    def __init__(self, family: Family, options: Options) -> None:
        self.family = family
        self.options = options
        self.source = source_of(family, options.seed)
        listed = scenarios_of(family)
        self.population = None if listed is None else len(listed.scenarios)
        """How many different tasks there are where they are listed (scenarios); None: as many as one draws."""
        self._instances: dict[int, Instance] = {}
        self._trials: dict[tuple[str, str, int], Trial] = {}
        self._memories: dict[tuple[Any, ...], bytes] = {}
        self._runner: asyncio.Runner | None = None

    def __enter__(self) -> Subject:
        return self

    def __exit__(self, *_: object) -> None:
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def live(self, job: Job, agent: Agent) -> Trial:
        """Live an episode that is not kept. One event loop serves them all: making one costs more than an episode."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(live(job, agent))

    def draw(self, index: int, **knobs: Any) -> Draw:
        """The draw of this number, fresh: a stream is used up by drawing from it."""
        return draw_of(self.family, self.source, index, {**self.options.knobs, **knobs})

    def instance(self, index: int) -> Instance:
        """The instance of this number with the knobs of the options."""
        if index not in self._instances:
            self._instances[index] = self.family.instance(self.draw(index))
        return self._instances[index]

    def job(
        self,
        index: int,
        regime: Regime = BASELINE,
        *,
        instance: Instance | None = None,
        limits: Budget | None = None,
        make_world: MakeWorld | None = None,
    ) -> Job:
        """The episode of the instance of this number (or of another instance in its place)."""
        return job_for(
            self.family,
            self.instance(index) if instance is None else instance,
            self.source.child(index),
            regime,
            limits=limits,
            make_world=make_world,
            position=index,
        )

    def trial(self, index: int, agent: str, regime: Regime = BASELINE) -> Trial:
        """The trial of a named agent (`oracle`, `prober`, a baseline) on the instance of this number."""
        key = (agent, regime.id, index)
        if key not in self._trials:
            limits = PROBE_BUDGET if agent == "prober" else None
            self._trials[key] = self.live(self.job(index, regime, limits=limits), self.agent(agent, index, regime))
        return self._trials[key]

    def agent(self, name: str, index: int, regime: Regime = BASELINE) -> Agent:
        """A fresh agent of this name for the instance of this number; it has lived the training that comes before."""
        if name == "oracle":
            return self.solver(index, regime=regime)
        if name == "prober":
            return Prober(self.source.child("prober", index), self.solver_calls(index))
        context = AgentContext(_SYSTEM, self.source.child("agent", name), (index,), Path())
        agent = BASELINES[name].open(AgentString.parse(name), context)
        for lesson in self.lessons(index, regime):
            self.live(lesson, agent)
        return agent

    def solver(
        self,
        index: int,
        *,
        instance: Instance | None = None,
        regime: Regime = BASELINE,
        memory: bytes | None = None,
        **knobs: Any,
    ) -> Agent:
        """The family's solver for the instance of this number (or for another in its place).

        In a family that teaches it remembers what the training of its lifetime left, or `memory` instead.
        """
        solver = self.family.oracle(self.instance(index) if instance is None else instance)
        if learns(solver):
            solver.recall(decode(self.memory(index, regime, **knobs) if memory is None else memory))
        return solver

    def memory(self, index: int, regime: Regime = BASELINE, **knobs: Any) -> bytes:
        """What the oracle remembers after the training that comes before the instance of this number."""
        key = (index, regime.id, *sorted(knobs.items()))
        if key not in self._memories:
            oracle = Oracle()
            for lesson in self.lessons(index, regime, **knobs):
                oracle.reveal(self.family.oracle(lesson.instance))
                self.live(lesson, oracle)
            self._memories[key] = oracle.snapshot()
        return self._memories[key]

    def lessons(self, index: int, regime: Regime = BASELINE, **knobs: Any) -> list[Job]:
        """The training episodes that come before the instance of this number, in the same lifetime."""
        return [
            job_for(
                self.family,
                self.family.instance(lesson_of(self.family, self.source, index, step, {**self.options.knobs, **knobs})),
                self.source.child(index, TRAINING, step),
                regime,
                position=index,
                phase=TRAINING,
            )
            for step in range(self.family.spec.training)
        ]

    def solver_calls(self, index: int) -> list[tuple[str, dict[str, Any]]]:
        """The calls the oracle makes on the instance of this number when nothing disturbs it."""
        return [(pair.called.tool, unchain(pair.called.arguments)) for pair in self.trial(index, "oracle").calls]

    def trials(self, agent: str, count: int, regime: Regime = BASELINE) -> list[Trial]:
        """The first `count` trials of a named agent."""
        return [self.trial(index, agent, regime) for index in range(count)]

    def lacks_strict_cap(self, regime: Regime) -> bool:
        """Whether the regime says `strict` and some instance states no strict cap: then no episode can be lived."""
        if regime.action.cap != "strict":
            return False
        return any(self.instance(index).strict_actions is None for index in range(self.options.instances))

    @property
    def usable_regimes(self) -> tuple[Regime, ...]:
        """The regimes under which episodes can be lived; `faults` says why the others are missing."""
        return tuple(regime for regime in self.options.regimes if not self.lacks_strict_cap(regime))

    def tools(self, index: int = 0) -> dict[str, Tool]:
        """The tools of the world of one instance."""
        place = Place()
        try:
            world = self.family.world(self.instance(index), place)
            try:
                return dict(world.tools)
            finally:
                world.close()
        finally:
            place.close()


def source_of(family: Family, seed: int) -> Stream:
    """The stream that belongs to a family in a check of this seed."""
    return Stream.keyed("conformance", seed, family.spec.id)


def draw_of(
    family: Family, source: Stream, index: int, knobs: dict[str, Any] | None = None, phase: str | None = None
) -> Draw:
    """A draw of the examined phase (or of another) with the defaults filled in, as the engine makes it.

    It comes after the training of its lifetime; two phases of one lifetime have draws of their own.
    """
    spec = family.spec
    stream = source.child(index) if phase is None else source.child(index, phase)
    filled = {**{name: knob.default for name, knob in spec.knobs.items()}, **(knobs or {})}
    return Draw(stream, source, index, phase or spec.examined, step=spec.training, knobs=filled)


def lesson_of(family: Family, source: Stream, index: int, step: int, knobs: dict[str, Any] | None = None) -> Draw:
    """The draw of a training episode of the lifetime of this number."""
    draw = draw_of(family, source, index, knobs)
    return msgspec.structs.replace(draw, stream=source.child(index, TRAINING, step), phase=TRAINING, step=step)


def fingerprint(instance: Instance) -> bytes:
    """The bytes of an instance. Keys keep their order: agents see it, so it must not depend on chance."""
    return msgspec.json.encode(instance)


def regimes_of(regimes: Iterable[str | Regime]) -> tuple[Regime, ...]:
    """Regimes by standard id, or as they are."""
    chosen: list[Regime] = []
    for regime in regimes:
        if isinstance(regime, Regime):
            chosen.append(regime)
        elif regime in STANDARD_REGIMES:
            chosen.append(STANDARD_REGIMES[regime])
        else:
            message = f"regime '{regime}' is not a standard one; there are {', '.join(STANDARD_REGIMES)}"
            raise InputError(message)
    return tuple(chosen)
