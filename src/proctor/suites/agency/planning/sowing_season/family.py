"""The family `sowing-season` (T3-delayed): sow in week 1 what pays most in the end, harvest each bed in its week.

Always: what a crop brings is paid at harvest, three weeks or more after it was sown, each week an action; what it
brings and when it is ripe stands on cards that are read one at a time and never again once a bed is sown; the advance,
which is paid at once, says nothing of it.
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
from proctor.suites.agency.planning.sowing_season.crops import LEAST_WEEKS, Season, season
from proctor.suites.agency.planning.sowing_season.texts import (
    ANSWER_FORMAT,
    CROPS,
    FROST,
    FROST_WEEK,
    GOALS,
    PRICE,
    RIPENESS,
    RULES,
)
from proctor.suites.agency.planning.sowing_season.world import REASONS, SeasonWorld
from proctor.suites.kit.cards import FORMS, READINGS, Card, can_read_and_act
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.spelling import capital, enumerated, in_words
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=200)


class SowingSeasonFamily(JudgedByState):
    """Almanacs in eight layouts."""

    spec = FamilySpec(
        id="sowing-season",
        title="Sowing season",
        description="Crops are chosen and sown by what an almanac said beforehand, and harvested weeks later.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("T3-delayed",),
        criterion="The purse holds what the best plan brings: the right crops sown, each harvested in its week.",
        verification="What the ledger of the season holds is compared with the best of all plans.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "beds": Knob(default=2, values=(2, 3), description="Beds to be sown."),
            "crops": Knob(default=5, values=(5, 6, 8), description="Crops to choose from."),
        },
        observation_schema={
            "type": "object",
            "properties": {"farm": {"type": "string"}, "cards": {"type": "array", "items": {"type": "string"}}},
            "required": ["farm", "cards"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
        reward=DelayedReward(
            condition="A bed sown in week 1 is harvested in the week in which its crop is ripe, before the frost.",
            steps=LEAST_WEEKS,
        ),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(_TEMPLATES), stream.choice(GOALS)
        drawn = season(stream, stream.sample(CROPS, knobs["crops"]), knobs["beds"])
        cards = _cards(stream, template, drawn)
        rules = RULES.format(
            crops=enumerated([crop.name for crop in drawn.crops]),
            advances=", ".join(f"{crop.advance} coins for {crop.name}" for crop in drawn.crops),
            frost=FROST,
        )
        return Instance(
            template=template,
            goal=capital(goal.format(beds=in_words(drawn.beds))) + rules,
            answer_format=ANSWER_FORMAT,
            observation={"farm": f"field {stream.hex(8)}", "cards": list(cards)},
            hidden={"season": msgspec.to_builtins(drawn), "cards": cards},
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=READINGS * len(cards) + 2 * drawn.beds + drawn.frost + 2,
        )

    def world(self, instance: Instance, place: Place) -> SeasonWorld:
        return SeasonWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every card has to be certain; then beds are sown, weeks pass and beds are harvested."""
        drawn = msgspec.convert(instance.hidden["season"], Season)
        acts = 2 * drawn.beds + max(crop.weeks for crop in drawn.best())
        return can_read_and_act(instance, deliveries, list(instance.hidden["cards"].values()), acts)


def _cards(stream: Stream, template: str, drawn: Season) -> dict[str, str]:
    """The almanac: a card a crop and one for the frost, in alphabetical order."""
    contents: dict[str, list[tuple[str, int | str]]] = {
        FROST: [(FROST_WEEK, drawn.frost), ("frosts last year", stream.integer(9, 40))]
    }
    for crop in drawn.crops:
        contents[crop.name] = [
            (RIPENESS, crop.weeks),
            (PRICE, crop.price),
            ("depth in cm", stream.integer(1, 9)),
            ("gap in cm", stream.integer(10, 60)),
        ]
    for values in contents.values():
        stream.shuffle(values)
    return {name: FORMS[template](Card(name, dict(values)), stream) for name, values in sorted(contents.items())}


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Read every card, then carry out the best plan with the crops that were read about, and others if they are few."""
    season = msgspec.convert(instance.hidden["season"], Season)
    read = set()
    for name in instance.hidden["cards"]:
        card = await call_with_retry(session, "card", name=name)
        if card.ok and card.value:
            read.add(name)
    ranked = sorted(season.crops, key=lambda crop: season.worth(crop) if crop.name in read else 0, reverse=True)
    chosen = ranked[: season.beds]
    for bed, crop in enumerate(chosen, start=1):
        await call_with_retry(session, "sow", bed=bed, crop=crop.name)
    for week in range(2, 2 + max(crop.weeks for crop in chosen)):
        await call_with_retry(session, "wait_week")
        for bed, crop in enumerate(chosen, start=1):
            if week == 1 + crop.weeks:
                await call_with_retry(session, "harvest", bed=bed)
    return Submission("done", confidence=1.0)


family = SowingSeasonFamily()
