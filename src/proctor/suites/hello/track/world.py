"""A ledger that is read page by page."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.hello.track.texts import GOODS
from proctor.suites.kit.answers import verify_fields
from proctor.worlds.answers import Integer, Object
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

PAGE = 5
SHAPE = Object({good: Integer(("pieces", "pcs", good)) for good in GOODS})
REASONS = ("correct", "unreadable_answer", "wrong_bolts", "wrong_hinges", "wrong_brackets", "several_wrong")


class LedgerWorld(BaseWorld):
    """The ledger never changes, however it is read."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._events: list[dict[str, Any]] = instance.hidden["events"]

    @tool(effect="read")
    def event(self, n: Annotated[int, Meta(ge=1, description="The event's number, from 1.")]) -> dict[str, Any]:
        """Show one event of the ledger again."""
        if n > len(self._events):
            message = f"there is no event {n}; the last one is {len(self._events)}"
            raise ToolError(message)
        return self._events[n - 1]

    @tool(effect="read")
    def list_events(
        self, first: Annotated[int, Meta(ge=1, description="Number of the first event.")]
    ) -> dict[str, Any]:
        """Show up to five events of the ledger in order, from the one with this number on, and how many come after."""
        page = self._events[first - 1 : first - 1 + PAGE]
        return {"events": page, "remaining": max(0, len(self._events) - first + 1 - PAGE)}

    def state(self) -> Any:
        return self._events

    def verify(self, submission: Submission) -> Verification:
        return verify_fields(submission.answer, self.instance.hidden["answer"], SHAPE)
