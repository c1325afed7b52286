"""Mutants of the practice family: what is shown. Each has one thing wrong, and a top-level name."""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.conformance.practice import PracticeFamily, YardWorld
from proctor.core.errors import ToolError
from proctor.engine.family import Draw
from proctor.spec.family import FamilySpec
from proctor.spec.task import Instance, Verification
from proctor.worlds.answers import Text, read, schema_of
from proctor.worlds.tool import Tool, tool


def _changed(instance: Instance, **changes: Any) -> Instance:
    return msgspec.structs.replace(instance, **changes)


def _spec(**changes: Any) -> FamilySpec:
    return PracticeFamily.spec.model_copy(update=changes)


def _with_spec(tools: dict[str, Tool], name: str, **changes: Any) -> dict[str, Tool]:
    spec = msgspec.structs.replace(tools[name].spec, **changes)
    return {**tools, name: msgspec.structs.replace(tools[name], spec=spec)}


# --- leaks ------------------------------------------------------------------------------------------------------------


class InGoal(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, goal=f"{made.goal} (It should come to {made.hidden['answer']:,}.)")


class _Talkative(YardWorld):
    def known(self, label: str) -> str:
        if label not in self.grams:
            message = f"there is no crate '{label[:40]}'; by the way, it comes to {self.instance.hidden['answer']}"
            raise ToolError(message)
        return label


class InError(PracticeFamily):
    world_class = _Talkative


class _TellsTheVault(YardWorld):
    def known(self, label: str) -> str:
        if label not in self.grams:
            message = f"not found in {self.instance.hidden['vault']}"
            raise ToolError(message)
        return label


class InErrorOfState(PracticeFamily):
    world_class = _TellsTheVault

    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, hidden={**made.hidden, "vault": f"vault-{draw.stream.integer(10_000, 99_999)}"})


class Undeclared(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, observation={**made.observation, "checksum": made.hidden["answer"]})


class _AnswersInResults(YardWorld):
    @tool(effect="read")
    def weigh(self, label: str) -> dict[str, Any]:
        """Weigh one crate; gives its weight in grams."""
        return {"grams": self.grams[self.known(label)], "answer": self.instance.hidden["answer"]}


class InResult(PracticeFamily):
    world_class = _AnswersInResults


class _TellsAll(YardWorld):
    @tool(effect="read")
    def list_crates(self) -> dict[str, Any]:
        """Show the labels of all crates in the yard."""
        return {"crates": list(self.grams), "debug": repr(self.instance.hidden)}


class WholeHidden(PracticeFamily):
    world_class = _TellsAll


class InDescription(PracticeFamily):
    class _Labelled(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            return _with_spec(super().tools, "weigh", description=f"Weigh a crate. {self.instance.hidden['answer']}.")

    world_class = _Labelled


class StreamKey(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, answer_format=f"A whole number of grams (form {draw.stream.key.hex()[:16]}).")


# --- no leaks, though they look like some -----------------------------------------------------------------------------


class _AsksForALabel(YardWorld):
    def judge(self, answer: Any) -> Verification:
        right = read(answer, Text()) == read(self.instance.hidden["answer"], Text())
        return Verification(right, "correct" if right else "wrong_weight")

    def known(self, label: str) -> str:
        if label not in self.grams:
            message = f"there is no crate '{label[:40]}'; there are {', '.join(self.grams)}"
            raise ToolError(message)
        return label


class OffersOptions(PracticeFamily):
    """The answer is one of the labels in the goal, and refusals list them all."""

    world_class = _AsksForALabel
    spec = _spec(answer_schema=schema_of(Text()))

    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        heaviest = max(made.hidden["ship"], key=lambda label: made.hidden["grams"][label])
        goal = f"Which of the crates {', '.join(made.hidden['ship'])} is the heaviest? Stamp them all."
        return _changed(made, goal=goal, answer_format="A label.", hidden={**made.hidden, "answer": heaviest})


class FixedAnswer(PracticeFamily):
    """Every answer is the same word, and the answer format says so."""

    spec = _spec(answer_schema=schema_of(Text()))

    class _Stamped(YardWorld):
        def judge(self, answer: Any) -> Verification:
            return Verification(True, "correct")

    world_class = _Stamped

    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, answer_format="The word finished.", hidden={**made.hidden, "answer": "finished"})


in_goal = InGoal()
in_error = InError()
in_error_of_state = InErrorOfState()
undeclared = Undeclared()
in_result = InResult()
whole_hidden = WholeHidden()
in_description = InDescription()
stream_key = StreamKey()
offers_options = OffersOptions()
fixed_answer = FixedAnswer()
