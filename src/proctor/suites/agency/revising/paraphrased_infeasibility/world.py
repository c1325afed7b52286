"""Orders that are kept, or lowered to what the scarcest mean suffices for."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from proctor.suites.agency.revising.office import Decision, Name, OfficeWorld
from proctor.worlds.tool import tool

REASONS = ("kept_infeasible", "lowered_feasible", "infeasible_proposal", "lowered_too_far", "wrong_limit")


class WorkshopWorld(OfficeWorld):
    """Decisions by workshop."""

    @tool(effect="write")
    def keep_order(self, workshop: Name) -> str:
        """Record that a workshop's order can be reached and stands."""
        return self.record(workshop, {"decision": "keep"})

    @tool(effect="write")
    def lower_order(
        self,
        workshop: Name,
        pieces: Annotated[int, Meta(ge=0, le=1_000_000, description="The new number of pieces.")],
        limit: Annotated[
            Literal["time", "material", "money"], Meta(description="Which of time, material and money limits it.")
        ],
    ) -> str:
        """Record that a workshop's order is lowered to a number of pieces, and what limits it."""
        return self.record(workshop, {"decision": "lower", "pieces": pieces, "limit": limit})

    def fault(self, goal: dict[str, Any], decision: Decision) -> str | None:
        feasible = goal["most"] >= goal["pieces"]
        if decision["decision"] == "keep":
            return None if feasible else "kept_infeasible"
        if feasible:
            return "lowered_feasible"
        if decision["pieces"] != goal["most"]:
            return "infeasible_proposal" if decision["pieces"] > goal["most"] else "lowered_too_far"
        return None if decision["limit"] == goal["limit"] else "wrong_limit"
