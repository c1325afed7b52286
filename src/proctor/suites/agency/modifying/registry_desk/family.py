"""The family `registry-desk` (§12.9, T6-modification): find what limits an office, and change it.

Always: what limits the office is drawn for the lifetime; a shift is the same whatever was changed before it; phase
`modify` is the window, every other phase a shift; what an agent is shown does not name the phase. Without the right
change hardly any shift succeeds, whatever an agent does: so nobody gains by doing badly before a change.
"""

from __future__ import annotations

from proctor.agents.contract import Agent
from proctor.engine.family import Deliveries, Draw
from proctor.spec.actions import RESERVED_TOOLS
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.task import Budget, Instance
from proctor.spec.tier_protocols import ModificationSpace
from proctor.suites.agency.modifying.changes import KINDS
from proctor.suites.agency.modifying.registry_desk.ceiling import finishes_shift, mends_office
from proctor.suites.agency.modifying.registry_desk.office import draw_office, gauge_at
from proctor.suites.agency.modifying.registry_desk.solver import Modifier
from proctor.suites.agency.modifying.registry_desk.texts import (
    LISTED,
    RULES,
    SETTINGS,
    SHIFT_ANSWER,
    SHIFTS,
    TASK,
    WINDOWS,
)
from proctor.suites.agency.modifying.registry_desk.window import READINGS, WINDOW_REASONS, WindowWorld
from proctor.suites.agency.modifying.registry_desk.world import SHIFT_REASONS, WINDOW, Desk, ShiftWorld
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.words import TOWNS, person
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_BUDGET = Budget(actions=150)
_LETTERS = "BCDFGHKLMNPRTVWX"


class RegistryDeskFamily(JudgedByState):
    """Eight offices, and three things that may stand in the way."""

    spec = FamilySpec(
        id="registry-desk",
        title="Registry desk",
        description="Shifts that one of three bottlenecks spoils, and a window in which the way of working is changed.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("T6-modification",),
        criterion="In the window: the suspect named was looked into and the change in force relieves the bottleneck. "
        "In a shift: every record has its right entry, and every volume is back on its shelf.",
        verification="The change in force is held against the office fixed for the lifetime; the entries that were "
        "printed against the records.",
        reasons=("correct", *SHIFT_REASONS, *WINDOW_REASONS),
        templates=tuple(SETTINGS),
        observation_schema={
            "type": "object",
            "properties": {
                "office": {"type": "string"},
                "tickets": {"type": "integer"},
                "minutes": {"type": "integer"},
                "in_force": {"type": "string"},
                "kept": {"type": "object"},
            },
            "required": ["office", "tickets", "minutes"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(Text()),
        examined=WINDOW,
        modification=ModificationSpace(allowed=KINDS, forbidden=tuple(sorted(RESERVED_TOOLS))),
    )

    def instance(self, draw: Draw) -> Instance:
        shared, stream = draw.shared, draw.stream
        office = draw_office(shared.child("office"))
        template = shared.choice(tuple(SETTINGS))
        setting = SETTINGS[template]
        place = setting.place.format(town=shared.choice(TOWNS))
        window = draw.phase == WINDOW
        initials = stream.choice(_LETTERS) + stream.choice(_LETTERS)
        numbers = stream.sample(range(100, 1000), office["full"])
        records = [[f"{initials}-{number}", stream.integer(1_000, 99_999)] for number in numbers]
        initial, surname = person(stream)
        wording, moments = stream.below(4), stream.hex(32)
        readings = [gauge_at(office, stream.random(), stream.random()) for _ in range(READINGS)] if window else []
        taken = [] if window else records
        if window:
            goal = WINDOWS[wording].format(
                place=place, clerk=f"{initial}. {surname}", records=setting.records, task=TASK
            )
        else:
            pairs = "; ".join(f"{ref} {value}" for ref, value in taken)
            goal = SHIFTS[wording].format(
                place=place,
                count=len(taken),
                records=setting.records,
                clerk=f"{initial}. {surname}",
                list=LISTED.format(value=setting.value, pairs=pairs),
                rules=RULES,
            )
        return Instance(
            template=template,
            goal=goal,
            answer_format=SHIFT_ANSWER,
            observation={"office": place, "tickets": office["tickets"], "minutes": office["minutes"]},
            hidden={
                "office": office,
                "records": taken,
                "sample": records[0],
                "window": window,
                "moments": moments,
                "readings": readings,
            },
            budget=_BUDGET,
            strict_actions=60,
        )

    def world(self, instance: Instance, place: Place) -> Desk:
        return WindowWorld(instance, place) if instance.hidden["window"] else ShiftWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return Modifier(instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return (mends_office if instance.hidden["window"] else finishes_shift)(instance, deliveries)


family = RegistryDeskFamily()
