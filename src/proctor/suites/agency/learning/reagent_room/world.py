"""Samples with a card each, and a record of the treatments they were given."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.learning.reagent_room.texts import DROPS
from proctor.suites.agency.learning.record import Record
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

REASONS = ("correct", "nothing_done", "unfinished", "wrong_reagent", "wrong_drops", "wrong_both", "several_wrong")
SampleName = Annotated[str, Meta(max_length=20, description="The sample's name, e.g. `K12`.")]


class AssayWorld(BaseWorld):
    """Cards never change; treatments are kept."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.record = Record(instance)

    @tool(effect="read")
    def inspect(self, sample: SampleName) -> str:
        """Show the card of a sample."""
        text: str = self.instance.hidden["cards"][self._known(sample)]
        return text

    @tool(effect="write")
    def treat(
        self,
        sample: SampleName,
        reagent: Annotated[str, Meta(max_length=40, description="One of the reagents of the house.")],
        drops: Annotated[int, Meta(description="How many drops.")],
    ) -> dict[str, Any]:
        """Treat a sample with a number of drops of a reagent. The first treatment counts; a second one is refused."""
        name, chosen = self._known(sample), reagent.strip().lower()
        if chosen not in self.instance.hidden["reagents"]:
            message = f"there is no such reagent; there are {', '.join(self.instance.hidden['reagents'])}"
            raise ToolError(message)
        if drops not in DROPS:
            message = f"no sample gets that many drops; the number is one of {', '.join(map(str, DROPS))}"
            raise ToolError(message)
        return self.record.commit(name, {"reagent": chosen, "drops": drops})

    def _known(self, sample: str) -> str:
        cards: dict[str, str] = self.instance.hidden["cards"]
        name = sample.strip().upper()
        if name in cards:
            return name
        message = f"there is no such sample; there are {', '.join(cards)}"
        raise ToolError(message)

    def state(self) -> Any:
        return self.record.made

    def verify(self, submission: Submission) -> Verification:
        return self.record.verdict(_fault)


def _fault(given: dict[str, Any], right: dict[str, Any]) -> str:
    if given["reagent"] == right["reagent"]:
        return "wrong_drops"
    return "wrong_reagent" if given["drops"] == right["drops"] else "wrong_both"
