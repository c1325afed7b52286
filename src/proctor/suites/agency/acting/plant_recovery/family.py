"""The family `plant-recovery` (E5, beside B.5.5): restore a controller and restart a plant under the same tight caps.

Always: two calls that are carried out are enough, everything needed to decide them is in goal and material, the restart
can be made once, and the controller's own files are judged.
"""

from __future__ import annotations

from datetime import timedelta

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.acting.forms import CORRECTIONS, TEMPLATES, Fact, Part, compose, corrected, facts_of, head
from proctor.suites.agency.acting.plant_recovery.plant import Plant, at, plant
from proctor.suites.agency.acting.plant_recovery.texts import ANSWER_FORMAT, GOALS, PLANTS, RULES
from proctor.suites.agency.acting.plant_recovery.world import (
    REASONS,
    RESTART_MILLISECONDS,
    RESTORE_MILLISECONDS,
    PlantWorld,
)
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.text_world import MATERIAL_SCHEMA
from proctor.worlds.world import Place

ACTIONS = 5
NECESSARY = 2
_FACTS_OF_UNIT = 2


class PlantRecoveryFamily(JudgedByState):
    """Plants after a trip."""

    spec = FamilySpec(
        id="plant-recovery",
        title="A plant back in service in five actions",
        description="Choose the right snapshot, restore it, restart all units in the right order at the right load.",
        environment=EnvironmentClass(kind=EnvironmentKind.STOCHASTIC),
        evidences=("E5",),
        criterion="The controller has the set points of the right snapshot; the restart on record is the right one.",
        verification="The controller's real files are read: set points byte for byte, restart order and load.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "units": Knob(default=5, values=(3, 5, 8), description="Units to restart."),
            "snapshots": Knob(default=5, values=(3, 5, 7), description="Snapshots to choose from."),
        },
        observation_schema=MATERIAL_SCHEMA,
        answer_schema={"type": "string"},
        artifacts=True,
        ceiling=0.93,
        # Two successes in five tries at 70 % come in 96.9 % of episodes: a sample of 30 may well show 0.93.
        oracle_floor=0.90,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        units, snapshots = knobs.get("units", 5), knobs.get("snapshots", 5)
        template = stream.choice(TEMPLATES)
        name, machines = stream.choice(PLANTS)
        made = plant(stream, machines, units, snapshots)
        parts = _parts(stream, name, made)
        # Told on the day after, when all of it has happened.
        written_on = made.fault.date() + timedelta(days=1)
        about = head(stream, f"the trip of {name}", f"F-{stream.integer(100, 999)}", written_on)
        goal = stream.choice(GOALS).format(plant=name)
        return Instance(
            template=template,
            goal=goal[0].upper() + goal[1:] + RULES.format(correct=CORRECTIONS),
            answer_format=ANSWER_FORMAT,
            observation={"material": compose(template, about, parts, stream)},
            hidden={
                "snapshots": {item.name: item.text for item in made.snapshots},
                "right": made.right,
                "order": list(made.order),
                "load": made.load,
                "facts": facts_of(parts),
            },
            knobs={"units": units, "snapshots": snapshots},
            budget=Budget(actions=ACTIONS),
            strict_actions=ACTIONS,
        )

    def world(self, instance: Instance, place: Place) -> PlantWorld:
        return PlantWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Two calls, repeated until they are carried out.

        What is read is counted too; the family's regime has no noise, so that it tells how difficulty grows.
        """
        fields = _FACTS_OF_UNIT * instance.knobs["units"] + instance.knobs["snapshots"]
        takes = (RESTORE_MILLISECONDS, RESTART_MILLISECONDS)
        return Policy(instance, deliveries).settle_then_write(fields, NECESSARY, keep=NECESSARY + 1, milliseconds=takes)


def _parts(stream: Stream, name: str, made: Plant) -> list[Part]:
    parts = [Part(name, (Fact("beginning of the fault", at(made.fault)), Fact("firmware now", made.firmware)))]
    for item in made.snapshots:
        facts = (
            Fact("time of taking", at(item.taken)),
            Fact("state", "complete" if item.complete else "partial"),
            Fact("firmware", item.firmware),
        )
        parts.append(Part(f"snapshot {item.name}", facts))
    for unit in made.units:
        facts = (
            Fact("need", " and ".join(unit.needs) or "none"),
            Fact("drive power in kW", str(unit.power)),
            Fact("load limit in percent", str(unit.limit)),
        )
        parts.append(Part(f"unit {unit.name}", facts))
    strong = stream.choice(made.units)
    lightest = min(made.units, key=lambda unit: unit.limit)
    earlier = {
        (name, "beginning of the fault"): at(made.fault + timedelta(hours=stream.integer(3, 9))),
        (f"snapshot {made.right}", "state"): "partial",
        (f"unit {strong.name}", "drive power in kW"): str(stream.integer(181, 240)),
        (f"unit {lightest.name}", "load limit in percent"): str(stream.integer(80, 95)),
    }
    chosen = stream.sample(tuple(earlier), 2)
    return corrected(parts, {index: earlier[index] for index in chosen})


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    hidden = instance.hidden
    await call_with_retry(session, "restore", snapshot=hidden["right"])
    await call_with_retry(session, "restart", order=hidden["order"], load_percent=hidden["load"])
    return Submission("done", confidence=1.0)


family = PlantRecoveryFamily()
