"""The family `house-talks` (Tier 5, §12.8): a negotiation in which every counterparty has to be treated as it deals.

Always: of four houses three deliver, each in another way, and one cheats; coins and days are enough for whoever treats
the three as their ways ask for, and for nobody else. Past dealings under names tell each way; the knob `identity` says
what the names are worth.
"""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind, Interaction
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.spec.tier_protocols import Counterparties
from proctor.suites.agency.modeling.prediction import restores_and_acts
from proctor.suites.agency.social.house_talks import texts
from proctor.suites.agency.social.house_talks.dealings import ASKS, ORDERS, Dealing, supposed
from proctor.suites.agency.social.house_talks.habits import (
    AGREED,
    BLUFFING,
    DECEPTIVE,
    HONEST,
    KINDS,
    RATES,
    Habit,
    House,
    Offer,
    cost,
    treatment,
)
from proctor.suites.agency.social.house_talks.world import NEEDED, REASONS, Seller, TalksWorld
from proctor.suites.agency.social.house_talks.writing import TELLER
from proctor.suites.agency.social.identity import KNOB, cast, names_by_way
from proctor.suites.agency.social.notes import LAYOUTS, TEMPLATES, Page, phrase
from proctor.suites.agency.social.past import past
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.world import Place

_BUDGET = Budget(actions=200)


class HouseTalksFamily(JudgedByState):
    """Buying trips in eight layouts."""

    spec = FamilySpec(
        id="house-talks",
        title="House talks",
        description="Orders are placed with three of four houses, which bluff, reciprocate, mistrust, insist or cheat.",
        environment=EnvironmentClass(kind=EnvironmentKind.MULTI_AGENT, interaction=Interaction.MIXED),
        evidences=("T5-social",),
        criterion="Three different houses each deliver the crates ordered, within the coins and days there are.",
        verification="What every house agreed to and really delivers is counted from the record of the talks.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "identity": KNOB,
            "remarks": Knob(default=2, values=(0, 2, 4), description="Remarks on houses that say nothing of dealing."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
        counterparties=Counterparties(
            roles=("buyer", "house", "house", "house", "house"),
            protocol="The buyer makes offers, one a day, to any house; the house answers each before the next is made.",
            depends="A house agrees, declines, leaves or cheats by its own policy and what it was offered before.",
        ),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        dice = Dice(stream)
        template, crates, goods = dice.choice(TEMPLATES), dice.choice(ORDERS), dice.choice(texts.GOODS)
        goal, title, figure = dice.choice(texts.GOALS), dice.choice(texts.TITLES), dice.choice(texts.FIGURES)
        kinds = dice.shuffled([*dice.sample(HONEST, NEEDED), DECEPTIVE])
        rate, ask, shift = dice.choice(RATES), dice.choice(ASKS), dice.integer(1, len(kinds) - 1)
        pool = names_by_way(draw.source, texts.HOUSES, len(KINDS))
        places = [dice.integer(0, len(pool[0]) - 1) for _ in kinds]
        names = [pool[KINDS.index(kind)][place] for kind, place in zip(kinds, places, strict=True)]
        ways = {kind: Habit(kind, rate if kind == BLUFFING else 100) for kind in KINDS}
        # All is drawn; what is made of it comes now, from streams of its own.
        people = cast(knobs["identity"], names, [ways[kind] for kind in kinds], shift, "House")
        # One price for all: with several, the coins there are would tell which house gives a discount.
        sellers = [Seller(name, ask, habit) for name, habit in zip(people.names, people.now, strict=True)]
        away = [
            (ways[kind], name) for kind, group in zip(KINDS, pool, strict=True) for name in group if name not in names
        ]
        before = past(people, away, TELLER, knobs["remarks"], stream)
        figures = [phrase(dice, (figure,), house=one.name, ask=one.ask) for one in sellers]
        shown = show(LAYOUTS[template](Page(title, tuple(figures), "notes on past dealings", before.notes), dice))
        honest = [one for one in sellers if one.habit.delivers]
        days = sum(len(treatment(one.habit, one.ask, crates)) for one in honest)
        told = (texts.PAST if people.named else texts.PAST_UNNAMED) if people.noted else texts.NO_PAST
        purse = _purse(honest, crates)
        return make_instance(
            shown,
            template=template,
            goal=(goal + texts.NOTE).format(goods=goods, crates=crates, purse=purse, days=days)
            + told
            + texts.REREADING,
            answer_format=texts.ANSWER_FORMAT,
            hidden={
                "sellers": msgspec.to_builtins(sellers),
                "crates": crates,
                "purse": purse,
                "days": days,
                "dealings": msgspec.to_builtins(before.dealings),
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=shown.readings + 2 * days + 2,
        )

    def world(self, instance: Instance, place: Place) -> TalksWorld:
        return TalksWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        """Knows the dealings as the text tells them, under the names it gives, and nothing else that is hidden."""
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The lines that matter have to come back right, the offers be made, and the notes tell the truth by name."""
        plan = _plan(instance)
        return restores_and_acts(instance, deliveries, len(plan)) and _succeeds(instance, plan)


def _purse(honest: list[Seller], crates: int) -> int:
    """What the right offers cost, and half of the least that a wrong one which is accepted would cost more."""
    costs = [(cost(one.habit, one.ask, crates), one.ask * crates) for one in honest]
    least = min(full - right for right, full in costs if right < full)
    return sum(right for right, _ in costs) + least // 2


def _plan(instance: Instance) -> list[tuple[str, Offer]]:
    """The offers of somebody who has read prices and notes."""
    hidden = instance.hidden
    asks = {seller["name"]: seller["ask"] for seller in hidden["sellers"]}
    taken_for = supposed(list(asks), msgspec.convert(hidden["dealings"], list[Dealing]))
    honest = [house for house in asks if taken_for[house].delivers][:NEEDED]
    return [(house, offer) for house in honest for offer in treatment(taken_for[house], asks[house], hidden["crates"])]


def _succeeds(instance: Instance, plan: list[tuple[str, Offer]]) -> bool:
    """Whether these offers, undisturbed, are what the houses ask for."""
    hidden = instance.hidden
    sellers = msgspec.convert(hidden["sellers"], list[Seller])
    talks = {one.name: House(one.habit, one.ask) for one in sellers}
    got = {one.name: 0 for one in sellers}
    paid = 0
    for house, offer in plan[: hidden["days"]]:
        if talks[house].answer(offer) == AGREED and paid + offer.price * offer.crates <= hidden["purse"]:
            paid += offer.price * offer.crates
            got[house] += offer.crates
    delivered = [one for one in sellers if one.habit.delivers and got[one.name] >= hidden["crates"]]
    return len(delivered) >= NEEDED


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "passage", number=1)
    for house, offer in _plan(instance):
        result = await call_with_retry(session, "offer", house=house, price=offer.price, crates=offer.crates)
        if not result.ok:
            return Submission("done", confidence=0.0)
    return Submission("done", confidence=1.0)


family = HouseTalksFamily()
