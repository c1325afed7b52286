"""One episode outside a run: a real `run_episode` under a real regime, with everything the agent saw kept.

Conformance checks and probes use it. Nothing here knows suites, stores or executors: a trial is a function of family,
instance, stream, regime, condition and agent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from msgspec import Struct

from proctor.agents.contract import Agent, Session
from proctor.core.canonical import decode
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.episode import run_episode
from proctor.engine.family import Family
from proctor.engine.job import Broken, Donor, Job, Setting, ShownTools
from proctor.engine.raised import Raised
from proctor.engine.sentence import describe
from proctor.evidence.chain import genesis
from proctor.evidence.events import BenchFailed, Called, Event, Returned, decode_event
from proctor.evidence.row import INFRASTRUCTURE, SUCCESS, EpisodeRecord, Row
from proctor.spec.condition import NO_INTERVENTION, Condition
from proctor.spec.regime import Regime
from proctor.spec.rules import Limits
from proctor.spec.task import Budget, Instance, Observation, Submission, TaskView
from proctor.worlds.adversity.build import stack_for
from proctor.worlds.adversity.limits import effective_budget
from proctor.worlds.world import Place, World

CANARY = "proctor-canary-conformance"
MAX_CALLS = 2_000
"""A trial ends here even if the task sets no limit: a solver that repeats a hopeless call must not hang the check."""
_NO_CONFIG = "00" * 32
_START = datetime(2026, 1, 1, tzinfo=UTC)

MakeWorld = Callable[[Instance, Place], World]


class SeenCall(Struct, frozen=True):
    """One call and its answer, as recorded."""

    called: Called
    returned: Returned


class Trial:
    """What one episode left, and what its agent was shown."""

    def __init__(
        self,
        instance: Instance,
        record: EpisodeRecord,
        task: TaskView | None,
        seen: list[Observation],
        raised: tuple[Raised, ...] = (),
        broke: Broken | None = None,
    ) -> None:
        self.instance = instance
        self.record = record
        self.task = task
        """None when the world could not be set up."""
        self.seen = seen
        """Every observation in order, as the agent saw it."""
        self._broke = broke
        self.raised = raised
        """What the code of agent, world or verifier raised."""

    @property
    def row(self) -> Row:
        return self.record.row

    @property
    def succeeded(self) -> bool:
        return self.row.outcome == SUCCESS

    @property
    def broke(self) -> BenchFailed | None:
        """What of world or verifier broke, if anything did, whosever failure that is."""
        if self._broke is not None:
            return BenchFailed(self._broke.where, describe(self._broke.error))
        if self.row.outcome != INFRASTRUCTURE:
            return None
        return next((event for event in self.events if isinstance(event, BenchFailed)), None)

    def placed(self, message: str) -> str:
        """What an event says of an exception, with its place in its author's code where that is known."""
        return next((str(one) for one in self.raised if one.said == message), message)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The trace."""
        return tuple(decode_event(line) for line in self.record.trace.split(b"\n"))

    @cached_property
    def calls(self) -> tuple[SeenCall, ...]:
        """Every call with its answer, in order of asking."""
        answers = {event.call: event for event in self.events if isinstance(event, Returned)}
        asked = (event for event in self.events if isinstance(event, Called))
        return tuple(SeenCall(event, answers[event.call]) for event in asked if event.call in answers)

    @cached_property
    def tool_of(self) -> dict[int, str]:
        """The tool of each call, by its number."""
        return {event.call: event.tool for event in self.events if isinstance(event, Called)}

    @property
    def faults(self) -> dict[str, int]:
        """Receipts by layer."""
        counts: dict[str, int] = decode(self.row.faults) if self.row.faults else {}
        return counts


class Witness:
    """Lets an agent live an episode and keeps what it was shown."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.task: TaskView | None = None
        self.seen: list[Observation] = []

    async def run(self, task: TaskView, session: Session) -> Submission:
        self.task = task
        self.seen = session.observations
        return await self._agent.run(task, session)


def job_for(
    family: Family,
    instance: Instance,
    key: Stream,
    regime: Regime,
    *,
    limits: Budget | None = None,
    make_world: MakeWorld | None = None,
    real_seconds: float | None = None,
    position: int = 0,
    phase: str | None = None,
    condition: Condition = NO_INTERVENTION,
    donor: Donor | None = None,
) -> Job:
    """The episode of an instance under a regime, in the family's examined phase unless another is named.

    `limits` takes the place of what instance and regime allow; `donor` is the instance a scrambling condition reads.
    """
    spec = family.spec
    fields = spec.observation_schema.get("properties")
    setting = Setting(
        arm=0,
        family=spec.full_name,
        regime=regime.id,
        phase=phase or spec.examined,
        reasons=frozenset(spec.reasons),
        declared_fields=frozenset(fields) if isinstance(fields, dict) else None,
        leaves_artifacts=spec.artifacts,
        declared_actions=None,
        make_world=make_world or family.world,
        shown=ShownTools.of,
        condition=condition,
        stage_output=None,
        stack=stack_for(regime, canary=CANARY),
        nonce_tag=b"trial",
        canary=CANARY,
        start=_START,
        real_seconds=real_seconds,
        call_seconds=None,
        # Whoever watches worlds counts those that are made: no rehearsal among them.
        oracle=family.oracle if make_world is None else None,
    )
    return Job(
        setting=setting,
        position=position,
        lifetime=position,
        unit=position,
        part=0,
        replicate=0,
        instance=instance,
        instance_id=key.key[:8].hex(),
        nonce=key.child("nonce", regime.id).key[:16].hex(),
        limits=limits or effective_budget(instance, regime, Limits(episode_actions=MAX_CALLS)),
        genesis=genesis(_NO_CONFIG, position),
        faults=key.child("faults") if setting.stack.names else None,
        donor=donor,
    )


def outside_event_loop() -> None:
    """Refuse to go on inside a running event loop, where episodes could not be waited for."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    message = "checks wait for episodes and cannot run inside an event loop; use asyncio.to_thread(...)"
    raise InputError(message)


async def live(job: Job, agent: Agent) -> Trial:
    """Live the episode, within a running event loop."""
    witness = Witness(agent)
    record = await run_episode(job, witness)
    return Trial(job.instance, record, witness.task, witness.seen, job.raised, job.broke)


def run_trial(job: Job, agent: Agent) -> Trial:
    """Live the episode and wait for it. Must not be called from within a running event loop."""
    return asyncio.run(live(job, agent))


class SubmittingAgent:
    """An agent that lets another one act, if any, and hands in something of its own."""

    def __init__(self, answer: Any, acting: Agent | None = None) -> None:
        self._answer = answer
        self._acting = acting

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._acting is not None:
            await self._acting.run(task, session)
        return Submission(self._answer)
