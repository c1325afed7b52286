"""Notes about customers, and a record of how they were approached."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.learning.customer_sessions.texts import DECISIONS, Channel, Moment, Offer
from proctor.suites.agency.learning.record import Record
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "nothing_done",
    "unfinished",
    *(f"wrong_{decision}" for decision in DECISIONS),
    "several_wrong",
)


class SessionWorld(TextWorld):
    """The notes never change; contacts are kept."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.record = Record(instance)

    @tool(effect="write")
    def contact(
        self,
        channel: Channel,
        offer: Offer,
        moment: Moment,
        customer: Annotated[int, Meta(ge=1, description="Number of the customer, if there are several.")] = 1,
    ) -> dict[str, Any]:
        """Get in touch with a customer. The first contact with a customer counts; a second one is refused."""
        question = f"customer {customer}"
        if question not in self.instance.hidden["right"]:
            message = f"there is no {question}; the last one is {len(self.instance.hidden['right'])}"
            raise ToolError(message)
        return self.record.commit(question, {"channel": channel, "offer": offer, "moment": moment})

    def verify(self, submission: Submission) -> Verification:
        return self.record.verdict(_fault)

    def state(self) -> Any:
        return self.record.made


def _fault(given: dict[str, str], right: dict[str, str]) -> str:
    wrong = [decision for decision in DECISIONS if given[decision] != right[decision]]
    return f"wrong_{wrong[0]}" if len(wrong) == 1 else "several_wrong"
