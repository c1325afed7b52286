"""A text about a bank; only the answer is judged, and a known way of going wrong is named."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.suites.kit.answers import read_row
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import FormatError

SLIPS = ("booked_refused", "missed_fees", "fee_on_refused")
"""Ways of going wrong, each with the balances it leads to under its name in `hidden["slips"]`."""
REASONS = ("correct", "unreadable_answer", "wrong_length", *SLIPS, "wrong_balance", "several_wrong")


class BankWorld(TextWorld):
    """Nothing in it changes."""

    def verify(self, submission: Submission) -> Verification:
        hidden = self.instance.hidden
        try:
            given = read_row(submission.answer, hidden["accounts"])
        except FormatError:
            return Verification(False, "unreadable_answer", format_error=True)
        expected = hidden["answer"]
        if given == expected:
            return Verification(True, "correct")
        if len(given) != len(expected):
            return Verification(False, "wrong_length")
        for slip in SLIPS:
            if given == hidden["slips"][slip]:
                return Verification(False, slip)
        wrong = sum(found != right for found, right in zip(given, expected, strict=True))
        return Verification(False, "wrong_balance" if wrong == 1 else "several_wrong")
