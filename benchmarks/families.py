"""Two families for measuring the bench itself: an episode of nothing, and ten calls of an in-memory tool."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.suite import Entry, Suite
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

_WORDS = (
    "invoice ledger shipment carrier depot pallet order client refund policy window region priority delayed "
    "cleared pending review approved northern southern harbour railway storage cooling fragile urgent weekly"
).split()
STEPS = 10


def _spec(name: str, title: str) -> FamilySpec:
    return FamilySpec(
        id=name,
        title=title,
        description="For measuring the bench.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="The answer equals the hidden number.",
        verification="Comparison with the hidden number.",
        reasons=("correct", "wrong"),
        templates=("only",),
        observation_schema={"type": "object", "properties": {"number": {"type": "integer"}}},
        answer_schema={"type": "integer"},
    )


class NumberWorld(BaseWorld):
    """No tools: read a number, hand it in."""

    def verify(self, submission: Submission) -> Verification:
        right = submission.answer == self.instance.hidden["number"]
        return Verification(right, "correct" if right else "wrong")


class TrivialFamily:
    """One observation, one answer."""

    spec = _spec("bench-trivial", "Hand in the number shown")

    def instance(self, draw: Draw) -> Instance:
        number = draw.stream.below(1_000_000)
        return Instance("only", "Hand in the number you are shown.", "A whole number.", {"number": number}, {"number": number})

    def world(self, instance: Instance, place: Place) -> NumberWorld:
        return NumberWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_hand_in, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["number"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


async def _hand_in(instance: Instance, task: TaskView, session: Session) -> Submission:
    return Submission(session.observations[0].fields["number"])


class RecordsWorld(BaseWorld):
    """An in-memory table of records that can be looked up and amended."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.notes: dict[str, str] = {}

    @tool(effect="read")
    def look_up(self, key: str) -> str:
        """Read the record with this key."""
        return str(self.instance.hidden["records"].get(key, "no such record"))

    @tool(effect="write")
    def amend(self, key: str, note: str) -> str:
        """Attach a note to the record with this key."""
        self.notes[key] = note
        return f"noted on {key}"

    def verify(self, submission: Submission) -> Verification:
        right = len(self.notes) == STEPS // 2
        return Verification(right, "correct" if right else "wrong")


class StepsFamily:
    """Ten tool calls on mixed text."""

    spec = _spec("bench-steps", "Look up and amend records")
    prose = False

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        length = 40 if self.prose else 12
        records = {
            f"{stream.choice(_WORDS)}-{stream.below(10_000)}": " ".join(stream.choice(_WORDS) for _ in range(length))
            for _ in range(STEPS // 2)
        }
        return Instance(
            "only",
            "Look up every record and attach a note that repeats its first two words.",
            "Nothing; the notes are checked.",
            {"keys": list(records)},
            {"records": records},
        )

    def world(self, instance: Instance, place: Place) -> RecordsWorld:
        return RecordsWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_amend_all, instance)

    def answer(self, instance: Instance) -> Any:
        return None

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


async def _amend_all(instance: Instance, task: TaskView, session: Session) -> Submission:
    for key in session.observations[0].fields["keys"]:
        text = await session.call("look_up", key=key)
        await session.call("amend", key=key, note=" ".join(text.value.split()[:2]))
    return Submission()


class ProseFamily(StepsFamily):
    """Ten tool calls on longer prose."""

    spec = _spec("bench-prose", "Look up and amend records of prose")
    prose = True


trivial_family = TrivialFamily()
steps_family = StepsFamily()
prose_family = ProseFamily()


def _suite(name: str, attribute: str) -> Suite:
    return Suite(
        name=name,
        version="1.0",
        title="For measuring the bench",
        epoch="2026-01-01T00:00:00Z",
        entries=(Entry(family=f"{__file__}:{attribute}", n=1_000),),
    )


trivial = _suite("bench-trivial", "trivial_family")
steps = _suite("bench-steps", "steps_family")
prose = _suite("bench-prose", "prose_family")
