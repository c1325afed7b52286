"""Functions to read, and a record of the labels they were given."""

from __future__ import annotations

import re
from typing import Annotated, Any

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.learning.record import Record
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "nothing_done", "unfinished", "wrong_pattern", "wrong_guard", "wrong_both", "several_wrong")
_WORD = re.compile(r"[a-z]+")


class ReviewWorld(TextWorld):
    """The code never changes; labels are kept."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.record = Record(instance)

    @tool(effect="write")
    def label(
        self,
        function: Annotated[int, Meta(ge=1, description="Number of the function, from 1.")],
        label: Annotated[str, Meta(description="A word of each list, pattern first, joined by a hyphen.")],
    ) -> dict[str, Any]:
        """Give one function its label. The first label of a function counts; a second one is refused."""
        question = f"function {function}"
        if question not in self.instance.hidden["right"]:
            message = f"there is no {question}; the last one is {len(self.instance.hidden['right'])}"
            raise ToolError(message)
        words = _WORD.findall(label.lower())
        fits = len(words) == 2 and words[0] in self.instance.hidden["words"]
        if not fits or words[1] not in self.instance.hidden["particles"]:
            message = "this is no label: it takes a word of each of the task's two lists, pattern first, e.g. `one-two`"
            raise ToolError(message)
        return self.record.commit(question, "-".join(words))

    def verify(self, submission: Submission) -> Verification:
        return self.record.verdict(_fault)

    def state(self) -> Any:
        return self.record.made


def _fault(given: str, right: str) -> str:
    (word, particle), (right_word, right_particle) = given.split("-"), right.split("-")
    if word == right_word:
        return "wrong_guard"
    return "wrong_pattern" if particle == right_particle else "wrong_both"
