"""A text about a store; only the answer is judged, and its error is named."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.suites.kit.answers import read_row
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import FormatError

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
        hidden = self.instance.hidden
        try:
            given = read_row(submission.answer, hidden["goods"])
        except FormatError:
            return Verification(False, "unreadable_answer", format_error=True)
        expected, opening = hidden["answer"], hidden["opening"]
        if given == expected:
            return Verification(True, "correct")
        if len(given) != len(expected):
            return Verification(False, "wrong_length")
        if given == opening:
            return Verification(False, "nothing_booked")
        if given == hidden["with_plans"]:
            return Verification(False, "booked_plans")
        moved = {
            right != before for found, right, before in zip(given, expected, opening, strict=True) if found != right
        }
        names = {frozenset((True,)): "wrong_moved_good", frozenset((False,)): "wrong_unmoved_good"}
        return Verification(False, names.get(frozenset(moved), "several_wrong"))
