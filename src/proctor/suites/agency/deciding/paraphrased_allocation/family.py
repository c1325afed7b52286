"""The family `paraphrased-allocation` (B.4.4, D4): the same allocation, whichever way the task is told.

A unit is a pair. Always: both halves are the same problem, with the same single right allocation; their goals specify
the same policy in different ways, their texts differ in form, in the order of requests and in what is stated besides.
Both halves right means that they agree.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.deciding.forms import FORMS, written
from proctor.suites.agency.deciding.frames import frame
from proctor.suites.agency.deciding.material import Row, Section
from proctor.suites.agency.deciding.paraphrased_allocation.goals import (
    ANSWER_FORMAT,
    INTRODUCTIONS,
    NOTES,
    SPECIFICATIONS,
)
from proctor.suites.agency.deciding.paraphrased_allocation.problems import POLICIES, Problem, drawn_problem
from proctor.suites.agency.deciding.paraphrased_allocation.texts import IDLE, RECIPIENTS, SPOKEN, THINGS, WORDING
from proctor.suites.agency.deciding.paraphrased_allocation.world import REASONS, AllotmentWorld
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.rereading import MAX_CALLS, restores
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import needed_passages, passages
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import firm
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_WAYS = tuple(INTRODUCTIONS)
_COLUMNS = tuple(IDLE)
_HALVES = 2
_SETTING = 40
"""Calls beyond the readings: enough to set every amount several times."""
_BUDGET = Budget(actions=MAX_CALLS + _SETTING)
_READINGS = 6


class ParaphrasedAllocationFamily(JudgedByState):
    """Allocations told twice."""

    spec = FamilySpec(
        id="paraphrased-allocation",
        title="One allocation, two tellings",
        description="Scarce things to be allotted by a stated policy; each problem comes twice, in different words.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("D4",),
        criterion="Every recipient is allotted exactly what the stated policy gives it, in both halves of a pair.",
        verification="The allotments as they are set in the end are compared with the single right allocation.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"requests": Knob(default=6, values=(4, 5, 6, 7), description="Recipients who ask for something.")},
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
        ceiling=0.95,
    )

    def instance(self, draw: Draw) -> Instance:
        # The stream of an instance is the same for both halves; what differs is drawn by place and from a child.
        shared = draw.stream
        count = draw.knobs.get("requests", 6)
        problem = drawn_problem(shared, count)
        names = shared.sample(RECIPIENTS, count)
        thing = shared.choice(THINGS)
        template = shared.sample(_TEMPLATES, _HALVES)[draw.part % _HALVES]
        way = shared.sample(_WAYS, _HALVES)[draw.part % _HALVES]
        own = shared.child("half", draw.part)
        about = frame(own, f"the {thing}s of {firm(own)}")
        sheet = written(template, _sections(own, problem, names, thing, template), WORDING, about)
        spans = passages(sheet.lines)
        amounts = POLICIES[problem.policy](problem.units, problem.requests)
        words = {"thing": thing, "things": f"{thing}s"}
        note = shared.sample(NOTES, _HALVES)[draw.part % _HALVES]
        return Instance(
            template=template,
            goal=f"{INTRODUCTIONS[way]}\n\n{SPECIFICATIONS[problem.policy][way]}\n\n{note}".format(**words),
            answer_format=ANSWER_FORMAT,
            observation={"text": sheet.text, "passages": len(spans)},
            hidden={
                "amounts": dict(zip(names, amounts, strict=True)),
                "units": problem.units,
                "policy": problem.policy,
                "way": way,
                "facts": sheet.facts,
            },
            knobs={"requests": count},
            budget=_BUDGET,
            strict_actions=_READINGS * needed_passages(sheet, spans) + 2 * count,
        )

    def world(self, instance: Instance, place: Place) -> AllotmentWorld:
        return AllotmentWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every line that states a number has to come back right; then each amount costs a call."""
        policy = Policy(instance, deliveries)
        # Readings end after `MAX_CALLS`; what lies beyond is left for setting amounts.
        policy.calls = max(policy.calls - MAX_CALLS, 0)
        try:
            policy.call("write", times=sum(amount > 0 for amount in instance.hidden["amounts"].values()))
        except OutOfCalls:
            return False
        return restores(instance, deliveries)


def _sections(own: Stream, problem: Problem, names: list[str], thing: str, template: str) -> list[Section]:
    """One half's material: its own order of requests, and its own remarks that decide nothing."""
    columns = own.sample(_COLUMNS, 2)
    total = sum(request.ask for request in problem.requests)
    rows = []
    for index in own.sample(range(len(names)), len(names)):
        request = problem.requests[index]
        idle = {column: own.choice(IDLE[column]) for column in columns}
        if template in SPOKEN:
            idle = {"notes": ", ".join([f"{column} {value}" for column, value in idle.items()])}
        cells = {
            "recipient": names[index],
            "ask": str(request.ask),
            "least": str(request.least),
            "rank": str(request.rank),
            "benefit": str(request.benefit),
            **idle,
        }
        rows.append(Row("request", cells))
    pool = Row("pool", {"thing": thing, "units": str(problem.units), "asked": str(total)})
    return [Section("pool", [pool]), Section("requests", rows)]


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for name, amount in instance.hidden["amounts"].items():
        if amount:
            await call_with_retry(session, "allot", recipient=name, units=amount)
    return Submission("done", confidence=1.0)


family = ParaphrasedAllocationFamily()
