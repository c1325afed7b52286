"""Families that teach: the check lets agents live the training first, and each mutant fails for its own reason."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.agents.contract import Agent, Session
from proctor.conformance import FAMILY_CHECKS, check_family
from proctor.conformance.family import TEACHING_CHECKS
from proctor.conformance.practice import family as practice
from proctor.core.errors import InputError, ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

WORDS = tuple(
    f"{one}{two}" for one in ("ba", "ke", "lo", "mu", "ri", "ta") for two in ("dok", "fen", "gal", "nim", "sur")
)


class GateWorld(BaseWorld):
    """A guard who lets one word pass."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.said: list[str] = []

    @tool(effect="write")
    def say(self, word: str) -> dict[str, Any]:
        """Say a word to the guard; only the first one counts."""
        if self.said:
            message = "the guard has heard enough"
            raise ToolError(message)
        self.said.append(word)
        return (
            {"heard": word, "should_be": self.instance.hidden["word"]}
            if self.instance.hidden["shows"]
            else {"heard": word}
        )

    @tool(effect="read")
    def look(self) -> dict[str, Any]:
        """Show the gate again."""
        return self.instance.observation

    def verify(self, submission: Submission) -> Verification:
        passed = self.said == [self.instance.hidden["word"]]
        return Verification(passed, "correct" if passed else "wrong_word")

    def state(self) -> Any:
        return self.said


class Passer:
    """Says the word it remembers, or the first there is."""

    def __init__(self, instance: Instance) -> None:
        self._memory: dict[str, Any] = {}

    def recall(self, memory: dict[str, Any]) -> None:
        self._memory = memory

    async def run(self, task: TaskView, session: Session) -> Submission:
        result = await session.call("say", word=self._memory.get("word", WORDS[0]))
        if result.ok and "should_be" in result.value:
            self._memory["word"] = result.value["should_be"]
        return Submission("done")


class GateFamily:
    """One password a lifetime."""

    spec = FamilySpec(
        id="gate",
        title="A gate",
        description="A guard asks for the word of the house.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="The first word that is said is the right one.",
        verification="What the guard heard is compared with the word.",
        reasons=("correct", "wrong_word"),
        templates=("north", "south"),
        observation_schema={"type": "object", "properties": {"gate": {"type": "string"}}, "required": ["gate"]},
        answer_schema=schema_of(Text()),
        examined="posttest",
        training=2,
    )

    def word(self, draw: Draw) -> str:
        return draw.shared.choice(WORDS)

    def gate(self, draw: Draw, side: str) -> str:
        return f"{side} gate no. {draw.stream.integer(10_000, 99_999)}{'b' if draw.phase == 'train' else ''}"

    def shows(self, draw: Draw) -> bool:
        return draw.phase == "train"

    def instance(self, draw: Draw) -> Instance:
        side = draw.stream.choice(("north", "south"))
        return Instance(
            template=side,
            goal="Say the word of the house to the guard.",
            answer_format="Any remark.",
            observation={"gate": self.gate(draw, side)},
            hidden={"word": self.word(draw), "shows": self.shows(draw)},
            strict_actions=3,
        )

    def world(self, instance: Instance, place: Place) -> GateWorld:
        return GateWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return Passer(instance)

    def answer(self, instance: Instance) -> Any:
        return None

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


class Obvious(GateFamily):
    """Everybody knows the word."""

    def word(self, draw: Draw) -> str:
        return WORDS[0]


class Everywhere(GateFamily):
    """All lifetimes have the same word."""

    def word(self, draw: Draw) -> str:
        return Stream(draw.source.key).choice(WORDS[1:])


class Silent(GateFamily):
    """Training shows nothing."""

    def shows(self, draw: Draw) -> bool:
        return False


class Repeating(GateFamily):
    """Training and tests are about the same gate."""

    def gate(self, draw: Draw, side: str) -> str:
        return f"gate no. {draw.shared.child('gate').integer(10_000, 99_999)}"


def test_a_family_that_teaches_passes_everything() -> None:
    report = check_family(GateFamily(), regimes=["baseline"], instances=9, fresh_process=False)
    assert report.findings == ()
    assert [result.check for result in report.results] == [*FAMILY_CHECKS, *TEACHING_CHECKS]
    measured = report.result("teaching").measured
    assert measured["taught"] == 1.0
    assert measured["untaught in 'posttest'"] <= 0.3


@pytest.mark.parametrize(
    ("family", "words"),
    [
        (Obvious(), "untaught in 'pretest', above the 0.30"),
        (Everywhere(), "taught in another lifetime, above the 0.30"),
        (Silent(), "after 2 training episodes the solver passes 0 of 9"),
        (Repeating(), "repeat an item of their training"),
    ],
)
def test_a_mutant_is_found(family: GateFamily, words: str) -> None:
    report = check_family(family, regimes=["baseline"], instances=9, fresh_process=False, only=["teaching"])
    assert any(words in finding.detail for finding in report.findings), [f.detail for f in report.findings]


def test_other_families_owe_nothing_of_the_kind() -> None:
    report = check_family(practice, instances=3, fresh_process=False, only=["declaration", "teaching"])
    assert [result.check.id for result in report.results] == ["declaration"]
    with pytest.raises(InputError, match="teaching"):
        check_family(practice, instances=3, only=["schooling"])


def test_a_declaration_without_teaching_is_written_as_before() -> None:
    """Families that teach nothing keep their hashes: the two fields are left out at their defaults."""
    plain = practice.spec.model_dump(mode="json")
    assert not {"examined", "training"} & set(plain)
    assert FamilySpec.model_validate(plain) == practice.spec
    taught = GateFamily.spec.model_dump(mode="json")
    assert (taught["examined"], taught["training"]) == ("posttest", 2)
    assert FamilySpec.model_validate(taught) == GateFamily.spec
    assert GateFamily.spec.identity != GateFamily.spec.model_copy(update={"training": 3}).identity
