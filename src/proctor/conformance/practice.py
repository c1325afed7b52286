"""The practice family: crates to weigh and stamp. Small, complete, and what agents are checked on.

It passes every check a family can be put through, so it is also the shortest example of one. Labels are unlikely to
repeat, so an agent that carries one over from another lifetime is detected.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.core.errors import ToolError
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView, Verification
from proctor.worlds.answers import FormatError, Integer, read, schema_of
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

SHAPE = Integer(("g", "grams"))
CRATES = 8
BUDGET = Budget(actions=80)
GOALS = {
    "total": "Crates {labels} are to be shipped. Stamp each of them, and no other, and hand in their total weight.",
    "heaviest": "Crates {labels} are to be shipped. Stamp each of them, and no other, and hand in the weight of the "
    "heaviest of them.",
}
MAX_READINGS = 15


class YardWorld(BaseWorld):
    """Crates, their weights, and which of them are stamped."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.grams: dict[str, int] = instance.hidden["grams"]
        self.stamped: list[str] = []

    @tool(effect="read")
    def list_crates(self) -> dict[str, Any]:
        """Show the labels of all crates in the yard."""
        return {"crates": list(self.grams)}

    @tool(effect="read")
    def weigh(self, label: str) -> dict[str, Any]:
        """Weigh one crate; gives its weight in grams."""
        return {"label": label, "grams": self.grams[self.known(label)]}

    @tool(effect="write")
    def stamp(self, label: str) -> str:
        """Put a stamp on one crate. A crate that has one keeps it."""
        if self.known(label) not in self.stamped:
            self.stamped.append(label)
        return "stamped"

    def known(self, label: str) -> str:
        """The label itself; refuses one that no crate has."""
        if label not in self.grams:
            message = f"there is no crate '{label[:40]}' in the yard"
            raise ToolError(message)
        return label

    def verify(self, submission: Submission) -> Verification:
        if sorted(self.stamped) != sorted(self.instance.hidden["ship"]):
            return Verification(False, "wrong_stamps")
        return self.judge(submission.answer)

    def judge(self, answer: Any) -> Verification:
        """The verdict on the answer alone."""
        try:
            given = read(answer, SHAPE)
        except FormatError:
            return Verification(False, "unreadable_answer", format_error=True)
        right = given == self.instance.hidden["answer"]
        return Verification(right, "correct" if right else "wrong_weight")

    def state(self) -> Any:
        return {"stamped": self.stamped}


class PracticeFamily:
    """Yards of eight crates."""

    world_class: type[YardWorld] = YardWorld
    spec = FamilySpec(
        id="practice",
        title="Crates to weigh and stamp",
        description="A yard with labelled crates; some are weighed, added up and stamped.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="Exactly the crates to be shipped are stamped, and the weight that was asked for is handed in.",
        verification="The stamps in the yard are compared with the list; the answer is read in any clear form.",
        reasons=("correct", "wrong_stamps", "wrong_weight", "unreadable_answer"),
        templates=tuple(GOALS),
        knobs={"crates": Knob(default=3, values=(2, 3, 5), description="Crates to be shipped.")},
        observation_schema={
            "type": "object",
            "properties": {"yard": {"type": "string"}, "ship": {"type": "array", "items": {"type": "string"}}},
            "required": ["yard", "ship"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        count = draw.knobs["crates"]
        template = stream.choice(tuple(GOALS))
        grams: dict[str, int] = {}
        while len(grams) < CRATES:
            label = "".join(stream.choice("BCDFGHKLMNPRTVWX") for _ in range(3)) + f"-{stream.integer(1000, 9999)}"
            grams[label] = stream.integer(10_000, 99_999)
        ship = stream.sample(list(grams), count)
        weights = [grams[label] for label in ship]
        return Instance(
            template=template,
            goal=GOALS[template].format(labels=", ".join(ship)),
            answer_format="A whole number of grams.",
            observation={"yard": f"yard {stream.integer(1, 99)}", "ship": ship},
            hidden={"grams": grams, "ship": ship, "answer": sum(weights) if template == "total" else max(weights)},
            knobs={"crates": count},
            budget=BUDGET,
            strict_actions=2 * count + 2,
        )

    def world(self, instance: Instance, place: Place) -> YardWorld:
        return self.world_class(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Stamps are repeated until carried out; with the calls that are left each crate is weighed again and again."""
        count = len(instance.hidden["ship"])
        left = deliveries.actions(instance) or 0
        for _ in range(count):
            left -= 1
            while left > 0 and deliveries.fails(effect="write"):
                left -= 1
        for _ in range(count):
            balance = 0
            for _ in range(min(MAX_READINGS, max(0, left) // count)):
                if not deliveries.fails():
                    balance += -1 if deliveries.altered() else 1
            if balance <= 0:
                return False
        return True


async def solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Weigh and stamp what is to be shipped, each until it is carried out."""
    for label in instance.hidden["ship"]:
        for name in ("weigh", "stamp"):
            while not (await session.call(name, label=label)).ok:
                pass  # Not carried out: the crate is there.
    return Submission(instance.hidden["answer"], confidence=1.0)


family = PracticeFamily()
