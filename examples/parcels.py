"""A family and a suite of one's own in one file: parcels that have to be put on the right shelf.

    proctor check examples/parcels.py
    proctor play examples/parcels.py
    proctor run examples/parcels.py@suite --agent oracle

Only the state of the world is judged, whatever the agent says about it in the end.
"""

from typing import Any, Literal

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

TOWNS = ("Aldport", "Brenhill", "Corve", "Dunmere", "Eastleach", "Fallow", "Gorsham", "Hatherby")
GOALS = {
    "weight": (
        "Parcels below {light} g belong on the top shelf, those of {heavy} g and more on the bottom shelf, all others "
        "on the middle shelf."
    ),
    "town": (
        "Parcels for {first} belong on the top shelf, those for {second} on the middle shelf, all others on the bottom "
        "shelf."
    ),
    "fragile": (
        "Fragile parcels belong on the middle shelf, whatever they weigh; of the others, those of {heavy} g and more "
        "on the bottom shelf and the rest on the top shelf."
    ),
}
RULES = " There are {count} parcels, numbered from 1: look at each with scan and put it where it belongs with put."


class Shelves(BaseWorld):
    """Which parcel stands on which shelf; all begin on the floor."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.shelf_of = ["floor"] * len(instance.hidden["parcels"])

    @tool(effect="read")
    def scan(self, parcel: int) -> dict[str, Any]:
        """Read the label of a parcel: the town it goes to, its weight in grams, whether it is fragile."""
        label: dict[str, Any] = self.instance.hidden["parcels"][self._index(parcel)]
        return label

    @tool(effect="write")
    def put(self, parcel: int, shelf: Literal["top", "middle", "bottom"]) -> str:
        """Put a parcel on a shelf, wherever it stood before."""
        self.shelf_of[self._index(parcel)] = shelf
        return f"it is on the {shelf} shelf"

    def _index(self, parcel: int) -> int:
        if not 1 <= parcel <= len(self.shelf_of):
            message = f"parcels are numbered from 1 to {len(self.shelf_of)}"
            raise ToolError(message)
        return parcel - 1

    def verify(self, submission: Submission) -> Verification:
        if self.shelf_of == self.instance.hidden["shelves"]:
            return Verification(True, "correct")
        return Verification(False, "left_on_floor" if "floor" in self.shelf_of else "wrong_shelf")

    def state(self) -> Any:
        return self.shelf_of


class ParcelFamily:
    """Labels are drawn so that every shelf gets at least one parcel."""

    spec = FamilySpec(
        id="parcels",
        title="Parcels on shelves",
        description="Scan parcels and put each where a rule says it belongs.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="Every parcel stands on the shelf that the rule gives it.",
        verification="The shelf of each parcel, in the state of the world, is compared with the one it belongs on.",
        reasons=("correct", "left_on_floor", "wrong_shelf"),
        templates=tuple(GOALS),
        knobs={"parcels": Knob(default=6, values=(4, 6, 8, 12), description="How many parcels there are.")},
        observation_schema={"type": "object", "properties": {"parcels": {"type": "integer"}}, "required": ["parcels"]},
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, count = draw.stream, draw.knobs["parcels"]
        template = stream.choice(self.spec.templates)
        first, second, *others = stream.sample(TOWNS, 4)
        light, heavy = 50 * stream.integer(4, 20), 50 * stream.integer(30, 60)
        parcels: list[dict[str, Any]] = []
        shelves: list[str] = []
        while set(shelves) != {"top", "middle", "bottom"}:
            parcels = [
                {
                    "town": stream.choice((first, second, *others)),
                    "grams": stream.integer(60, 4500),
                    "fragile": stream.chance(0.4),
                }
                for _ in range(count)
            ]
            shelves = [shelf(template, parcel, first, second, light, heavy) for parcel in parcels]
        values = {"first": first, "second": second, "light": light, "heavy": heavy, "count": count}
        return Instance(
            template=template,
            goal=(GOALS[template] + RULES).format(**values),
            answer_format="The word done, once every parcel stands where it belongs.",
            observation={"parcels": count},
            hidden={"parcels": parcels, "shelves": shelves},
            knobs={"parcels": count},
            budget=Budget(actions=40 * count),
            strict_actions=2 * count + 2,
        )

    def world(self, instance: Instance, place: Place) -> Shelves:
        return Shelves(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(solve, instance)

    def answer(self, instance: Instance) -> Any:
        return None

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """At most two things on a label count: fragile and weight. Then each parcel is put once."""
        policy, count = Policy(instance, deliveries), len(instance.hidden["parcels"])
        try:
            certain = [policy.settle(2, seen=0, keep=2 * count) for _ in range(count)]
            policy.call("write", times=count)
        except OutOfCalls:
            return False
        return all(certain)


def shelf(template: str, parcel: dict[str, Any], first: str, second: str, light: int, heavy: int) -> str:
    """Where the rule of a template puts a parcel."""
    if template == "town":
        return {first: "top", second: "middle"}.get(parcel["town"], "bottom")
    if template == "fragile" and parcel["fragile"]:
        return "middle"
    if parcel["grams"] >= heavy:
        return "bottom"
    return "top" if template == "fragile" or parcel["grams"] < light else "middle"


async def solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for parcel, where in enumerate(instance.hidden["shelves"], 1):
        await call_with_retry(session, "scan", parcel=parcel)
        await call_with_retry(session, "put", parcel=parcel, shelf=where)
    return Submission("done", confidence=1.0)


family = ParcelFamily()

suite = {
    "name": "parcels",
    "version": "1.0",
    "title": "Parcels on shelves",
    "epoch": "2026-01-01T00:00:00Z",
    "entries": [{"family": "parcels.py", "n": 10, "regimes": ["baseline", "moderate-standard"]}],
}
