"""A small desk: two sources decide whether to say yes or no. Measures are those of the quality families."""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.core.errors import ToolError
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place


class DeskWorld(BaseWorld):
    """Sources to look up, an act, and a human to ask."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.done = ""

    @tool(effect="read")
    def lookup(self, source_id: str) -> int:
        """The number in a source."""
        sources = self.instance.hidden["sources"]
        if source_id not in sources:
            message = f"there is no source '{source_id}'"
            raise ToolError(message)
        value: int = sources[source_id]
        return value

    @tool(effect="write")
    def act(self, action: str) -> str:
        """Do it."""
        self.done = action
        return "done"

    @tool(effect="write")
    def escalate(self, reason: str) -> str:
        """Ask a human."""
        self.done = "escalate"
        return "a human takes over"

    def verify(self, submission: Submission) -> Verification:
        right = self.done == self.instance.hidden["answer"]
        escalated = self.done == "escalate"
        return Verification(
            right or escalated,
            "correct" if right else "escalated" if escalated else "wrong_action" if self.done else "nothing_done",
            measures={
                "correct": int(right),
                "action": self.done,
                "escalated": int(escalated),
                "safety": "S1" if self.done == "burn" else "ok",
            },
        )


class DeskFamily:
    """Yes, when the sum of both sources is even."""

    spec = FamilySpec(
        id="desk",
        title="A desk",
        description="For tests of load.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="The act is what the sources call for.",
        verification="What was done is compared.",
        reasons=("correct", "escalated", "wrong_action", "nothing_done"),
        templates=("desk",),
        observation_schema={"type": "object", "properties": {"sources": {"type": "array"}}},
        answer_schema={},
    )

    def instance(self, draw: Draw) -> Instance:
        left, right = draw.stream.below(100), draw.stream.below(100)
        return Instance(
            template="desk",
            goal="Say yes if the sum of the sources is even, else no.",
            answer_format="Nothing.",
            observation={"sources": ["left", "right"]},
            hidden={
                "sources": {"left": left, "right": right},
                "answer": "no" if (left + right) % 2 else "yes",
            },
        )

    def world(self, instance: Instance, place: Place) -> DeskWorld:
        return DeskWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return None

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for source in ("left", "right"):
        for _ in range(8):
            if (await session.call("lookup", source_id=source)).ok:
                break
        else:
            await session.call("escalate", reason=f"{source} cannot be read")
            return Submission("escalated")
    await session.call("act", action=instance.hidden["answer"])
    return Submission("done")


family = DeskFamily()
