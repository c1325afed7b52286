"""Header fields to read, and to read again."""

from __future__ import annotations

import re
from typing import Any

from proctor.spec.task import Submission, Verification
from proctor.suites.agency.sensing.email_triage.moments import plain_moment
from proctor.suites.agency.sensing.email_triage.texts import PRIORITIES
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import Choice, FormatError, Object, Text, read

SHAPE = Object({"from": Text(), "subject": Text(), "priority": Choice(PRIORITIES), "timestamp": Text()})
REASONS = (
    "correct",
    "unreadable_answer",
    "wrong_from",
    "wrong_subject",
    "wrong_priority",
    "wrong_timestamp",
    "several_wrong",
)
_NAMED = re.compile(r"[^<>@]*<([^<>\s]+)>")


class MailWorld(TextWorld):
    """One mail's header, as a mail system shows it."""

    def verify(self, submission: Submission) -> Verification:
        try:
            given = _plain(read(submission.answer, SHAPE))
        except FormatError:
            return Verification(False, "unreadable_answer", format_error=True)
        expected = _plain(read(self.instance.hidden["answer"], SHAPE))
        wrong = [name for name in SHAPE.fields if given[name] != expected[name]]
        if not wrong:
            return Verification(True, "correct")
        return Verification(False, f"wrong_{wrong[0]}" if len(wrong) == 1 else "several_wrong")


def _plain(answer: Any) -> dict[str, str]:
    """The fields as they are compared: the address without the name before it, the time in one spelling."""
    named = _NAMED.fullmatch(answer["from"])
    return {
        **answer,
        "from": named.group(1) if named else answer["from"],
        "timestamp": plain_moment(answer["timestamp"]),
    }
