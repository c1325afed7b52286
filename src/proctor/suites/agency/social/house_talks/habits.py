"""How houses deal: five ways, each of which answers offers from what it was offered before, and from nothing else.

- `firm` says what it means: its price or no talks
- `bluffing` calls its price the last word and sells for less to whoever offers the same again; whoever gives way after
  its refusal has shown that there is more to be had
- `reciprocating` comes down by as much as the buyer goes up, and leaves a buyer who does not move
- `slow` sells a few crates to a stranger and the rest after that; whoever begins with a large order has lost it
- `deceptive` agrees to nearly everything, takes the money and delivers nothing

`Counterparty` is what the world needs of a house. A house that a chat model plays would be another one.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

AGREED, DECLINED, BROKEN_OFF = "agreed", "declined", "broken off"
FIRM, BLUFFING, RECIPROCATING, SLOW, DECEPTIVE = KINDS = ("firm", "bluffing", "reciprocating", "slow", "deceptive")
HONEST = KINDS[:4]
RATES = (60, 70, 80)
"""What bluffing houses really take, in per cent of their price."""
FEW = 3
"""So many crates a slow house sells to a stranger."""
OPENING, MEETING = 60, 80
"""Where a buyer may open with a reciprocating house, and where the two then meet, in per cent of its price."""


class Habit(Struct, frozen=True):
    """One way of dealing."""

    kind: str
    rate: int = 100
    """What it really takes, in per cent of its price."""

    @property
    def delivers(self) -> bool:
        return self.kind != DECEPTIVE


CANDIDATES = (
    *(Habit(kind) for kind in KINDS if kind != BLUFFING),
    *(Habit(BLUFFING, rate) for rate in reversed(RATES)),
)
"""All ways there are; of bluffing houses those that take least off come first."""


class Offer(Struct, frozen=True):
    """A price for each crate, and how many of them."""

    price: int
    crates: int


class Counterparty(Protocol):
    """Whoever sits on the other side."""

    def answer(self, offer: Offer) -> str:
        """One of `agreed`, `declined`, `broken off`; what was said before counts."""
        ...


class House:
    """A counterparty that follows a habit."""

    __slots__ = ("_ask", "_first", "_habit", "_last", "broken", "trusts")

    def __init__(self, habit: Habit, ask: int) -> None:
        self._habit = habit
        self._ask = ask
        self._first: int | None = None
        self._last = 0
        self.broken = False
        self.trusts = False

    def answer(self, offer: Offer) -> str:
        """What it says to this offer, after all the offers before."""
        if self.broken:
            return BROKEN_OFF
        said = _ANSWERS[self._habit.kind](self, offer)
        self.broken = said == BROKEN_OFF
        return said

    def _firm(self, offer: Offer) -> str:
        return AGREED if offer.price >= self._ask else BROKEN_OFF

    def _bluffing(self, offer: Offer) -> str:
        if offer.price >= self._ask:
            return AGREED
        if 100 * offer.price < self._habit.rate * self._ask:
            return BROKEN_OFF
        if self._first is None:
            self._first = offer.price
            return DECLINED
        self._last = max(self._last, offer.price)
        return AGREED if self._last <= self._first else DECLINED

    def _reciprocating(self, offer: Offer) -> str:
        if offer.price >= self._ask:
            return AGREED
        if 2 * offer.price < self._ask or offer.price <= self._last:
            return BROKEN_OFF
        self._last = offer.price
        if self._first is None:
            self._first = offer.price
            return DECLINED
        return AGREED if offer.price >= self._ask - (offer.price - self._first) else DECLINED

    def _slow(self, offer: Offer) -> str:
        if offer.price < self._ask or (not self.trusts and offer.crates > FEW):
            return BROKEN_OFF
        self.trusts = True
        return AGREED

    def _deceptive(self, offer: Offer) -> str:
        return AGREED if 2 * offer.price >= self._ask else DECLINED


_ANSWERS = {
    FIRM: House._firm,
    BLUFFING: House._bluffing,
    RECIPROCATING: House._reciprocating,
    SLOW: House._slow,
    DECEPTIVE: House._deceptive,
}


def treatment(habit: Habit, ask: int, crates: int) -> list[Offer]:
    """The offers that get so many crates out of such a house, one a day; none where nothing ever comes."""
    if habit.kind == FIRM:
        return [Offer(ask, crates)]
    if habit.kind == BLUFFING:
        return [Offer(ask * habit.rate // 100, crates)] * 2
    if habit.kind == RECIPROCATING:
        return [Offer(ask * OPENING // 100, crates), Offer(ask * MEETING // 100, crates)]
    return [Offer(ask, FEW - 1), Offer(ask, crates - FEW + 1)] if habit.kind == SLOW else []


def cost(habit: Habit, ask: int, crates: int) -> int:
    """What these offers cost in all."""
    share = {BLUFFING: habit.rate, RECIPROCATING: MEETING}.get(habit.kind, 100)
    return share * ask * crates // 100
