"""The family `timely-check` (§12.7.2, T4-switch): use a recorded value directly, or check it first.

Always: either the recorded value still holds and a check would end too late, or it no longer holds and a check ends in
time. A unit can be set once, so there is no trying out; whoever never checks and whoever always does are right on half.
"""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.spec.tier_protocols import Strategies
from proctor.suites.agency.modeling.prediction import restores_and_acts
from proctor.suites.agency.reflecting.frames import FRAMES, TEMPLATES
from proctor.suites.agency.reflecting.halves import in_first_half
from proctor.suites.agency.reflecting.switching import FIXED, strategies_knob
from proctor.suites.agency.reflecting.timely_check.units import WORDS, Plant, Unit, plant, still_holds
from proctor.suites.agency.reflecting.timely_check.world import (
    CHECK_FIRST,
    DIRECT,
    REASONS,
    SWITCH,
    PlantWorld,
)
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.world import Place

_BUDGET = Budget(actions=80)
_SPARE = 4


class TimelyCheckFamily(JudgedByState):
    """Plants of six kinds, in eight forms."""

    spec = FamilySpec(
        id="timely-check",
        title="Checked in time, or used as it stands",
        description="A recorded value is used directly or checked first; its age and the time left say which works.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("T4-switch",),
        criterion="The unit that was asked for, and no other, was set to its true value before its time limit.",
        verification="The world's own record of settings, and its clock, are compared with what was fixed beforehand.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "units": Knob(default=3, values=(2, 3, 4), description="Units in the text; one of them is asked for."),
            "strategies": strategies_knob("checks"),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
        strategies=Strategies(
            names=(DIRECT, CHECK_FIRST),
            features=(
                "the age of the recorded value, and how long values of its class hold",
                "the time left until it has to be set, and how long a check takes where it stands",
            ),
            switch=SWITCH,
            recognised="By whether a check of the unit was carried out before the unit was set.",
        ),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(TEMPLATES), stream.choice(WORDS["goals"])
        drawn = plant(stream, knobs["units"], fresh=in_first_half(draw))
        asked = drawn.units[0].name
        shown = show(FRAMES[template](stream, drawn.house["title"], drawn.lines))
        goal = f"{goal} {WORDS['rules']}".format(x=asked, **drawn.house)
        return make_instance(
            shown,
            template=template,
            goal=goal[:1].upper() + goal[1:],
            answer_format=WORDS["answer_format"],
            hidden={
                "asked": asked,
                "now": drawn.now,
                "units": msgspec.to_builtins(drawn.units),
                "true_values": _true_values(drawn),
                "suits": DIRECT if still_holds(drawn.units[0], drawn.now) else CHECK_FIRST,
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=min(80, shown.readings + _SPARE),
        )

    def world(self, instance: Instance, place: Place) -> PlantWorld:
        return PlantWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """What the text says of the unit has to come back right; then it is set, or checked and set."""
        check = instance.hidden["suits"] == CHECK_FIRST
        if check and instance.knobs["strategies"] == FIXED:
            return False
        return restores_and_acts(instance, deliveries, 2 if check else 1)


def _true_values(drawn: Plant) -> dict[str, int]:
    """What a check would tell; of the units nobody asked for it tells what is recorded."""
    return {unit.name: unit.value for unit in drawn.units} | {drawn.units[0].name: drawn.true_value}


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Compares what the text says, and checks where the value is too old and the tool is there."""
    hidden = instance.hidden
    unit = msgspec.convert(hidden["units"][0], Unit)
    await call_with_retry(session, "passage", number=1)
    value = unit.value
    if not still_holds(unit, hidden["now"]) and any(tool.name == SWITCH for tool in task.tools):
        checked = await call_with_retry(session, SWITCH, name=unit.name)
        value = checked.value["value"] if checked.ok else value
    await call_with_retry(session, "set_value", name=unit.name, value=value)
    return Submission("done", confidence=1.0)


family = TimelyCheckFamily()
