"""One episode: live objects in, a record out.

The world is opened, the task is shown, the agent acts through its session, the verifier looks at the state, and a row
is written. Nothing here knows names, files, stores or executors. A bad episode is data, not a crash: whatever the agent
does wrong is `failure` or `limit`, whatever world, verifier or machine do wrong by themselves is `infrastructure`
(`proctor.engine.blame` tells them apart), and each is recorded once.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from time import perf_counter_ns
from typing import Any

import msgspec

from proctor.agents.contract import Agent, AgentFailure, NoBaseline, ServiceFailure, Session, closes
from proctor.agents.model_service import OWED
from proctor.core.canonical import decode, encode
from proctor.core.clock import Clock
from proctor.core.errors import BenchError, LimitReached
from proctor.engine.account import RunLimitReached
from proctor.engine.blame import blame, broke_untouched
from proctor.engine.discretion import DiscreetSession, discreet_submission
from proctor.engine.holding import Purse
from proctor.engine.job import Broken, Job, ShownTools, commitment
from proctor.engine.recording import row_of
from proctor.engine.safety_net import BENCH_LATE, SafetyNet
from proctor.engine.sentence import describe
from proctor.engine.session import LiveSession, WorldBroke
from proctor.engine.state import ConditionedState
from proctor.engine.verdict import Ending, accept, judge_conduct, no_service, state_hash, verify
from proctor.evidence.chain import Recorder
from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    CarriedOver,
    Delivery,
    EpisodeClosed,
    EpisodeOpened,
    LimitHit,
    MemoryMoved,
    StageRead,
    TaskShown,
)
from proctor.evidence.row import (
    FAILURE,
    INFRASTRUCTURE,
    LIMIT,
    NOT_IMPOSED,
    RUN_LIMIT,
    WALL_CLOCK,
    WORLD_BROKE,
    EpisodeRecord,
)
from proctor.spec.task import TaskView
from proctor.worlds.adversity.layer import Adversity
from proctor.worlds.tool import Tool
from proctor.worlds.world import (
    EpisodeContext,
    NextShift,
    Place,
    World,
    carries_over,
    hands_over,
    takes_intervention,
)

MAX_CARRIED = 1 << 16
"""Bytes that a world may leave to the next episode."""


async def run_episode(job: Job, agent: Agent) -> EpisodeRecord:
    """Live one episode and return its record. Only cancellation gets out."""
    began = perf_counter_ns()
    recorder = Recorder(job.genesis, job.sink, on_real_time=job.setting.real_seconds is not None, veil=job.setting.veil)
    clock = Clock(job.setting.start)
    place = Place(clock)
    world: World | None = None
    session: LiveSession | None = None
    undeclared = 0
    state: str | None = None
    job.broke = None
    ending = Ending(FAILURE, WORLD_BROKE)
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
            if ending.submission is not None and session.broken is None:
                shift = _next_shift(world)
                if shift is not None:
                    ending = await _relieve(job, agent, shift, view, session, recorder, ending)
            if session.broken is not None:
                # The agent may have swallowed it, and even handed something in.
                ending = await blame(job, world, recorder, ending, Broken(session.broken, where), run_episode)
            where = "verifier"
            if ending.submission is not None:
                ending = verify(job, world, session, recorder, ending.submission, ending)
            elif ending.outcome is not INFRASTRUCTURE and judges_conduct:
                ending = judge_conduct(job, world, session, recorder, ending)
            where = "world"
            if ending.outcome is not INFRASTRUCTURE and session.broken is None:
                state = state_hash(world)
                _carry(world, job, recorder)
        except Exception as error:
            state = None
            broken = Broken(error, where)
            if world is None or session is None or not (session.calls or ending.answer):
                ending = broke_untouched(job, recorder, broken)
            else:
                ending = await blame(job, world, recorder, ending, broken, run_episode)
        recorder.add(EpisodeClosed(ending.outcome, ending.reason, clock.elapsed, state))
    finally:
        if world is not None:
            with suppress(Exception):  # The verdict stands, however badly its world tidies up.
                world.close()
        place.close()
    row = row_of(job, session, ending, recorder, undeclared, state, (perf_counter_ns() - began) // 1000)
    return EpisodeRecord(row, -1, recorder.trace(), recorder.contents)


def _place(world: World, job: Job) -> None:
    """Tell a world that takes it into account under which intervention the episode is lived, or what came before it."""
    if carries_over(world):
        world.take_over(job.setting.phase, job.carried)
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


def _carry(world: World, job: Job, recorder: Recorder) -> None:
    """Keep what a world leaves to the next episode; put it on record where it is something else than before."""
    if not carries_over(world):
        return
    left = world.carry_over()
    data = encode(left)
    if len(data) > MAX_CARRIED:
        message = f"a world leaves {len(data):,} bytes to the next episode; {MAX_CARRIED:,} is the most"
        raise ValueError(message)
    if left is not None and left != job.carried:
        recorder.add(CarriedOver(recorder.keep(data), left=True))
    job.carried = decode(data)


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
    if job.carried is not None:
        recorder.add(CarriedOver(recorder.keep(encode(job.carried))))
    if setting.stage_output is not None:
        recorder.add(StageRead(*setting.stage_output))
    return TaskView(
        identity,
        instance.goal,
        instance.answer_format,
        shown.specs,
        limits,
        nonce,
        setting.canary,
    )


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
        on_real_time=setting.on_real_time,
        offers_reserved=offers_reserved,
        forbidden=world.forbidden,
        purse=Purse(job.account, setting.call_tokens) if job.account or setting.call_tokens else None,
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
    seconds, veil = job.setting.real_seconds, job.setting.veil
    held: Session = session if veil is None else DiscreetSession(session, veil)
    net: SafetyNet | None = None
    owed: list[str] = []
    try:
        if seconds is None:
            submission = await agent.run(view, held)
        else:
            net = SafetyNet(session.deadline(seconds), seconds, exact=session.on_real_time)
            OWED.set(owed)
            async with net:
                submission = await agent.run(view, held)
    except WorldBroke:
        ending = Ending(FAILURE, WORLD_BROKE)
    except RunLimitReached as error:
        recorder.add(BenchFailed(RUN_LIMIT, describe(error)))
        ending = Ending(INFRASTRUCTURE, RUN_LIMIT)
    except ServiceFailure as failure:
        ending = no_service(failure, recorder)
    except NoBaseline as error:
        recorder.add(BenchFailed(NOT_IMPOSED, describe(error)))
        ending = Ending(INFRASTRUCTURE, NOT_IMPOSED)
    except BenchError as error:
        # The sandbox could not be started, say: nothing the agent did.
        recorder.add(BenchFailed("transport", describe(error)))
        ending = Ending(INFRASTRUCTURE, "transport")
    except AgentFailure as failure:
        job.note(failure)
        recorder.add(AgentFailed(failure.reason, describe(failure)))
        ending = _failed(failure, session)
    except Exception as error:
        # A limit counts when the bench set it; an agent that raises one by itself, or lets its own time out, crashed.
        if isinstance(error, LimitReached) and session.limit_hit is not None:
            ending = Ending(LIMIT, session.limit_hit)
        elif isinstance(error, TimeoutError) and net is not None and net.expired():
            ending = _cut_off(net, session, recorder, owed)
        else:
            job.note(error)
            recorder.add(AgentFailed("agent_crashed", describe(error)))
            ending = Ending(FAILURE, "agent_crashed")
    else:
        ending = accept(submission if veil is None else discreet_submission(submission, veil), session, recorder)
    return ending


def _failed(failure: AgentFailure, session: LiveSession) -> Ending:
    if failure.reason == "agent_crashed" and session.limit_hit is not None:
        # Clients of models raise errors of their own where a limit refuses their request: it ended at the limit.
        return Ending(LIMIT, session.limit_hit)
    return Ending(FAILURE, failure.reason)


def _cut_off(net: SafetyNet, session: LiveSession, recorder: Recorder, owed: list[str]) -> Ending:
    """Real time ended the episode: the bench's fault where the bench kept the agent waiting."""
    if owed and not session.on_real_time:
        # As with a time-out of the request itself: a model that does not answer says nothing about the agent.
        return no_service(ServiceFailure("model_unavailable", f"{owed[0]}: nothing came back in time"), recorder)
    late = None if session.on_real_time else net.whose_fault()
    if late is None:
        recorder.add(LimitHit(WALL_CLOCK))
        return Ending(LIMIT, WALL_CLOCK)
    recorder.add(BenchFailed(BENCH_LATE, late))
    return Ending(INFRASTRUCTURE, BENCH_LATE)


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
        ending = _failed(failure, session)
    except ServiceFailure as failure:
        ending = no_service(failure, recorder)
    except BenchError as error:
        recorder.add(BenchFailed("transport", describe(error)))
        ending = Ending(INFRASTRUCTURE, "transport")
    finally:
        if agent is not first and closes(agent):
            with suppress(Exception):  # What it did stands, however badly it lets go.
                await agent.close()
    if ending.answer is None:
        # What the first one handed in was recorded, and stays the row's answer.
        return msgspec.structs.replace(ending, answer=before.answer, confidence=before.confidence)
    return ending
