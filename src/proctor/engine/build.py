"""From names to objects: everything a frozen run needs in order to be executed, in this process.

Workers build from the same frozen run, so nothing live ever crosses a process boundary.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from proctor.agents.contract import Agent, Placement, given_answers, releases, told_place
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.lookup import kind_of
from proctor.agents.prior import PriorAgent
from proctor.core.clock import parse_timestamp
from proctor.core.errors import BenchError
from proctor.core.hashing import sha256_hex
from proctor.core.seeds import Stream
from proctor.engine.account import account_for
from proctor.engine.discretion import veil_of
from proctor.engine.family import Draw, Family, has_events
from proctor.engine.job import Donor, Job, Setting, ShownTools
from proctor.engine.names import load_family
from proctor.engine.plan import Lifetime, Plan
from proctor.engine.raised import Told
from proctor.engine.stage_outputs import StageOutputs, instance_outputs, prior_counts
from proctor.evidence.chain import Genesis
from proctor.evidence.row import Arm
from proctor.spec.actions import declared_actions
from proctor.spec.condition import Condition
from proctor.spec.frozen import FrozenFamily, FrozenRun
from proctor.spec.regime import Regime
from proctor.spec.reporting import REPORT_FIELD
from proctor.spec.suite import Entry, Step, draw_places
from proctor.spec.system import Baseline
from proctor.spec.task import NO_LIMITS, Budget, Instance
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.limits import effective_budget
from proctor.worlds.tool import Tool

EVENT = "base_event"
"""What `hidden` calls the event an instance is about, where several instances ask about one."""

_NO_BUDGET = Instance("", "", "", {}, {})


class BuiltArm(msgspec.Struct, frozen=True):
    """One arm with its objects."""

    entry: Entry
    family: Family
    condition: Condition
    steps: tuple[Step, ...]
    """The program, one step per episode."""
    regimes: tuple[Regime, ...]
    """The regime of each step."""
    settings: tuple[Setting, ...]
    knobs: tuple[Mapping[str, Any], ...]
    places: tuple[int, ...]
    """The step whose instance and faults each step meets: its own, unless it repeats an earlier phase."""
    budgets: tuple[Budget | None, ...]
    """The budget of each step for an instance that states none of its own; None where it depends on the instance."""
    donor: str | None
    """Whose state is read where the condition scrambles; None where it does not."""
    prior: dict[str, int] | None
    """How often each code was given in the stage whose prior the condition uses."""
    instance_key: Stream
    fault_key: Stream


def _as_frozen(frozen: FrozenFamily, folder: Path) -> Family:
    """The family a run was frozen with. Refused where what is found under its name now declares something else."""
    family = load_family(frozen.reference, folder)
    if family.spec != frozen.spec:
        message = f"family '{frozen.reference}' is not the one this run was frozen with; it was changed meanwhile"
        raise BenchError(message)
    return family


class Bench:
    """A built run: hands out jobs and agents. Holds no episode."""

    def __init__(
        self,
        frozen: FrozenRun,
        folder: Path,
        stage_outputs: StageOutputs | None = None,
        families: Mapping[str, Family] | None = None,
    ) -> None:
        """`families` (reference → family) stand in for those that would be loaded by name."""
        self.frozen = frozen
        self.folder = folder
        self.told = Told()
        self.config_hash = frozen.config_hash
        self._genesis = Genesis(self.config_hash)
        self.plan = Plan(frozen)
        self.agent_string = AgentString.parse(frozen.agent)
        self.kind: AgentKind = kind_of(self.agent_string)
        self.veil = veil_of(frozen.system, self.agent_string) or None
        self.stage_outputs = dict(stage_outputs or {})
        """The frozen output of each finished stage, with its SHA-256."""
        self._start: datetime = parse_timestamp(frozen.timestamp)
        self._limits = frozen.rules.limits
        self._account = account_for(self._limits)
        self._declared_actions = declared_actions(frozen.system)
        self._canary = f"proctor-canary-{sha256_hex(frozen.suite.full_name.encode())[:24]}"
        self._families: dict[str, Family] = {
            one.reference: _as_frozen(one, folder) if families is None else families[one.reference]
            for one in frozen.families
        }
        self._shown: dict[int, tuple[dict[str, Tool], ShownTools]] = {}
        self._agent_key = Stream.keyed(frozen.suite.stream_name, frozen.seed, "agent")
        self._reused: dict[Baseline | None, Agent] = {}
        self._shared: dict[str, Any] = {}
        self._baselines = {None, *(frozen.suite.entries[arm.entry].baseline for arm in self.plan.arms)}
        self._arms = [self._build_arm(arm) for arm in self.plan.arms]

    def _build_arm(self, arm: Arm) -> BuiltArm:
        suite, seed = self.frozen.suite, self.frozen.seed
        entry = suite.entries[arm.entry]
        family = self._families[entry.family]
        condition = suite.all_conditions[arm.condition]
        steps = tuple(step for step in entry.program for _ in range(step.episodes))
        regimes = tuple(suite.all_regimes[step.regime or arm.regime] for step in steps)
        defaults = {name: knob.default for name, knob in family.spec.knobs.items()}
        return BuiltArm(
            entry=entry,
            family=family,
            condition=condition,
            steps=steps,
            regimes=regimes,
            settings=tuple(
                self._setting(arm, family, condition, step, regime) for step, regime in zip(steps, regimes, strict=True)
            ),
            knobs=tuple({**defaults, **entry.knobs, **step.knobs} for step in steps),
            places=draw_places(entry.program),
            budgets=tuple(self._usual_budget(regime) for regime in regimes),
            donor=next((read.donor for read in condition.reads.values() if read.do == "scramble"), None),
            prior=self._prior(family, condition),
            instance_key=Stream.keyed(suite.stream_name, seed, family.spec.id, "instance"),
            fault_key=Stream.keyed(suite.stream_name, seed, family.spec.id, "faults"),
        )

    def _setting(self, arm: Arm, family: Family, condition: Condition, step: Step, regime: Regime) -> Setting:
        fields = family.spec.observation_schema.get("properties")
        call_ms = self._limits.call_milliseconds
        baseline = self.frozen.suite.entries[arm.entry].baseline
        return Setting(
            arm=arm.index,
            family=family.spec.full_name,
            regime=regime.id,
            phase=step.phase,
            reasons=frozenset(family.spec.reasons),
            declared_fields=None if fields is None else frozenset(fields),
            leaves_artifacts=family.spec.artifacts,
            declared_actions=self._declared_actions,
            make_world=family.world,
            shown=self.shown,
            condition=condition,
            stage_output=self._stage_output(condition),
            stack=stack_for(regime, canary=self._canary),
            canary=self._canary,
            nonce_tag=f"nonce/{regime.id}/{condition.id}{'' if baseline is None else f'/{baseline}'}".encode(),
            start=self._start,
            real_seconds=self._real_seconds(regime, self._lived_by(baseline)[1]),
            call_seconds=None if call_ms is None else call_ms / 1000,
            call_tokens=self._limits.call_tokens,
            oracle=family.oracle,
            on_real_time=regime.compute.clock == "real",
            veil=self.veil,
        )

    def _real_seconds(self, regime: Regime, kind: AgentKind) -> float | None:
        """The safety net; built-in agents that never wait need none, and could not be interrupted either."""
        needs = regime.compute.clock == "real" or kind.waits or not kind.trusted
        return self._limits.net_seconds if needs else None

    def _usual_budget(self, regime: Regime) -> Budget | None:
        if regime.action.cap == "strict":
            return None
        return effective_budget(_NO_BUDGET, regime, self._limits)

    def arm(self, index: int) -> BuiltArm:
        """The built arm of this number."""
        return self._arms[index]

    def instance(self, built: BuiltArm, index: int, part: int, step: int) -> tuple[Instance, Stream]:
        """The instance of this number, and the stream it was drawn from. Regime and condition play no part in it."""
        step = built.places[step]
        key = built.instance_key.child(index) if len(built.steps) == 1 else built.instance_key.child(index, step)
        draw = Draw(key, built.instance_key, index, built.settings[step].phase, part, step, built.knobs[step])
        return built.family.instance(draw), key

    def job(self, lifetime: Lifetime, step: int) -> Job:
        """The episode at this step of a lifetime."""
        built = self._arms[lifetime.arm]
        setting = built.settings[step]
        instance, key = self.instance(built, lifetime.instance, lifetime.part, step)
        position = lifetime.position + step
        limits = built.budgets[step] if instance.budget is NO_LIMITS else None
        if limits is None:
            limits = effective_budget(instance, built.regimes[step], self._limits)
        # By hand, not by `child`: one of the few draws that every episode pays for.
        place = b"/%d/%d/%d" % (lifetime.replicate, lifetime.part, step)
        nonce = sha256(key.key + setting.nonce_tag + place).hexdigest()[:32]
        job = Job(
            setting,
            position,
            lifetime.position,
            lifetime.unit,
            lifetime.part,
            lifetime.replicate,
            instance,
            key.key[:8].hex(),
            nonce,
            limits,
            self._genesis.at(position),
            built.fault_key.child(lifetime.instance, lifetime.replicate, built.places[step])
            if setting.stack.names
            else None,
            None if built.donor is None else self._donor(built, lifetime, step),
            built.prior,
        )
        if setting.condition.after is not None:
            self._read_stage(job, built, setting.condition.after)
        job.account = self._account
        # Not the job itself: a cycle would leave every one of them to the garbage collector.
        job.relief = partial(self._relief, lifetime, step, instance)
        return job

    def _relief(self, lifetime: Lifetime, step: int, instance: Instance) -> Agent:
        """Another agent of the same kind, made anew, for a task that is handed on within an episode."""
        agent = self.open_agent(lifetime)
        self.reveal(agent, lifetime, step, instance)
        return agent

    def reveal(self, agent: Agent, lifetime: Lifetime, step: int, instance: Instance) -> None:
        """Give an agent that is given answers its solver, and one with planted abilities its place: nobody else."""
        # Without a label nobody who reads a result would know: such an agent gets no answers.
        if self.kind.label and given_answers(agent):
            agent.reveal(self._arms[lifetime.arm].family.oracle(instance))
            if told_place(agent):
                agent.set_placement(self.placement(lifetime, step))

    def _donor(self, built: BuiltArm, lifetime: Lifetime, step: int) -> Donor:
        """Another instance of the same family, for conditions that scramble.

        Chosen among the instances of one scale, so that a larger `--scale` keeps every donor: the first that will do,
        going round once. Instances about the same event are no donors for each other; `unlike` asks for one with
        another right answer besides, `event` for the row of another event that its family names.
        """
        if built.donor == "event":
            return self._donor_row(built, lifetime, step)
        count = built.entry.n
        block, within = divmod(lifetime.instance, count)
        offset = 1 + built.fault_key.child("donor", lifetime.instance).below(max(1, count - 1))
        own = self.instance(built, lifetime.instance, lifetime.part, step)[0]
        event = own.hidden.get(EVENT)
        answer = built.family.answer(own) if built.donor == "unlike" else None
        for further in range(max(1, count - 1)):
            # Never the instance itself: offsets run through 1 … count - 1.
            shift = 1 + (offset - 1 + further) % max(1, count - 1)
            number = block * count + (within + shift) % max(2, count)
            instance, key = self.instance(built, number, lifetime.part, step)
            if event is not None and instance.hidden.get(EVENT) == event:
                continue
            if answer is None or built.family.answer(instance) != answer:
                return Donor(instance, key.key[:8].hex(), dict(instance.state))
        message = f"'{built.family.spec.full_name}' has no instance of another event or answer to scramble with"
        raise BenchError(message)

    def _donor_row(self, built: BuiltArm, lifetime: Lifetime, step: int) -> Donor:
        """A row of another event; all rows of one event read the same other one."""
        family, name = built.family, built.family.spec.full_name
        if not has_events(family):
            message = f"'{name}' has no events; scramble with donor: instance or donor: unlike"
            raise BenchError(message)
        rows = family.event_rows(built.knobs[step])
        # A sample of one event reads one beside it.
        events = max(2, built.entry.n // rows)
        event, row = divmod(lifetime.instance, rows)
        block, within = divmod(event, events)
        own = self._rows(built, event, rows, lifetime.part, step)
        offset = built.fault_key.child("donor", "event", event).below(events - 1)
        for further in range(events - 1):
            shift = 1 + (offset + further) % (events - 1)
            other = self._rows(built, block * events + (within + shift) % events, rows, lifetime.part, step)
            places = family.donors([one for one, _ in own], [one for one, _ in other])
            if places is not None:
                instance, key = other[places[row]]
                return Donor(instance, key.key[:8].hex(), dict(instance.state))
        message = f"'{name}' has no other event to scramble with; take more instances"
        raise BenchError(message)

    def _rows(self, built: BuiltArm, event: int, rows: int, part: int, step: int) -> list[tuple[Instance, Stream]]:
        return [self.instance(built, event * rows + row, part, step) for row in range(rows)]

    def _prior(self, family: Family, condition: Condition) -> dict[str, int] | None:
        if condition.prior is None or condition.after not in self.stage_outputs:
            return None
        wanted = family.spec.full_name if condition.prior == "family" else None
        return prior_counts(self.stage_outputs[condition.after][1], wanted)

    def _read_stage(self, job: Job, built: BuiltArm, stage: str) -> None:
        """Give a job what an earlier stage froze for its instance, or for its donor."""
        if stage not in self.stage_outputs:
            return
        kind = next(item.freeze for item in self.frozen.suite.stages if item.id == stage)
        output, family = self.stage_outputs[stage][1], built.family.spec.full_name
        if kind == "replies":
            job.replies = instance_outputs(output, family, job.instance_id)
        if job.donor is not None and kind in ("replies", "states"):
            for left in instance_outputs(output, family, job.donor.instance_id).values():
                job.donor.state.update(left if kind == "states" else {REPORT_FIELD: left})

    def _stage_output(self, condition: Condition) -> tuple[str, str] | None:
        if condition.after is None or condition.after not in self.stage_outputs:
            return None
        return condition.after, self.stage_outputs[condition.after][0]

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
        """The agent for one lifetime; where the condition asks nobody, what draws from the frozen prior."""
        built = self._arms[lifetime.arm]
        if built.condition.acts == "prior":
            return PriorAgent(built.prior or {}, self.agent_context(lifetime).stream.child("prior"))
        baseline = built.entry.baseline
        if baseline in self._reused:
            return self._reused[baseline]
        string, kind = self._lived_by(baseline)
        agent = kind.open(string, self.agent_context(lifetime))
        if kind.reusable:
            self._reused[baseline] = agent
        return agent

    def forget_agents(self) -> None:
        """Serve no later lifetime with an agent that serves many: it was interrupted, and may be in any state."""
        self._reused.clear()

    def _lived_by(self, baseline: Baseline | None) -> tuple[AgentString, AgentKind]:
        """Who lives an entry: the agent itself, or the one that the system declares for its baseline."""
        declared = None if baseline is None else self.frozen.system.baselines.get(baseline)
        if declared is None:
            return self.agent_string, self.kind
        string = AgentString.parse(declared)
        return string, kind_of(string)

    @property
    def waits(self) -> bool:
        """Whether anybody who lives episodes suspends while it works."""
        return any(self._lived_by(baseline)[1].waits for baseline in self._baselines)

    async def release(self) -> None:
        """No more lifetimes: let the kind, and an agent that served them all, let go of connections and memory."""
        for kind in {kind.name: kind for _, kind in map(self._lived_by, self._baselines)}.values():
            if kind.release is not None:
                kind.release()
        held = [*self._reused.values(), *self._shared.values()]
        self._reused.clear()
        self._shared.clear()
        for one in held:
            if releases(one):
                with suppress(Exception):  # Its episodes stand, however badly it lets go.
                    await one.release()

    def agent_context(self, lifetime: Lifetime) -> AgentContext:
        """What the agent's factory may know."""
        family = self._arms[lifetime.arm].settings[0].family
        key = (family, lifetime.instance, lifetime.replicate, lifetime.part)
        baseline = self._arms[lifetime.arm].entry.baseline
        if baseline in self.frozen.system.baselines:
            # The declared agent is the baseline as it is.
            baseline = None
        return AgentContext(self.frozen.system, self._agent_key, key, self.folder, self._shared, baseline)

    def placement(self, lifetime: Lifetime, number: int) -> Placement:
        """Where an episode stands: only for agents with planted abilities."""
        step = self.arm(lifetime.arm).steps[number]
        arm = self.plan.arms[lifetime.arm]
        regime = self.frozen.suite.all_regimes[step.regime or arm.regime]
        built = self._arms[lifetime.arm]
        knobs = {name: value for name, value in built.knobs[number].items() if isinstance(value, (int, str))}
        return Placement(arm.cell, regime, step.phase, number, arm.family, knobs, built.entry.baseline)

    def solver(self, job: Job) -> Agent:
        """The family's own solver for the job: only for agents that are given answers, and labelled so."""
        return self._arms[job.setting.arm].family.oracle(job.instance)
