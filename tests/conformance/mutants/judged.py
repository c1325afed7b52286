"""Mutants of the practice family: how answers are judged. Each has one thing wrong, and a top-level name."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from proctor.conformance.practice import SHAPE, PracticeFamily, YardWorld
from proctor.engine.family import Deliveries
from proctor.spec.task import Instance, Submission, Verification
from proctor.worlds.answers import FormatError, read
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

# --- formats ----------------------------------------------------------------------------------------------------------


class _Pedant(YardWorld):
    def judge(self, answer: Any) -> Verification:
        right = type(answer) is int and answer == self.instance.hidden["answer"]
        return Verification(right, "correct" if right else "wrong_weight")


class Pedantic(PracticeFamily):
    world_class = _Pedant


class _Generous(YardWorld):
    def judge(self, answer: Any) -> Verification:
        right = str(self.instance.hidden["answer"]) in str(answer).replace(",", "") or super().judge(answer).success
        return Verification(right, "correct" if right else "wrong_weight")


class Lenient(PracticeFamily):
    world_class = _Generous


# --- verifier ---------------------------------------------------------------------------------------------------------


class _BreaksOnNan(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        if isinstance(submission.answer, float):
            int(submission.answer)
        return super().verify(submission)


class BreaksOnNan(PracticeFamily):
    world_class = _BreaksOnNan


class _Invents(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        if isinstance(submission.answer, bool):
            return Verification(False, "that_is_no_number")
        return super().verify(submission)


class InventsReasons(PracticeFamily):
    world_class = _Invents


class _AcceptsTrue(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        return Verification(True, "correct") if submission.answer is True else super().verify(submission)


class AcceptsTrue(PracticeFamily):
    world_class = _AcceptsTrue


class _Evaluates(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        try:
            read(submission.answer, SHAPE)
        except FormatError:
            try:
                eval(str(submission.answer)[:2000])
            except BaseException:
                return Verification(False, "unreadable_answer", format_error=True)
        return super().verify(submission)


class Evaluates(PracticeFamily):
    world_class = _Evaluates


class _RunsNotes(YardWorld):
    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.notes: list[str] = []

    @tool(effect="write")
    def leave_note(self, text: str) -> str:
        """Leave a note for the next shift."""
        self.notes.append(text[:2000])
        return "noted"

    def verify(self, submission: Submission) -> Verification:
        for note in self.notes:
            with suppress(Exception):
                exec(note, {})
        return super().verify(submission)

    def state(self) -> Any:
        return {"stamped": self.stamped, "notes": self.notes}


class RunsNotes(PracticeFamily):
    world_class = _RunsNotes


class OtherAnswer(PracticeFamily):
    def answer(self, instance: Instance) -> Any:
        return super().answer(instance) + 1


class Unattainable(PracticeFamily):
    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return 1 // (len(instance.goal) - len(instance.goal)) > 0


pedantic = Pedantic()
lenient = Lenient()
breaks_on_nan = BreaksOnNan()
invents_reasons = InventsReasons()
accepts_true = AcceptsTrue()
evaluates = Evaluates()
runs_notes = RunsNotes()
other_answer = OtherAnswer()
unattainable = Unattainable()
