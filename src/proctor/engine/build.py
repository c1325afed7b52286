"""From names to objects: everything a frozen run needs in order to be executed, in this process.

Workers build from the same frozen run, so nothing live ever crosses a process boundary.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.core.clock import Clock, parse_timestamp
from proctor.core.hashing import sha256_hex
from proctor.core.seeds import Stream
from proctor.engine.episode import Job, ShownTools
from proctor.engine.family import Draw, Family
from proctor.engine.names import load_agent_kind, load_family
from proctor.engine.plan import Lifetime, Plan
from proctor.evidence.chain import genesis
from proctor.evidence.row import Arm
from proctor.spec.condition import Condition
from proctor.spec.frozen import FrozenRun
from proctor.spec.regime import Regime
from proctor.spec.suite import Entry, Step
from proctor.spec.task import Instance
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.layer import Stack
from proctor.worlds.adversity.limits import effective_budget
from proctor.worlds.tool import Tool

STRANGER_SECONDS = 120.0
"""Real time an agent outside the bench's process has for an episode when nothing else is declared."""


class BuiltArm(msgspec.Struct, frozen=True):
    """One arm with its objects."""

    arm: Arm
    entry: Entry
    family: Family
    reasons: frozenset[str]
    declared_fields: frozenset[str] | None
    condition: Condition
    steps: tuple[Step, ...]
    """The program, one step per episode."""
    regimes: tuple[Regime, ...]
    """The regime of each step."""
    stacks: tuple[Stack, ...]
    knobs: tuple[Mapping[str, Any], ...]
    instance_key: Stream
    fault_key: Stream


