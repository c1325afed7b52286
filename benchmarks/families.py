"""Families for measuring the bench itself: an episode of nothing, and ten calls of an in-memory tool on two texts.

Drawing an instance costs microseconds, so that what is measured is the bench. The texts do not flatter compression:
the prose is real English (the help texts that every Python carries, cut at random), and mixed lines hold digits,
hashes and dates.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.suite import Entry, Suite
from proctor.spec.task import Instance, Submission, TaskView, Verification
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

STEPS = 10
"""Calls in one episode of the families with tools."""
EPISODES = 1_000
"""Episodes of each suite at `--scale 1`."""
FEW = 10
"""Episodes of the suites for agents that take long to start."""

MakeText = Callable[[Stream], str]
MakeNote = Callable[[Stream, str], str]
"""Given the record's text."""

_KINDS = ("invoice", "shipment", "refund", "order", "transfer", "claim", "receipt", "booking")
_PLACES = ("harbour", "railway", "north depot", "cold store", "airport", "head office", "yard 4")
_PROSE = 280
_REMARK = 60
_NOTE = 120


def spec(name: str, title: str, **more: Any) -> FamilySpec:
    """The declaration of a family that only measures."""
    return FamilySpec(
        id=name,
        title=title,
        description="For measuring the bench.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        criterion="What was asked for is there.",
        verification="Comparison with the hidden part of the instance.",
        reasons=("correct", "wrong"),
        templates=("only",),
        observation_schema={"type": "object"},
        answer_schema={},
        **more,
    )


def verdict(right: bool) -> Verification:
    """The verdict in the words of `spec`."""
    return Verification(right, "correct" if right else "wrong")


class MeasuringFamily:
    """What the families here have in common: an oracle from a coroutine, and nothing an agent could not reach."""

    def answer(self, instance: Instance) -> Any:
        return instance.hidden.get("number")

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        return True


class NumberWorld(BaseWorld):
    """No tools: read a number, hand it in."""

    def verify(self, submission: Submission) -> Verification:
        return verdict(submission.answer == self.instance.hidden["number"])


class TrivialFamily(MeasuringFamily):
    """One observation, one answer."""

    spec = spec("bench-trivial", "Hand in the number shown")

    def instance(self, draw: Draw) -> Instance:
        number = draw.stream.below(1_000_000)
        goal = "Hand in the number you are shown."
        return Instance("only", goal, "A whole number.", {"number": number}, {"number": number})

    def world(self, instance: Instance, place: Place) -> NumberWorld:
        return NumberWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_hand_in, instance)


async def _hand_in(instance: Instance, task: TaskView, session: Session) -> Submission:
    return Submission(session.observations[0].fields["number"])


class RecordsWorld(BaseWorld):
    """An in-memory table of records that can be looked up and amended."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self.notes: dict[str, str] = {}

    @tool(effect="read")
    def look_up(self, key: str) -> str:
        """Read the record with this key."""
        return str(self.instance.hidden["records"].get(key, "no such record"))

    @tool(effect="write")
    def amend(self, key: str, note: str) -> str:
        """Attach a note to the record with this key."""
        self.notes[key] = note
        return f"noted on {key}"

    def verify(self, submission: Submission) -> Verification:
        return verdict(self.notes == self.instance.hidden["notes"])


class RecordsFamily(MeasuringFamily):
    """Five records to be looked up and amended: ten tool calls."""

    def __init__(self, name: str, title: str, text: MakeText, note: MakeNote) -> None:
        self.spec = spec(name, title)
        self._text = text
        self._note = note

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        records = {f"R-{stream.bits64():016x}": self._text(stream) for _ in range(STEPS // 2)}
        return Instance(
            "only",
            "Look up every record and attach the note that it calls for.",
            "Nothing; the notes are checked.",
            {"keys": list(records)},
            {"records": records, "notes": {key: self._note(stream, text) for key, text in records.items()}},
        )

    def world(self, instance: Instance, place: Place) -> RecordsWorld:
        return RecordsWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_amend_all, instance)


async def _amend_all(instance: Instance, task: TaskView, session: Session) -> Submission:
    notes = instance.hidden["notes"]
    for key in session.observations[0].fields["keys"]:
        await session.call("look_up", key=key)
        await session.call("amend", key=key, note=notes[key])
    return Submission()


@cache
def _english() -> str:
    """About 430,000 characters of English: the topics of Python's own help, white space evened out."""
    from pydoc_data.topics import topics

    return " ".join(" ".join(topics[name].split()) for name in sorted(topics))


def _passage(stream: Stream, length: int) -> str:
    text = _english()
    start = stream.below(len(text) - length)
    return text[start : start + length]


def _prose(stream: Stream) -> str:
    return _passage(stream, _PROSE)


def _own_note(stream: Stream, text: str) -> str:
    return _passage(stream, _NOTE)


def _mixed(stream: Stream) -> str:
    """A line as systems write them: words, digits, a hash, a date, and a remark."""
    a, b = stream.bits64(), stream.bits64()
    kind, location = _KINDS[a % len(_KINDS)], _PLACES[b % len(_PLACES)]
    date = f"2026-{1 + (a >> 8) % 12:02d}-{1 + (a >> 12) % 28:02d}"
    amount = f"{(b >> 8) % 10_000}.{(b >> 24) % 100:02d}"
    return f"{kind} {a >> 32:08x} {date} {amount} EUR via {location}: {_passage(stream, _REMARK)}"


def _first_words(stream: Stream, text: str) -> str:
    return text[: text.index(":")]


def suite(name: str, family: str, n: int = EPISODES) -> Suite:
    """A suite of one family under no adversity; `family` is a path with an attribute."""
    return Suite(
        name=name,
        version="1.0",
        title="For measuring the bench",
        epoch="2026-01-01T00:00:00Z",
        entries=(Entry(family=family, n=n),),
    )


trivial_family = TrivialFamily()
steps_family = RecordsFamily("bench-steps", "Look up and amend records of mixed text", _mixed, _first_words)
prose_family = RecordsFamily("bench-prose", "Look up and amend records of prose", _prose, _own_note)

trivial = suite("bench-trivial", f"{__file__}:trivial_family")
steps = suite("bench-steps", f"{__file__}:steps_family")
prose = suite("bench-prose", f"{__file__}:prose_family")
few_trivial = suite("bench-few-trivial", f"{__file__}:trivial_family", FEW)
few_steps = suite("bench-few-steps", f"{__file__}:steps_family", FEW)
