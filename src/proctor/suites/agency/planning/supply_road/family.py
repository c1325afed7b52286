"""The family `supply-road` (T3-delayed): choose a road and a pack, hand the right goods over, be paid at the end.

Always: road and pack are chosen in one action, before any stop is seen; what the stops want and pay stands on cards
that are read one at a time and stay behind; the reward comes at the end of the road, five actions later where all goes
well; the allowance, which is paid at once, says little of it.
"""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.spec.tier_protocols import DelayedReward
from proctor.suites.agency.planning.supply_road.roads import Road, Stop, roads
from proctor.suites.agency.planning.supply_road.texts import ANSWER_FORMAT, GOALS, GOODS, PRICE, ROADS, RULES, WANTED
from proctor.suites.agency.planning.supply_road.world import REASONS, RoadWorld
from proctor.suites.kit.cards import FORMS, READINGS, Card, can_read_and_act
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.spelling import capital, enumerated, in_words
from proctor.suites.kit.words import GIVEN
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=360)
_GOODS = 8


class SupplyRoadFamily(JudgedByState):
    """Cards of stops in eight layouts."""

    spec = FamilySpec(
        id="supply-road",
        title="Supply road",
        description="A road and a pack are chosen by what cards said beforehand; everything is paid at the road's end.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("T3-delayed",),
        criterion="The purse holds what the best journey brings: the right road, and at every stop what it wants.",
        verification="What the ledger of the journey holds is compared with the best of all journeys.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "roads": Knob(default=3, values=(2, 3, 4), description="Roads to choose from."),
            "stops": Knob(default=3, values=(3, 4, 5), description="Stops of a road, and goods in the pack."),
        },
        observation_schema={
            "type": "object",
            "properties": {"depot": {"type": "string"}, "keeper": {"type": "string"}},
            "required": ["depot", "keeper"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
        reward=DelayedReward(
            condition="At the end of the road, for each stop that was given the good it wanted.",
            steps=3,
        ),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(_TEMPLATES), stream.choice(GOALS)
        goods = stream.sample(GOODS, _GOODS)
        drawn = roads(stream, stream.sample(ROADS, knobs["roads"]), goods, knobs["stops"])
        cards = _cards(stream, template, drawn)
        words = {"roads": in_words(len(drawn)), "stops": in_words(knobs["stops"])}
        rules = RULES.format(
            **words,
            goods=enumerated(goods),
            names=enumerated([road.name for road in drawn]),
            allowances=", ".join(f"{road.allowance} coins on the {road.name} road" for road in drawn),
        )
        return Instance(
            template=template,
            goal=capital(goal.format(**words)) + rules,
            answer_format=ANSWER_FORMAT,
            observation={"depot": f"depot {stream.hex(8)}", "keeper": stream.choice(GIVEN)},
            hidden={"roads": msgspec.to_builtins(drawn), "goods": goods, "cards": cards},
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=READINGS * len(cards) + 2 * knobs["stops"] + 3,
        )

    def world(self, instance: Instance, place: Place) -> RoadWorld:
        return RoadWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every card has to be certain; then one sets out, and at each stop something is handed over."""
        hidden = instance.hidden
        acts = 1 + 2 * len(hidden["roads"][0]["stops"])
        return can_read_and_act(instance, deliveries, list(hidden["cards"].values()), acts)


def _cards(stream: Stream, template: str, drawn: list[Road]) -> dict[str, str]:
    """A card for every stop of every road."""
    cards: dict[str, str] = {}
    for road in drawn:
        for number, stop in enumerate(road.stops, start=1):
            values: list[tuple[str, int | str]] = [
                (WANTED, stop.good),
                (PRICE, stop.price),
                ("miles", stream.integer(4, 40)),
                ("beds", stream.integer(2, 30)),
            ]
            stream.shuffle(values)
            title = f"{road.name} road, stop {in_words(number)}"
            cards[f"{road.name} {number}"] = FORMS[template](Card(title, dict(values)), stream)
    return cards


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Read every card, then make the best journey by what was read; unknown stops get whatever is left."""
    drawn = msgspec.convert(instance.hidden["roads"], list[Road])
    known: dict[str, list[Stop | None]] = {}
    for road in drawn:
        known[road.name] = []
        for number, stop in enumerate(road.stops, start=1):
            card = await call_with_retry(session, "card", road=road.name, stop=number)
            known[road.name].append(stop if card.ok and card.value else None)
    chosen = max(drawn, key=lambda road: road.allowance + sum(stop.price for stop in known[road.name] if stop))
    wanted = [stop.good if stop else None for stop in known[chosen.name]]
    spare = [good for good in instance.hidden["goods"] if good not in wanted]
    goods = [good or spare.pop() for good in wanted]
    await call_with_retry(session, "set_out", road=chosen.name, goods=sorted(goods))
    for good in goods:
        await call_with_retry(session, "hand_over", good=good)
        await call_with_retry(session, "travel")
    return Submission("done", confidence=1.0)


family = SupplyRoadFamily()
