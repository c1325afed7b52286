"""Two small families for agents in a process of their own: adding numbers, and remembering a word."""

from __future__ import annotations

import asyncio
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView, Verification
from proctor.worlds.shell import ShellWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

_UNLIMITED = 0


def _spec(name: str, **knobs: tuple[int, ...]) -> FamilySpec:
    return FamilySpec(
        id=name,
        title=name,
        description="For testing agents.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="The answer equals the hidden one.",
        verification="Comparison.",
        reasons=("correct", "wrong"),
        templates=("only",),
        knobs={knob: Knob(default=values[0], values=values, description=knob) for knob, values in knobs.items()},
        observation_schema={"type": "object"},
        answer_schema={},
    )


class Desk(BaseWorld):
    """Numbers to be looked up, and a clock to wait for."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.waiting = 0

    @tool(effect="read")
    def number(self, index: int) -> int:
        """Read the number at this place."""
        found: int = self.instance.hidden["numbers"][index]
        return found

    @tool(effect="write")
    def note(self, text: str) -> str:
        """Write something down."""
        return text

    @tool(effect="read")
    async def together(self, count: int) -> int:
        """Wait until this many of these calls are open at once; how many were."""
        self.waiting += 1
        while self.waiting < count:
            await asyncio.sleep(0.005)
        return self.waiting

    @tool(effect="read")
    async def never(self) -> str:
        """Wait for ever."""
        await asyncio.sleep(3600)
        return "never"

    @tool(effect="read")
    def broken(self) -> str:
        """Break the world."""
        message = "the world's own fault"
        raise RuntimeError(message)

    def verify(self, submission: Submission) -> Verification:
        right = submission.answer == self.instance.hidden["answer"]
        return Verification(right, "correct" if right else "wrong")


class Sums:
    """Add up three hidden numbers."""

    spec = _spec(
        "sums",
        actions=(_UNLIMITED, 1, 2, 10),
        milliseconds=(_UNLIMITED, 600, 700, 1500),
        tokens=(_UNLIMITED, 10, 100),
    )

    def instance(self, draw: Draw) -> Instance:
        numbers = [draw.stream.below(1000) for _ in range(3)]
        return Instance(
            "only",
            "Add the numbers at places 0, 1 and 2.",
            "A whole number.",
            {"places": 3},
            {"numbers": numbers, "answer": sum(numbers)},
            state={"memory": "a word from before"},
            budget=Budget(**{name: draw.knobs[name] or None for name in ("actions", "milliseconds", "tokens")}),
        )

    def world(self, instance: Instance, place: Place) -> Desk:
        return Desk(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_hand_in, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


class Recall(Sums):
    """While training a word is shown; in the test it has to be said from memory."""

    spec = _spec("recall")

    def instance(self, draw: Draw) -> Instance:
        word = f"word-{draw.shared.below(10**6)}"
        shown = {"word": word} if draw.phase == "train" else {}
        shown |= {"bad": "yes"} if draw.phase == "bad" else {}
        return Instance(
            "only",
            "Say the word you were shown.",
            "The word.",
            shown,
            {"numbers": [], "answer": word},
        )


async def _hand_in(instance: Instance, task: TaskView, session: Session) -> Submission:
    return Submission(instance.hidden["answer"])


family = sums = Sums()
recall = Recall()


class ClashingDesk(Desk):
    """A world whose tools have the names that others would like to have."""

    @tool(effect="write")
    def submit(self, text: str) -> str:
        """Hand a form in at the desk."""
        return text

    @tool(effect="read")
    def read_task(self) -> str:
        """Read the board."""
        return "a board"


class Clashing(Sums):
    """The sums, with such tools."""

    spec = _spec("clashing", actions=(_UNLIMITED,), milliseconds=(_UNLIMITED,), tokens=(_UNLIMITED,))

    def world(self, instance: Instance, place: Place) -> ClashingDesk:
        return ClashingDesk(instance, place)


clashing = Clashing()


class Bench(ShellWorld):
    """Files and a shell, and nothing to be found out."""

    def verify(self, submission: Submission) -> Verification:
        return Verification(True, "correct")


class Workbench(Sums):
    """A folder to work in."""

    spec = _spec("workbench", actions=(_UNLIMITED,), milliseconds=(_UNLIMITED,), tokens=(_UNLIMITED,))

    def world(self, instance: Instance, place: Place) -> Bench:  # type: ignore[override]
        return Bench(instance, place)


workbench = Workbench()
