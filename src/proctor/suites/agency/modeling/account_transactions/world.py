"""A text about a bank; only the answer is judged, and a known way of going wrong is named."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.suites.kit.answers import read_row, verify_answer
from proctor.suites.kit.text_world import TextWorld

SLIPS = ("booked_refused", "missed_fees", "fee_on_refused")
"""Ways of going wrong, each with the balances it leads to under its name in `hidden["slips"]`."""
REASONS = ("correct", "unreadable_answer", "wrong_length", *SLIPS, "wrong_balance", "several_wrong")


class BankWorld(TextWorld):
    """Nothing in it changes."""

    def verify(self, submission: Submission) -> Verification:
        accounts: list[str] = self.instance.hidden["accounts"]
        return verify_answer(submission.answer, lambda answer: read_row(answer, accounts), self._reason_for)

    def _reason_for(self, given: list[int]) -> str:
        hidden = self.instance.hidden
        expected = hidden["answer"]
        if given == expected:
            return "correct"
        if len(given) != len(expected):
            return "wrong_length"
        for slip in SLIPS:
            if given == hidden["slips"][slip]:
                return slip
        wrong = sum(value != right for value, right in zip(given, expected, strict=True))
        return "wrong_balance" if wrong == 1 else "several_wrong"
