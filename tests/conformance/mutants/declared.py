"""Mutants of the practice family: what is declared and reached. Each has one thing wrong, and a top-level name."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.conformance.practice import PracticeFamily, YardWorld
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool


def _changed(instance: Instance, **changes: Any) -> Instance:
    return msgspec.structs.replace(instance, **changes)


def _spec(**changes: Any) -> FamilySpec:
    return PracticeFamily.spec.model_copy(update=changes)


def _knob(*values: int) -> dict[str, Knob]:
    return {"crates": Knob(default=3, values=values, description="Crates to be shipped.")}


# --- declaration ------------------------------------------------------------------------------------------------------


class _SaysRight(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        found = super().verify(submission)
        return Verification(True, "right") if found.success else found


class NoCorrect(PracticeFamily):
    spec = _spec(reasons=("right", "wrong_stamps", "wrong_weight", "unreadable_answer"))
    world_class = _SaysRight


class GhostTemplate(PracticeFamily):
    spec = _spec(templates=("total", "heaviest", "lightest"))


class KnobDefault(PracticeFamily):
    spec = _spec(knobs=_knob(2, 5))


class BadSchema(PracticeFamily):
    spec = _spec(observation_schema={**PracticeFamily.spec.observation_schema, "type": "objekt"})


class HiddenDate(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, hidden={**made.hidden, "day": date(2026, 1, 1)})


class AnswerMisfit(PracticeFamily):
    spec = _spec(answer_schema={"type": "integer", "maximum": 10})


# --- oracle -----------------------------------------------------------------------------------------------------------


async def _impatient(instance: Instance, task: TaskView, session: Session) -> Submission:
    for label in instance.hidden["ship"]:
        await session.call("weigh", label=label)
        await session.call("stamp", label=label)
    return Submission(instance.hidden["answer"])


class Impatient(PracticeFamily):
    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_impatient, instance)


# --- baselines --------------------------------------------------------------------------------------------------------


class _JudgesOnlyTheAnswer(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        return self.judge(submission.answer)


class _Scales(_JudgesOnlyTheAnswer):
    @tool(effect="read")
    def scales(self) -> dict[str, Any]:
        """Show what the big scales say."""
        return {"kilo": "none", "weight": self.instance.hidden["answer"]}


class LastValueWins(PracticeFamily):
    world_class = _Scales


class FirstValueWins(PracticeFamily):
    world_class = _JudgesOnlyTheAnswer
    spec = _spec(
        observation_schema={
            **PracticeFamily.spec.observation_schema,
            "properties": {"load": {"type": "integer"}, **PracticeFamily.spec.observation_schema["properties"]},
        }
    )

    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        shown = {"load": made.hidden["answer"], "yard": made.observation["yard"], "ship": made.observation["ship"][:1]}
        return _changed(made, observation=shown)


# --- ceiling ----------------------------------------------------------------------------------------------------------


class Hopeless(PracticeFamily):
    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return deliveries.regime.stability.noise is None and super().attainable(instance, deliveries)


# --- knobs ------------------------------------------------------------------------------------------------------------


class Reversed(PracticeFamily):
    spec = _spec(knobs=_knob(5, 3, 2))


class BrokenValue(PracticeFamily):
    spec = _spec(knobs=_knob(2, 3, 9))


class IgnoresKnob(PracticeFamily):
    def instance(self, draw: Draw) -> Instance:
        return super().instance(msgspec.structs.replace(draw, knobs={"crates": 3}))


no_correct = NoCorrect()
ghost_template = GhostTemplate()
knob_default = KnobDefault()
bad_schema = BadSchema()
hidden_date = HiddenDate()
answer_misfit = AnswerMisfit()
impatient = Impatient()
last_value_wins = LastValueWins()
first_value_wins = FirstValueWins()
hopeless = Hopeless()
reversed_knob = Reversed()
broken_value = BrokenValue()
ignores_knob = IgnoresKnob()
