"""The family `route`: reach a place although some roads turn out to be blocked.

Always: the destination can be reached, every blocked road lies on what would be a shortest way, and a traveller who
plans again whenever a road is blocked has moves to spare. Only the position in the end is judged.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.hello.route.maps import LAYOUTS, blocked_roads, farthest, neighbours, path, road, travel
from proctor.suites.hello.route.texts import ANSWER_FORMAT, GOALS, PLACES, RULES
from proctor.suites.hello.route.world import REASONS, RouteWorld
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.worlds.world import Place

_TEMPLATES = tuple(LAYOUTS)
_SPARE = 4
"""Moves beyond what the careful traveller needs: equally short ways may meet the blocked roads in another order."""
_BUDGET = Budget(actions=80)


class RouteFamily(JudgedByState):
    """Maps with blocked roads."""

    spec = FamilySpec(
        id="route",
        title="A way past blocked roads",
        description="A map, a destination, a limited number of moves; blocked roads are found by trying them.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="The position in the end is the destination.",
        verification="The position, in the state of the world, is compared with the destination; not the answer.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "places": Knob(default=12, values=(9, 12, 16), description="Places on the map."),
            "blocked": Knob(default=2, values=(0, 1, 2), description="Blocked roads on shortest ways."),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "position": {"type": "string"},
                "destination": {"type": "string"},
                "moves_left": {"type": "integer"},
                "roads": {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                },
            },
            "required": ["position", "destination", "moves_left", "roads"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        count, blocks = knobs.get("places", 12), knobs.get("blocked", 2)
        template = stream.choice(_TEMPLATES)
        names = stream.sample(PLACES, count)
        roads = sorted(LAYOUTS[template](stream, count))
        ways = neighbours(roads, count)
        start = stream.below(count)
        destination = farthest(ways, start)
        blocked = blocked_roads(stream, ways, start, destination, blocks)
        needed, failed = travel(ways, start, destination, blocked)
        moves = needed + _SPARE
        stream.shuffle(roads)
        shown = [[names[one], names[two]] if stream.chance(0.5) else [names[two], names[one]] for one, two in roads]
        ends = {"start": names[start], "destination": names[destination]}
        return Instance(
            template=template,
            goal=stream.choice(GOALS[template]).format(**ends) + RULES.format(moves=moves),
            answer_format=ANSWER_FORMAT,
            observation={
                "position": names[start],
                "destination": names[destination],
                "moves_left": moves,
                "roads": shown,
            },
            hidden={
                **ends,
                "moves": moves,
                "needed": needed,
                "failed": failed,
                "roads": shown,
                "blocked": [[names[one], names[two]] for one, two in sorted(blocked)],
            },
            knobs={"places": count, "blocked": blocks},
            budget=_BUDGET,
            strict_actions=needed + failed + 2,
        )

    def world(self, instance: Instance, place: Place) -> RouteWorld:
        return RouteWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The map has to be known for certain; then every move and every failed attempt costs a call."""
        hidden = instance.hidden
        steps = hidden["needed"] + hidden["failed"]
        return Policy(instance, deliveries).settle_then_write(2 * len(hidden["roads"]), steps, keep=2 * steps + 2)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Knows the blocked roads and drives round them."""
    hidden = instance.hidden
    names = sorted({name for pair in hidden["roads"] for name in pair})
    number = {name: place for place, name in enumerate(names)}
    closed = {road(number[one], number[two]) for one, two in hidden["blocked"]}
    ways = neighbours({road(number[one], number[two]) for one, two in hidden["roads"]}, len(names))
    way = path(ways, number[hidden["start"]], number[hidden["destination"]], closed)
    for place in (way or [])[1:]:
        await call_with_retry(session, "move", to=names[place])
    return Submission("arrived", confidence=1.0)


family = RouteFamily()
