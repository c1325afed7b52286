"""A map to move on; blocked roads show when they are tried."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

REASONS = ("correct", "not_moved", "not_arrived", "out_of_moves")


class RouteWorld(BaseWorld):
    """Where the traveller is, and the way taken so far."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        self._roads = {frozenset(pair) for pair in hidden["roads"]}
        self._blocked = {frozenset(pair) for pair in hidden["blocked"]}
        self._taken: list[str] = [hidden["start"]]
        self._left: int = hidden["moves"]

    @tool(effect="read")
    def look(self) -> dict[str, Any]:
        """Show where you are, which places roads lead to from here, and how many moves are left."""
        here = self._taken[-1]
        ends = sorted(next(iter(pair - {here})) for pair in self._roads if here in pair)
        return {"position": here, "neighbours": ends, "moves_left": self._left}

    @tool(effect="read")
    def map(self) -> dict[str, Any]:
        """Show all roads again. Whether a road is blocked is not on the map."""
        return {"roads": self.instance.observation["roads"]}

    @tool(effect="write")
    def move(self, to: Annotated[str, Meta(description="The name of a neighbouring place.")]) -> dict[str, Any]:
        """Go along one road to a neighbouring place; answers where you are then and how many moves are left."""
        here = self._taken[-1]
        leg = frozenset((here, to))
        if leg not in self._roads:
            message = f"there is no road from {here} to '{to[:40]}'"
            raise ToolError(message)
        if leg in self._blocked:
            message = f"the road from {here} to {to} is blocked; you are still in {here}"
            raise ToolError(message)
        if not self._left:
            message = "there are no moves left"
            raise ToolError(message)
        self._taken.append(to)
        self._left -= 1
        return {"position": to, "moves_left": self._left}

    def verify(self, submission: Submission) -> Verification:
        if self._taken[-1] == self.instance.hidden["destination"]:
            return Verification(True, "correct")
        if len(self._taken) == 1:
            return Verification(False, "not_moved")
        return Verification(False, "not_arrived" if self._left else "out_of_moves")

    def state(self) -> Any:
        return {"taken": self._taken, "left": self._left}
