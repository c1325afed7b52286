"""An event of binding 2.0: a scene with people and options, and every text that any of its rows shows.

All of it is drawn from the event's own stream and its balanced factors, before a probe is looked at: the rows of one
event differ in the one field they are about, and there in the exchange of two phrases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.suites.binding.twins.clauses import Frame, sentence_case
from proctor.suites.binding.twins.scene import Corpus, Scene
from proctor.suites.binding.twins.shared_texts import (
    CHANCES,
    DAYS,
    LEANS,
    MEMORIES,
    PEOPLE,
    RECORDS,
    REMARKS,
    STRAY_MEMORIES,
    STRENGTHS,
    TALK,
    TRIVIA,
    VETOES,
)
from proctor.suites.binding.twins.surface import Shown, shown

T = TypeVar("T")
SITUATION, REMARK, TALK_FIELD, RECORD = "x-situation", "x-remark", "x-talk", "x-record"
FIELDS = (SITUATION, "reason", "memory", "self", "veto", REMARK)
"""The fields that are there in every row, in the order shown."""


class Orders(Struct, frozen=True):
    """The balanced factors of one event."""

    swapped: bool
    """The lean has the second label."""
    lean_second: bool
    """The scene names the lean second."""
    reason: bool
    """The reason names first what it speaks for; likewise the next three."""
    memory: bool
    self: bool
    veto: bool
    neutral: bool
    """Texts that treat both alike name the lean first."""
    turned: bool
    """The lean is the second option of its pair."""


class Event(Struct, frozen=True):
    """One event, ready to be asked about. Texts stand with what of them needs no reading."""

    id: str
    lean: str
    other: str
    swapped: bool
    scene: int
    matter: str
    aside: str
    base: dict[str, Shown]
    """By field: what the baseline row shows."""
    instead: dict[str, Shown]
    """By probe: what its own field shows instead."""
    strengths: dict[tuple[str, int], Shown]
    """By probe and strength."""
    talk: tuple[str, ...]


def make_event(
    corpus: Corpus, name: str, orders: Orders, stream: Stream, *, wording: int = 0, preface: str = ""
) -> Event:
    """The event of this id. `wording` 1 takes other frames for every text and changes nothing else."""
    number = stream.below(len(corpus.scenes))
    scene = corpus.scenes[number]
    pair = stream.choice(scene.pairs)
    lean, other = (pair[1], pair[0]) if orders.turned else pair
    who, somebody = stream.sample(PEOPLE, 2)
    trivia = stream.choice(TRIVIA)
    slots = {
        "who": who,
        "other": somebody,
        "day": stream.choice(DAYS),
        "matter": scene.matter,
        "authority": scene.authority,
    }
    texts = _Texts(scene, lean, other, orders, slots, trivia, stream, wording)
    labelled = (other, lean) if orders.swapped else (lean, other)
    phrases = (scene.matter, scene.aside)

    def seen(text: str) -> Shown:
        return shown(text, labelled, phrases)

    return Event(
        id=name,
        lean=lean,
        other=other,
        swapped=orders.swapped,
        scene=number,
        matter=scene.matter,
        aside=scene.aside,
        base={field: seen(text) for field, text in texts.base(preface).items()},
        instead={probe: seen(text) for probe, text in texts.instead().items()},
        strengths={key: seen(text) for key, text in texts.strengths().items()},
        talk=texts.talk(),
    )


class _Texts:
    """Draws the frames of an event, and fills them."""

    def __init__(
        self,
        scene: Scene,
        lean: str,
        other: str,
        orders: Orders,
        slots: Mapping[str, str],
        trivia: str,
        stream: Stream,
        wording: int,
    ) -> None:
        self._scene, self._lean, self._other, self._orders, self._slots = scene, lean, other, orders, slots
        self._trivia = trivia
        self._leaning = _drawn(LEANS, stream, wording)
        self._reason = _drawn(scene.reasons, stream, wording)
        self._memory = _drawn(MEMORIES, stream, wording)
        self._self = _drawn(scene.selves, stream, wording)
        self._veto = _drawn(VETOES, stream, wording)
        self._remark = _drawn(REMARKS, stream, wording)
        self._chance = _drawn(CHANCES, stream, wording)
        self._stray = _drawn(STRAY_MEMORIES, stream, wording)
        self._record = _drawn(RECORDS, stream, wording)
        self._talk = stream.sample(TALK, len(TALK))

    def base(self, preface: str) -> dict[str, str]:
        """What the baseline row shows, by field; twins of commitment and stop among it."""
        scene, orders = self._scene, self._orders
        first, second = (self._other, self._lean) if orders.lean_second else (self._lean, self._other)
        alike = (self._lean, self._other) if orders.neutral else (self._other, self._lean)
        setting = self._plain(f"{scene.setting} {self._leaning}", x=first, y=second, lean=self._lean)
        return {
            SITUATION: f"{preface} {setting}".strip(),
            "reason": self._reason.alike(*alike, self._slots),
            "memory": self._clauses(self._memory, scene.aside, scene.matter, orders.memory),
            "self": self._self.alike(*alike, self._slots),
            "veto": self._clauses(self._veto, scene.aside, scene.matter, orders.veto),
            REMARK: self._plain(self._remark, pick=self._trivia),
        }

    def instead(self) -> dict[str, str]:
        """What stands instead, by probe."""
        scene, orders, lean, other = self._scene, self._orders, self._lean, self._other
        return {
            "reason_for": self._clauses(self._reason, lean, other, orders.reason),
            "reason_against": self._clauses(self._reason, other, lean, orders.reason),
            "memory": self._clauses(self._memory, scene.matter, scene.aside, orders.memory),
            "veto": self._clauses(self._veto, scene.matter, scene.aside, orders.veto),
            "self_for": self._clauses(self._self, lean, other, orders.self),
            "self_against": self._clauses(self._self, other, lean, orders.self),
            "cue_other": self._plain(self._remark, pick=other),
            "cue_lean": self._plain(self._remark, pick=lean),
            "cue_chance": self._plain(self._chance, pick=other),
            "stray_memory": self._plain(self._stray),
            "stray_record": self._plain(self._record),
        }

    def strengths(self) -> dict[tuple[str, int], str]:
        """Graded reasons, by probe and strength."""
        sides = {"strength_for": (self._lean, self._other), "strength_against": (self._other, self._lean)}
        return {
            (probe, strength): self._clauses(frame, p, q, self._orders.reason)
            for probe, (p, q) in sides.items()
            for strength, frame in STRENGTHS.items()
        }

    def talk(self) -> tuple[str, ...]:
        """Turns of idle talk."""
        return tuple(self._plain(turn) for turn in self._talk)

    def _plain(self, frame: str, **options: str) -> str:
        return sentence_case(frame.format(**self._slots, **options))

    def _clauses(self, frame: Frame, p: str, q: str, p_first: bool) -> str:
        return frame.text(p, q, p_first=p_first, slots=self._slots)


def _drawn(frames: tuple[T, ...], stream: Stream, wording: int) -> T:
    return frames[(stream.below(len(frames)) + wording) % len(frames)]
