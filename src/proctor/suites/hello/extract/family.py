"""The family `extract`: read a short business message and report four facts exactly.

Always: each fact follows from the message alone, each has at least one rival of its kind in it, and all four must be
right.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.hello.extract.messages import FORMS, asides, facts
from proctor.suites.hello.extract.texts import ANSWER_FORMAT, FIELDS, GOALS, NOTE
from proctor.suites.hello.extract.world import REASONS, SHAPE, MessageWorld
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_GOALS = tuple(goal.format(fields="\n- ".join(FIELDS)) + NOTE for goal in GOALS)
_BUDGET = Budget(actions=30)


class ExtractFamily:
    """Messages with one order each."""

    spec = FamilySpec(
        id="extract",
        title="Facts from a message",
        description="Short mails, forms, tickets, notes and confirmations; four facts are asked for, each with rivals.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="All four reported values equal the ones that follow from the message.",
        verification="The answer is read in any clear form and compared exactly with the values fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "distractors": Knob(
                default=2,
                values=(0, 2, 4),
                description="Lines about other orders, companies and days put between those that count.",
            )
        },
        observation_schema={
            "type": "object",
            "properties": {"message": {"type": "string"}},
            "required": ["message"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        distractors = draw.knobs.get("distractors", 2)
        template = stream.choice(_TEMPLATES)
        known = facts(stream)
        # A stream of its own: more lines to lead astray leave the order itself as it is.
        message = FORMS[template](known, stream, asides(stream.child("asides"), distractors))
        return Instance(
            template=template,
            goal=stream.choice(_GOALS),
            answer_format=ANSWER_FORMAT,
            observation={"message": "\n".join(message.lines)},
            hidden={
                "answer": {
                    "customer": known.customer,
                    "reference": known.reference,
                    "quantity": message.quantity,
                    "deliver_by": message.deliver_by.isoformat(),
                }
            },
            knobs={"distractors": distractors},
            budget=_BUDGET,
            strict_actions=4,
        )

    def world(self, instance: Instance, place: Place) -> MessageWorld:
        return MessageWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every line that says something has to be known for certain."""
        lines = [line for line in instance.observation["message"].split("\n") if line]
        try:
            return Policy(instance, deliveries).settle(len(lines))
        except OutOfCalls:
            return False


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await session.call("reread")
    return Submission(instance.hidden["answer"], confidence=1.0)


family = ExtractFamily()
