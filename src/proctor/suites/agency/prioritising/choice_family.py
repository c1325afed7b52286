"""Families whose answer is a list of codes, the decisions themselves; their world has one text in it."""

from __future__ import annotations

from typing import Any, ClassVar

from proctor.engine.family import Deliveries
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.prioritising.board_text import within_reach
from proctor.suites.agency.prioritising.contests import TRAPS
from proctor.suites.kit.answers import verify_answer
from proctor.suites.kit.families import ReportingFamily
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.answers import ListOf, Text, read
from proctor.worlds.world import Place

SHAPE = ListOf(Text())
UNKNOWN = "unknown_code"
COUNT = "wrong_count"
MIXED = "several_wrong"
CONTEST_REASONS = ("correct", "unreadable_answer", COUNT, UNKNOWN, *TRAPS, MIXED)
"""For families whose wrong options each fall for one trap."""


class ChoiceWorld(TextWorld):
    """Nothing in it changes; `traps` in hidden names, for each code that is wrong, the rule it breaks."""

    def verify(self, submission: Submission) -> Verification:
        return verify_answer(submission.answer, read_codes, self._reason_for)

    def _reason_for(self, given: tuple[str, ...]) -> str:
        expected = read_codes(self.instance.hidden["answer"])
        return "correct" if given == expected else self.fault(given, expected)

    def fault(self, given: tuple[str, ...], expected: tuple[str, ...]) -> str:
        """Why a readable answer is wrong."""
        if len(given) != len(expected):
            return COUNT
        traps: dict[str, str] = self.instance.hidden["traps"]
        faults = {traps.get(code, UNKNOWN) for code, right in zip(given, expected, strict=True) if code != right}
        return faults.pop() if len(faults) == 1 else MIXED


def read_codes(answer: Any) -> tuple[str, ...]:
    """The codes of an answer in their order."""
    codes = read(answer, SHAPE)
    assert isinstance(codes, tuple)
    return codes


class ChoosingFamily(ReportingFamily):
    """What such families have in common: everything but their declaration and their instances."""

    world_class: ClassVar[type[ChoiceWorld]] = ChoiceWorld

    def world(self, instance: Instance, place: Place) -> ChoiceWorld:
        return self.world_class(instance, place)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every line with values has to come back right."""
        return within_reach(instance, deliveries)
