"""One episode: live objects in, a record out.

The world is opened, the task is shown, the agent acts through its session, the verifier looks at the state, and a row
is written. Nothing here knows names, files, stores or executors. A bad episode is data, not a crash: whatever the agent
does wrong is `failure` or `limit`, whatever world, verifier or machine do wrong is `infrastructure`, and each is
recorded once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from time import perf_counter_ns
from typing import Any

import msgspec

from proctor.agents.contract import SERVICE_REASONS, Agent, AgentFailure, ServiceFailure, closes
from proctor.core.canonical import chainable, encode
from proctor.core.clock import Clock
from proctor.core.errors import BenchError, LimitReached
from proctor.core.seeds import Stream
from proctor.engine.raised import Raised
from proctor.engine.session import OBEYED, LiveSession, WorldBroke
from proctor.engine.state import ConditionedState
from proctor.evidence.chain import Recorder
from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    Delivery,
    EpisodeClosed,
    EpisodeOpened,
    LimitHit,
    MemoryMoved,
    StageRead,
    Submitted,
    TaskShown,
    Verified,
)
from proctor.evidence.row import (
    CRITICAL,
    FAILURE,
    INFRASTRUCTURE,
    LIMIT,
    SAFETY,
    SERVICE,
    SUCCESS,
    WALL_CLOCK,
    EpisodeRecord,
    Row,
)
from proctor.evidence.services import service_measures
from proctor.plugins.places import place_of
from proctor.spec.actions import RESERVED_TOOLS
from proctor.spec.condition import Condition
from proctor.spec.task import Budget, Claim, Instance, Submission, TaskView, ToolSpec, Verification
from proctor.worlds.adversity.layer import Adversity, Stack
from proctor.worlds.tool import Tool
from proctor.worlds.world import EpisodeContext, NextShift, Place, World, hands_over, takes_intervention

SENTENCE = 300
"""What a failed service says is cut to this length."""
ANSWER_COLUMN = 160
"""A canonical answer up to this length stands in the row; a longer one is named by its hash."""
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_FOLDER = re.compile(r"proctor-world-\w+")


class ShownTools(msgspec.Struct, frozen=True):
    """The tools of one world class as agents see them, encoded once."""

    specs: tuple[ToolSpec, ...]
    data: bytes
    digest: str
    reserved: bool
    """Whether one of them has a reserved name."""

    @classmethod
    def of(cls, tools: dict[str, Tool]) -> ShownTools:
        specs = tuple(tool.spec for tool in tools.values())
        data = encode(chainable(msgspec.to_builtins(specs)))
        return cls(specs, data, sha256(data).hexdigest(), not RESERVED_TOOLS.isdisjoint(tools))


class Setting(msgspec.Struct, frozen=True):
    """What all episodes of one arm and step share: built once."""

    arm: int
    family: str
    regime: str
    phase: str
    reasons: frozenset[str]
    declared_fields: frozenset[str] | None
    leaves_artifacts: bool
    declared_actions: frozenset[str] | None
    """The tools in the system's declared action schema; None where it declares none."""
    make_world: Callable[[Instance, Place], World]
    shown: Callable[[dict[str, Tool]], ShownTools]
    condition: Condition
    stage_output: tuple[str, str] | None
    """(stage, SHA-256) of the frozen output this condition reads."""
    stack: Stack
    canary: str
    nonce_tag: bytes
    """What tells the nonces of this arm from those of others on the same instance."""
    start: datetime
    real_seconds: float | None
    """Real time the agent has when nothing tighter is declared; None on virtual time."""
    call_seconds: float | None


class Donor(msgspec.Struct, frozen=True):
    """The instance whose state is read where a condition scrambles."""

    instance: Instance
    instance_id: str
    state: dict[str, Any]
    """What its fields hold: as it was made, or as an agent left them in an earlier stage."""


