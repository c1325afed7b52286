"""Beds, weeks and a purse; an almanac that is put away when the first bed is sown."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.planning.ledger_world import LedgerWorld
from proctor.suites.agency.planning.sowing_season.crops import Crop, Season
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "nothing_sown", "unfinished", "chose_late", "wrong_week", "poor_crop")
LAST_WEEK = 14
BedNumber = Annotated[int, Meta(ge=1, description="Number of the bed, from 1.")]


class Bed(Struct):
    """What was sown in a bed, and what became of it."""

    crop: Crop
    paid: int | None = None
    """What the harvest brought; None: it still stands."""


class SeasonWorld(LedgerWorld):
    """Time goes on only by waiting."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._season = msgspec.convert(instance.hidden["season"], Season)
        self._beds: dict[int, Bed] = {}
        self._week = 1

    @tool(effect="read")
    def card(self, name: Annotated[str, Meta(max_length=40, description="The card's name.")]) -> str:
        """Show one card of the almanac. No longer possible once a bed is sown."""
        return self.shown_card(name)

    @tool(effect="write")
    def sow(self, bed: BedNumber, crop: Annotated[str, Meta(max_length=40, description="The crop.")]) -> dict[str, Any]:
        """Sow a crop in an empty bed, in week 1. The advance is paid at once; the almanac is put away."""
        self._check(bed)
        known = {one.name: one for one in self._season.crops}
        chosen = known.get(crop.strip().lower())
        if chosen is None:
            message = f"there is no seed of that; there is seed of {', '.join(known)}"
            raise ToolError(message)
        if self._week > 1:
            message = "it is too late to sow: that is done in week 1 only"
            raise ToolError(message)
        if bed in self._beds or any(one.crop is chosen for one in self._beds.values()):
            message = f"bed {bed} is sown, or the seed of {chosen.name} is used up; neither can be taken back"
            raise ToolError(message)
        self.choose()
        self._beds[bed] = Bed(chosen)
        return {"bed": bed, "advance": chosen.advance, "purse": self.book(f"advance for bed {bed}", chosen.advance)}

    @tool(effect="write")
    def wait_week(self) -> dict[str, Any]:
        """Let a week pass."""
        if self._week == LAST_WEEK:
            message = "the season is over; there are no more weeks"
            raise ToolError(message)
        self._week += 1
        return {"week": self._week}

    @tool(effect="write")
    def harvest(self, bed: BedNumber) -> dict[str, Any]:
        """Harvest a bed and get what it brings. A bed can be harvested once."""
        self._check(bed)
        sown = self._beds.get(bed)
        if sown is None or sown.paid is not None:
            message = f"nothing stands in bed {bed}"
            raise ToolError(message)
        sown.paid = sown.crop.price if self._week == 1 + sown.crop.weeks < self._season.frost else 0
        purse = self.book(f"harvest of bed {bed}", sown.paid, reward=sown.paid > 0)
        return {"bed": bed, "paid": sown.paid, "purse": purse}

    def _check(self, bed: int) -> None:
        if bed > self._season.beds:
            message = f"there is no such bed; the last one is {self._season.beds}"
            raise ToolError(message)

    def state(self) -> Any:
        beds = [[number, bed.crop.name, bed.paid] for number, bed in sorted(self._beds.items())]
        return {"week": self._week, "beds": beds, "ledger": self.rows()}

    def verify(self, submission: Submission) -> Verification:
        reason = self._verdict()
        return Verification(reason == "correct", reason, measures=self.measures())

    def _verdict(self) -> str:
        if self.purse() == self._season.most():
            return "correct"
        if not self._beds:
            return "nothing_sown"
        if len(self._beds) < self._season.beds or any(bed.paid is None for bed in self._beds.values()):
            return "unfinished"
        if any(not self._season.ripens(bed.crop) for bed in self._beds.values()):
            return "chose_late"
        return "wrong_week" if any(not bed.paid for bed in self._beds.values()) else "poor_crop"
