"""Past dealings: made by letting past buyers talk to a house, and read by asking which way of dealing explains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from proctor.suites.agency.social.house_talks.habits import (
    AGREED,
    BLUFFING,
    CANDIDATES,
    DECEPTIVE,
    FIRM,
    HONEST,
    MEETING,
    OPENING,
    RATES,
    RECIPROCATING,
    SLOW,
    Habit,
    House,
    Offer,
)
from proctor.suites.kit.draws import Dice

ASKS = (40, 60, 80)
"""Multiples of 20: every share of them that matters is whole."""
ORDERS = (8, 10, 12, 14, 15, 16, 18, 20)


class Dealing(Struct, frozen=True):
    """What a buyer offered, what the house said each time, and whether what was agreed came."""

    house: str | None
    """None where the name is left out."""
    ask: int
    offers: tuple[Offer, ...]
    answers: tuple[str, ...]
    came: bool

    @property
    def sold(self) -> bool:
        """Whether the house agreed to the last offer."""
        return self.answers[-1] == AGREED


def lived(house: str | None, habit: Habit, ask: int, offers: Sequence[Offer]) -> Dealing:
    """What comes of these offers at a house with this habit."""
    talks = House(habit, ask)
    answers = tuple(talks.answer(offer) for offer in offers)
    return Dealing(house, ask, tuple(offers), answers, habit.delivers and AGREED in answers)


def past_of(house: str | None, habit: Habit, dice: Dice) -> list[Dealing]:
    """Two dealings that tell the habit, in a random order: one that shows what works, one that shows what does not."""
    asks = dice.sample(ASKS, 2)
    orders = dice.sample(ORDERS, 2)
    low, few, other = dice.choice((70, 75, 80, 85, 90)), 2 + dice.below(2), dice.choice(RATES)
    scripts: dict[str, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {
        # Per cent of the price, and crates where not all are ordered at once.
        FIRM: ([(100, 0)], [(low, 0)]),
        BLUFFING: ([(habit.rate, 0)] * 2, [(habit.rate, 0), (habit.rate + 10, 0)]),
        RECIPROCATING: ([(OPENING, 0), (MEETING, 0)], [(other, 0)] * 2),
        SLOW: ([(100, few), (100, -few)], [(100, 0)]),
        DECEPTIVE: ([(100, 0)], [(other, 0)]),
    }
    made = []
    for moves, ask, order in zip(scripts[habit.kind], asks, orders, strict=True):
        offers = [Offer(ask * share // 100, crates if crates > 0 else order + crates) for share, crates in moves]
        made.append(lived(house, habit, ask, offers))
    return dice.shuffled(made)


def explains(habit: Habit, dealing: Dealing) -> bool:
    """Whether a house with this habit would have dealt like that."""
    return lived(dealing.house, habit, dealing.ask, dealing.offers) == dealing


def inferred(dealings: Iterable[Dealing]) -> Habit | None:
    """The habit that explains all of these; None where there are none, or no habit does."""
    known = list(dealings)
    if not known:
        return None
    return next((habit for habit in CANDIDATES if all(explains(habit, dealing) for dealing in known)), None)


def supposed(houses: Sequence[str], dealings: Sequence[Dealing]) -> dict[str, Habit]:
    """What a reader of these notes takes each house for.

    Where no note names it, the reader can only share out the ways that the notes show, or those there are, by place.
    """
    told = {house: inferred(dealing for dealing in dealings if dealing.house == house) for house in houses}
    unnamed = [inferred([dealing]) for dealing in dealings if dealing.house is None]
    spare = [*dict.fromkeys(habit for habit in unnamed if habit), *(Habit(kind) for kind in HONEST)]
    return {house: told[house] or spare[place % len(spare)] for place, house in enumerate(houses)}