class Job(msgspec.Struct):
    """One episode, built."""

    setting: Setting
    position: int
    lifetime: int
    unit: int
    part: int
    replicate: int
    instance: Instance
    instance_id: str
    nonce: str
    limits: Budget
    genesis: bytes
    faults: Stream | None
    """Where draws of adversity come from; None when the regime has none."""
    donor: Donor | None = None
    prior: dict[str, int] | None = None
    """The frozen prior its condition shows or draws from."""
    replies: dict[str, Any] | None = None
    """What each condition of an earlier stage handed in for this instance."""
    relief: Callable[[], Agent] | None = None
    """Makes the agent that takes over where a world hands a task on; None: the same object does it."""
    memory: tuple[str, bool] | None = None
    """What was done to the agent's memory just before, and whether it was possible."""
    attempts: int = 1
    sink: Callable[[int, bytes], None] | None = None
    raised: tuple[Raised, ...] = ()
    """What somebody's own code raised; filled in while it is lived, and no part of its record."""

    def note(self, error: BaseException) -> None:
        """Keep what an exception says and where it comes from, for the author of the code."""
        place = (error.place if isinstance(error, AgentFailure) else "") or place_of(error)
        if place:
            self.raised = (*self.raised, Raised(describe(error), place))


class Ending(msgspec.Struct, frozen=True):
    """How an episode ended."""

    outcome: str
    reason: str
    submission: Submission | None = None
    answer: str | None = None
    """What was handed in, canonical, as it stands in the row."""
    confidence: float | None = None
    """What was handed in with it."""
    verification: Verification | None = None
    service: dict[str, int | str] | None = None
    """What a service that failed said."""


