"""A van on a map; closed roads show when they are tried. Where the parcels are in the end is judged, and the order."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "not_started", "wrong_address", "wrong_order", "out_of_fuel", "undelivered")


class VanWorld(TextWorld):
    """Where the van is, how far it still can go, and where parcels were left."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        self._ways: dict[str, dict[str, int]] = hidden["ways"]
        self._closed = {frozenset(pair) for pair in hidden["closed"]}
        self._here: str = hidden["depot"]
        self._left: int = hidden["range"]
        self._placed: dict[str, str] = {}

    @tool(effect="read")
    def where(self) -> dict[str, Any]:
        """Show where the van is, which parcels are on board, and how many kilometres are left."""
        board = sorted(self.instance.hidden["addresses"].keys() - self._placed.keys())
        return {"position": self._here, "on_board": board, "km_left": self._left}

    @tool(effect="write")
    def drive(self, to: Annotated[str, Meta(description="The name of a neighbouring place.")]) -> dict[str, Any]:
        """Drive along one road to a neighbouring place; answers where the van is then and the kilometres left."""
        here, there = self._here, to.strip()
        km = self._ways[here].get(there)
        if km is None:
            message = f"no road leads from {here} to '{there[:40]}'"
            raise ToolError(message)
        if frozenset((here, there)) in self._closed:
            message = f"the road between {here} and {there} is closed; the van is still in {here}"
            raise ToolError(message)
        if km > self._left:
            message = f"it is {km} km to {there}, and only {self._left} km are left"
            raise ToolError(message)
        self._here = there
        self._left -= km
        return {"position": there, "km_left": self._left}

    @tool(effect="write")
    def unload(self, parcel: Annotated[str, Meta(description="The parcel's number.")]) -> str:
        """Leave a parcel at the place where the van is. It stays there."""
        number = parcel.strip().upper()
        if number not in self.instance.hidden["addresses"]:
            message = f"there is no parcel '{parcel[:40]}'"
            raise ToolError(message)
        if number in self._placed:
            message = f"parcel {number} is not on board any more"
            raise ToolError(message)
        self._placed[number] = self._here
        return f"{number} was left in {self._here}"

    def verify(self, submission: Submission) -> Verification:
        addresses: dict[str, str] = self.instance.hidden["addresses"]
        if any(addresses[parcel] != place for parcel, place in self._placed.items()):
            return Verification(False, "wrong_address")
        if list(self._placed) != list(addresses)[: len(self._placed)]:
            return Verification(False, "wrong_order")
        if len(self._placed) == len(addresses):
            return Verification(True, "correct")
        if self._left == self.instance.hidden["range"]:
            return Verification(False, "not_started")
        stranded = self._left < min(self._ways[self._here].values())
        return Verification(False, "out_of_fuel" if stranded else "undelivered")

    def state(self) -> Any:
        return {"here": self._here, "left": self._left, "placed": self._placed}
