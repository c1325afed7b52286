"""Stocks to be divided; the division as it stands in the end is judged."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.prioritising.action_family import ActingWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_allocated",
    "site_left_out",
    "safety_short",
    "safety_padded",
    "over_stock",
    "performance_denied",
    "remainder_unused",
    "performance_padded",
)
Share = Annotated[int, Meta(ge=0, description="How many units.")]


class StockWorld(ActingWorld):
    """Every site has a stock; nothing is set until it is allocated."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.shares: dict[str, list[int]] = {}

    @tool(effect="write")
    def allocate(
        self,
        code: Annotated[str, Meta(description="The code of the site, like X-000.")],
        safety: Share,
        performance: Share,
    ) -> str:
        """Set how many units of one site go to safety and how many to performance; replaces what was set before."""
        self.shares[self.known(code)] = [safety, performance]
        return "set"

    @tool(effect="read")
    def allocations(self) -> dict[str, Any]:
        """Show what has been set so far: for each code the units for safety and for performance."""
        return {code: {"safety": share[0], "performance": share[1]} for code, share in self.shares.items()}

    def state(self) -> Any:
        return self.shares

    def verify(self, submission: Submission) -> Verification:
        expected: dict[str, list[int]] = self.instance.hidden["shares"]
        if not self.shares:
            return Verification(False, "nothing_allocated")
        faults = {self._fault(code, *right) for code, right in expected.items()} - {""}
        # The gravest fault names the failure: the order of the codes is the order of gravity.
        gravest = next((reason for reason in REASONS if reason in faults), None)
        return Verification(gravest is None, gravest or "correct")

    def _fault(self, code: str, safety: int, performance: int) -> str:
        if code not in self.shares:
            return "site_left_out"
        given_safety, given_performance = self.shares[code]
        stock: int = self.instance.hidden["stocks"][code]
        if given_safety != safety:
            return "safety_short" if given_safety < safety else "safety_padded"
        if given_performance > performance:
            return "over_stock" if given_safety + given_performance > stock else "performance_padded"
        if given_performance < performance:
            return "remainder_unused" if safety + performance == stock else "performance_denied"
        return ""
