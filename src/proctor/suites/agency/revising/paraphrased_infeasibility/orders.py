"""Workshops with an order and three means; the scarcest decides. One problem, two tellings.

Always: the three means suffice for nearly the same number of pieces, one of them for the fewest; an order that can be
reached is at most a little below that number, another a little above it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.agency.revising.facts import Dossier, Fact
from proctor.suites.agency.revising.names import TITLES, places
from proctor.suites.agency.revising.paraphrased_infeasibility.texts import BOOKS, ITEMS, MATERIALS, UNITS
from proctor.suites.agency.revising.revision import Call, Case
from proctor.suites.kit.draws import split_draw
from proctor.suites.kit.spelling import Value

_EACH = {"time": (7, 40), "material": (150, 900), "money": (35, 400)}
"""How much of the small unit one piece uses."""


class Mean(Struct, frozen=True):
    """Something that is used up: so much a piece in the small unit, so much in all in the large one."""

    kind: str
    each: int
    total: int

    @property
    def suffices_for(self) -> int:
        """How many pieces it is enough for."""
        return self.total * UNITS[self.kind][2] // self.each


class Workshop(Struct, frozen=True):
    """An order and what there is for it."""

    name: str
    item: str
    material: str
    pieces: int
    means: list[Mean]

    @property
    def scarcest(self) -> Mean:
        """The mean that limits the order."""
        return min(self.means, key=lambda mean: mean.suffices_for)


def workshops(stream: Stream, count: int) -> list[Workshop]:
    """So many workshops, of which one to all but one can keep their order, half of them in the mean."""
    kept = stream.integer(1, count - 1)
    keeps = [True] * kept + [False] * (count - kept)
    stream.shuffle(keeps)
    return [_workshop(stream, name, keep=keep) for name, keep in zip(places(stream, count), keeps, strict=True)]


def _workshop(stream: Stream, name: str, *, keep: bool) -> Workshop:
    means = _means(stream)
    while len({mean.suffices_for for mean in means}) < len(means):
        means = _means(stream)
    most = min(mean.suffices_for for mean in means)
    pieces = most - stream.below(3) if keep else most + stream.integer(1, 9)
    return Workshop(name, stream.choice(ITEMS), stream.choice(MATERIALS), pieces, means)


def _means(stream: Stream) -> list[Mean]:
    about = stream.integer(30, 110)
    means = []
    for kind, (least, most) in _EACH.items():
        above, more = split_draw(stream, most - least + 1, 7)
        each = least + above
        means.append(Mean(kind, each, -(-(about + more) * each // UNITS[kind][2])))
    return means


def case(drawn: list[Workshop], part: int, stream: Stream) -> Case:
    """One telling: the half decides the phrasebook and the units, the stream which of them get the large unit."""
    facts: list[Fact] = []
    goals: dict[str, dict[str, Any]] = {}
    right: list[Call] = []
    large = stream.bits64()
    for number, shop in enumerate(drawn):
        facts.append(Fact("order", shop.name, {"workshop": shop.name, "pieces": shop.pieces, "item": shop.item}))
        for index, mean in enumerate(shop.means):
            # The other half tells the same amount in the other unit.
            other = (large >> (3 * number + index) & 1) ^ part
            facts.append(_told(shop, mean, small=bool(other)))
        most, kind = shop.scarcest.suffices_for, shop.scarcest.kind
        goals[shop.name] = {"pieces": shop.pieces, "most": most, "limit": kind}
        right.append(
            Call("keep_order", {"workshop": shop.name})
            if most >= shop.pieces
            else Call("lower_order", {"workshop": shop.name, "pieces": most, "limit": kind})
        )
    return Case(Dossier(stream.choice(TITLES), facts, BOOKS[part]), goals, right)


def _told(shop: Workshop, mean: Mean, *, small: bool) -> Fact:
    large_unit, small_unit, factor = UNITS[mean.kind]
    values: dict[str, Value] = {"workshop": shop.name}
    if mean.kind == "material":
        values["material"] = shop.material
    values[f"{small_unit}_per_piece"] = mean.each
    values["available"] = mean.total * factor if small else mean.total
    values["unit"] = small_unit if small else large_unit
    return Fact(mean.kind, shop.name, values)
