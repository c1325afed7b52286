"""Goals for which an offer is adopted, or which are handed back."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.suites.agency.revising.bounded_revision.offers import BROKEN, WITHDRAWN
from proctor.suites.agency.revising.office import Decision, Name, OfficeWorld
from proctor.worlds.tool import tool

REASONS = (WITHDRAWN, *BROKEN, "gave_up_feasible")


class OfferWorld(OfficeWorld):
    """Every offer is known by what is wrong with it, or by nothing being wrong."""

    @tool(effect="write")
    def adopt(
        self, goal: Name, offer: Annotated[str, Meta(description="The name of the offer.", max_length=200)]
    ) -> str:
        """Record that an offer takes the place of a goal's plan. Refused if no such offer is made for that goal."""
        offers = self.instance.hidden["goals"][self.known(goal)]["offers"]
        known = next((name for name in offers if name.casefold() == offer.strip().casefold()), None)
        if known is None:
            message = f"no offer by '{offer[:60]}' is made for this goal"
            raise ToolError(message)
        return self.record(goal, {"decision": "adopt", "offer": known})

    @tool(effect="write")
    def hand_back(self, goal: Name) -> str:
        """Record that no offer is admissible for a goal and that it is handed back."""
        return self.record(goal, {"decision": "hand back"})

    def fault(self, goal: dict[str, Any], decision: Decision) -> str | None:
        offers: dict[str, str] = goal["offers"]
        if decision["decision"] == "adopt":
            return offers[decision["offer"]] or None
        return "gave_up_feasible" if "" in offers.values() else None
