"""The family `emergency-planning` (B.3.5, M5): predict what other deployments would change, then order the best.

Always: several independent counterfactuals, each a signed number that a simulation confirms or refutes; all must be
right, and the teams of the best deployment must really have been sent. Used with the regime `counterfactual-10s`: an
order takes two seconds, so that the orders take six of its ten.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.modeling.emergency_planning.forms import FORMS
from proctor.suites.agency.modeling.emergency_planning.scenes import Scene, best, changes, orders, scene
from proctor.suites.agency.modeling.emergency_planning.texts import ANSWER_FORMAT, GOALS, NOTE
from proctor.suites.agency.modeling.emergency_planning.world import REASONS, EmergencyWorld
from proctor.suites.agency.modeling.prediction import REREADING, restores_and_acts
from proctor.suites.kit.answers import ROW
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import show
from proctor.suites.kit.spelling import in_words
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=40)
_SLACK = 1


class EmergencyPlanningFamily:
    """Emergencies in eight forms."""

    spec = FamilySpec(
        id="emergency-planning",
        title="Emergency planning",
        description="Teams, sites and roads; what would change if another team went, and which deployment is best.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("M5",),
        criterion="All predicted changes equal the simulated ones, and the teams of the best deployment were sent.",
        verification="Plan and proposals are simulated minute by minute; predictions and orders are compared.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "proposals": Knob(default=4, values=(3, 4, 5, 6), description="Counterfactuals to be judged."),
            "sites": Knob(default=3, values=(3, 4, 5), description="Sites; there is one team more."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(ROW),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(_TEMPLATES), stream.choice(GOALS)
        drawn = scene(stream, knobs["sites"], knobs["proposals"])
        shown = show(FORMS[template](drawn, stream))
        return make_instance(
            shown,
            template=template,
            goal=goal.format(count=in_words(knobs["proposals"])) + NOTE + REREADING,
            answer_format=ANSWER_FORMAT,
            hidden={
                "answer": changes(drawn),
                "scene": msgspec.to_builtins(drawn),
            },
            knobs=knobs,
            budget=_BUDGET,
            # Everything is shown at the start: an order for each site, and a second look or a slip of the pen.
            strict_actions=knobs["sites"] + _SLACK,
        )

    def world(self, instance: Instance, place: Place) -> EmergencyWorld:
        return EmergencyWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """All lines with numbers, plan and proposals have to come back right, and every site has to be sent a team."""
        return restores_and_acts(instance, deliveries, instance.knobs["sites"])


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    answer = instance.hidden["answer"]
    drawn = msgspec.convert(instance.hidden["scene"], Scene)
    for site, team in orders(drawn, best(answer)).items():
        await call_with_retry(session, "deploy", site=site, team=team)
    return Submission(answer, confidence=1.0)


family = EmergencyPlanningFamily()
