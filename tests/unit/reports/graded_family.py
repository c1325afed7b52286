"""Families whose oracle is right in a declared share of instances, so that any vector can be produced in a second.

Loaded by path. The knob `skill` is the number of instances in a hundred that are solved; `texts` fills everything an
agent or a family can write with what must never reach a page as it is.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Claim, Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

HOSTILE = (
    "</pre></style><script>alert(1)</script><img src=https://evil.example/x onerror=alert(2)> \u202egnp.exe \x07\u200b"
)


class GradedWorld(BaseWorld):
    """One value to look up."""

    @tool(effect="read")
    def look(self, at: str) -> str:
        """Show what stands at a place."""
        return f"{at}: {self.instance.hidden['answer']}"

    def verify(self, submission: Submission) -> Verification:
        if submission.answer == self.instance.hidden["answer"]:
            return Verification(True, "correct")
        return Verification(False, "wrong_value" if submission.answer else "nothing_found")


SHELVES = "Every shelf has a number on its left side, and one value that nobody moves. " * 4
"""Long enough to be cut: a severe regime is severe only where its cuts reach the agent."""
GOVERNANCE = tuple(f"{part}-{level}" for part in ("G1", "G2", "G3") for level in range(1, 6))


class GradedFamily:
    """Values to look up."""

    def __init__(self, name: str) -> None:
        self.spec = FamilySpec(
            id=name,
            title="Look up a value",
            description="For tests of reports.",
            environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
            evidences=(*(f"{name}{level}" for name in "SMDEL" for level in range(1, 6)), "R", *GOVERNANCE),
            criterion="The answer is the value on the shelf.",
            verification="Comparison with the hidden value.",
            reasons=("correct", "wrong_value", "nothing_found"),
            templates=("first", "second", "third", "fourth"),
            knobs={
                "skill": Knob(default=100, values=tuple(range(100, -1, -1)), description="Solved in a hundred."),
                "texts": Knob(default="plain", values=("plain", "hostile"), description="What texts hold."),
            },
            observation_schema={
                "type": "object",
                "properties": {"shelf": {"type": "string"}, "about": {"type": "string"}},
            },
            answer_schema={"type": "integer"},
        )

    def instance(self, draw: Draw) -> Instance:
        number = draw.stream.below(9_000) + 1_000
        bad = draw.knobs["texts"] == "hostile"
        # Spread over the instances, and over templates in turn.
        solved = (37 * draw.index + 11) % 100 < int(draw.knobs["skill"])
        return Instance(
            template=self.spec.templates[draw.index % 4],
            goal=f"Find the value on shelf {number}.{HOSTILE if bad else ''}",
            answer_format=HOSTILE if bad else "A whole number.",
            observation={"shelf": f"shelf {number}\n{HOSTILE if bad else 'second from the left'}", "about": SHELVES},
            hidden={"answer": number, "solved": solved, "texts": HOSTILE if bad else "plain"},
            strict_actions=6,
        )

    def world(self, instance: Instance, place: Place) -> GradedWorld:
        return GradedWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        # Four of its six calls: a strict cap is scarce here.
        for _ in range(4):
            deliveries.spend("read")
        return True


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    answer, texts = instance.hidden["answer"], instance.hidden["texts"]
    session.say(f"I look at the shelf. {texts}")
    await session.call("look", at=f"the shelf {texts}")
    if instance.hidden["solved"]:
        return Submission(answer, confidence=0.9)
    return Submission(answer + 1 if answer % 3 else 0, claims=(Claim(texts, "shelf", "ok"),))


family = GradedFamily("graded")
second = GradedFamily("graded-two")
third = GradedFamily("graded-three")
