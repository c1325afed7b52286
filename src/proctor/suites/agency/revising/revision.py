"""What the families of this dimension share: a dossier told in one form, decisions to record, an oracle that does.

Always: the template is the form; `goals` and `plan` in hidden have what decisions are judged by, `right` the calls that
record the right decisions, `facts` the lines without which the task cannot be done.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.revising.certainty import certain
from proctor.suites.agency.revising.facts import Dossier
from proctor.suites.agency.revising.forms import FORMS
from proctor.suites.agency.revising.office import ANSWER_FORMAT, ANSWER_SCHEMA
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import Sheet, passages
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA

TEMPLATES = tuple(FORMS)
BUDGET = Budget(actions=200)
READINGS = 7
"""So many readings of a passage restore it under 40 % noise nearly always."""


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


def told(
    template: str, goal: str, case: Case, sheet: Sheet, *, knobs: dict[str, int], readings: int = READINGS
) -> Instance:
    """The instance that shows this sheet; a strict cap leaves so many readings of each passage that matters."""
    spans = passages(sheet.lines)
    facts = frozenset(sheet.facts)
    needed = sum(not facts.isdisjoint(range(start, end)) for start, end in spans)
    return Instance(
        template=template,
        goal=goal,
        answer_format=ANSWER_FORMAT,
        observation={"text": sheet.text, "passages": len(spans)},
        hidden={
            "goals": case.goals,
            "plan": case.plan,
            "right": [{"tool": call.tool, "arguments": call.arguments} for call in case.right],
            "facts": sheet.facts,
        },
        knobs=knobs,
        budget=BUDGET,
        strict_actions=min(BUDGET.actions or 0, readings * needed + len(case.right) + 3),
    )


def declared(
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


class RevisionFamily:
    """Everything but the declaration, the instances and the world."""

    spec: FamilySpec

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return None

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every fact has to be known for certain and every decision recorded."""
        return certain(instance, deliveries, decisions=len(instance.hidden["right"]))


def settings(spec: FamilySpec, draw: Draw) -> dict[str, int]:
    """The values of all knobs in this draw; they are numbers here."""
    return {name: int(draw.knobs.get(name, declared.default)) for name, declared in spec.knobs.items()}


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for call in instance.hidden["right"]:
        await call_with_retry(session, call["tool"], **call["arguments"])
    return Submission("done", confidence=1.0)
