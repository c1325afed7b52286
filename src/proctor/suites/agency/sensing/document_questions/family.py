"""The family `document-questions` (B.2.5, S5): answer from a hundred documents with a handful of queries.

Always: the catalogue is shown in full and costs nothing, two or three documents have to be combined, each of them can
be named from the catalogue once the one before was read, older issues say something else, and both values must be
right. The task itself permits five queries; the regime `queries-3-30s` leaves three, and time for five readings.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.sensing.document_questions.archive import (
    DOCUMENTS,
    THINGS,
    Archive,
    archive,
    catalogue,
    document,
    follows,
    leads,
    name_of,
    number_of,
    told,
)
from proctor.suites.agency.sensing.document_questions.domains import DOMAINS
from proctor.suites.agency.sensing.document_questions.texts import ANSWER_FORMAT, GOALS, NOTE
from proctor.suites.agency.sensing.document_questions.world import REASONS, SHAPE, ArchiveWorld
from proctor.suites.kit.ceiling import OutOfCalls, Policy
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(DOMAINS)
_BUDGET = Budget(actions=8, queries=5)


class DocumentQuestionsFamily:
    """Questions over eight kinds of archive."""

    spec = FamilySpec(
        id="document-questions",
        title="Questions over a hundred documents",
        description="A catalogue of a hundred documents, a question that two or three of them answer together.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("S5",),
        criterion="Name and number both equal those that the documents in force give.",
        verification="The answer is read in any clear form and compared exactly with the values fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "documents": Knob(
                default=3, values=(2, 3), description="How many documents have to be combined at most; at least two."
            ),
            "issues": Knob(
                default=1, values=(0, 1, 2), description="How many of them also exist in an older issue that differs."
            ),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "catalogue": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": DOCUMENTS,
                    "maxItems": DOCUMENTS,
                }
            },
            "required": ["catalogue"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        most, issues = knobs.get("documents", 3), knobs.get("issues", 1)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(GOALS)
        count = stream.integer(2, most)
        laid, path = _laid(stream, template, count, issues)
        domain = DOMAINS[template]
        start = domain.starts[3 - count].format(me=name_of(laid, 3 - count, path[0] % THINGS))
        start = start[0].upper() + start[1:]
        return Instance(
            template=template,
            goal=goal.format(start=start, name=domain.name, number=domain.number) + NOTE,
            answer_format=ANSWER_FORMAT,
            observation={"catalogue": catalogue(laid)},
            hidden={
                "answer": {
                    "name": told(laid, document(laid, path[-2]))["name"],
                    "number": told(laid, document(laid, path[-1]))["number"],
                },
                "archive": msgspec.json.decode(msgspec.json.encode(laid)),
                "path": [f"D-{number_of(laid, made):03d}" for made in path],
            },
            knobs={"documents": most, "issues": issues},
            budget=_BUDGET,
            strict_actions=count + 1,
        )

    def world(self, instance: Instance, place: Place) -> ArchiveWorld:
        return ArchiveWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Each document of the path is read once; under noise its line has to come unaltered."""
        path: list[str] = instance.hidden["path"]
        policy = Policy(instance, deliveries)
        try:
            policy.call(times=len(path))
        except OutOfCalls:
            return False
        return not any(deliveries.altered() for _ in path)


def _laid(stream: Stream, template: str, count: int, issues: int) -> tuple[Archive, list[int]]:
    """An archive, and the documents a question of `count` documents goes through, in the order of making."""
    ways = leads(stream)
    thing = stream.below(THINGS)
    path = [(3 - count) * THINGS + thing]
    for sort in range(3 - count, 2):
        thing = follows(ways[sort], thing)
        path.append((sort + 1) * THINGS + thing)
    marked = stream.sample(path, len(path))
    return archive(stream, template, ways, marked, issues), path


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for number in instance.hidden["path"]:
        await session.call("read_document", number=number)
    return Submission(instance.hidden["answer"], confidence=1.0)


family = DocumentQuestionsFamily()
