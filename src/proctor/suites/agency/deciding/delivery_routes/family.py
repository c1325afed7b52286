"""The family `delivery-routes` (B.4.3, D3): deliver parcels although the first plan meets a closed road.

Always: the first plan of a driver who takes shortest ways fails; whoever plans again from where he stands, whenever
that happens, delivers everything with a tenth of his kilometres to spare. Where parcels are in the end is judged.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.deciding.delivery_routes.closures import also_closed, closures, drawn_stops, needed
from proctor.suites.agency.deciding.delivery_routes.roads import Map, drawn_map
from proctor.suites.agency.deciding.delivery_routes.texts import ANSWER_FORMAT, GOALS, PLACES, RULES, WORDING
from proctor.suites.agency.deciding.delivery_routes.world import REASONS, VanWorld
from proctor.suites.agency.deciding.forms import FORMS, written
from proctor.suites.agency.deciding.frames import frame
from proctor.suites.agency.deciding.material import Row, Section
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import passages
from proctor.suites.kit.words import firm
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_PLACES = 14
_SPARE = 10
"""The van may go a tenth further than the careful driver does, for equally good plans that meet other roads."""
_NUMBERS = tuple(range(101, 1000, 7))
_BUDGET = Budget(actions=60)


class DeliveryRoutesFamily(JudgedByState):
    """Rounds of a delivery van."""

    spec = FamilySpec(
        id="delivery-routes",
        title="Deliveries past closed roads",
        description="Parcels, a road map and few kilometres; closed roads show when tried, and the round is replanned.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("D3",),
        criterion="Every parcel is at its address, left there in the stated order within the kilometres the van has.",
        verification="Where parcels were left, and in which order, is compared with the list; not the answer.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "closed": Knob(
                default=2,
                values=(1, 2, 3),
                description="Closed roads that a careful driver meets, each on what is then the plan.",
            ),
            "parcels": Knob(default=2, values=(1, 2, 3, 4), description="Parcels, each for another place."),
        },
        observation_schema={
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "passages": {"type": "integer"},
                "position": {"type": "string"},
                "km_left": {"type": "integer"},
            },
            "required": ["text", "passages", "position", "km_left"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        blocks, count = draw.knobs.get("closed", 2), draw.knobs.get("parcels", 2)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(GOALS)
        about = frame(stream, f"the van of {firm(stream)}")
        names = stream.sample(PLACES, _PLACES)
        road_map = drawn_map(stream, _PLACES)
        depot, stops = drawn_stops(stream, road_map, count)
        made, closed = closures(stream, road_map, depot, stops, blocks)
        closed = also_closed(road_map, depot, stops, made, closed, _with_spare(made.km))
        km = needed(road_map, depot, stops, made, closed)
        fuel = _with_spare(km)
        letter = stream.choice("BCDFGHKLMNPRSTVW")
        parcels = {
            f"{letter}{number}": names[stop] for number, stop in zip(stream.sample(_NUMBERS, count), stops, strict=True)
        }
        sheet = written(template, _sections(stream, names, road_map, depot, fuel, parcels), WORDING, about)
        numbered = {address: parcel for parcel, address in parcels.items()}
        return Instance(
            template=template,
            goal=goal + RULES,
            answer_format=ANSWER_FORMAT,
            observation={
                "text": sheet.text,
                "passages": len(passages(sheet.lines)),
                "position": names[depot],
                "km_left": fuel,
            },
            hidden={
                "depot": names[depot],
                "range": fuel,
                "needed": km,
                "ways": {
                    names[place]: {names[other]: km for other, km, _ in ways}
                    for place, ways in enumerate(road_map.ways)
                },
                "closed": [
                    [names[road.one], names[road.two]]
                    for number, road in enumerate(road_map.roads)
                    if closed >> number & 1
                ],
                "addresses": parcels,
                "steps": [
                    [kind, numbered[names[place]] if kind == "unload" else names[place]] for kind, place in made.steps
                ],
                "facts": sheet.facts,
            },
            knobs={"closed": blocks, "parcels": count},
            budget=_BUDGET,
            strict_actions=len(made.steps) + 4,
        )

    def world(self, instance: Instance, place: Place) -> VanWorld:
        return VanWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The map has to be known for certain; then every leg, failed attempt and unloading costs a call."""
        steps = len(instance.hidden["steps"])
        return Policy(instance, deliveries).settle_then_write(len(instance.hidden["facts"]), steps, keep=2 * steps)


def _with_spare(km: int) -> int:
    return km + max(5, km // _SPARE)


def _sections(
    stream: Stream, names: list[str], road_map: Map, depot: int, fuel: int, parcels: dict[str, str]
) -> list[Section]:
    """The van, the parcels and the roads, both in no order; which end of a road is named first means nothing."""
    listed = [
        Row(
            "parcel",
            {"rank": str(rank), "parcel": parcel, "address": address, "weight": str(stream.integer(1, 30))},
        )
        for rank, (parcel, address) in enumerate(parcels.items(), 1)
    ]
    stream.shuffle(listed)
    roads = [
        Row("road", {"one": names[road.one], "two": names[road.two], "km": str(road.km)}) for road in road_map.roads
    ]
    stream.shuffle(roads)
    van = Row("van", {"depot": names[depot], "range": str(fuel)})
    return [Section("van", [van]), Section("parcels", listed), Section("roads", roads)]


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Drive as the careful driver did; what he found closed is not tried again."""
    for kind, target in instance.hidden["steps"]:
        if kind == "drive":
            await call_with_retry(session, "drive", to=target)
        elif kind == "unload":
            await call_with_retry(session, "unload", parcel=target)
    return Submission("delivered", confidence=1.0)


family = DeliveryRoutesFamily()
