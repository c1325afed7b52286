"""One episode: live objects in, record out.

Nothing here knows names, files, stores or executors. A bad episode is data, not a crash: whatever the agent does is
`failure` or `limit`, whatever world, verifier or machine do is `infrastructure`, and each is recorded once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from hashlib import sha256
from time import perf_counter_ns
from typing import Any

import msgspec

from proctor.agents.contract import Agent, AgentFailure
from proctor.core.canonical import chainable, encode
from proctor.core.clock import Clock
from proctor.core.errors import LimitReached
from proctor.core.seeds import Stream
from proctor.engine.session import LiveSession, WorldBroke
from proctor.engine.state import ConditionedState
from proctor.evidence.chain import Recorder
from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    Delivery,
    EpisodeClosed,
    EpisodeOpened,
    MemoryMoved,
    Observed,
    StageRead,
    Submitted,
    Verified,
)
from proctor.evidence.row import EpisodeRecord, Outcome, Row
from proctor.spec.condition import Condition
from proctor.spec.family import FamilySpec
from proctor.spec.task import Budget, Instance, Submission, TaskView, ToolSpec, Verification
from proctor.worlds.adversity.layer import Adversity, Stack
from proctor.worlds.tool import Tool
from proctor.worlds.world import Place, World

ANSWER_COLUMN = 160
"""A canonical answer up to this length stands in the row; a longer one is named by its hash."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


class ShownTools(msgspec.Struct, frozen=True):
    """The tools of one world class as agents see them, encoded once."""

    specs: tuple[ToolSpec, ...]
    data: bytes
    digest: str

    @classmethod
    def of(cls, tools: dict[str, Tool]) -> ShownTools:
        specs = tuple(tool.spec for tool in tools.values())
        data = encode(chainable(msgspec.to_builtins(specs)))
        return cls(specs, data, sha256(data).hexdigest())


class Job(msgspec.Struct):
    """Everything one episode needs, built."""

    # What it is
    position: int
    lifetime: int
    arm: int
    unit: int
    part: int
    replicate: int
    phase: str
    regime: str
    spec: FamilySpec
    reasons: frozenset[str]
    declared_fields: frozenset[str] | None
    instance: Instance
    instance_id: str
    nonce: str
    canary: str
    # Where and how it is lived
    make_world: Callable[[Instance, Place], World]
    shown: Callable[[dict[str, Tool]], ShownTools]
    condition: Condition
    donor: dict[str, Any] | None
    stage_output: tuple[str, str] | None
    """(stage, SHA-256) of the frozen output this condition reads."""
    stack: Stack
    faults: Stream
    limits: Budget
    clock: Clock
    genesis: bytes
    memory: tuple[str, bool] | None = None
    """What was done to the agent's memory just before, and whether it was possible."""
    real_seconds: float | None = None
    """Real time the agent has; None on virtual time."""
    call_seconds: float | None = None
    attempts: int = 1
    sink: Callable[[int, bytes], None] | None = None


class Ending(msgspec.Struct, frozen=True):
    """How an episode ended."""

    outcome: Outcome
    reason: str
    submission: Submission | None = None
    verification: Verification | None = None


