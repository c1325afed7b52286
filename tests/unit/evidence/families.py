"""Two small families for tests of evidence: whatever an episode can leave behind, one of their kinds leaves it."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Claim, Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

KINDS = (
    "plain",
    "content",
    "unstable",
    "long",
    "sloppy",
    "wrong",
    "silent",
    "breaks",
    "unbuildable",
    "capped",
    "mixed",
)


class NotesWorld(BaseWorld):
    """A page to read, a clock nobody can reproduce, and a tray for what is handed in."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        if instance.hidden["kind"] == "unbuildable":
            message = "this world cannot be built"
            raise RuntimeError(message)
        self.left: dict[str, bytes] = {}

    @tool(effect="read")
    def page(self, number: int) -> str:
        """Read a page."""
        if self.instance.hidden["kind"] == "breaks":
            message = "the page is torn"
            raise RuntimeError(message)
        return f"page {number} of {self.instance.hidden['number']} " * (
            400 if self.instance.hidden["kind"] == "content" else 1
        )

    @tool(effect="read")
    def table(self, rows: int) -> dict[str, Any]:
        """Read a table."""
        return {"rows": [f"{self.instance.hidden['number']}-{i}" for i in range(rows)], "größe": 1.5}

    @tool(effect="read", stable=False)
    def weather(self) -> str:
        """Look out of the window."""
        return os.urandom(4).hex()

    @tool(effect="write")
    def leave(self, name: str, text: str) -> str:
        """Leave a file behind."""
        self.left[name] = text.encode()
        return "left"

    def verify(self, submission: Submission) -> Verification:
        if not isinstance(submission.answer, dict):
            return Verification(False, "wrong", format_error=True)
        right = submission.answer.get("number") == self.instance.hidden["number"]
        artifacts = tuple((name, hashlib.sha256(data).hexdigest()) for name, data in self.left.items())
        return Verification(right, "correct" if right else "wrong", artifacts=artifacts)

    def artifact(self, name: str) -> bytes | None:
        return None if name.startswith("secret") else self.left[name]

    def state(self) -> Any:
        return sorted(self.left)


class Notes:
    """Hand in the number; on the way, do what the kind says."""

    def __init__(self, name: str, *, artifacts: bool = False) -> None:
        self.spec = FamilySpec(
            id=name,
            title="Hand in the number",
            description="For tests of evidence.",
            environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
            evidences=("S1", "S2"),
            criterion="The answer has the hidden number.",
            verification="Comparison with the hidden number.",
            reasons=("correct", "wrong", "missing_artifact"),
            templates=("odd", "even"),
            knobs={"kind": Knob(default="plain", values=KINDS, description="What happens on the way.")},
            observation_schema={"type": "object", "properties": {"number": {"type": "integer"}}},
            answer_schema={"type": "object"},
            artifacts=artifacts,
        )

    def instance(self, draw: Draw) -> Instance:
        number = draw.stream.below(1_000_000)
        kind = str(draw.knobs["kind"])
        if kind == "mixed":
            kind = draw.stream.choice([known for known in KINDS if known not in ("mixed", "long", "unbuildable")])
        return Instance(
            "odd" if number % 2 else "even",
            "Hand in the number you are shown.",
            "An object with the number.",
            {"number": number, "note": "näher — ✓", **({"extra": 1} if kind == "content" else {})},
            {"number": number, "kind": kind, "artifacts": self.spec.artifacts},
            state={"memory": number},
            budget=Budget(actions=2) if kind == "capped" else Budget(),
        )

    def world(self, instance: Instance, place: Place) -> NotesWorld:
        return NotesWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return {"number": instance.hidden["number"]}

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    kind, number = instance.hidden["kind"], instance.hidden["number"]
    session.say("los — go")
    session.state.write("plan", {"seen": number})
    session.state.read("memory")
    await session.call("page", number=1)
    if kind == "unstable":
        await session.call("weather")
    if kind == "long":
        for _ in range(12):
            await session.call("table", rows=60_000)
    if kind == "sloppy":
        await session.call("no_such_tool", a=1)
        await session.call("page", number="one")
    if kind == "capped":
        for _ in range(5):
            await session.call("page", number=2)
    if kind == "silent":
        message = "the agent gives up"
        raise RuntimeError(message)
    if instance.hidden["artifacts"]:
        await session.call("leave", name="report.txt", text=f"{number}\n" * 300)
        await session.call("leave", name="secret.txt", text=f"hush {number}")
    if kind == "sloppy":
        return Submission("x" * 500, 0.25)
    claims = (Claim("tool", 0, "ok"), Claim("observed", "/0/number", number), Claim("verified", "", "ok"))
    return Submission({"number": number + (kind == "wrong"), "ratio": 0.5}, 0.75, claims)


notes = Notes("test-notes")
files = Notes("test-files", artifacts=True)
