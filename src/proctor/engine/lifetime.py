"""One lifetime: the same agent object lives its episodes in order; between them its memory is kept, saved or wiped."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Literal

from proctor.agents.contract import (
    Agent,
    AgentFailure,
    NoBaseline,
    ScaffoldSession,
    ServiceFailure,
    Session,
    closes,
    memory_of,
)
from proctor.core.errors import BenchError
from proctor.engine.build import Bench
from proctor.engine.discretion import discreet_record
from proctor.engine.episode import run_episode
from proctor.engine.job import Job
from proctor.engine.plan import Lifetime
from proctor.engine.raised import Raised
from proctor.engine.sentence import describe
from proctor.engine.watchdog import LIVING, Living, Stuck
from proctor.evidence.chain import Recorder, genesis
from proctor.evidence.events import BenchFailed, EpisodeClosed
from proctor.evidence.row import MEMORY_FAILED, STUCK, EpisodeRecord, Outcome, Row, Segment
from proctor.plugins.places import place_of
from proctor.spec.task import Submission, TaskView


async def live(
    bench: Bench, lifetime: Lifetime, *, on_segment: Callable[[Segment], None] | None = None, attempts: int = 1
) -> list[EpisodeRecord]:
    """The records of a whole lifetime, in order. One that the watchdog had to end is `without_agent`."""
    living = Living()
    LIVING.set(living)
    try:
        records = await _through(bench, lifetime, living, on_segment, attempts)
    except Stuck:
        pass
    finally:
        LIVING.set(None)
    if living.stuck:
        # Whatever it was that was interrupted, nobody goes on with it.
        bench.forget_agents()
        return await without_agent(bench, lifetime, "stuck", attempts=attempts)
    return records


Lost = Literal["stuck", "died"]
"""How a lifetime was lost: it did not give control back, or the process that lived it died, twice."""


async def without_agent(bench: Bench, lifetime: Lifetime, lost: Lost, *, attempts: int = 1) -> list[EpisodeRecord]:
    """The records of a lifetime that was lost while its agent acted: every episode of it is lived without the agent.

    What follows an agent's input is the agent's failure: each is a `limit` (`stuck`) or a failure (`agent_crashed`),
    the same wherever it happened and however far the agent had come. Where the bench cannot get through it without
    the agent either, it is infrastructure: not the agent did it.
    """
    agent = _Lost(lost)
    records: list[EpisodeRecord] = []
    for number in range(len(bench.arm(lifetime.arm).steps)):
        ready = _prepare(bench, lifetime, number, agent, None, attempts)
        if isinstance(ready, EpisodeRecord):
            records.append(ready)
            continue
        living = Living()
        living.acting = True
        LIVING.set(living)
        try:
            records.append(await run_episode(ready, agent))
        except Stuck:
            why = "the world does not give control back, and no agent has acted in it"
            records.append(without_instance(bench, lifetime, number, "world_setup", why))
        finally:
            LIVING.set(None)
    return records


async def _through(
    bench: Bench,
    lifetime: Lifetime,
    living: Living,
    on_segment: Callable[[Segment], None] | None,
    attempts: int,
) -> list[EpisodeRecord]:
    agent = _open(bench, lifetime)
    steps = bench.arm(lifetime.arm).steps
    if len(steps) == 1 and steps[0].before == "keep" and not closes(agent):
        # The usual case by far: one episode, no memory to look after, nothing to let go of.
        ready = _prepare(bench, lifetime, 0, agent, on_segment, attempts)
        living.acting = True
        return [ready if isinstance(ready, EpisodeRecord) else await _lived(bench, ready, agent)]
    memory = MemoryKeeper(agent, bench, lifetime)
    records: list[EpisodeRecord] = []
    possible = True
    carried: Any = None
    try:
        for number, step in enumerate(steps):
            moved = None
            if number == 0 or steps[number - 1] is not step:
                if step.before != "keep":
                    moved = (step.before, await memory.do(step.before, fresh=number == 0))
                    # A memory that was not saved matters only when it has to be put back.
                    possible = moved[1] or step.before == "snapshot"
                elif number:
                    memory.reload()
            if not possible and not memory.failed:
                # All that follows would be lived with a memory it must not have: not evaluable, nobody's success.
                records.append(without_instance(bench, lifetime, number, "memory", _CANNOT))
                continue
            ready = _prepare(bench, lifetime, number, memory.agent, on_segment, attempts, moved)
            if isinstance(ready, EpisodeRecord):
                records.append(ready)
                continue
            ready.carried = carried
            living.step, living.acting = number, True
            records.append(await _lived(bench, ready, memory.agent))
            carried = ready.carried
    finally:
        await memory.close()
    return records


async def _lived(bench: Bench, job: Job, agent: Agent) -> EpisodeRecord:
    record = await run_episode(job, agent)
    veil = bench.veil
    for raised in job.raised:
        bench.told.tell(job.position, raised if veil is None else Raised(veil.text(raised.said), raised.place))
    return record if veil is None else discreet_record(record, veil)


def _prepare(
    bench: Bench,
    lifetime: Lifetime,
    number: int,
    agent: Agent,
    on_segment: Callable[[Segment], None] | None,
    attempts: int,
    moved: tuple[str, bool] | None = None,
) -> Job | EpisodeRecord:
    """The next episode of a lifetime, built; its record at once where it cannot be built."""
    try:
        job = bench.job(lifetime, number)
        bench.reveal(agent, lifetime, number, job.instance)
    except Exception as error:
        bench.told.tell(lifetime.position + number, Raised(describe(error), place_of(error)))
        return without_instance(bench, lifetime, number, "instance", describe(error))
    job.memory = moved
    job.attempts = attempts
    if on_segment is not None:
        job.sink = partial(_segment, job.position, on_segment)
    return job


_CANNOT = "the agent's memory could not be moved: it offers no snapshot, restore and clear"


def _segment(position: int, on_segment: Callable[[Segment], None], number: int, trace: bytes) -> None:
    on_segment(Segment(position, number, trace))


def _open(bench: Bench, lifetime: Lifetime) -> Agent:
    try:
        return bench.open_agent(lifetime)
    except (AgentFailure, NoBaseline, ServiceFailure) as failure:
        return UnavailableAgent(failure)


class UnavailableAgent:
    """Stands in for an agent that could not be made: every episode ends as that did."""

    def __init__(self, failure: AgentFailure | NoBaseline | ServiceFailure) -> None:
        self._failure = failure

    async def run(self, task: TaskView, session: Session) -> Submission:
        raise self._failure


class _Lost:
    """Stands in for the agent of a lifetime that was lost: ends every episode at once, as its own."""

    def __init__(self, lost: Lost) -> None:
        self._lost = lost

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._lost == "stuck" and isinstance(session, ScaffoldSession):
            session.stop(STUCK)
        message = "the worker process died while it lived this lifetime, twice; without the agent it does not"
        raise AgentFailure("agent_crashed", message)


def _memory_failed(action: str, why: Exception | None) -> AgentFailure:
    said = "it says that it cannot, and could before" if why is None else describe(why)
    return AgentFailure(MEMORY_FAILED, f"the agent did not {action} its memory: {said}")


class MemoryKeeper:
    """Saves, restores and wipes an agent's memory. An agent that cannot do it itself is wiped by being made anew.

    One that offers to do it and fails lives no further episode of the phases that rest on it: each is its failure.
    Otherwise it could leave out what it would do badly by raising an error.
    """

    __slots__ = ("_bench", "_lifetime", "_offered", "_save_asked", "_saved", "_saved_fresh", "agent", "failed")

    def __init__(self, agent: Agent, bench: Bench, lifetime: Lifetime) -> None:
        self.agent = agent
        self._bench = bench
        self._lifetime = lifetime
        self._saved: bytes | None = None
        self._saved_fresh = False
        self._save_asked = False
        """A program that puts back what it never saved is nobody's failure."""
        self._offered = False
        """It has once said that it can."""
        self.failed = False
        """It could not when it had to; `agent` stands in for it."""

    def reload(self) -> None:
        """Save what the agent remembers and put it back at once.

        Between two phases an agent sees the same, whatever is done to its memory: it is saved, and put back. Otherwise
        it would know a control by its being reset, and could do badly there on purpose.
        """
        memory = memory_of(self.agent)
        if memory is not None:
            with suppress(Exception):  # What it fails at shows where its memory matters.
                memory.restore(memory.snapshot())

    async def do(self, action: str, *, fresh: bool = False) -> bool:
        """Carry out snapshot, restore or clear; False when it cannot be done, or the agent failed at it.

        `fresh`: the agent has lived nothing yet, so its memory is that of an agent made anew. A memory that was not
        saved is missed when it has to be put back, and not before.
        """
        why: Exception | None = None
        try:
            if await self._do(action, fresh):
                self.failed = False
                return True
        except BenchError:
            return False
        except Exception as error:
            why = error
        if self.failed or (self._offered and (action == "clear" or (action == "restore" and self._save_asked))):
            await self.close()
            self.agent = UnavailableAgent(why if isinstance(why, ServiceFailure) else _memory_failed(action, why))
            self.failed = True
        return False

    async def _do(self, action: str, fresh: bool) -> bool:
        memory = memory_of(self.agent)
        self._offered = self._offered or memory is not None
        if action == "snapshot":
            self._save_asked = True
            self._saved_fresh = fresh
            if memory is not None:
                self._saved = memory.snapshot()
                memory.restore(self._saved)
            return fresh or memory is not None
        if memory is not None and action == "restore" and self._saved is not None:
            memory.snapshot()
            memory.restore(self._saved)
            return True
        if memory is not None and action == "clear":
            memory.clear()
            return True
        if action == "clear" or self._saved_fresh:
            await self.close()
            self.agent = _open(self._bench, self._lifetime)
            return True
        return False

    async def close(self) -> None:
        """Let the agent let go of processes and connections."""
        if closes(self.agent):
            with suppress(Exception):  # Its episodes are over and stand, however badly it lets go.
                await self.agent.close()


def without_instance(bench: Bench, lifetime: Lifetime, step: int, where: str, why: str) -> EpisodeRecord:
    """The record of an episode that could not even begin: infrastructure."""
    position = lifetime.position + step
    recorder = Recorder(genesis(bench.config_hash, position))
    recorder.add(BenchFailed(where, why))
    recorder.add(EpisodeClosed(Outcome.INFRASTRUCTURE.value, where, 0))
    row = Row(
        position=position,
        lifetime=lifetime.position,
        arm=lifetime.arm,
        unit=lifetime.unit,
        part=lifetime.part,
        template="",
        instance="",
        phase=bench.arm(lifetime.arm).steps[step].phase,
        replicate=lifetime.replicate,
        outcome=Outcome.INFRASTRUCTURE.value,
        reason=where,
        format_error=False,
        faults=None,
        calls=0,
        retries=0,
        undeclared=0,
        violations=None,
        tokens=None,
        cost=None,
        measures=None,
        artifact_ok=None,
        answer=None,
        head=recorder.head,
        elapsed_us=0,
        attempts=1,
        aside=None,
        out_of_range=0,
        undeclared_actions=0,
    )
    return EpisodeRecord(row, -1, recorder.trace(), {})
