"""A family whose verifier leaves a mark outside the store: a test can count what was finished when it was killed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.suite import Entry, Suite
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

PAUSE = float(os.environ.get("PACED_SECONDS", "0"))
AFTER = float(os.environ.get("PACED_SECONDS_AFTER", "0"))
NEVER_BACK = bool(os.environ.get("PACED_NEVER_BACK"))
"""Whether a verifier then computes without end, and without coming back to the interpreter."""
MARKS = os.environ.get("PACED_MARKS")


class PacedWorld(BaseWorld):
    """Doubles a number, slowly."""

    @tool(effect="read")
    def double(self, number: int) -> int:
        """Twice the number."""
        return 2 * number

    def verify(self, submission: Submission) -> Verification:
        # When a run is frozen its families are tried out first, and there is no store yet: that leaves no marks.
        if MARKS and any(Path(MARKS).parent.glob("*.db")):
            time.sleep(PAUSE)
            handle = os.open(MARKS, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, b"x")
            os.close(handle)
            time.sleep(AFTER)
            if NEVER_BACK:
                sum(range(10**15))
        right = submission.answer == 2 * self.instance.hidden["number"]
        return Verification(right, "correct" if right else "wrong")


class PacedFamily:
    """Numbers to double."""

    spec = FamilySpec(
        id="paced",
        title="Double a number",
        description="For killing runs in the middle.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="The answer is twice the number.",
        verification="Comparison with the hidden number.",
        reasons=("correct", "wrong"),
        templates=("only",),
        observation_schema={"type": "object", "properties": {"number": {"type": "integer"}}},
        answer_schema={"type": "integer"},
    )

    def instance(self, draw: Draw) -> Instance:
        number = draw.stream.below(1000)
        return Instance("only", "Double the number.", "A whole number.", {"number": number}, {"number": number})

    def world(self, instance: Instance, place: Place) -> PacedWorld:
        return PacedWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return 2 * int(instance.hidden["number"])

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for _ in range(6):
        result = await session.call("double", number=instance.hidden["number"])
        if result.ok:
            break
    return Submission(2 * instance.hidden["number"], confidence=0.9)


family = PacedFamily()
suite = Suite(
    name="paced",
    version="1.0",
    title="For killing runs in the middle",
    epoch="2026-01-01T00:00:00Z",
    entries=(Entry(family="paced_family.py", n=600, regimes=("baseline", "moderate-standard")),),
)
