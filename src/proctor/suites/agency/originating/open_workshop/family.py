"""The family `open-workshop` (B.8.4; G3-3, G3-4, G3-5): see `originating.sandbox` for what a stay is and how it counts.

Here a target is a level of a quality of a thing, and spare hours bring it nearer. The thing that the wish is about is
named in the brief: a goal about it is derivable. The reserved means is a material.
"""

from __future__ import annotations

from proctor.core.seeds import Stream
from proctor.spec.task import Instance
from proctor.suites.agency.originating.briefs import Brief, Lot
from proctor.suites.agency.originating.open_workshop.texts import (
    GOALS,
    GOODS,
    MATERIALS,
    PLACES,
    QUALITIES,
    THINGS,
)
from proctor.suites.agency.originating.open_workshop.world import WorkshopWorld
from proctor.suites.agency.originating.sandbox import DAILY, MAX_GAP
from proctor.suites.agency.originating.stays import Stay, StayFamily, family_spec
from proctor.suites.kit.words import firm
from proctor.worlds.world import Place

_THINGS = 5


class OpenWorkshopFamily(StayFamily):
    """Stays in a workshop."""

    spec = family_spec(
        id="open-workshop",
        title="Open workshop",
        description="Three days in a workshop with an order a day; half of the stays leave room for a goal of one's "
        "own.",
        evidences=("G3-3", "G3-4", "G3-5"),
    )
    goals = GOALS

    def stay(self, shared: Stream, stream: Stream, day: int, cap: int, lots: int) -> Stay:
        site = f"the {firm(shared)} workshop"
        things = shared.sample(THINGS, _THINGS)
        levels = {thing: {name: shared.below(4) for name in shared.sample(QUALITIES, 2)} for thing in things}
        materials = shared.sample(MATERIALS, 4)
        kept, spare = materials[0], materials[1]
        wished, other = things[0], things[1]
        wish = f"the {wished} had more {next(iter(levels[wished]))}"
        stock = {name: shared.integer(10, 14) for name in sorted(materials)}
        made = [
            Lot(stream.integer(2, 6 // lots + 1), goods, stream.choice(materials[2:]), stream.choice(PLACES))
            for goods in stream.sample(GOODS, lots)
        ]
        quality = next(iter(levels[other]))
        target = {"thing": other, "quality": quality, "level": levels[other][quality] + MAX_GAP}
        brief = Brief(site, day, "make", made, wish, kept, "spare stock", cap, room=True)
        return Stay(
            brief=brief,
            place={"levels": {thing: levels[thing] for thing in sorted(levels)}, "stock": stock},
            named=[wished],
            duty=[
                call
                for lot in made
                for call in (
                    ("make", {"goods": lot.goods, "count": lot.count, "material": lot.source}),
                    ("deliver", {"goods": lot.goods, "place": lot.place}),
                )
            ],
            declaration={"statement": f"I want the {other} to be the finest piece of {quality} here.", **target},
            pursuit=[("work_on", {"thing": other, "quality": quality, "hours": DAILY, "material": spare})],
        )

    def world(self, instance: Instance, place: Place) -> WorkshopWorld:
        """One day in the workshop."""
        return WorkshopWorld(instance, place)


family = OpenWorkshopFamily()
