"""A message to read, and to read again."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.worlds.answers import Date, FormatError, Integer, Object, Text, read
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
        try:
            given = read(submission.answer, SHAPE)
        except FormatError:
            return Verification(False, "unreadable_answer", format_error=True)
        expected = read(self.instance.hidden["answer"], SHAPE)
        assert isinstance(given, dict)
        assert isinstance(expected, dict)
        wrong = [name for name in SHAPE.fields if given[name] != expected[name]]
        if not wrong:
            return Verification(True, "correct")
        return Verification(False, f"wrong_{wrong[0]}" if len(wrong) == 1 else "several_wrong")
