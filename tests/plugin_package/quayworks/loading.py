"""The family `quay-loading`: set the cranes of a quay.

Verified by the state of the quay and by the answer.
"""

from typing import Any

from proctor.authoring import (
    Agent,
    BaseWorld,
    Budget,
    Deliveries,
    Draw,
    EnvironmentClass,
    EnvironmentKind,
    FamilySpec,
    Instance,
    Knob,
    OutOfCalls,
    Place,
    Policy,
    Session,
    SolvedBy,
    Submission,
    TaskView,
    ToolError,
    Verification,
    call_with_retry,
    tool,
)
from proctor.worlds.answers import FormatError, Integer, read, schema_of

# Templates are structurally different tasks, not different wordings of one.
GOALS = {
    "all": "Load every ship that carries less than its minimum.",
    "except": "Load every ship that carries less than its minimum, but not ship {ship}, which sails tomorrow.",
    "emptiest": "The shift is nearly over: load only the ship that is furthest below its minimum.",
}
RULES = (
    " There are {count} ships, numbered from 1; read_ship shows the cargo of one and its minimum. Whatever is loaded "
    "gets one tonne for each tonne it is below its minimum: set that with set_crane, and leave all other cranes at 0. "
    "Then report how many tonnes are set for all ships together."
)
SHAPE = Integer(("tonnes", "t"))


class Quay(BaseWorld):
    """The world of one episode. `cranes` is its real state, which the tools change and the verifier looks at."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.cranes = [0] * len(instance.hidden["ships"])

    @tool(effect="read")
    def read_ship(self, ship: int) -> dict[str, int]:
        """Show the cargo of a ship and its minimum."""
        cargo, minimum = self.instance.hidden["ships"][self._index(ship)]
        return {"cargo": cargo, "minimum": minimum}

    @tool(effect="write")
    def set_crane(self, ship: int, tonnes: int) -> str:
        """Set how many tonnes a ship gets today, 0 to 99, in place of what was set before."""
        if not 0 <= tonnes <= 99:
            raise ToolError("a crane can be set to 0 to 99 tonnes")
        self.cranes[self._index(ship)] = tonnes
        return "set"

    def _index(self, ship: int) -> int:
        if not 1 <= ship <= len(self.cranes):
            # A refusal is read by the agent, so it must reveal nothing hidden.
            raise ToolError(f"ships are numbered from 1 to {len(self.cranes)}")
        return ship - 1

    def verify(self, submission: Submission) -> Verification:
        tonnes = self.instance.hidden["tonnes"]
        if self.cranes != tonnes:
            return Verification(False, "wrong_cranes")
        try:
            total = read(submission.answer, SHAPE)
        except FormatError:
            return Verification(False, "unreadable_answer", format_error=True)
        return Verification(True, "correct") if total == sum(tonnes) else Verification(False, "wrong_total")

    def state(self) -> Any:
        return self.cranes


class LoadingFamily:
    """Makes instances; and for each its world, its right answer and a solver."""

    spec = FamilySpec(
        id="quay-loading",
        title="Loading ships",
        description="Read the ships, set the cranes that are needed, report the tonnes.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="Every crane is set as it should be, and the reported total is right.",
        verification="The cranes of the world are compared with what they should be, and so is the answer.",
        reasons=("correct", "wrong_cranes", "unreadable_answer", "wrong_total"),
        templates=tuple(GOALS),
        knobs={"ships": Knob(default=5, values=(4, 5, 6, 8), description="How many ships there are.")},
        observation_schema={"type": "object", "properties": {"ships": {"type": "integer"}}, "required": ["ships"]},
        answer_schema=schema_of(SHAPE),
    )

    def instance(self, draw: Draw) -> Instance:
        """One task, from the draw alone: the same draw gives the same bytes."""
        stream, count = draw.stream, draw.knobs["ships"]
        template = stream.choice(self.spec.templates)
        # How far each ship is below its minimum: no two alike, so one is the emptiest; two ships are full enough.
        gaps = stream.sample(range(5, 40), count - 2) + stream.sample(range(-20, 0), 2)
        stream.shuffle(gaps)
        ships = [[(minimum := stream.integer(45, 90)) - gap, minimum] for gap in gaps]
        short = [index for index, gap in enumerate(gaps) if gap > 0]
        spared = stream.choice(short)
        if template == "except":
            short.remove(spared)
        elif template == "emptiest":
            short = [gaps.index(max(gaps))]
        return Instance(
            template=template,
            goal=GOALS[template].format(ship=spared + 1) + RULES.format(count=count),
            answer_format="A whole number: tonnes.",
            observation={"ships": count},
            hidden={"ships": ships, "tonnes": [gap if index in short else 0 for index, gap in enumerate(gaps)]},
            knobs={"ships": count},
            budget=Budget(actions=40 * count),
            strict_actions=2 * count + 2,
        )

    def world(self, instance: Instance, place: Place) -> Quay:
        return Quay(instance, place)

    def answer(self, instance: Instance) -> Any:
        return sum(instance.hidden["tonnes"])

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Whether the best agent that knows nothing hidden succeeds, given one draw of the faults of a regime."""
        policy, writes = Policy(instance, deliveries), sum(map(bool, instance.hidden["tonnes"]))
        try:
            # Read each ship until its cargo and its minimum are certain, then set the cranes.
            certain = [policy.settle(2, seen=0, keep=2 * writes) for _ in instance.hidden["ships"]]
            policy.call("write", times=writes)
        except OutOfCalls:
            return False
        return all(certain)


async def solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """The oracle: is given what is hidden and still goes through the tools, which proves that they work."""
    for ship, tonnes in enumerate(instance.hidden["tonnes"], 1):
        await call_with_retry(session, "read_ship", ship=ship)
        if tonnes:
            await call_with_retry(session, "set_crane", ship=ship, tonnes=tonnes)
    return Submission(sum(instance.hidden["tonnes"]), confidence=1.0)


family = LoadingFamily()
