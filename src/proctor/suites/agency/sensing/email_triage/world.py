"""Header fields to read, and to read again."""

from __future__ import annotations

import re
from typing import Any

from proctor.spec.task import Submission, Verification
from proctor.suites.agency.sensing.email_triage.moments import plain_moment
from proctor.suites.agency.sensing.email_triage.texts import PRIORITIES
from proctor.suites.kit.answers import verify_fields
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import Choice, Object, Text

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
        return verify_fields(submission.answer, self.instance.hidden["answer"], SHAPE, _plain)


def _plain(answer: Any) -> dict[str, str]:
    """The fields as they are compared: the address without the name before it, the time in one spelling."""
    named = _NAMED.fullmatch(answer["from"])
    return {
        **answer,
        "from": named.group(1) if named else answer["from"],
        "timestamp": plain_moment(answer["timestamp"]),
    }
