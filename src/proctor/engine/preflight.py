"""A trial before a run: the real agent lives one episode of a task that belongs to no suite.

What would end every episode of a run ends the trial, once and with its own words: an interpreter that is not there, a
package that is missing, no network, a start that takes too long, a return value that is none. Whether the task is
solved does not matter, nor whether a limit is reached. An agent may be made for tasks of one kind, so that an exception
about what it was shown (`KeyError`, say) is told and stops nothing; where the suite has only scenarios, and the trial
task is none, it is not even told.

The trial is outside of the run. It is lived in a place of its own that is then removed, by an agent that is told
nothing of suite, seed or store, and nothing of it is recorded but how it ended and what it spent.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from proctor.agents.contract import Agent, AgentFailure, ServiceFailure, Session, closes, releases
from proctor.agents.kind import AgentContext, AgentKind, AgentString
from proctor.agents.lookup import kind_of
from proctor.core.errors import BenchError, InputError
from proctor.core.seeds import Stream
from proctor.engine.family import scenarios_of
from proctor.engine.names import load_family
from proctor.engine.sentence import describe
from proctor.engine.trial import Trial, job_for, live
from proctor.evidence.events import AgentFailed, BenchFailed
from proctor.evidence.row import INFRASTRUCTURE, WALL_CLOCK, Row
from proctor.evidence.usage import UsageMeter
from proctor.models.recorded import recording
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.frozen import FrozenRun
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.rules import Limits
from proctor.spec.task import Budget, Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

SECONDS: Final = 120.0
"""Real time for the trial, beside what the agent declares for its start. Running out of it stops no run."""
_ACTIONS: Final = 20
_WORD: Final = "lantern"
_ABOUT_DATA: Final = frozenset(
    error.__name__
    for error in (
        ArithmeticError,
        AssertionError,
        AttributeError,
        IndexError,
        KeyError,
        LookupError,
        NotImplementedError,
        RuntimeError,
        StopIteration,
        TypeError,
        UnicodeError,
        ValueError,
        ZeroDivisionError,
    )
)
_OF_SCENARIOS: Final = frozenset({"AttributeError", "IndexError", "KeyError", "StopIteration", "TypeError"})
"""What comes of looking for a field or a tool's answer that every scenario has, and the trial task has not."""
_NAMED: Final = re.compile(r"([A-Za-z_][\w.]*)(: |$)")


class Preflight(Struct, frozen=True):
    """How the trial ended; it enters the facts of the execution."""

    result: Literal["passed", "raised", "unfinished", "skipped", "not needed"]
    tokens: int | None = None
    """What the agent says it spent on it: outside of the run, and within the limits of one episode."""
    cost: str | None = None
    said: str = ""
    """What the agent raised in it, for its author; recorded nowhere."""
    foreseen: bool = False
    """Whether the suite has nothing but scenarios, and what was raised is what agents made for these raise here."""
    twice: bool = False
    """Whether the agent reported the very tokens that the bench had counted itself; recorded nowhere."""

    def facts(self) -> dict[str, Any]:
        """For the record of the execution."""
        spent = {"tokens": self.tokens, "cost": self.cost}
        return {"result": self.result} | {name: value for name, value in spent.items() if value is not None}

    @property
    def note(self) -> str:
        """What there is to say before the run starts; empty where there is nothing."""
        if self.result == "unfinished":
            return (
                f"the trial task was not finished within {SECONDS:g} s; the run starts all the same, and an agent that "
                "hangs takes all the real time that an episode has"
            )
        if self.result == "raised" and not self.foreseen:
            return (
                "the agent starts and lacks nothing; the trial task belongs to no suite, so that an agent made for "
                f"other tasks may fail in it, as this one did: {self.said}"
            )
        if self.twice:
            return (
                "the agent reports with session.spend the same tokens that are counted from the models of "
                "`system.models`: they count twice, towards limits and in results, unless it leaves that out"
            )
        return f"the trial task took {self.tokens:,} tokens, which the run does not count" if self.tokens else ""


SKIPPED: Final = Preflight("skipped")
NOT_NEEDED: Final = Preflight("not needed")


class Note(BaseWorld):
    """A note with one word on it."""

    @tool(effect="read")
    def read_note(self) -> str:
        """Read what is written on the note."""
        return _WORD

    def verify(self, submission: Submission) -> Verification:
        right = submission.answer == _WORD
        return Verification(right, "correct" if right else "wrong")


