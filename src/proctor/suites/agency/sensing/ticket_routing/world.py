"""A ticket to read, and to read again."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.suites.agency.sensing.ticket_routing.texts import CATEGORIES
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import Choice, FormatError, Object, Text, read

SHAPE = Object({"category": Choice(CATEGORIES), "article": Text(), "contact": Text()})
REASONS = ("correct", "unreadable_answer", "wrong_category", "wrong_article", "wrong_contact", "several_wrong")


class TicketWorld(TextWorld):
    """One ticket whose routing fields are missing."""

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
