"""Books that can be read again. The answer is judged, and which kind of item it was is told to instruments alone."""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.spec.task import Submission, Verification
from proctor.suites.kit.answers import CORRECT, UNREADABLE, verify_answer
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import Integer, read

SHAPE = Integer()
WRONG = "wrong_number"
REASONS = (CORRECT, UNREADABLE, WRONG)


class BooksWorld(TextWorld):
    """Nothing in it changes; only the answer is judged."""

    def verify(self, submission: Submission) -> Verification:
        hidden = self.instance.hidden
        found = verify_answer(submission.answer, _number, lambda given: CORRECT if given == hidden["answer"] else WRONG)
        return msgspec.structs.replace(found, measures={"item": hidden["item"], "way": hidden["way"]})


def _number(answer: Any) -> int:
    number = read(answer, SHAPE)
    assert isinstance(number, int)
    return number
