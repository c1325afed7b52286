"""A ticket to read, and to read again."""

from __future__ import annotations

from proctor.spec.task import Submission, Verification
from proctor.suites.agency.sensing.ticket_routing.texts import CATEGORIES
from proctor.suites.kit.answers import verify_fields
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import Choice, Object, Text

SHAPE = Object({"category": Choice(CATEGORIES), "article": Text(), "contact": Text()})
REASONS = ("correct", "unreadable_answer", "wrong_category", "wrong_article", "wrong_contact", "several_wrong")


class TicketWorld(TextWorld):
    """One ticket whose routing fields are missing."""

    def verify(self, submission: Submission) -> Verification:
        return verify_fields(submission.answer, self.instance.hidden["answer"], SHAPE)
