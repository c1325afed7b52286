"""The family `port-control` (G2-5): what still gets in before the port closes, while calls fail and are counted.

Always: the first of the highest kind that fits comes first; minutes and berths are spent for good; ships, berths and
order must all be right.
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
from proctor.suites.agency.prioritising.port_control.texts import GOALS, NOTE, PORTS, REMARKS, Port
from proctor.suites.agency.prioritising.port_control.traffic import traffic
from proctor.suites.agency.prioritising.port_control.world import REASONS, PortWorld
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import GIVEN

_BUDGET = Budget(actions=80)
_READINGS = 5
"""Calls for each passage: three readings or so restore it at 10 % noise, and three calls in ten are lost."""


class PortControlFamily(ActingFamily):
    """Ports of eight kinds."""

    world_class = PortWorld
    spec = FamilySpec(
        id="port-control",
        title="Port control",
        description="Ships are brought in by declared priorities while minutes and berths last and calls time out.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("G2-5",),
        criterion="Exactly the ships that the priorities give a place are in, each in its berth, in the right order.",
        verification="The record of entries is compared with what follows from the priorities and the true figures.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "ships": Knob(default=6, values=(5, 6, 8), description="How many wait."),
            "remarks": Knob(default=1, values=(0, 1, 2), description="Remarks that mean nothing."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=ANSWER_SCHEMA,
    )

    def instance(self, draw: Draw) -> Instance:
        dice, knobs = Dice(draw.stream), draw.knobs
        count, said = knobs.get("ships", 6), knobs.get("remarks", 1)
        template, port = dice.choice(TEMPLATES), dice.choice(PORTS)
        drawn = traffic(dice, count)
        kinds = dice.shuffled(port.kinds)
        # A stream of its own: more remarks leave the ships as they are.
        quay = Dice(draw.stream.child("remarks"))
        meant = quay.sample(drawn.ships, said)
        asides = tuple(quay.choice(REMARKS).format(who=quay.choice(GIVEN), code=ship.code) for ship in meant)
        columns = _columns(port)
        board = Board(port.title, columns, (Group("", 0, drawn.records(kinds)),), asides=asides)
        shown = shown_board(board, template, dice)
        words = {
            "one": kinds[0],
            "two": kinds[1],
            "three": kinds[2],
            "title": port.title,
            "ship": port.ship,
            "berth": port.berth,
            "size": port.size,
            "unit": port.unit,
            "window": drawn.window,
            "berths": ", ".join(f"{name} {size}" for name, size in drawn.berths.items()),
            "legend": legend(columns),
        }
        return make_instance(
            shown,
            template=template,
            goal=(dice.choice(GOALS) + NOTE).format(**words),
            answer_format=DONE_FORMAT,
            hidden={
                "entries": drawn.entries,
                "top": [ship.code for ship in drawn.ships if ship.kind == 0],
                "window": drawn.window,
                "berths": drawn.berths,
                "ships": {ship.code: [ship.minutes, ship.size] for ship in drawn.ships},
                "codes": [ship.code for ship in drawn.ships],
            },
            knobs={"ships": count, "remarks": said},
            budget=_BUDGET,
            # By the number of berths, not of entries: a cap must not tell how many there should be.
            strict_actions=_READINGS * shown.needed + 2 * len(drawn.berths) + 1,
        )

    def deeds(self, instance: Instance) -> list[Deed]:
        return [("bring_in", {"code": ship, "place": berth}) for ship, berth in instance.hidden["entries"]]


def _columns(port: Port) -> tuple[Column, ...]:
    return (
        Column("kind", "is of kind {}", "its kind"),
        Column("hour", "arrived at hour {}", "hour of arrival, from 1 to 23"),
        Column("minutes", "takes {} minutes", "minutes it takes to bring in"),
        Column(port.size, f"has a {port.size} of {{}}", f"its {port.size} in {port.unit}"),
    )


family = PortControlFamily()
