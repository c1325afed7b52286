"""The family `track`: follow a warehouse ledger to its end and report three quantities.

Always: no quantity is ever below zero, a cancelled event is cancelled once, and all three quantities must be right.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.hello.track.ledger import asked, ledger
from proctor.suites.hello.track.texts import ANSWER_FORMAT, GOALS, GOODS, LOCATIONS, RULES
from proctor.suites.hello.track.world import PAGE, REASONS, SHAPE, LedgerWorld
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(GOALS)
_BUDGET = Budget(actions=120)
_EVENT_FIELDS = 5
"""Kind, good, quantity, from, to: the number of an event follows from its place."""


class TrackFamily:
    """Ledgers of three locations and three goods."""

    spec = FamilySpec(
        id="track",
        title="State of a ledger",
        description="A warehouse ledger of receipts, shipments, moves, returns and cancellations, read page by page.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="All three reported quantities equal those after the last event.",
        verification="The answer is read in any clear form and compared exactly with the quantities of the ledger.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "events": Knob(default=8, values=(6, 8, 10, 12), description="Length of the ledger."),
            "cancellations": Knob(default=1, values=(0, 1, 2), description="Events that undo an earlier one."),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "locations": {"type": "array", "items": {"type": "string"}},
                "goods": {"type": "array", "items": {"type": "string"}},
                "events": {"type": "integer"},
                "count_at": {"type": "string"},
            },
            "required": ["locations", "goods", "events", "count_at"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        count, cancellations = knobs.get("events", 8), knobs.get("cancellations", 1)
        template = stream.choice(_TEMPLATES)
        locations = stream.sample(LOCATIONS, 3)
        events = ledger(stream, locations, count, cancellations, template)
        place, answer = asked(events, locations, template)
        template = place if place in GOALS else "location"
        wording = stream.choice(GOALS[template])
        return Instance(
            template=template,
            goal=wording.format(place=place, places=", ".join(locations)) + RULES.format(count=count),
            answer_format=ANSWER_FORMAT,
            observation={"locations": locations, "goods": list(GOODS), "events": count, "count_at": place},
            hidden={"events": events, "answer": answer},
            knobs={"events": count, "cancellations": cancellations},
            budget=_BUDGET,
            strict_actions=-(-count // PAGE) + 2,
        )

    def world(self, instance: Instance, place: Place) -> LedgerWorld:
        return LedgerWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every event has to be known for certain; all else is in the goal."""
        count = len(instance.hidden["events"])
        try:
            return Policy(instance, deliveries).settle(count * _EVENT_FIELDS, calls=-(-count // PAGE), seen=0)
        except OutOfCalls:
            return False


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for first in range(1, len(instance.hidden["events"]) + 1, PAGE):
        await session.call("list_events", first=first)
    return Submission(instance.hidden["answer"], confidence=1.0)


family = TrackFamily()
