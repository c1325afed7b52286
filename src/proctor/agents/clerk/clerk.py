"""The clerk: a small honest rule-based agent.

It sees the TaskView and what its session returns, nothing else, and applies the first of its skills that fits. Between
the episodes of a lifetime it keeps what it was told would have been right, and nothing else. It retries and re-reads a
little; it says roughly how sure it is. It is the default subject of a first run, and its profile is uneven on purpose:
it follows written procedures and checks what it does, it reads no meaning into words, and it never questions a goal.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from proctor.agents.clerk import (
    auditing,
    balances,
    booking,
    choosing,
    composing,
    errands,
    fields,
    filing,
    heating,
    hints,
    labelling,
    ledger,
    planning,
    preconditions,
    querying,
    queues,
    reading,
    releasing,
    rounds,
    routing,
    shelving,
    sorting,
    staging,
    suiting,
    weighing,
)
from proctor.agents.clerk.desk import Desk, Finding, Lesson
from proctor.agents.contract import Session
from proctor.agents.plain import plain_kind
from proctor.agents.seen import shown
from proctor.agents.shape import fill_from
from proctor.core.errors import LimitReached
from proctor.spec.task import Submission, TaskView


class Skill(Struct, frozen=True):
    """Something the clerk can do: whether it fits the task on the desk, and doing it."""

    name: str
    fits: Callable[[Desk], bool]
    work: Callable[[Desk], Awaitable[Finding | None]]


SKILLS = (
    Skill("heating and cooling", heating.fits, heating.work),
    Skill("going the rounds", rounds.fits, rounds.work),
    Skill("shelving", shelving.fits, shelving.work),
    Skill("composing a file", composing.fits, composing.work),
    Skill("booking", booking.fits, booking.work),
    Skill("releasing", releasing.fits, releasing.work),
    Skill("staging tables", staging.fits, staging.work),
    Skill("choosing between goals", choosing.fits, choosing.work),
    Skill("working down a queue", queues.fits, queues.work),
    Skill("seeing to what comes first", preconditions.fits, preconditions.work),
    Skill("auditing", auditing.fits, auditing.work),
    Skill("weighing up", weighing.fits, weighing.work),
    Skill("finding out what suits", suiting.fits, suiting.work),
    Skill("planning a way", planning.fits, planning.work),
    Skill("querying a database", querying.fits, querying.work),
    Skill("sorting papers", sorting.fits, sorting.work),
    Skill("filing", filing.fits, filing.work),
    Skill("labelling by example", labelling.fits, labelling.work),
    Skill("opening by hints", hints.fits, hints.work),
    Skill("keeping balances", balances.fits, balances.work),
    Skill("running errands", errands.fits, errands.work),
    Skill("keeping a ledger", ledger.fits, ledger.work),
    Skill("routing", routing.fits, routing.work),
    Skill("copying fields", fields.fits, fields.work),
    Skill("reading", reading.fits, reading.work),
)
"""In the order they are tried: the most particular first."""


class Clerk:
    """Takes each task as it comes; of what was, it remembers the labels it was taught."""

    __slots__ = ("_lessons",)

    def __init__(self) -> None:
        self._lessons: list[Lesson] = []

    def remembers(self) -> bool:
        """Always."""
        return True

    def snapshot(self) -> bytes:
        """Everything remembered."""
        return msgspec.json.encode(self._lessons)

    def restore(self, memory: bytes) -> None:
        """Remember exactly this."""
        self._lessons = msgspec.json.decode(memory, type=list[Lesson])

    def clear(self) -> None:
        """Forget everything."""
        self._lessons = []

    async def run(self, task: TaskView, session: Session) -> Submission:
        desk = Desk(task, session, self._lessons)
        try:
            finding = await _first_finding(desk)
        except LimitReached:
            finding = None
        if finding is None:
            # Better than silence, and stated as such: the last value seen.
            finding = desk.draft or Finding(fill_from(desk.shape, shown(session), -1), 0.05)
        return Submission(finding.answer, round(finding.confidence, 2), tuple(desk.claims))


async def _first_finding(desk: Desk) -> Finding | None:
    """What the first fitting skill comes to; if none fits yet, look around once and ask again."""
    for looked in (False, True):
        if looked:
            await desk.survey()
        for skill in SKILLS:
            if skill.fits(desk):
                desk.session.say(f"This looks like {skill.name}.")
                finding = await skill.work(desk)
                if finding is not None:
                    return finding
    return None


kind = plain_kind(
    "clerk",
    "A small rule-based agent that works from what it is shown; the default subject of a first run.",
    lambda context: Clerk(),
)
