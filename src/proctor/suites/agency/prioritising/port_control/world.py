"""A port in which minutes and berths are spent."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.prioritising.action_family import ActingWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_brought_in",
    "top_goal_lost",
    "lower_goal_lost",
    "wrong_berth",
    "wrong_order",
)


class PortWorld(ActingWorld):
    """Who came in, where and in which order, and the minutes left."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.left: int = instance.hidden["window"]
        self.entries: list[list[str]] = []

    @tool(effect="write")
    def bring_in(
        self,
        code: Annotated[str, Meta(description="The code of what is brought in, like X-000.")],
        place: Annotated[str, Meta(description="The letter of the place it goes to.")],
    ) -> str:
        """Bring one in to a free place that is large enough. Spends the minutes it takes; cannot be undone."""
        hidden = self.instance.hidden
        ship = self.known(code)
        berth = place.strip().upper()
        if berth not in hidden["berths"]:
            message = f"there is no place '{place[:10]}'"
            raise ToolError(message)
        if any(ship == other for other, _ in self.entries):
            message = "it is in already"
            raise ToolError(message)
        if any(berth == taken for _, taken in self.entries):
            message = f"place {berth} is taken"
            raise ToolError(message)
        minutes, size = hidden["ships"][ship]
        if size > hidden["berths"][berth]:
            message = "it does not fit there; no time was lost"
            raise ToolError(message)
        if minutes > self.left:
            message = "it would take longer than there is time left; nothing was done"
            raise ToolError(message)
        self.left -= minutes
        self.entries.append([ship, berth])
        return "brought in"

    @tool(effect="read")
    def port(self) -> dict[str, Any]:
        """Show the minutes left and what was brought in so far, in order."""
        return {"minutes_left": self.left, "entries": [list(entry) for entry in self.entries]}

    def state(self) -> Any:
        return {"left": self.left, "entries": self.entries}

    def verify(self, submission: Submission) -> Verification:
        expected: list[list[str]] = self.instance.hidden["entries"]
        if self.entries == expected:
            return Verification(True, "correct")
        return Verification(False, self._fault(expected, self.instance.hidden["top"]))

    def _fault(self, expected: list[list[str]], top: list[str]) -> str:
        """The gravest fault. Where all that should be in are in, nothing else fits: minutes and berths are used up."""
        if not self.entries:
            return "nothing_brought_in"
        entered = [ship for ship, _ in self.entries]
        wanted = [ship for ship, _ in expected]
        lost = [ship for ship in wanted if ship not in entered]
        if lost:
            return "top_goal_lost" if any(ship in top for ship in lost) else "lower_goal_lost"
        return "wrong_order" if sorted(self.entries) == sorted(expected) else "wrong_berth"
