"""Episodes lived again from their record: the recorded acts in a fresh world, judged by the verifier as it is here.

Nothing of the trace but what the agent did is believed. Task, observations, results, faults and verdict come from the
declarations, the seed and the families again, and are compared with what is on record. So an event that was edited is
found even where every digest was computed anew. What an agent did is a stranger's: commands that it ran are run again
only where they ran before, in the sandbox of its world.

Logical time follows from the acts, by the milliseconds that tools declare and the waits that adversity imposes, and is
compared too. Where an episode was excluded although its agent had come to an end, its acts are carried out to see
whether they can be judged: an exclusion that hides a failure does not comply.

Tokens, cost, real time and what a model said cannot be made again, and are not looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from proctor.agents.contract import AgentFailure, Session
from proctor.core.canonical import encode, unchain
from proctor.core.errors import LimitReached
from proctor.engine.build import Bench
from proctor.engine.episode import run_episode
from proctor.engine.family import Family
from proctor.engine.frozen_families import AbsentFamily
from proctor.engine.plan import Plan
from proctor.engine.session import LiveSession
from proctor.evidence.events import (
    AgentFailed,
    BenchFailed,
    Called,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    LimitHit,
    MemoryMoved,
    Observed,
    Returned,
    StateRead,
    StateWritten,
    Submitted,
    Verified,
    decode_event,
)
from proctor.evidence.row import INFRASTRUCTURE
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.spec.frozen import FrozenRun
from proctor.spec.task import Claim, Submission, TaskView
from proctor.worlds.bounds import may_be_cut

BEYOND = {"beyond": 2**64}
"""An argument that no tool takes."""
STAND_IN = "null"
"""The agent of a bench on which only records act: it is never opened."""
MAX_SECONDS = 600.0
"""Real seconds for one episode: a stranger's record may not hold an auditor up for ever."""
VERDICT, TIME = "verdict", "logical time"
_OURS = frozenset({"world", "world_setup", "verifier", "instance"})
"""Where the bench fails by itself: what broke there breaks again, or did not break."""


class Mismatch(Struct, frozen=True):
    """An episode whose record is not what its acts lead to."""

    position: int
    family: str
    what: str
    firm: bool
    """Whether honest evidence cannot differ so. It can where the record has results that cannot be made again, calls
    that overlapped, objects whose order of keys is not on record, or a bench that failed."""


class Reverification(Struct, frozen=True):
    """What living a run again showed."""

    episodes: int
    """Lived again."""
    mismatches: tuple[Mismatch, ...]
    left_out: dict[str, int]
    """Why episodes were not lived again, with how many."""


