"""A message to read, and to read again."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.suites.kit.answers import verify_fields
from proctor.worlds.answers import Date, Integer, Object, Text
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld

SHAPE = Object(
    {
        "customer": Text(),
        "reference": Text(),
        "quantity": Integer(("pieces", "piece", "pcs")),
        "deliver_by": Date(),
    }
)
REASONS = (
    "correct",
    "unreadable_answer",
    "wrong_customer",
    "wrong_reference",
    "wrong_quantity",
    "wrong_deliver_by",
    "several_wrong",
)


class MessageWorld(BaseWorld):
    """Nothing in it changes; only the answer is judged."""

    @tool(effect="read")
    def reread(self) -> str:
        """Show the message again."""
        text: str = self.instance.observation["message"]
        return text

    def verify(self, submission: Submission) -> Verification:
        return verify_fields(submission.answer, self.instance.hidden["answer"], SHAPE)