class _Notes:
    """The one task there is."""

    spec = FamilySpec(
        id="preflight",
        title="A note",
        description="The trial task before a run; part of no suite.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="The answer is the word on the note.",
        verification="Comparison.",
        reasons=("correct", "wrong"),
        templates=("only",),
        observation_schema={"type": "object", "properties": {"desk": {"type": "string"}}},
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Any) -> Instance:
        return Instance(
            template="only",
            goal="There is a note on the desk. Read it with the tool `read_note`, and answer with the word on it.",
            answer_format="The word, as text.",
            observation={"desk": "One folded note."},
            hidden={"word": _WORD},
        )

    def world(self, instance: Instance, place: Place) -> Note:
        return Note(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        raise NotImplementedError

    def answer(self, instance: Instance) -> Any:
        return _WORD

    def attainable(self, instance: Instance, deliveries: Any) -> bool:
        return True


class _Watched:
    """Lets an agent live and keeps what it raised."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.raised: Exception | None = None

    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            return await self._agent.run(task, session)
        except Exception as error:
            self.raised = error
            raise


def preflight(frozen: FrozenRun, folder: Path) -> Preflight:
    """Let the agent of a run live the trial task. Raises where going on would record nothing but failures.

    `InputError` where the agent itself failed or could not be started, `BenchError` where a service that it needs did
    not answer or the bench failed. Must not be called from within a running event loop.
    """
    agent = AgentString.parse(frozen.agent)
    kind = kind_of(agent)
    if kind.trusted or not kind.preflight or recording() is not None:
        return NOT_NEEDED
    context = AgentContext(frozen.system, Stream.keyed("preflight"), ("preflight",), folder)
    trial, raised = asyncio.run(_lived(agent, kind, context, frozen.rules.limits))
    if kind.check is not None:
        # Whether it starts is counted anew: that it did so in its trial says nothing about the run.
        kind.check(agent, context)
    row = trial.row
    if row.outcome == INFRASTRUCTURE or row.reason in ("agent_protocol", "agent_unavailable"):
        raise _refused(agent, kind, context, trial, raised)
    if row.reason != "agent_crashed":
        ended: Literal["unfinished", "passed"] = "unfinished" if row.reason == WALL_CLOCK else "passed"
        return Preflight(ended, row.tokens, row.cost, twice=_counted_twice(row))
    said, place = _said(trial, raised)
    named = _NAMED.match(said)
    if _advice(kind, agent, context, said) or (named is not None and named[1] not in _ABOUT_DATA):
        raise _refused(agent, kind, context, trial, raised)
    foreseen = named is not None and named[1] in _OF_SCENARIOS and _only_scenarios(frozen, folder)
    return Preflight("raised", row.tokens, row.cost, f"{said} {place}".strip(), foreseen=foreseen)


def _only_scenarios(frozen: FrozenRun, folder: Path) -> bool:
    return all(scenarios_of(load_family(family.reference, folder)) is not None for family in frozen.families)


def _counted_twice(row: Row) -> bool:
    meter = UsageMeter()
    meter.add(row)
    usage = meter.total()
    if usage is None or not usage.requests or not usage.tokens:
        return False
    return usage.tokens == 2 * ((usage.prompt_tokens or 0) + (usage.completion_tokens or 0))


async def _lived(
    agent: AgentString, kind: AgentKind, context: AgentContext, limits: Limits
) -> tuple[Trial, Exception | None]:
    family = _Notes()
    given = agent.options.get("start_seconds", "")
    job = job_for(
        family,
        family.instance(None),
        Stream.keyed("preflight"),
        STANDARD_REGIMES["baseline"],
        limits=Budget(
            actions=_ACTIONS,
            tokens=min(filter(None, (limits.episode_tokens, limits.run_tokens)), default=None),
            cost=min(filter(None, (limits.episode_cost, limits.run_cost)), default=None, key=Decimal),
        ),
        real_seconds=SECONDS + (int(given) if given.isdecimal() else 0),
    )
    opened = kind.open(agent, context)
    watched = _Watched(opened)
    try:
        return await live(job, watched), watched.raised
    finally:
        with suppress(Exception):  # What it did in its trial stands, however badly it lets go.
            if closes(opened):
                await opened.close()
            elif releases(opened):
                await opened.release()
            if kind.release is not None:
                kind.release()


def _refused(
    agent: AgentString, kind: AgentKind, context: AgentContext, trial: Trial, raised: Exception | None
) -> InputError | BenchError:
    said, place = _said(trial, raised)
    advice = _advice(kind, agent, context, said)
    what = " ".join(part for part in (said, place) if part)
    message = (
        f"agent '{agent.text}' failed in a trial task before the run: {what}"
        + (f"; {advice}" if advice else "")
        + "; nothing was recorded, and --no-preflight starts the run without the trial"
    )
    started = isinstance(raised, ServiceFailure) and raised.reason == "agent_not_started"
    if trial.row.outcome == INFRASTRUCTURE and not started:
        return BenchError(message)
    return InputError(message)


def _advice(kind: AgentKind, agent: AgentString, context: AgentContext, said: str) -> str:
    return "" if kind.advice is None else kind.advice(agent, context, said)


def _said(trial: Trial, raised: Exception | None) -> tuple[str, str]:
    """What went wrong, and where in the agent's own code, as far as that is known."""
    if isinstance(raised, AgentFailure):
        return str(raised), raised.place
    if isinstance(raised, BenchError):
        return str(raised), " ".join(vars(raised).get("__notes__", ()))
    for event in trial.events:
        if isinstance(event, AgentFailed | BenchFailed):
            place = trial.placed(event.message).removeprefix(event.message).strip()
            return event.message, place
    return (describe(raised) if raised is not None else trial.row.reason), ""