class RecordedAgent:
    """Does what a record says its agent did; a hand-over makes two turns of an episode."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._turns: list[list[Event]] = []
        for event in events:
            if isinstance(event, Observed):
                self._turns.append([])
            elif self._turns:
                self._turns[-1].append(event)
        self._turns.reverse()

    async def run(self, task: TaskView, session: Session) -> Submission:
        live = cast(LiveSession, session)
        for event in self._turns.pop() if self._turns else []:
            if isinstance(event, Submitted):
                return _submission(event)
            if isinstance(event, AgentFailed):
                raise AgentFailure(event.reason, event.message)
            await _do(event, live)
        if live.limit_hit is not None:
            raise LimitReached(live.limit_hit)
        raise AgentFailure("agent_crashed", "the record ends here")


async def _do(event: Event, session: LiveSession) -> None:
    """One act. What a limit refuses shows in what follows."""
    with suppress(LimitReached):
        if isinstance(event, Called):
            arguments = unchain(event.arguments)
            if event.violation == "bad_arguments" and set(arguments) == {"unreadable"}:
                session.call_unreadable(event.tool, arguments["unreadable"], "they cannot be read")
            else:
                if event.violation == "bad_arguments" and may_be_cut(arguments):
                    # What made them unfit may not be among what was written down; they have to be refused again.
                    arguments |= BEYOND
                await session.call(event.tool, **arguments)
        elif isinstance(event, StateWritten):
            session.state.write(event.field, unchain(event.value))
        elif isinstance(event, StateRead):
            session.state.read(event.field)
        elif isinstance(event, LimitHit) and session.limit_hit is None:
            # Limits that the acts alone do not reach (tokens, time) end it where they did.
            session.stop(event.limit)


def _submission(event: Submitted) -> Submission:
    confidence = None if event.confidence is None else float(event.confidence)
    claims = tuple(msgspec.convert(unchain(claim), Claim) for claim in event.claims)
    return Submission(unchain(event.answer), confidence, claims)


def reverify(
    store: EvidenceStore,
    record: RunRecord,
    families: Mapping[str, Family],
    *,
    only: Sequence[int] | None = None,
) -> Reverification:
    """Live the episodes of a run again from their records.

    `families` (reference → family) are those that may run here; an `AbsentFamily` leaves its episodes out. `only` are
    the positions to look at; None: all that count.
    """
    return asyncio.run(_Again(store, record, families).all(only))


class _Again:
    """A run that is lived again."""

    def __init__(self, store: EvidenceStore, record: RunRecord, families: Mapping[str, Family]) -> None:
        self._store = store
        self._record = record
        self._number = record.number
        frozen = store.frozen(record.number)
        self._frozen = frozen
        self._absent = {
            family.spec.full_name: family.why for family in families.values() if isinstance(family, AbsentFamily)
        }
        self._bench = Bench(_without_limits(frozen), Path(), store.stage_outputs(record.number), families)
        self._plan: Plan = self._bench.plan
        self._arms = store.arms(record.number)

    async def all(self, only: Sequence[int] | None) -> Reverification:
        wanted = None if only is None else set(only)
        mismatches: list[Mismatch] = []
        left_out: dict[str, int] = {}
        lived = 0
        for row in list(self._store.rows(self._number, stop=self._record.cut)):
            if wanted is not None and row.position not in wanted:
                continue
            family = self._arms[row.arm].family
            events = self._store.events(self._number, row.position)
            why = self._absent.get(family) or _not_repeatable(events)
            if why and not (why == _NOT_OURS and _came_to_an_end(events)):
                left_out[why] = left_out.get(why, 0) + 1
                continue
            lived += 1
            problem = await self._differs(row.position, events, excluded=bool(why))
            if problem is not None:
                firm = row.outcome != INFRASTRUCTURE and _is_firm(events, problem.name)
                mismatches.append(Mismatch(row.position, family, problem.sentence, firm))
        return Reverification(lived, tuple(mismatches), left_out)

    async def _differs(self, position: int, events: list[Event], *, excluded: bool) -> Difference | None:
        lifetime = self._plan.lifetime(self._plan.at_position(position))
        try:
            job = self._bench.job(lifetime, position - lifetime.position)
        except Exception as error:
            return Difference("task", f"its task cannot be made from the declarations ({type(error).__name__})")
        moved = next((event for event in events if isinstance(event, MemoryMoved)), None)
        job.memory = None if moved is None else (moved.action, moved.possible)
        job.account = None
        job.relief = None
        try:
            async with asyncio.timeout(MAX_SECONDS):
                record = await run_episode(job, RecordedAgent(events))
        except TimeoutError:
            return Difference(VERDICT, f"it did not end within {MAX_SECONDS:.0f} s")
        again = [decode_event(line) for line in record.trace.split(b"\n")]
        hidden = judged(again) if _excluded(events) and _came_to_an_end(events) else None
        return hidden if hidden is not None or excluded else difference(events, again)


def _not_repeatable(events: list[Event]) -> str:
    """Why nothing follows from an episode's record; empty where something does."""
    failed = next((event for event in events if isinstance(event, BenchFailed)), None)
    if failed is None or failed.where in _OURS:
        return ""
    return _NOT_OURS


_NOT_OURS = "ended by a service, a limit of the run or the machine, and counted for nothing"


def _excluded(events: list[Event]) -> bool:
    return any(isinstance(event, BenchFailed) for event in events) and (_verdict(events) or ("",))[0] == INFRASTRUCTURE


def _came_to_an_end(events: list[Event]) -> bool:
    """Whether whoever acted last handed in, failed or was stopped before the bench failed: there is something to
    judge."""
    ended = False
    for event in events:
        if isinstance(event, Observed):
            ended = False
        elif isinstance(event, Submitted | AgentFailed | LimitHit):
            ended = True
        elif isinstance(event, BenchFailed):
            break
    return ended


def _is_firm(events: list[Event], name: str) -> bool:
    waiting = 0
    for event in events:
        if isinstance(event, Called):
            waiting += 1
            if waiting > 1 or (name != VERDICT and _has_order(event)):
                return False
        elif isinstance(event, Returned):
            waiting -= 1
            if event.unstable:
                return False
    return True


