"""The family `api-versions` (B.6.4, L4): learn an undocumented interface on version 1, use it on version 2.

Always: `pretest` and `train` answer in the formats of version 1, every other phase in those of version 2; operations
and grades mean the same in both; their names are drawn for the lifetime; units of tests never occur in training.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.learning.api_versions.plant import GRADES, OPERATIONS, TASKS, unit
from proctor.suites.agency.learning.api_versions.responses import GUIDES, TEMPLATES, answer
from proctor.suites.agency.learning.api_versions.texts import (
    ANSWER_FORMAT,
    GOALS,
    READING,
    RULES,
    SERVICES,
    TAUGHT,
    TEST_PREFIXES,
    TRAINING_PREFIXES,
    UNTAUGHT,
)
from proctor.suites.agency.learning.api_versions.world import REASONS, PlantWorld
from proctor.suites.agency.learning.phases import held_out, shows_outcomes
from proctor.suites.agency.learning.pupil import Memory, Pupil, known_or_guess
from proctor.suites.agency.learning.secrets import code_book, dealt
from proctor.suites.kit.ceiling import OutOfCalls
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.rereading import Rereading, Votes, sure_lead
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(TEMPLATES)
_VERSION_1 = frozenset(("pretest", "train"))
_BUDGET = Budget(actions=60)
_READINGS = 9


class ApiVersionsFamily(JudgedByState):
    """A control interface with eight layouts in each of two versions."""

    spec = FamilySpec(
        id="api-versions",
        title="API versions",
        description="An interface with undocumented operations is learned on one version and used on the next.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("L4",),
        criterion="The first command to every unit is the operation and grade that its settings call for.",
        verification="The commands on record are compared with those that follow from the settings fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"units": Knob(default=3, values=(2, 3, 4), description="Units that need a command.")},
        observation_schema={
            "type": "object",
            "properties": {
                "service": {"type": "string"},
                "version": {"type": "string"},
                "units": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["service", "version", "units"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(Text()),
        examined="posttest",
        training=12,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, shared, tested = draw.stream, draw.shared, held_out(draw.phase)
        count = draw.knobs.get("units", 3)
        version = "v1" if draw.phase in _VERSION_1 else "v2"
        operations = code_book(shared.child("operations"), tuple(OPERATIONS))
        grades = code_book(shared.child("grades"), tuple(GRADES), taken=tuple(operations.values()))
        template = stream.choice(_TEMPLATES)
        service = stream.choice(SERVICES)
        ids = _ids(draw, TEST_PREFIXES if tested else TRAINING_PREFIXES, count)
        if tested:
            tasks = [stream.choice(TASKS) for _ in range(count)]
        else:
            tasks = dealt(shared.child("tasks"), TASKS, count, draw.step)
        units = [unit(stream, name, *task) for name, task in zip(ids, tasks, strict=True)]
        answers = {each.id: answer(each, template, version, stream) for each in units}
        wanted = "\n".join(f"- {each.id}: " + _plain(each.wanted) for each in units)
        rules = RULES.format(
            wanted=wanted,
            guide=GUIDES[version],
            operations=", ".join(sorted(operations.values())),
            grades=", ".join(sorted(grades.values())),
        )
        note = TAUGHT if shows_outcomes(draw.phase) else UNTAUGHT
        texts = {name: "\n".join(lines) for name, (lines, _) in answers.items()}
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(service=service, version=version[1:]) + rules + note + READING,
            answer_format=ANSWER_FORMAT,
            observation={"service": service, "version": version, "units": ids},
            hidden={
                "right": {u.id: {"operation": operations[u.operation], "grade": grades[u.grade]} for u in units},
                "tasks": {each.id: [each.operation, each.grade] for each in units},
                "answers": texts,
                "settings": {name: places for name, (_, places) in answers.items()},
                "operations": sorted(operations.values()),
                "grades": sorted(grades.values()),
                "shows": shows_outcomes(draw.phase),
                "items": list(texts.values()),
            },
            knobs={"units": count},
            budget=_BUDGET,
            strict_actions=(_READINGS + 1) * count + 2,
        )

    def world(self, instance: Instance, place: Place) -> PlantWorld:
        return PlantWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return Pupil(_control, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every setting of every unit has to be certain, by reading again; then each command has to get through."""
        policy, sure = Rereading(instance, deliveries), sure_lead(deliveries)
        hidden = instance.hidden
        try:
            for name, text in hidden["answers"].items():
                lines, places = text.split("\n"), hidden["settings"][name]
                votes = Votes(places)
                while min(map(votes.lead, places)) < sure:
                    seen = policy.read(text)
                    if seen is not None:
                        votes.add(0, seen.split("\n"))
                if any(votes.winner(place) != lines[place] for place in places):
                    return False
                policy.call("write")
        except OutOfCalls:
            return False
        return True


def _ids(draw: Draw, prefixes: tuple[str, ...], count: int) -> list[str]:
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids[f"{draw.stream.choice(prefixes)}-{draw.stream.integer(11, 99)}"] = None
    return list(ids)


def _plain(settings: dict[str, int | str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items())


async def _control(instance: Instance, memory: Memory, session: Session) -> None:
    """Send every unit the command that is remembered for what it needs."""
    hidden = instance.hidden
    for name, (operation, grade) in hidden["tasks"].items():
        await call_with_retry(session, "get", unit=name)
        chosen = {
            "operation": known_or_guess(memory, operation, hidden["operations"]),
            "grade": known_or_guess(memory, grade, hidden["grades"]),
        }
        result = await call_with_retry(session, "send", unit=name, **chosen)
        if result.ok and "right_was" in result.value:
            right = result.value["right_was"]
            memory[operation], memory[grade] = right["operation"], right["grade"]


family = ApiVersionsFamily()
