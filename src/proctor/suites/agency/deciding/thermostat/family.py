"""The family `thermostat` (B.4.1, D1): heat, cool or off, one decision after another by stated rules.

Always: each reading is decided by itself, every rule of the room decides at least one of them, a decision stands, and
all must be right.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.deciding.forms import FORMS, written
from proctor.suites.agency.deciding.frames import frame
from proctor.suites.agency.deciding.thermostat.rooms import drawn_readings, drawn_rules
from proctor.suites.agency.deciding.thermostat.rows import row_of, sections_of
from proctor.suites.agency.deciding.thermostat.rules import decide
from proctor.suites.agency.deciding.thermostat.texts import ANSWER_FORMAT, GOALS, ROOMS, RULES, WORDING
from proctor.suites.agency.deciding.thermostat.world import REASONS, PlantWorld, shown_reading
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import passages
from proctor.suites.kit.words import firm
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_FIELDS = 6
"""What one reading states."""


class ThermostatFamily(JudgedByState):
    """Days of a controller."""

    spec = FamilySpec(
        id="thermostat",
        title="Thermostat",
        description="A room's rules and a day of readings; heat, cool or off at each, by schedule, band and overrides.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("D1",),
        criterion="Every reading is decided, and every decision is the one the stated rules give.",
        verification="The recorded decisions are compared with those that the rules give, fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "steps": Knob(default=10, values=(8, 10, 12), description="Readings to decide."),
            "extras": Knob(
                default=4, values=(0, 2, 4, 5), description="Rules beyond schedule and dead band that the room has."
            ),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "passages": {"type": "integer"},
                "number": {"type": "integer"},
                "of": {"type": "integer"},
                "reading": {"type": "string"},
            },
            "required": ["text", "passages", "number", "of", "reading"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        steps, extras = draw.knobs.get("steps", 10), draw.knobs.get("extras", 4)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(GOALS)
        about = frame(stream, f"the {stream.choice(ROOMS)} of {firm(stream)}")
        rules = drawn_rules(stream, extras)
        readings = drawn_readings(stream, rules, steps)
        sheet = written(template, sections_of(rules), WORDING, about)
        hidden = {
            "readings": [row_of(reading).cells for reading in readings],
            "modes": [decide(rules, reading) for reading in readings],
            "frame": list(about),
            "facts": sheet.facts,
        }
        return Instance(
            template=template,
            goal=goal.format(steps=steps) + RULES,
            answer_format=ANSWER_FORMAT,
            observation={
                "text": sheet.text,
                "passages": len(passages(sheet.lines)),
                "number": 1,
                "of": steps,
                "reading": shown_reading(template, hidden, 0),
            },
            hidden=hidden,
            knobs={"steps": steps, "extras": extras},
            budget=Budget(actions=6 * steps),
            strict_actions=steps + 2,
        )

    def world(self, instance: Instance, place: Place) -> PlantWorld:
        return PlantWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The text has to be known for certain, then each reading in turn; every decision costs a call."""
        policy = Policy(instance, deliveries)
        left = instance.observation["of"]
        each = policy.calls // (left + 1)
        try:
            known = policy.settle(len(instance.hidden["facts"]), keep=each * left)
            while left and known:
                left -= 1
                known = policy.settle(_FIELDS, keep=each * left + 2)
                policy.call("write")
        except OutOfCalls:
            return False
        return known


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for mode in instance.hidden["modes"]:
        await call_with_retry(session, "set_mode", mode=mode)
    return Submission("done", confidence=1.0)


family = ThermostatFamily()
