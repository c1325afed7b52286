"""An ordering service behind a line that is paid for by the second, in logical time.

The service itself always takes five seconds. That it takes longer from some call on is a matter of the regime: the
bench then lets calls that wait too short time out before they get here.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.modeling.api_drift.texts import LONGEST_SECONDS, RESPONSE_SECONDS
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "nothing_accepted", "sent_withdrawn", "wrong_quantity", "out_of_time", "missing_order")


class ServiceWorld(TextWorld):
    """What the service accepted; time is what the episode's clock says."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._wanted: dict[str, int] = instance.hidden["wanted"]
        self._withdrawn: list[str] = instance.hidden["withdrawn"]
        self._accepted: dict[str, int] = {}

    @tool(effect="write", milliseconds=0)
    def send_order(
        self,
        order: Annotated[str, Meta(max_length=40, description="The code of the order.")],
        quantity: Annotated[int, Meta(ge=1, le=9999, description="How many pieces.")],
        wait_seconds: Annotated[int, Meta(ge=1, le=60, description="How long the line is kept open for the answer.")],
    ) -> dict[str, Any]:
        """Place one order with the service and wait for its answer for the given number of seconds.

        The call takes exactly wait_seconds. If the service needs longer, the order is not placed.
        An order that was accepted cannot be changed.
        """
        if wait_seconds > self._left:
            message = f"the line is open for {self._left} s more; a call of {wait_seconds} s was not started"
            raise ToolError(message)
        self.place.clock.advance(1000 * wait_seconds)
        if wait_seconds < RESPONSE_SECONDS:
            message = f"'send_order' got no answer within {wait_seconds} s and was not carried out"
            raise ToolError(message)
        code = order.strip().upper()
        if code not in self._wanted and code not in self._withdrawn:
            message = f"the service knows no order '{order[:20]}'"
            raise ToolError(message)
        if code in self._accepted:
            message = f"order {code} was accepted before, with quantity {self._accepted[code]}"
            raise ToolError(message)
        self._accepted[code] = quantity
        return {"order": code, "quantity": quantity, "accepted": True, "seconds_left": self._left}

    @tool(effect="read")
    def time_left(self) -> dict[str, Any]:
        """Show for how many seconds the line is still open, and which orders were accepted so far."""
        return {"seconds_left": self._left, "accepted": list(self._accepted)}

    @property
    def _left(self) -> int:
        seconds: int = self.instance.hidden["seconds"]
        return max(0, seconds - -(-self.place.clock.elapsed // 1000))

    def state(self) -> Any:
        return [[code, quantity] for code, quantity in self._accepted.items()]

    def verify(self, submission: Submission) -> Verification:
        reason = self._verdict()
        return Verification(reason == "correct", reason)

    def _verdict(self) -> str:
        accepted = self._accepted
        if not accepted:
            return "nothing_accepted"
        if any(code in accepted for code in self._withdrawn):
            return "sent_withdrawn"
        if any(accepted[code] != self._wanted[code] for code in accepted):
            return "wrong_quantity"
        missing = len(self._wanted) - len(accepted)
        if missing:
            return "out_of_time" if self._left < missing * LONGEST_SECONDS else "missing_order"
        return "correct"
