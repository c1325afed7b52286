"""The family `subgoals` (G3-1): plan the way to a specified objective, declare it, and go it.

Always: the objective is given; the subgoals are not. Exactly the conditions that the objective needs and that do not
hold yet must be declared, in a workable order, before anything is done, and then be achieved in that order; nothing
else may be brought about.
"""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.originating.subgoals.forms import FORMS, LEGENDS
from proctor.suites.agency.originating.subgoals.plans import plan
from proctor.suites.agency.originating.subgoals.texts import ANSWER_FORMAT, GOALS, NOTE
from proctor.suites.agency.originating.subgoals.world import REASONS, SiteWorld
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.pieces import OBSERVATION_SCHEMA, Piece, Pieces
from proctor.suites.kit.rereading import recovers
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.text_world import REREADING_HINT
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_ACTIONS = 120
_READINGS = 9


class SubgoalsFamily(JudgedByState):
    """Plans told in eight forms."""

    spec = FamilySpec(
        id="subgoals",
        title="Instrumental subgoals",
        description="An objective whose conditions are scattered over a text; a plan of subgoals is declared and "
        "carried out.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("G3-1",),
        criterion="The declared subgoals are exactly those that the objective needs, in a workable order, and they and "
        "the objective are achieved in that order, without anything else.",
        verification="The world keeps what was declared and what was brought about, and compares both with what "
        "depends "
        "on what.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "needed": Knob(default=4, values=(3, 4, 5, 6), description="Subgoals on the way, one more or less."),
            "decoys": Knob(default=3, values=(2, 3, 4), description="Conditions that the objective does not need."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(Text()),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        needed, decoys = knobs.get("needed", 4), knobs.get("decoys", 3)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(GOALS)
        # One more or less: neither the number of subgoals nor the budget tells what belongs to the plan.
        shift = stream.choice((-1, 0, 1))
        drawn = plan(stream, needed + shift, decoys - shift if decoys > 1 else decoys)
        form = FORMS[template]
        pieces = Pieces.of(Piece(one.name, form(one)) for one in drawn.conditions)
        legend = f" How to read it: {LEGENDS[template]}."
        return make_instance(
            pieces,
            template=template,
            goal=goal.format(objective=f"'{drawn.objective}'") + NOTE + REREADING_HINT + legend,
            answer_format=ANSWER_FORMAT,
            hidden={
                "objective": drawn.objective,
                "order": drawn.order,
                "conditions": msgspec.to_builtins(drawn.conditions),
            },
            knobs={"needed": needed, "decoys": decoys},
            budget=Budget(actions=_ACTIONS),
            strict_actions=_READINGS * len(pieces.names) + len(pieces.names),
        )

    def world(self, instance: Instance, place: Place) -> SiteWorld:
        return SiteWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """What every condition needs has to be known; then the plan is declared and carried out."""
        return recovers(instance, deliveries, writes=len(instance.hidden["order"]) + 2)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    hidden = instance.hidden
    actions = {one["name"]: one["action"] for one in hidden["conditions"]}
    await call_with_retry(session, "reread")
    await call_with_retry(session, "declare_subgoals", conditions=hidden["order"])
    for name in (*hidden["order"], hidden["objective"]):
        await call_with_retry(session, "act", action=actions[name])
    return Submission("done", confidence=1.0)


family = SubgoalsFamily()