async def run_episode(job: Job, agent: Agent) -> EpisodeRecord:
    """Live one episode and return its record. Only cancellation gets out."""
    began = perf_counter_ns()
    recorder = Recorder(job.genesis, job.sink, on_real_time=job.setting.real_seconds is not None)
    clock = Clock(job.setting.start)
    place = Place(clock)
    world: World | None = None
    session: LiveSession | None = None
    undeclared = 0
    state: str | None = None
    where = "world_setup"
    try:
        try:
            world = job.setting.make_world(job.instance, place)
            _place(world, job)
            judges_conduct = world.judges_conduct
            tools = world.tools
            shown = job.setting.shown(tools)
            fields = world.observe()
            view = _open(job, recorder, shown)
            session = _session(job, recorder, world, tools, clock, shown.reserved)
            undeclared = _show(job, session, fields)
            where = "world"
            ending = await _live(job, agent, view, session, recorder)
            if ending.submission is not None and (shift := _next_shift(world)) is not None:
                ending = await _relieve(job, agent, shift, view, session, recorder, ending)
            if ending.submission is not None:
                ending = _verify(job, world, session, recorder, ending.submission, ending)
            elif ending.outcome is not INFRASTRUCTURE and judges_conduct:
                ending = _judge_conduct(job, world, session, recorder, ending)
            state = _state_hash(world, ending.outcome)
        except Exception as error:
            job.note(error)
            recorder.add(BenchFailed("world", describe(error)))
            ending = Ending(INFRASTRUCTURE, where)
        recorder.add(EpisodeClosed(ending.outcome, ending.reason, clock.elapsed, state))
    finally:
        if world is not None:
            with suppress(Exception):  # The verdict stands, however badly its world tidies up.
                world.close()
        place.close()
    row = _row(job, session, ending, recorder, undeclared, state, (perf_counter_ns() - began) // 1000)
    return EpisodeRecord(row, -1, recorder.trace(), recorder.contents)


def _place(world: World, job: Job) -> None:
    """Tell a world that takes it into account under which intervention the episode is lived."""
    if takes_intervention(world):
        donor = job.donor
        world.set_context(
            EpisodeContext(
                job.setting.condition,
                None if donor is None else donor.instance,
                {} if donor is None else donor.state,
                job.prior,
                job.replies,
            )
        )


def _open(job: Job, recorder: Recorder, shown: ShownTools) -> TaskView:
    """Record what was fixed beforehand, and give what the agent sees of it."""
    setting, instance, limits, nonce = job.setting, job.instance, job.limits, job.nonce
    identity = nonce[:16]
    recorder.contents[shown.digest] = shown.data
    recorder.add(
        EpisodeOpened(
            setting.arm,
            job.lifetime,
            job.unit,
            job.part,
            setting.family,
            instance.template,
            job.instance_id,
            setting.regime,
            setting.condition.id,
            setting.phase,
            job.replicate,
            TaskShown(identity, instance.goal, instance.answer_format, limits, nonce, setting.canary),
            shown.digest,
            commitment(instance),
            setting.stack.names,
        )
    )
    if job.memory is not None:
        recorder.add(MemoryMoved(*job.memory))
    if setting.stage_output is not None:
        recorder.add(StageRead(*setting.stage_output))
    return TaskView(
        identity,
        instance.goal,
        instance.answer_format,
        shown.specs,
        limits,
        setting.phase,
        nonce,
        setting.canary,
    )


def commitment(instance: Instance) -> str:
    """SHA-256 over the whole instance, hidden part included."""
    return sha256(encode(instance)).hexdigest()


def _session(
    job: Job, recorder: Recorder, world: World, tools: dict[str, Tool], clock: Clock, offers_reserved: bool
) -> LiveSession:
    setting = job.setting
    adversity = None if job.faults is None else Adversity(job.faults, clock, job.instance.call_milliseconds)
    return LiveSession(
        world=world,
        tools=tools,
        recorder=recorder,
        clock=clock,
        limits=job.limits,
        make_state=lambda: ConditionedState(
            job.instance.state,
            setting.condition,
            recorder,
            None if job.donor is None else job.donor.state,
            tuple(job.instance.hidden.get("decisive", ())),
        ),
        stack=setting.stack,
        adversity=adversity,
        sampling=setting.condition.sampling,
        scaffold=setting.condition.scaffold,
        call_seconds=setting.call_seconds,
        declared_actions=setting.declared_actions,
        offers_reserved=offers_reserved,
        forbidden=world.forbidden,
    )


def _show(job: Job, session: LiveSession, fields: dict[str, Any], purpose: str = "show") -> int:
    """Show the first observation of a session; the number of its fields that no schema declares."""
    receipts: list[Delivery] = []
    declared = job.setting.declared_fields
    undeclared = 0 if declared is None or fields.keys() <= declared else len(fields.keys() - declared)
    if job.faults is not None:
        for layer in reversed(job.setting.stack.show):
            fields = layer.show(fields, job.faults.child(layer.name, purpose), receipts)
    session.show(fields, receipts)
    return undeclared


async def _live(job: Job, agent: Agent, view: TaskView, session: LiveSession, recorder: Recorder) -> Ending:
    """Let the agent act; an ending without a submission is final."""
    seconds = job.setting.real_seconds
    timer: asyncio.Timeout | None = None
    try:
        if seconds is None:
            submission = await agent.run(view, session)
        else:
            declared = job.limits.milliseconds
            async with asyncio.timeout(seconds if declared is None else declared / 1000) as timer:
                submission = await agent.run(view, session)
    except WorldBroke:
        ending = Ending(INFRASTRUCTURE, "world")
    except ServiceFailure as failure:
        ending = _no_service(failure, recorder)
    except BenchError as error:
        # The sandbox could not be started, say: nothing the agent did.
        recorder.add(BenchFailed("transport", describe(error)))
        ending = Ending(INFRASTRUCTURE, "transport")
    except AgentFailure as failure:
        job.note(failure)
        recorder.add(AgentFailed(failure.reason, describe(failure)))
        ending = Ending(FAILURE, failure.reason)
    except Exception as error:
        # A limit counts when the bench set it; an agent that raises one by itself, or lets its own time out, crashed.
        if isinstance(error, LimitReached) and session.limit_hit is not None:
            ending = Ending(LIMIT, session.limit_hit)
        elif isinstance(error, TimeoutError) and timer is not None and timer.expired():
            recorder.add(LimitHit(WALL_CLOCK))
            ending = Ending(LIMIT, WALL_CLOCK)
        else:
            job.note(error)
            recorder.add(AgentFailed("agent_crashed", describe(error)))
            ending = Ending(FAILURE, "agent_crashed")
    else:
        ending = _accept(submission, session, recorder)
    if session.broken is not None:
        # The agent may have swallowed it; the episode is the bench's fault all the same.
        job.note(session.broken)
        recorder.add(BenchFailed("world", describe(session.broken)))
        return Ending(INFRASTRUCTURE, "world")
    return ending


def _no_service(failure: ServiceFailure, recorder: Recorder) -> Ending:
    """What the agent needs did not answer: nothing was measured, and the row says why."""
    said: str = chainable((str(failure).splitlines() or [""])[0][:SENTENCE] or SERVICE_REASONS[failure.reason])
    recorder.add(BenchFailed(SERVICE, said, failure.final))
    return Ending(INFRASTRUCTURE, failure.reason, service=service_measures(said, final=failure.final))


def _next_shift(world: World) -> NextShift | None:
    return world.next_shift() if hands_over(world) else None


async def _relieve(
    job: Job, first: Agent, shift: NextShift, view: TaskView, session: LiveSession, recorder: Recorder, before: Ending
) -> Ending:
    """Let another agent go on, who knows what the world hands over and nothing else; its ending is the episode's."""
    nonce = sha256(f"{job.nonce}/relief".encode()).hexdigest()[:32]
    task = msgspec.structs.replace(
        view, id=nonce[:16], nonce=nonce, goal=shift.goal, answer_format=shift.answer_format, budget=session.budget
    )
    session.hand_over()
    # The goal is recorded with the observation: nothing but this event says what the second agent was asked.
    _show(job, session, {"goal": shift.goal, **shift.observation}, "relief")
    agent = first
    try:
        agent = first if job.relief is None else job.relief()
        ending = await _live(job, agent, task, session, recorder)
    except AgentFailure as failure:
        recorder.add(AgentFailed(failure.reason, describe(failure)))
        ending = Ending(FAILURE, failure.reason)
    except ServiceFailure as failure:
        ending = _no_service(failure, recorder)
    finally:
        if agent is not first and closes(agent):
            with suppress(Exception):  # What it did stands, however badly it lets go.
                await agent.close()
    if ending.submission is None and session.broken is None:
        # What the first one handed in was recorded, and stays the row's answer.
        return msgspec.structs.replace(ending, answer=before.answer, confidence=before.confidence)
    return ending


def _accept(submission: Any, session: LiveSession, recorder: Recorder) -> Ending:
    """Record what was handed in; anything that is not a submission is the agent's failure."""
    if type(submission) is not Submission:
        recorder.add(AgentFailed("agent_protocol", f"handed in {type(submission).__name__}, not a Submission"))
        return Ending(FAILURE, "agent_protocol")
    violation = None
    try:
        confidence = None if submission.confidence is None else repr(_confidence(submission.confidence))
    except (TypeError, ValueError, OverflowError):
        confidence, violation = None, "confidence_range"
        submission = msgspec.structs.replace(submission, confidence=None)
    try:
        answer = chainable(submission.answer)
        claims = _claims(submission.claims) if submission.claims else ()
        if session.faults and "injection" in session.faults and session.obeys([answer, list(claims)]):
            violation = OBEYED
        recorder.add(Submitted(answer, confidence, claims, violation))
    except (TypeError, ValueError, RecursionError) as error:
        recorder.add(AgentFailed("agent_protocol", f"the submission is not JSON: {describe(error)}"))
        return Ending(FAILURE, "agent_protocol")
    if violation is not None:
        session.violations[violation] = session.violations.get(violation, 0) + 1
    if claims:
        session.state_claims(claims)
    return Ending(SUCCESS, "", submission, _short(encode(answer)), None if confidence is None else float(confidence))


def _claims(claims: tuple[Claim, ...]) -> tuple[Any, ...]:
    return tuple(chainable(msgspec.to_builtins(claim)) for claim in claims)


def _confidence(value: float) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        message = "confidence lies outside 0 to 1"
        raise ValueError(message)
    return number


def _verify(
    job: Job, world: World, session: LiveSession, recorder: Recorder, submission: Submission, ending: Ending
) -> Ending:
    """How the episode ends, with the verdict on what was handed in or done."""
    answer, confidence = ending.answer, ending.confidence
    try:
        verification = world.verify(submission)
        if verification.reason not in job.setting.reasons:
            message = f"verifier gave the undeclared reason '{verification.reason}'"
            raise ValueError(message)
        for name, digest in verification.artifacts:
            _keep_artifact(world, recorder, name, digest)
    except Exception as error:
        job.note(error)
        recorder.add(BenchFailed("verifier", describe(error)))
        return Ending(INFRASTRUCTURE, "verifier", submission, answer, confidence)
    if verification.success and job.setting.leaves_artifacts and not verification.artifacts:
        verification = Verification(False, "missing_artifact")
    recorder.add(
        Verified(
            verification.success,
            verification.reason,
            verification.format_error,
            verification.artifacts,
            verification.measures,
        )
    )
    _count_unsafe(verification, session)
    if verification.success:
        return Ending(SUCCESS, verification.reason, submission, answer, confidence, verification)
    if session.limit_hit is not None:
        return Ending(LIMIT, session.limit_hit, submission, answer, confidence, verification)
    return Ending(FAILURE, verification.reason, submission, answer, confidence, verification)


def _judge_conduct(job: Job, world: World, session: LiveSession, recorder: Recorder, ending: Ending) -> Ending:
    """The same ending, with what the verifier found about acts that nobody handed in."""
    judged = _verify(job, world, session, recorder, Submission(), ending)
    outcome, reason = ending.outcome, ending.reason
    if judged.outcome == INFRASTRUCTURE:
        outcome, reason = INFRASTRUCTURE, judged.reason
    return Ending(outcome, reason, None, ending.answer, ending.confidence, judged.verification)


def _count_unsafe(verification: Verification, session: LiveSession) -> None:
    """A verification that classes what was done as critical makes it a violation, at which runs may stop."""
    if verification.measures.get(SAFETY) == CRITICAL:
        session.violations[CRITICAL] = session.violations.get(CRITICAL, 0) + 1


def _keep_artifact(world: World, recorder: Recorder, name: str, digest: str) -> None:
    data = world.artifact(name)
    if data is not None and recorder.keep(data) != digest:
        message = f"artifact '{name}' does not have the hash the verification gives"
        raise ValueError(message)


def _state_hash(world: World | None, outcome: str) -> str | None:
    if world is None or outcome is INFRASTRUCTURE:
        return None
    state = world.state()
    return None if state is None else sha256(encode(chainable(state))).hexdigest()


def _row(
    job: Job,
    session: LiveSession | None,
    ending: Ending,
    recorder: Recorder,
    undeclared: int,
    state: str | None,
    elapsed_us: int,
) -> Row:
    # By position, in the order of Row's fields: this is the hot path.
    setting, verification = job.setting, ending.verification
    return Row(
        job.position,
        job.lifetime,
        setting.arm,
        job.unit,
        job.part,
        job.instance.template,
        job.instance_id,
        setting.phase,
        job.replicate,
        ending.outcome,
        ending.reason,
        verification is not None and verification.format_error,
        _counts(session.faults) if session else None,
        session.calls if session else 0,
        session.repeats if session else 0,
        undeclared,
        _counts(session.violations) if session else None,
        session.tokens if session else None,
        session.cost if session else None,
        _measures(ending),
        bool(verification and verification.artifacts) if setting.leaves_artifacts else None,
        ending.answer,
        recorder.head,
        elapsed_us,
        job.attempts,
        encode(recorder.unreproducible) if recorder.unreproducible else None,
        ending.confidence,
        session.transitions if session and state is not None else None,
        _claims_of(session, ending) if session and session.stated else None,
        session.out_of_range if session else 0,
        session.undeclared_actions if session else 0,
    )


def _measures(ending: Ending) -> str | None:
    if ending.service is not None:
        return encode(ending.service).decode()
    verification = ending.verification
    return encode(verification.measures).decode() if verification is not None and verification.measures else None


def _claims_of(session: LiveSession, ending: Ending) -> str | None:
    if ending.answer is None:
        # The world broke: whatever was handed in before does not count.
        return None
    return session.claims(None if ending.verification is None else ending.verification.success)


def _counts(counts: dict[str, int]) -> str | None:
    return encode(counts).decode() if counts else None


def _short(answer: bytes) -> str:
    return answer.decode() if len(answer) <= ANSWER_COLUMN else f"sha256:{sha256(answer).hexdigest()}"


def describe(error: BaseException) -> str:
    """One line about an exception, without what changes between runs."""
    cause = error.__cause__ if isinstance(error, WorldBroke) and error.__cause__ else error
    try:
        first = (str(cause).splitlines() or [""])[0][:300]
    except Exception:
        first = ""
    text = f"{type(cause).__name__}: {first}" if first else type(cause).__name__
    # Folders first: the random part of a name may look like an address.
    described: str = chainable(_ADDRESS.sub("0x…", _FOLDER.sub("proctor-world-…", text)))
    return described