def _has_order(event: Called) -> bool:
    """Whether an argument is an object of several keys: a world may go by their order, which no record keeps."""
    arguments = unchain(event.arguments)
    values = list(arguments.values()) if isinstance(arguments, dict) else []
    while values:
        value = values.pop()
        if isinstance(value, dict):
            if len(value) > 1:
                return True
            values += value.values()
        elif isinstance(value, list):
            values += value
    return False


class Difference(Struct, frozen=True):
    """The first thing on record that did not come out again."""

    name: str
    sentence: str


def difference(recorded: list[Event], again: list[Event]) -> Difference | None:
    """How two records of an episode differ in what does not come from the agent; None where they do not."""
    for name, first, second in _pairs(recorded, again):
        if first != second:
            return Difference(name, _sentence(name, first, second))
    return None


def judged(again: list[Event]) -> Difference | None:
    """What the acts of an excluded episode come to; None where nothing comes of them here either."""
    ending = _verdict(again)
    if ending is None or ending[0] == INFRASTRUCTURE:
        return None
    outcome, reason = ending
    return Difference(VERDICT, f"excluded, but its acts can be judged: {outcome} ({reason})")


def _pairs(recorded: list[Event], again: list[Event]) -> Iterator[tuple[str, Any, Any]]:
    """What has to be equal, the most telling first."""
    yield VERDICT, _verdict(recorded), _verdict(again)
    yield "task", _only(recorded, EpisodeOpened), _only(again, EpisodeOpened)
    shown, shown_again = _only(recorded, Observed), _only(again, Observed)
    yield "first observation", shown[:1], shown_again[:1]
    # What one agent hands on is shown to the next as it was written; a record holds it in the order of its keys.
    yield "later observation", [sorted(one) for one in shown[1:]], [sorted(one) for one in shown_again[1:]]
    ours, theirs = dict(_results(recorded)), dict(_results(again))
    for call in sorted(ours.keys() | theirs.keys()):
        yield f"result of call {call}", ours.get(call), theirs.get(call)
    yield "verification", _only(recorded, Verified), _only(again, Verified)
    times, times_again = dict(_times(recorded)), dict(_times(again))
    for call in times.keys() & times_again.keys():
        yield TIME, times[call], times_again[call]
    if ours.keys() == _called(recorded):
        # A call that was cut off took an unknown part of its time.
        yield TIME, _milliseconds(recorded), _milliseconds(again)
    yield "final state", _state(recorded), _state(again)


def _verdict(events: list[Event]) -> tuple[str, str] | None:
    closed = next((event for event in reversed(events) if isinstance(event, EpisodeClosed)), None)
    return None if closed is None else (closed.outcome, closed.reason)


def _state(events: list[Event]) -> str | None:
    closed = next((event for event in reversed(events) if isinstance(event, EpisodeClosed)), None)
    return None if closed is None else closed.state


def _milliseconds(events: list[Event]) -> int | None:
    closed = next((event for event in reversed(events) if isinstance(event, EpisodeClosed)), None)
    return None if closed is None else closed.milliseconds


def _times(events: list[Event]) -> Iterator[tuple[int, int]]:
    for event in events:
        if isinstance(event, Returned):
            yield event.call, event.at


def _called(events: list[Event]) -> set[int]:
    return {event.call for event in events if isinstance(event, Called)}


def _only(events: list[Event], kind: type[Any]) -> list[bytes]:
    return [encode(event) for event in events if isinstance(event, kind)]


def _results(events: list[Event]) -> Iterator[tuple[int, Any]]:
    """What each call gave, without when; of a call that could not be carried out only that."""
    refused = {event.call for event in events if isinstance(event, Called) and event.violation is not None}
    for event in events:
        if not isinstance(event, Returned):
            continue
        if event.unstable or event.call in refused:
            yield event.call, event.ok
        else:
            yield event.call, encode(msgspec.structs.replace(event, at=0))


def _sentence(name: str, first: Any, second: Any) -> str:
    if name == VERDICT and first is not None and second is not None:
        recorded, found = (f"{outcome} ({reason})" if reason else outcome for outcome, reason in (first, second))
        return f"on record is {recorded}, the verifier finds {found}"
    return f"its {name} is not what comes out again"


def _without_limits(frozen: FrozenRun) -> FrozenRun:
    """The run with an agent that needs nothing, and without the limits of a whole run."""
    limits = frozen.rules.limits.model_copy(update={"run_tokens": None, "run_cost": None})
    return frozen.model_copy(update={"agent": STAND_IN, "rules": frozen.rules.model_copy(update={"limits": limits})})
