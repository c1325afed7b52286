"""The family `log-debugging` (B.2.3, S3): find a root cause in a log of which only a part is shown.

Always: in half of the instances the first view tells the cause, in the other half it has to be got by following the
request through at most three of eight sections; the first view always tells some cause; all four values must be right.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.sensing.log_debugging.dialects import DIALECTS
from proctor.suites.agency.sensing.log_debugging.incidents import first_view, incident
from proctor.suites.agency.sensing.log_debugging.texts import ANSWER_FORMAT, FIELDS, GOALS, GUIDE, NOTE, QUERIES
from proctor.suites.agency.sensing.log_debugging.world import REASONS, SHAPE, LogWorld
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(DIALECTS)
_NOTE = NOTE.format(guide="\n- ".join(GUIDE), queries="three")
_GOALS = tuple(goal.format(fields="\n- ".join(FIELDS)) + _NOTE for goal in GOALS)
_BUDGET = Budget(actions=30)


class LogDebuggingFamily:
    """Logs in eight dialects."""

    spec = FamilySpec(
        id="log-debugging",
        title="Log debugging",
        description="An error, a part of its trace, and eight log sections of which three may be opened.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("S3",),
        criterion="Component, cause, detail and whether the first view was enough all equal what happened.",
        verification="The answer is read in any clear form and compared exactly with the incident fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "hops": Knob(
                default=2,
                values=(1, 2, QUERIES),
                description="How many sections have to be opened at most, where something is missing.",
            ),
            "rivals": Knob(default=2, values=(1, 2, 4), description="Other requests in trouble in each section."),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "error_message": {"type": "string"},
                "partial_stacktrace": {"type": "string"},
                "sections": {"type": "array", "items": {"type": "string"}},
                "query_budget": {"type": "integer"},
            },
            "required": ["error_message", "partial_stacktrace", "sections", "query_budget"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        hops, rivals = knobs.get("hops", 2), knobs.get("rivals", 2)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(_GOALS)
        drawn = incident(stream, template, hops, rivals)
        return Instance(
            template=template,
            goal=goal,
            answer_format=ANSWER_FORMAT,
            observation={**first_view(drawn), "query_budget": QUERIES},
            hidden={
                "answer": {
                    "component": drawn.chain[-1],
                    "cause": drawn.fault.code,
                    "detail": drawn.fault.detail,
                    "enough": drawn.enough,
                },
                "incident": msgspec.to_builtins(drawn),
                "needed": drawn.needed,
            },
            knobs={"hops": hops, "rivals": rivals},
            budget=_BUDGET,
            strict_actions=QUERIES + 2,
        )

    def world(self, instance: Instance, place: Place) -> LogWorld:
        return LogWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The entry of the request has to be known for certain, in the first view and in each section it leads to."""
        needed: list[str] = instance.hidden["needed"]
        policy = Policy(instance, deliveries)
        share = policy.calls // (len(needed) + 1)
        try:
            return all(
                policy.settle(2, seen=int(index == 0), keep=share * (len(needed) - index))
                for index in range(len(needed) + 1)
            )
        except OutOfCalls:
            return False


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for service in instance.hidden["needed"]:
        await call_with_retry(session, "log_section", service=service)
    return Submission(instance.hidden["answer"], confidence=1.0)


family = LogDebuggingFamily()
