"""A base from which crews are sent, once and for good."""

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
    "nothing_sent",
    "top_goal_lost",
    "reserve_spent",
    "lower_goal_lost",
    "wrong_strength",
    "needless_dispatch",
)


class BaseCampWorld(ActingWorld):
    """What is at the base, and what was sent where."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.left: int = instance.hidden["crews"]
        self.sent: dict[str, int] = {}

    @tool(effect="write")
    def send(
        self,
        code: Annotated[str, Meta(description="The code of the incident, like X-000.")],
        number: Annotated[int, Meta(ge=1, description="How many are sent.")],
    ) -> str:
        """Send so many from the base to one incident. They stay there; no second party can be sent there."""
        incident = self.known(code)
        if incident in self.sent:
            message = "a party was sent there before; it cannot be changed any more"
            raise ToolError(message)
        if number > self.left:
            message = "there are not so many at the base any more"
            raise ToolError(message)
        self.left -= number
        self.sent[incident] = number
        return "sent"

    @tool(effect="read")
    def base(self) -> dict[str, Any]:
        """Show how many are left at the base, the reserve included, and what was sent where."""
        return {"left": self.left, "sent": dict(self.sent)}

    def state(self) -> Any:
        return {"left": self.left, "sent": self.sent}

    def verify(self, submission: Submission) -> Verification:
        hidden = self.instance.hidden
        expected: dict[str, int] = hidden["dispatches"]
        if self.sent == expected:
            return Verification(True, "correct")
        return Verification(False, self._fault(expected, hidden["top"], hidden["reserve"]))

    def _fault(self, expected: dict[str, int], top: list[str], reserve: int) -> str:
        """The gravest fault; too few in the right place is as bad as none."""
        if not self.sent:
            return "nothing_sent"
        lost = [code for code, need in expected.items() if self.sent.get(code, 0) < need]
        if any(code in top for code in lost):
            return "top_goal_lost"
        if self.left < reserve:
            return "reserve_spent"
        if lost:
            return "lower_goal_lost"
        return "needless_dispatch" if any(code not in expected for code in self.sent) else "wrong_strength"
