"""A store: its opening count, what was moved since, and what is only planned. Drawn before any form is.

Always: what is taken away is at most half of what is there, and every movement changes something.
"""

from __future__ import annotations

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.modeling.inventory.texts import GOODS, KINDS, PLANS
from proctor.suites.kit.words import firm

_ADDS = tuple(kind for kind, (sign, _, _) in KINDS.items() if sign > 0)
_TAKES = tuple(kind for kind, (sign, _, _) in KINDS.items() if sign < 0)
_PLANS = tuple(PLANS)


class Lot(Struct, frozen=True):
    """So many of one good."""

    good: str
    quantity: int

    @property
    def text(self) -> str:
        return f"{self.quantity} {self.good}"


class Move(Struct, frozen=True):
    """One movement of one or two goods."""

    kind: str
    lots: list[Lot]

    @property
    def sign(self) -> int:
        """1 where stock comes in, -1 where it goes out."""
        return KINDS[self.kind][0]

    @property
    def name(self) -> str:
        return KINDS[self.kind][1]

    @property
    def said(self) -> str:
        """The movement as people say it."""
        return KINDS[self.kind][2]


class Plan(Struct, frozen=True):
    """A movement that has not taken place."""

    kind: str
    lot: Lot

    @property
    def sign(self) -> int:
        """1 where stock would come in, -1 where it would go out."""
        return PLANS[self.kind][0]

    @property
    def name(self) -> str:
        return PLANS[self.kind][1]

    @property
    def said(self) -> str:
        """The plan as people say it."""
        return PLANS[self.kind][2]


class Store(Struct, frozen=True):
    """Everything a form tells."""

    name: str
    opening: dict[str, int]
    moves: list[Move]
    plans: list[Plan]

    def closing(self, *, planned: bool = False) -> dict[str, int]:
        """The stock after all movements, and on request as if the plans had been carried out too."""
        stock = dict(self.opening)
        for move in self.moves:
            for lot in move.lots:
                stock[lot.good] += move.sign * lot.quantity
        for plan in self.plans if planned else ():
            stock[plan.lot.good] += plan.sign * plan.lot.quantity
        return stock


def store(stream: Stream, goods: int, most: int, plans: int) -> Store:
    """A store of so many goods with one movement, or up to `most`, and so many plans."""
    names = stream.sample(GOODS, goods)
    opening = {good: stream.integer(24, 97) for good in names}
    moves: list[Move] = []
    held = dict(opening)
    for _ in range(stream.integer(1, most)):
        adds = stream.chance(0.5)
        touched = stream.sample(names, stream.integer(1, 2))
        lots = [Lot(good, stream.integer(2, 48 if adds else held[good] // 2)) for good in touched]
        move = Move(stream.choice(_ADDS if adds else _TAKES), lots)
        for lot in lots:
            held[lot.good] += move.sign * lot.quantity
        moves.append(move)
    # A stream of its own: more plans leave the store itself as it is.
    other = stream.child("plans")
    planned = [Plan(other.choice(_PLANS), Lot(other.choice(names), other.integer(5, 40))) for _ in range(plans)]
    return Store(firm(stream), opening, moves, planned)
