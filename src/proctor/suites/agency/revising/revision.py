"""What the families of this dimension share: a dossier told in one form, decisions to record, an oracle that does.

Always: the template is the form; `goals` and `plan` in hidden have what decisions are judged by, `right` the calls that
record the right decisions, `facts` the lines without which the task cannot be done.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.revising.ceiling import can_be_certain
from proctor.suites.agency.revising.facts import Dossier
from proctor.suites.agency.revising.forms import FORMS
from proctor.suites.agency.revising.office import ANSWER_FORMAT, ANSWER_SCHEMA
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import READINGS, Sheet, show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA

TEMPLATES = tuple(FORMS)
BUDGET = Budget(actions=200)


class Call(Struct, frozen=True):
    """A call that records a right decision."""

    tool: str
    arguments: dict[str, Any]


class Case(Struct, frozen=True):
    """A problem with its solution, before it is told."""

    dossier: Dossier
    goals: dict[str, dict[str, Any]]
    right: list[Call]
    plan: dict[str, Any] = {}
    """What all goals are judged by."""


def case_instance(
    template: str, goal: str, case: Case, sheet: Sheet, *, knobs: dict[str, int], readings: int = READINGS
) -> Instance:
    """The instance that shows this sheet; a strict cap leaves so many readings of each passage that matters."""
    shown = show(sheet)
    return make_instance(
        shown,
        template=template,
        goal=goal,
        answer_format=ANSWER_FORMAT,
        hidden={
            "goals": case.goals,
            "plan": case.plan,
            "right": [{"tool": call.tool, "arguments": call.arguments} for call in case.right],
        },
        knobs=knobs,
        budget=BUDGET,
        strict_actions=min(BUDGET.actions or 0, readings * shown.needed + len(case.right) + 3),
    )


def family_spec(
    *,
    id: str,
    title: str,
    description: str,
    evidences: str,
    criterion: str,
    verification: str,
    reasons: tuple[str, ...],
    knobs: dict[str, Knob],
) -> FamilySpec:
    """The declaration of a family of this dimension; forms, schemas and environment are the same for all."""
    return FamilySpec(
        id=id,
        title=title,
        description=description,
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=(evidences,),
        criterion=criterion,
        verification=verification,
        reasons=("correct", "nothing_recorded", "undecided", *reasons),
        templates=TEMPLATES,
        knobs=knobs,
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=ANSWER_SCHEMA,
    )


class RevisionFamily(JudgedByState):
    """Everything but the declaration, the instances and the world."""

    spec: FamilySpec

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every fact has to be known for certain and every decision recorded."""
        return can_be_certain(instance, deliveries, decisions=len(instance.hidden["right"]))


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for call in instance.hidden["right"]:
        await call_with_retry(session, call["tool"], **call["arguments"])
    return Submission("done", confidence=1.0)
