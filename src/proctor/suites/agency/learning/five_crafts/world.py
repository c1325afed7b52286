"""A job sheet, and one delivery."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.learning.five_crafts.crafts import CRAFTS
from proctor.suites.agency.learning.record import Record
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "nothing_done", *(f"wrong_{craft}" for craft in CRAFTS))
QUESTION = "the delivery"


class WorkshopWorld(TextWorld):
    """The sheet never changes; the delivery is kept."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.record = Record(instance)

    @tool(effect="write")
    def deliver(
        self, work: Annotated[str, Meta(description="The whole job, in the form the task asks for.")]
    ) -> dict[str, Any]:
        """Deliver the job. The first delivery counts; a second one is refused."""
        hidden = self.instance.hidden
        read = CRAFTS[hidden["craft"]].read(work[:400], len(hidden["parts"]), hidden["guesses"])
        if read is None:
            message = (
                "this is no delivery for this job: use its names, in the form the task asks for (nothing was recorded)"
            )
            raise ToolError(message)
        result = self.record.commit(QUESTION, read)
        return {**result, "house_rules": hidden["rules"]} if "right_was" in result else result

    def verify(self, submission: Submission) -> Verification:
        return self.record.verdict(lambda given, right: f"wrong_{self.instance.hidden['craft']}")

    def state(self) -> Any:
        return self.record.made
