"""Commitments: one for each question, the first counts, and only training says what would have been right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Verification


class Record:
    """What the agent committed itself to in one episode.

    `hidden` of the instance has the right answers by question (`right`) and whether outcomes are shown (`shows`).
    """

    __slots__ = ("_right", "_shows", "made")

    def __init__(self, instance: Instance) -> None:
        self._right: dict[str, Any] = instance.hidden["right"]
        self._shows: bool = instance.hidden["shows"]
        self.made: dict[str, Any] = {}

    def refuse_second(self, question: str) -> None:
        """Refuse what was committed already."""
        if question in self.made:
            message = f"{question} is on record already; only the first commitment counts"
            raise ToolError(message)

    def commit(self, question: str, given: Any) -> dict[str, Any]:
        """Put a commitment on record; in training its outcome comes back."""
        self.refuse_second(question)
        self.made[question] = given
        if not self._shows:
            return {"recorded": given}
        return {
            "recorded": given,
            "outcome": "right" if self.holds(question) else "wrong",
            "right_was": self._right[question],
        }

    def holds(self, question: str) -> bool:
        """Whether a commitment is the right one."""
        return bool(self.made[question] == self._right[question])

    def verdict(self, fault: Callable[[Any, Any], str]) -> Verification:
        """Success means that every question has the right commitment.

        `fault(given, right)` names what is wrong with a commitment; several different faults are `several_wrong`.
        """
        missing = sum(question not in self.made for question in self._right)
        if missing:
            return Verification(False, "nothing_done" if missing == len(self._right) else "unfinished")
        wrong = {
            fault(self.made[question], right) for question, right in self._right.items() if not self.holds(question)
        }
        if not wrong:
            return Verification(True, "correct")
        return Verification(False, min(wrong) if len(wrong) == 1 else "several_wrong")
