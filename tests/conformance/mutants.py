"""The practice family with one thing wrong each: every mutant must fail the check it is filed under, and no other.

Mutants are top-level names, so that another process can find them.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from itertools import count
from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.conformance.practice import SHAPE, PracticeFamily, YardWorld
from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.answers import FormatError, Text, read, schema_of
from proctor.worlds.tool import Tool, tool
from proctor.worlds.world import Place


class Mutant(PracticeFamily):
    """The practice family with another world."""

    world_class: type[YardWorld] = YardWorld

    def world(self, instance: Instance, place: Place) -> YardWorld:
        return self.world_class(instance, place)


def _spec(**changes: Any) -> FamilySpec:
    return PracticeFamily.spec.model_copy(update=changes)


def _knob(*values: int) -> dict[str, Knob]:
    return {"crates": Knob(default=3, values=values, description="Crates to be shipped.")}


def _changed(instance: Instance, **changes: Any) -> Instance:
    return msgspec.structs.replace(instance, **changes)


# --- declaration ---------------------------------------------------------------------------------------------------


class _SaysRight(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        found = super().verify(submission)
        return Verification(True, "right") if found.success else found


class NoCorrect(Mutant):
    spec = _spec(reasons=("right", "wrong_stamps", "wrong_weight", "unreadable_answer"))
    world_class = _SaysRight


class GhostTemplate(Mutant):
    spec = _spec(templates=("total", "heaviest", "lightest"))


class KnobDefault(Mutant):
    spec = _spec(knobs=_knob(2, 5))


class BadSchema(Mutant):
    spec = _spec(observation_schema={**PracticeFamily.spec.observation_schema, "type": "objekt"})


class HiddenDate(Mutant):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, hidden={**made.hidden, "day": date(2026, 1, 1)})


class AnswerMisfit(Mutant):
    spec = _spec(answer_schema={"type": "integer", "maximum": 10})


# --- oracle --------------------------------------------------------------------------------------------------------


async def _impatient(instance: Instance, task: TaskView, session: Session) -> Submission:
    for label in instance.hidden["ship"]:
        await session.call("weigh", label=label)
        await session.call("stamp", label=label)
    return Submission(instance.hidden["answer"])


class Impatient(Mutant):
    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_impatient, instance)


# --- baselines -----------------------------------------------------------------------------------------------------


class _JudgesOnlyTheAnswer(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        return self.judge(submission.answer)


class _Scales(_JudgesOnlyTheAnswer):
    @tool(effect="read")
    def scales(self) -> dict[str, Any]:
        """Show what the big scales say."""
        return {"kilo": "none", "weight": self.instance.hidden["answer"]}


class LastValueWins(Mutant):
    world_class = _Scales


class FirstValueWins(Mutant):
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


# --- leaks ---------------------------------------------------------------------------------------------------------


class InGoal(Mutant):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, goal=f"{made.goal} (It should come to {made.hidden['answer']:,}.)")


class _Talkative(YardWorld):
    def known(self, label: str) -> str:
        if label not in self.grams:
            message = f"there is no crate '{label[:40]}'; by the way, it comes to {self.instance.hidden['answer']}"
            raise ToolError(message)
        return label


class InError(Mutant):
    world_class = _Talkative


class _TellsTheVault(YardWorld):
    def known(self, label: str) -> str:
        if label not in self.grams:
            message = f"not found in {self.instance.hidden['vault']}"
            raise ToolError(message)
        return label


class InErrorOfState(Mutant):
    world_class = _TellsTheVault

    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, hidden={**made.hidden, "vault": f"vault-{draw.stream.integer(10_000, 99_999)}"})


class Undeclared(Mutant):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, observation={**made.observation, "checksum": made.hidden["answer"]})


class _AnswersInResults(YardWorld):
    @tool(effect="read")
    def weigh(self, label: str) -> dict[str, Any]:
        """Weigh one crate; gives its weight in grams."""
        return {"grams": self.grams[self.known(label)], "answer": self.instance.hidden["answer"]}


class InResult(Mutant):
    world_class = _AnswersInResults


class _TellsAll(YardWorld):
    @tool(effect="read")
    def list_crates(self) -> dict[str, Any]:
        """Show the labels of all crates in the yard."""
        return {"crates": list(self.grams), "debug": repr(self.instance.hidden)}


class WholeHidden(Mutant):
    world_class = _TellsAll


class InDescription(Mutant):
    class _Labelled(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            return _with_spec(super().tools, "weigh", description=f"Weigh a crate. {self.instance.hidden['answer']}.")

    world_class = _Labelled


class StreamKey(Mutant):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, answer_format=f"A whole number of grams (form {draw.stream.key.hex()[:16]}).")


def _with_spec(tools: dict[str, Tool], name: str, **changes: Any) -> dict[str, Tool]:
    spec = msgspec.structs.replace(tools[name].spec, **changes)
    return {**tools, name: msgspec.structs.replace(tools[name], spec=spec)}


# --- no leaks, though they look like some ---------------------------------------------------------------------------


class _AsksForALabel(YardWorld):
    def judge(self, answer: Any) -> Verification:
        right = read(answer, Text()) == read(self.instance.hidden["answer"], Text())
        return Verification(right, "correct" if right else "wrong_weight")

    def known(self, label: str) -> str:
        if label not in self.grams:
            message = f"there is no crate '{label[:40]}'; there are {', '.join(self.grams)}"
            raise ToolError(message)
        return label


class OffersOptions(Mutant):
    """The answer is one of the labels in the goal, and refusals list them all."""

    world_class = _AsksForALabel
    spec = _spec(answer_schema=schema_of(Text()))

    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        heaviest = max(made.hidden["ship"], key=lambda label: made.hidden["grams"][label])
        goal = f"Which of the crates {', '.join(made.hidden['ship'])} is the heaviest? Stamp them all."
        return _changed(made, goal=goal, answer_format="A label.", hidden={**made.hidden, "answer": heaviest})


class FixedAnswer(Mutant):
    """Every answer is the same word, and the answer format says so."""

    spec = _spec(answer_schema=schema_of(Text()))

    class _Stamped(YardWorld):
        def judge(self, answer: Any) -> Verification:
            return Verification(True, "correct")

    world_class = _Stamped

    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, answer_format="The word finished.", hidden={**made.hidden, "answer": "finished"})


# --- determinism ---------------------------------------------------------------------------------------------------

_NUMBERS = count()


class Counts(Mutant):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        return _changed(made, observation={**made.observation, "yard": f"yard {next(_NUMBERS)}"})


class HashOrder(Mutant):
    def instance(self, draw: Draw) -> Instance:
        made = super().instance(draw)
        yards = {f"{name}-{draw.stream.below(1000)}" for name in ("north", "south", "east", "west")}
        return _changed(made, observation={**made.observation, "yard": " ".join(yards)})


class FewInstances(Mutant):
    def instance(self, draw: Draw) -> Instance:
        again = Stream.keyed("few", draw.stream.below(40))
        return super().instance(msgspec.structs.replace(draw, stream=again))


class _Restless(YardWorld):
    @tool(effect="read")
    def weigh(self, label: str) -> dict[str, Any]:
        """Weigh one crate; gives its weight in grams."""
        return {"label": label, "grams": self.grams[self.known(label)], "ticket": next(_NUMBERS)}


class RestlessWorld(Mutant):
    world_class = _Restless


# --- faults --------------------------------------------------------------------------------------------------------


class NoStrictCap(Mutant):
    def instance(self, draw: Draw) -> Instance:
        return _changed(super().instance(draw), strict_actions=None)


class NoReader(Mutant):
    class _Writers(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            return _with_spec(_with_spec(super().tools, "weigh", effect="write"), "list_crates", effect="write")

    world_class = _Writers


class _Bare(YardWorld):
    @tool(effect="read")
    def list_crates(self) -> Any:
        """Count the crates in the yard."""
        return len(self.grams)

    @tool(effect="read")
    def weigh(self, label: str) -> Any:
        """Weigh one crate; gives its weight in grams."""
        return self.grams[self.known(label)]


class NoRoomForInjection(Mutant):
    world_class = _Bare


# --- formats -------------------------------------------------------------------------------------------------------


class _Pedant(YardWorld):
    def judge(self, answer: Any) -> Verification:
        right = type(answer) is int and answer == self.instance.hidden["answer"]
        return Verification(right, "correct" if right else "wrong_weight")


class Pedantic(Mutant):
    world_class = _Pedant


class _Generous(YardWorld):
    def judge(self, answer: Any) -> Verification:
        right = str(self.instance.hidden["answer"]) in str(answer).replace(",", "") or super().judge(answer).success
        return Verification(right, "correct" if right else "wrong_weight")


class Lenient(Mutant):
    world_class = _Generous


# --- ceiling -------------------------------------------------------------------------------------------------------


class Hopeless(Mutant):
    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return deliveries.regime.stability.noise is None and super().attainable(instance, deliveries)


# --- verifier ------------------------------------------------------------------------------------------------------


class _BreaksOnNan(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        if isinstance(submission.answer, float):
            int(submission.answer)
        return super().verify(submission)


class BreaksOnNan(Mutant):
    world_class = _BreaksOnNan


class _Invents(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        if isinstance(submission.answer, bool):
            return Verification(False, "that_is_no_number")
        return super().verify(submission)


class InventsReasons(Mutant):
    world_class = _Invents


class _AcceptsTrue(YardWorld):
    def verify(self, submission: Submission) -> Verification:
        return Verification(True, "correct") if submission.answer is True else super().verify(submission)


class AcceptsTrue(Mutant):
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


class Evaluates(Mutant):
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


class RunsNotes(Mutant):
    world_class = _RunsNotes


# --- tools ---------------------------------------------------------------------------------------------------------


class _Counting(YardWorld):
    weighed = 0

    @tool(effect="read")
    def weigh(self, label: str) -> dict[str, Any]:
        """Weigh one crate; gives its weight in grams."""
        self.weighed += 1
        return {"label": label, "grams": self.grams[self.known(label)]}

    def state(self) -> Any:
        return {"stamped": self.stamped, "weighed": self.weighed}


class ReadingWrites(Mutant):
    world_class = _Counting


class _Brittle(YardWorld):
    def known(self, label: str) -> str:
        self.grams[label]
        return label


class Brittle(Mutant):
    world_class = _Brittle


class Undescribed(Mutant):
    class _Silent(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            return _with_spec(super().tools, "weigh", description=" ")

    world_class = _Silent


class BadParameters(Mutant):
    class _Untyped(YardWorld):
        @property
        def tools(self) -> dict[str, Tool]:
            wrong = {"type": "object", "properties": {"label": {"type": "text"}}, "required": ["label"]}
            return _with_spec(super().tools, "weigh", parameters=wrong)

    world_class = _Untyped


class _Opaque(YardWorld):
    @tool(effect="read")
    def inspect(self) -> Any:
        """Look at the yard."""
        return object()


class OpaqueResult(Mutant):
    world_class = _Opaque


# --- knobs ---------------------------------------------------------------------------------------------------------


class Reversed(Mutant):
    spec = _spec(knobs=_knob(5, 3, 2))


class BrokenValue(Mutant):
    spec = _spec(knobs=_knob(2, 3, 9))


class IgnoresKnob(Mutant):
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
counts = Counts()
hash_order = HashOrder()
few_instances = FewInstances()
restless_world = RestlessWorld()
no_strict_cap = NoStrictCap()
no_reader = NoReader()
no_room_for_injection = NoRoomForInjection()
pedantic = Pedantic()
lenient = Lenient()
hopeless = Hopeless()
breaks_on_nan = BreaksOnNan()
invents_reasons = InventsReasons()
accepts_true = AcceptsTrue()
evaluates = Evaluates()
runs_notes = RunsNotes()
reading_writes = ReadingWrites()
brittle = Brittle()
undescribed = Undescribed()
bad_parameters = BadParameters()
opaque_result = OpaqueResult()
reversed_knob = Reversed()
broken_value = BrokenValue()
ignores_knob = IgnoresKnob()
