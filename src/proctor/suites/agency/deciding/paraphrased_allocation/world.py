"""A table of allotments that can be set and set again; what stands in it at the end is judged."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "nothing_allotted", "over_capacity", "wrong_recipients", "wrong_amounts")


class AllotmentWorld(TextWorld):
    """Who gets how many; nobody has anything at first."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._given: dict[str, int] = dict.fromkeys(sorted(instance.hidden["amounts"]), 0)

    @tool(effect="write")
    def allot(
        self,
        recipient: Annotated[str, Meta(description="The recipient's name.")],
        units: Annotated[int, Meta(ge=0, le=999, description="How many it gets in all.")],
    ) -> dict[str, Any]:
        """Set how many a recipient gets, in place of what was set before; answers what is set for all together."""
        wanted = recipient.strip().casefold()
        name = next((name for name in self._given if name.casefold() == wanted), None)
        if name is None:
            message = f"there is no recipient '{recipient[:40]}'; there are {', '.join(self._given)}"
            raise ToolError(message)
        self._given[name] = units
        return {"recipient": name, "units": units, "set_in_all": sum(self._given.values())}

    @tool(effect="read")
    def allotted(self) -> dict[str, int]:
        """Show how many each recipient has been allotted so far."""
        return dict(self._given)

    def verify(self, submission: Submission) -> Verification:
        hidden = self.instance.hidden
        amounts: dict[str, int] = hidden["amounts"]
        if self._given == amounts:
            return Verification(True, "correct")
        total = sum(self._given.values())
        if not total:
            return Verification(False, "nothing_allotted")
        if total > hidden["units"]:
            return Verification(False, "over_capacity")
        same = all((amounts[name] > 0) == (given > 0) for name, given in self._given.items())
        return Verification(False, "wrong_amounts" if same else "wrong_recipients")

    def state(self) -> Any:
        return self._given
