"""A text about a store; only the answer is judged, and its error is named."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.suites.kit.answers import read_row, verify_answer
from proctor.suites.kit.text_world import TextWorld

REASONS = (
    "correct",
    "unreadable_answer",
    "wrong_length",
    "nothing_booked",
    "booked_plans",
    "wrong_moved_good",
    "wrong_unmoved_good",
    "several_wrong",
)


class StoreWorld(TextWorld):
    """Nothing in it changes."""

    def verify(self, submission: Submission) -> Verification:
        goods: list[str] = self.instance.hidden["goods"]
        return verify_answer(submission.answer, lambda answer: read_row(answer, goods), self._reason_for)

    def _reason_for(self, given: list[int]) -> str:
        hidden = self.instance.hidden
        expected, opening = hidden["answer"], hidden["opening"]
        if given == expected:
            return "correct"
        if len(given) != len(expected):
            return "wrong_length"
        if given == opening:
            return "nothing_booked"
        if given == hidden["with_plans"]:
            return "booked_plans"
        moved = {
            right != before for value, right, before in zip(given, expected, opening, strict=True) if value != right
        }
        names = {frozenset((True,)): "wrong_moved_good", frozenset((False,)): "wrong_unmoved_good"}
        return names.get(frozenset(moved), "several_wrong")