async def run_episode(job: Job, agent: Agent) -> EpisodeRecord:
    """Live one episode and return its record. Only cancellation gets out."""
    began = perf_counter_ns()
    recorder = Recorder(job.genesis, job.sink)
    place = Place(job.clock)
    world: World | None = None
    session: LiveSession | None = None
    undeclared = 0
    try:
        try:
            world = job.make_world(job.instance, place)
            tools = world.tools
            shown = job.shown(tools)
            fields = world.observe()
        except Exception as error:
            recorder.add(BenchFailed("world", describe(error)))
            ending = Ending(Outcome.INFRASTRUCTURE, "world_setup")
        else:
            view = _task_view(job, shown)
            _open(job, recorder, view, shown)
            session = _session(job, recorder, world, tools)
            _show(job, recorder, session, fields)
            if job.declared_fields is not None:
                undeclared = sum(1 for name in fields if name not in job.declared_fields)
            ending = await _live(job, agent, view, session, recorder)
            if ending.submission is not None:
                ending = _verify(job, world, session, recorder, ending.submission)
        recorder.add(
            EpisodeClosed(ending.outcome.value, ending.reason, job.clock.elapsed, _state_hash(world, ending.outcome))
        )
    finally:
        if world is not None:
            world.close()
        place.close()
    row = _row(job, session, ending, recorder, undeclared, (perf_counter_ns() - began) // 1000)
    return EpisodeRecord(row, -1, recorder.trace(), recorder.contents)


def _task_view(job: Job, shown: ShownTools) -> TaskView:
    instance = job.instance
    return TaskView(
        job.nonce[:16],
        instance.goal,
        instance.answer_format,
        shown.specs,
        job.limits,
        job.phase,
        job.nonce,
        job.canary,
    )


def _open(job: Job, recorder: Recorder, view: TaskView, shown: ShownTools) -> None:
    recorder.contents[shown.digest] = shown.data
    instance = job.instance
    recorder.add(
        EpisodeOpened(
            job.lifetime,
            job.part,
            job.spec.full_name,
            instance.template,
            job.instance_id,
            job.regime,
            job.condition.id,
            job.phase,
            job.replicate,
            {
                "id": view.id,
                "goal": chainable(view.goal),
                "answer_format": chainable(view.answer_format),
                "budget": msgspec.to_builtins(view.budget),
                "nonce": view.nonce,
                "canary": view.canary,
            },
            shown.digest,
            commitment(instance),
            job.stack.names,
        )
    )
    if job.memory is not None:
        recorder.add(MemoryMoved(*job.memory))
    if job.stage_output is not None:
        recorder.add(StageRead(*job.stage_output))


def commitment(instance: Instance) -> str:
    """SHA-256 over the whole instance, hidden part included."""
    return sha256(encode(instance)).hexdigest()


def _session(job: Job, recorder: Recorder, world: World, tools: dict[str, Tool]) -> LiveSession:
    adversity = Adversity(job.faults, job.clock, job.instance.call_milliseconds) if job.stack else None
    return LiveSession(
        world=world,
        tools=tools,
        recorder=recorder,
        clock=job.clock,
        limits=job.limits,
        state=ConditionedState(job.instance.state, job.condition, recorder, job.donor),
        stack=job.stack,
        adversity=adversity,
        sampling=job.condition.sampling,
        call_seconds=job.call_seconds,
    )


def _show(job: Job, recorder: Recorder, session: LiveSession, fields: dict[str, Any]) -> None:
    receipts: list[Delivery] = []
    for layer in reversed(job.stack.show):
        fields = layer.show(fields, job.faults.child(layer.name, "show"), receipts)
    recorder.add(Observed(chainable(fields), tuple(receipts)))
    session.show(fields, receipts)


async def _live(job: Job, agent: Agent, view: TaskView, session: LiveSession, recorder: Recorder) -> Ending:
    """Let the agent act; an ending without a submission is final."""
    try:
        if job.real_seconds is None:
            submission = await agent.run(view, session)
        else:
            async with asyncio.timeout(job.real_seconds):
                submission = await agent.run(view, session)
    except LimitReached as limit:
        ending = Ending(Outcome.LIMIT, limit.limit)
    except TimeoutError:
        ending = Ending(Outcome.LIMIT, "milliseconds")
    except WorldBroke:
        ending = Ending(Outcome.INFRASTRUCTURE, "world")
    except AgentFailure as failure:
        recorder.add(AgentFailed(failure.reason, describe(failure)))
        ending = Ending(Outcome.FAILURE, failure.reason)
    except Exception as error:
        recorder.add(AgentFailed("agent_crashed", describe(error)))
        ending = Ending(Outcome.FAILURE, "agent_crashed")
    else:
        ending = _accept(submission, session, recorder)
    if session.broken is not None:
        # The agent may have swallowed it; the episode is the bench's fault all the same.
        recorder.add(BenchFailed("world", describe(session.broken)))
        return Ending(Outcome.INFRASTRUCTURE, "world")
    return ending


def _accept(submission: Any, session: LiveSession, recorder: Recorder) -> Ending:
    """Record what was handed in; anything that is not a submission is the agent's failure."""
    if not isinstance(submission, Submission):
        recorder.add(AgentFailed("agent_protocol", f"handed in {type(submission).__name__}, not a Submission"))
        return Ending(Outcome.FAILURE, "agent_protocol")
    confidence = submission.confidence
    if confidence is not None and not 0 <= confidence <= 1:
        session.violations["confidence_range"] = 1
        submission = msgspec.structs.replace(submission, confidence=None)
    try:
        recorder.add(
            Submitted(
                chainable(submission.answer),
                None if submission.confidence is None else repr(float(submission.confidence)),
                tuple(chainable(msgspec.to_builtins(claim)) for claim in submission.claims),
            )
        )
    except (TypeError, ValueError, RecursionError) as error:
        recorder.add(AgentFailed("agent_protocol", f"the submission is not JSON: {describe(error)}"))
        return Ending(Outcome.FAILURE, "agent_protocol")
    return Ending(Outcome.SUCCESS, "", submission)


def _verify(job: Job, world: World, session: LiveSession, recorder: Recorder, submission: Submission) -> Ending:
    try:
        found = world.verify(submission)
        if found.reason not in job.reasons:
            message = f"verifier gave the undeclared reason '{found.reason}'"
            raise ValueError(message)
        for name, digest in found.artifacts:
            _keep_artifact(world, recorder, name, digest)
    except Exception as error:
        recorder.add(BenchFailed("verifier", describe(error)))
        return Ending(Outcome.INFRASTRUCTURE, "verifier", submission)
    if found.success and job.spec.artifacts and not found.artifacts:
        found = Verification(False, "missing_artifact")
    recorder.add(Verified(found.success, found.reason, found.format_error, found.artifacts))
    if found.success:
        return Ending(Outcome.SUCCESS, found.reason, submission, found)
    if session.limit_hit is not None:
        return Ending(Outcome.LIMIT, session.limit_hit, submission, found)
    return Ending(Outcome.FAILURE, found.reason, submission, found)


def _keep_artifact(world: World, recorder: Recorder, name: str, digest: str) -> None:
    data = world.artifact(name)
    if data is not None and recorder.keep(data) != digest:
        message = f"artifact '{name}' does not have the hash the verification gives"
        raise ValueError(message)


def _state_hash(world: World | None, outcome: Outcome) -> str | None:
    if world is None or outcome is Outcome.INFRASTRUCTURE:
        return None
    state = world.state()
    return None if state is None else sha256(encode(chainable(state))).hexdigest()


def _row(
    job: Job, session: LiveSession | None, ending: Ending, recorder: Recorder, undeclared: int, elapsed_us: int
) -> Row:
    found = ending.verification
    answer = None if ending.submission is None else encode(chainable(ending.submission.answer))
    return Row(
        position=job.position,
        lifetime=job.lifetime,
        arm=job.arm,
        unit=job.unit,
        part=job.part,
        template=job.instance.template,
        instance=job.instance_id,
        phase=job.phase,
        replicate=job.replicate,
        outcome=ending.outcome.value,
        reason=ending.reason,
        format_error=found is not None and found.format_error,
        faults=None if session is None else _counts(session.faults),
        calls=0 if session is None else session.calls,
        undeclared=undeclared,
        violations=None if session is None else _counts(session.violations),
        tokens=None if session is None else session.tokens,
        cost=None if session is None else session.cost,
        artifact_ok=bool(found and found.artifacts) if job.spec.artifacts else None,
        answer=None if answer is None else _short(answer),
        head=recorder.head,
        elapsed_us=elapsed_us,
        attempts=job.attempts,
        aside=encode(recorder.aside) if recorder.aside else None,
    )


def _counts(counts: dict[str, int]) -> str | None:
    return encode(counts).decode() if counts else None


def _short(answer: bytes) -> str:
    return answer.decode() if len(answer) <= ANSWER_COLUMN else f"sha256:{sha256(answer).hexdigest()}"


def describe(error: BaseException) -> str:
    """One line about an exception, without what changes between runs."""
    cause = error.__cause__ if isinstance(error, WorldBroke) and error.__cause__ else error
    first = (str(cause).splitlines() or [""])[0][:300]
    text = f"{type(cause).__name__}: {first}" if first else type(cause).__name__
    described: str = chainable(_ADDRESS.sub("0x…", text))
    return described
