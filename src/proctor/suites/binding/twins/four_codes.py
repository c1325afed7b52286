"""A four-code family of binding 2.0: instance number = 2 × event + side, the two sides being each other's twins.

Events with an option pair and events with a third pair (waiting or stopping against an option or nothing) take turns.
Everything but the decisive field is drawn for the event and shown on both sides alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.ontology import FOUR_CODES
from proctor.spec.task import Instance
from proctor.suites.binding.single_question import SingleQuestionFamily
from proctor.suites.binding.twins.balance import factors
from proctor.suites.binding.twins.clauses import Frame, sentence_case
from proctor.suites.binding.twins.event import REMARK, SITUATION, TALK_FIELD
from proctor.suites.binding.twins.family import ANSWER_FORMAT, goal_of
from proctor.suites.binding.twins.probes import DESIGN
from proctor.suites.binding.twins.scene import Scene
from proctor.suites.binding.twins.shared_texts import DAYS, LEANS, PEOPLE, REMARKS
from proctor.suites.binding.twins.surface import shown, surface_of
from proctor.suites.binding.twins.topic import Third, Topic
from proctor.worlds.choice import PLAIN_OBSERVATION_SCHEMA, REASONS, actions_shown, answer_schema

SIDES = 2
PROBES = ("side-1", "side-2")
ORDER = (SITUATION, "reason", "memory", "self", "plan", TALK_FIELD, "constraints", "veto", REMARK)
"""The order in which fields are shown."""


class Factors(Struct, frozen=True):
    """The balanced factors of one event. Options are numbers 0 and 1 of their pair."""

    swapped: bool
    """The option the situation leans to has the second label."""
    second_named: bool
    """The scene names the second option first."""
    p_first: bool
    lean: bool
    """The number of the option the situation leans to; likewise the next three."""
    pick: bool
    trap: bool
    good: bool
    turned: bool
    """Which side shows the frame with its phrases exchanged."""


class TwinFourCodes(SingleQuestionFamily):
    """One of the twenty families."""

    version = "2.0"

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        calls = sorted({third.call for third in topic.thirds})
        self.spec = FamilySpec(
            id=topic.family,
            version=self.version,
            title=topic.title,
            description=f"{topic.about[0].upper()}{topic.about[1:]}. The field `{topic.field}` decides between two "
            f"options and {' or '.join(calls)}; its twin, with two phrases exchanged, decides otherwise or nothing.",
            environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
            criterion="The canonical action code is the one that the decisive field calls for.",
            verification="What was handed in is brought to one code or to none, and compared with the target that was "
            "fixed before any text was made.",
            reasons=REASONS,
            templates=tuple(f"form-{number + 1}" for number in range(len(topic.scenes))),
            observation_schema=PLAIN_OBSERVATION_SCHEMA,
            answer_schema=answer_schema(FOUR_CODES),
        )

    def instance(self, draw: Draw) -> Instance:
        number, side = divmod(draw.index, SIDES)
        turn, third = divmod(number + draw.source.child("turn").below(2), 2)
        drawn = Factors(*factors(draw.source.child("balance", third), turn))
        event = _Event(self.topic, drawn, draw.source.child("event", number), third=bool(third))
        return event.instance(side, dict(draw.knobs))

    def event_rows(self, knobs: Mapping[str, Any]) -> int:
        """Its two sides."""
        return SIDES

    def donors(self, own: Sequence[Instance], other: Sequence[Instance]) -> tuple[int, ...]:
        """The sides of the other event, in the order in which neither calls for what is right.

        Sides of an event differ in nothing but what is read from the donor, so that the order shows nothing.
        """
        straight = all(one.hidden["target"] != two.hidden["target"] for one, two in zip(own, other, strict=True))
        return (0, 1) if straight else (1, 0)


class _Event:
    """One event, drawn without looking at a side."""

    def __init__(self, topic: Topic, drawn: Factors, stream: Stream, *, third: bool) -> None:
        self.topic, self.drawn = topic, drawn
        self.name = f"ev{stream.hex(8)}"
        self.form = stream.below(len(topic.scenes))
        self.scene: Scene = topic.scenes[self.form]
        self.options: tuple[str, str] = stream.choice(self.scene.pairs)
        who, other = stream.sample(PEOPLE, 2)
        self.slots = {
            "who": who,
            "other": other,
            "day": stream.choice(DAYS),
            "matter": self.scene.matter,
            "authority": self.scene.authority,
            "lean": self.options[drawn.lean],
            "pick": self.options[drawn.pick],
            "trap": self.options[drawn.trap],
            "good": self.options[drawn.good],
            "x": self.options[drawn.second_named],
            "y": self.options[not drawn.second_named],
        }
        self.leaning, self.remark = stream.choice(LEANS), stream.choice(REMARKS)
        self.others = {name: stream.choice(texts) for name, texts in topic.others.items()}
        self.third: Third | None = stream.choice(topic.thirds) if third else None
        self.frame: Frame = self.third.frame if self.third else stream.choice(topic.options)
        if self.third is None:
            self.phrases = self.options
        elif self.third.about == "people":
            self.phrases = (who, other)
        else:
            self.phrases = (self.scene.matter, self.scene.aside)
        first, second = FOUR_CODES.options
        self.codes = (second, first) if drawn.swapped ^ drawn.lean else (first, second)
        """The label of each option of the pair."""

    def instance(self, side: int, knobs: dict[str, Any]) -> Instance:
        """What one side shows and hides."""
        field, lean = self.topic.field, self.codes[self.drawn.lean]
        exchanged = bool(side) ^ self.drawn.turned
        target, role = self._called(exchanged)
        labelled = self.options if self.codes[0] == FOUR_CODES.options[0] else (self.options[1], self.options[0])
        seen = {name: shown(text, labelled, self.phrases) for name, text in self._texts(exchanged).items()}
        names = {code: self.options[number] for number, code in enumerate(self.codes)}
        options = {code: names[code] for code in FOUR_CODES.options}
        implied = {SITUATION: lean, REMARK: self.codes[self.drawn.pick]}
        if role == "target":
            implied[field] = target
        return Instance(
            template=f"form-{self.form + 1}",
            goal=goal_of(self.scene.matter),
            answer_format=ANSWER_FORMAT,
            observation={
                "event_id": self.name,
                "ontology": FOUR_CODES.name,
                "actions": actions_shown(FOUR_CODES, options),
            },
            hidden={
                "design": DESIGN,
                "dataset": self.topic.name,
                "target": target,
                "before": lean,
                "probe": PROBES[side],
                "component": self.topic.component,
                "role": role,
                "twin": PROBES[1 - side],
                "polarity": "" if target not in self.codes else "for" if target == lean else "against",
                "decisive": [field],
                "swapped": int(self.drawn.swapped),
                "implied": implied,
                "base_event": self.name,
                "options": options,
                "cue_code": self.codes[self.drawn.pick],
                "surface": surface_of(seen.values()),
                "exchange": {field: list(self.phrases)},
            },
            state={name: {"event": self.name, "text": one.text} for name, one in seen.items()},
            knobs=knobs,
        )

    def _called(self, exchanged: bool) -> tuple[str, str]:
        """The code that a side calls for, and its role."""
        if self.third is None:
            return self.codes[exchanged], "target"
        if not exchanged:
            return (FOUR_CODES.defer if self.third.call == "defer" else FOUR_CODES.veto), "target"
        if self.third.names_option:
            return self.codes[self.drawn.good], "target"
        return self.codes[self.drawn.lean], "twin"

    def _texts(self, exchanged: bool) -> dict[str, str]:
        """Every field's text, in the order shown."""
        p, q = (self.phrases[1], self.phrases[0]) if exchanged else self.phrases
        texts = {SITUATION: f"{self.scene.setting} {self.leaning}", **self.others, REMARK: self.remark}
        filled = {name: sentence_case(text.format(**self.slots)) for name, text in texts.items()}
        filled[self.topic.field] = self.frame.text(p, q, p_first=self.drawn.p_first, slots=self.slots)
        return {name: filled[name] for name in ORDER if name in filled}