class Bench:
    """A built run: hands out jobs and agents. Holds no episode."""

    def __init__(self, frozen: FrozenRun, folder: Path, stage_outputs: Mapping[str, str] | None = None) -> None:
        self.frozen = frozen
        self.folder = folder
        self.config_hash = frozen.config_hash
        self.plan = Plan(frozen)
        self.agent_string = AgentString.parse(frozen.agent)
        self.kind: AgentKind = load_agent_kind(self.agent_string.kind)
        self.stage_outputs = dict(stage_outputs or {})
        """SHA-256 of the frozen output of each finished stage."""
        self._start: datetime = parse_timestamp(frozen.timestamp)
        self._canary = f"proctor-canary-{sha256_hex(frozen.suite.full_name.encode())[:24]}"
        self._families: dict[str, Family] = {f.reference: load_family(f.reference, folder) for f in frozen.families}
        self._arms = [self._build_arm(arm) for arm in self.plan.arms]
        self._shown: dict[int, tuple[dict[str, Tool], ShownTools]] = {}
        self._agent_key = Stream.keyed(frozen.suite.stream_name, frozen.seed, "agent")
        self._reused: Agent | None = None

    def _build_arm(self, arm: Arm) -> BuiltArm:
        suite = self.frozen.suite
        entry = suite.entries[arm.entry]
        family = self._families[entry.family]
        steps = tuple(step for step in entry.program for _ in range(step.episodes))
        regimes = tuple(suite.all_regimes[step.regime or arm.regime] for step in steps)
        defaults = {name: knob.default for name, knob in family.spec.knobs.items()}
        fields = family.spec.observation_schema.get("properties")
        return BuiltArm(
            arm=arm,
            entry=entry,
            family=family,
            reasons=frozenset(family.spec.reasons),
            declared_fields=None if fields is None else frozenset(fields),
            condition=suite.all_conditions[arm.condition],
            steps=steps,
            regimes=regimes,
            stacks=tuple(stack_for(regime) for regime in regimes),
            knobs=tuple({**defaults, **entry.knobs, **step.knobs} for step in steps),
            instance_key=Stream.keyed(suite.stream_name, self.frozen.seed, family.spec.id, "instance"),
            fault_key=Stream.keyed(suite.stream_name, self.frozen.seed, family.spec.id, "faults"),
        )

    def arm(self, index: int) -> BuiltArm:
        """The built arm of this number."""
        return self._arms[index]

    def instance(self, built: BuiltArm, index: int, part: int, step: int) -> tuple[Instance, Stream]:
        """The instance of this number, and the stream it was drawn from. Regime and condition play no part in it."""
        key = built.instance_key.child(index) if len(built.steps) == 1 else built.instance_key.child(index, step)
        draw = Draw(
            stream=key,
            shared=built.instance_key.child("shared", index),
            index=index,
            phase=built.steps[step].phase,
            part=part,
            step=step,
            knobs=built.knobs[step],
        )
        return built.family.instance(draw), key

    def job(self, lifetime: Lifetime, step: int) -> Job:
        """The episode at this step of a lifetime."""
        built = self._arms[lifetime.arm]
        arm = built.arm
        instance, key = self.instance(built, lifetime.instance, lifetime.part, step)
        position = lifetime.position + step
        trusted = self.kind.trusted
        limits = effective_budget(instance, built.regimes[step], self.frozen.rules.limits)
        real = None if trusted else (limits.milliseconds or 1000 * STRANGER_SECONDS) / 1000
        call_ms = self.frozen.rules.limits.call_milliseconds
        return Job(
            position=position,
            lifetime=lifetime.position,
            arm=arm.index,
            unit=lifetime.unit,
            part=lifetime.part,
            replicate=lifetime.replicate,
            phase=built.steps[step].phase,
            regime=built.regimes[step].id,
            spec=built.family.spec,
            reasons=built.reasons,
            declared_fields=built.declared_fields,
            instance=instance,
            instance_id=key.child("id", lifetime.part).key[:8].hex(),
            nonce=key.child("nonce", arm.regime, arm.condition, lifetime.replicate, lifetime.part, step).key[:16].hex(),
            canary=self._canary,
            make_world=built.family.world,
            shown=self.shown,
            condition=built.condition,
            donor=self._donor(built, lifetime, step),
            stage_output=self._stage_output(built.condition),
            stack=built.stacks[step],
            faults=built.fault_key.child(lifetime.instance, lifetime.replicate, step),
            limits=limits,
            clock=Clock(self._start),
            genesis=genesis(self.config_hash, position),
            real_seconds=real,
            call_seconds=None if call_ms is None else call_ms / 1000,
        )

    def _donor(self, built: BuiltArm, lifetime: Lifetime, step: int) -> dict[str, Any] | None:
        """State of another instance of the same family, for conditions that scramble."""
        if not any(read.do == "scramble" for read in built.condition.reads.values()):
            return None
        count = built.entry.n * self.frozen.scale
        offset = 1 + built.fault_key.child("donor", lifetime.instance).below(max(1, count - 1))
        donor, _ = self.instance(built, (lifetime.instance + offset) % max(2, count), lifetime.part, step)
        return donor.state

    def _stage_output(self, condition: Condition) -> tuple[str, str] | None:
        if condition.after is None:
            return None
        return condition.after, self.stage_outputs[condition.after]

    def shown(self, tools: dict[str, Tool]) -> ShownTools:
        """The tools as shown, encoded once per world class."""
        known = self._shown.get(id(tools))
        if known is None:
            known = (tools, ShownTools.of(tools))
            if len(self._shown) < 256:
                # Worlds that make a new dictionary every time must not fill the memory.
                self._shown[id(tools)] = known
        return known[1]

    def open_agent(self, lifetime: Lifetime) -> Agent:
        """The agent for one lifetime."""
        if self._reused is not None:
            return self._reused
        agent = self.kind.open(self.agent_string, self.agent_context(lifetime.index))
        if self.kind.reusable:
            self._reused = agent
        return agent

    def agent_context(self, lifetime: int) -> AgentContext:
        """What the agent's factory may know."""
        return AgentContext(self.frozen.system, self._agent_key.child(lifetime), self.folder)

    def solver(self, job: Job) -> Callable[[], Agent]:
        """The family's own solver for the job, made only if somebody may have it."""
        family = self._arms[job.arm].family
        return lambda: family.oracle(job.instance)
