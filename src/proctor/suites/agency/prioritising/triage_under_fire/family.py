"""The family `triage-under-fire` (G2-5): who gets help when not everybody can, while most of what is seen is unsure.

Always: the highest stake can be served in full and must be; a reserve may not be touched; what is sent is spent; the
whole of what was sent must be right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.prioritising.action_family import ANSWER_SCHEMA, DONE_FORMAT, ActingFamily, Deed
from proctor.suites.agency.prioritising.board import Board, Column, Group, legend
from proctor.suites.agency.prioritising.board_text import shown_board
from proctor.suites.agency.prioritising.forms import TEMPLATES
from proctor.suites.agency.prioritising.triage_under_fire.incidents import operation
from proctor.suites.agency.prioritising.triage_under_fire.texts import CALLS, DISASTERS, GOALS, NOTE
from proctor.suites.agency.prioritising.triage_under_fire.world import REASONS, BaseCampWorld
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import GIVEN

_BUDGET = Budget(actions=80)
_READINGS = 8
"""So many readings of a passage restore it under 40 % noise nearly always, with many lines that have to be right."""


class TriageUnderFireFamily(ActingFamily):
    """Operations in eight disasters."""

    world_class = BaseCampWorld
    spec = FamilySpec(
        id="triage-under-fire",
        title="Triage under fire",
        description="Crews are sent to incidents by declared priorities, with a reserve, from unsure reports.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("G2-5",),
        criterion="Every incident has been sent what the priorities give it, and the reserve is at the base.",
        verification="What was sent where is compared with what follows from the priorities and the true figures.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "incidents": Knob(default=6, values=(5, 6, 8), description="How many call for help."),
            "calls": Knob(default=1, values=(0, 1, 2), description="Calls on the radio that mean nothing."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=ANSWER_SCHEMA,
    )

    def instance(self, draw: Draw) -> Instance:
        dice, knobs = Dice(draw.stream), draw.knobs
        count, calls = knobs.get("incidents", 6), knobs.get("calls", 1)
        template, disaster = dice.choice(TEMPLATES), dice.choice(DISASTERS)
        drawn = operation(dice, count)
        stakes = dice.shuffled(disaster.stakes)
        # A stream of its own: more calls leave the incidents as they are.
        radio = Dice(draw.stream.child("radio"))
        callers = radio.sample(drawn.incidents, calls)
        asides = tuple(radio.choice(CALLS).format(who=radio.choice(GIVEN), code=caller.code) for caller in callers)
        columns = _columns(disaster.crew)
        board = Board(disaster.title, columns, (Group("", 0, drawn.records(stakes)),), asides=asides)
        shown = shown_board(board, template, dice)
        words = {"one": stakes[0], "two": stakes[1], "three": stakes[2], "crew": disaster.crew}
        return make_instance(
            shown,
            template=template,
            goal=(dice.choice(GOALS) + NOTE).format(
                **words, crews=drawn.crews, reserve=drawn.reserve, legend=legend(columns)
            ),
            answer_format=DONE_FORMAT,
            hidden={
                "dispatches": drawn.dispatches,
                "top": [incident.code for incident in drawn.incidents if incident.stake == 0],
                "crews": drawn.crews,
                "reserve": drawn.reserve,
                "codes": [incident.code for incident in drawn.incidents],
            },
            knobs={"incidents": count, "calls": calls},
            budget=_BUDGET,
            # By the number of incidents, not of dispatches: a cap must not tell how many there should be.
            strict_actions=_READINGS * shown.needed + count,
        )

    def deeds(self, instance: Instance) -> list[Deed]:
        dispatches: dict[str, int] = instance.hidden["dispatches"]
        return [("send", {"code": code, "number": number}) for code, number in dispatches.items()]


def _columns(crew: str) -> tuple[Column, ...]:
    return (
        Column("stake", "has {} at stake", "what is at stake there"),
        Column("minutes", "has {} minutes left", "minutes until it is too late"),
        Column("need", f"needs {{}} {crew}", f"{crew} it needs"),
    )


family = TriageUnderFireFamily()
