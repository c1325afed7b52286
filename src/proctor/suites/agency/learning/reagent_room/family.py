"""The family `reagent-room` (L2, beside `coding-patterns`): treat samples by the private rules of an assay house.

Always: reagents and drops are drawn for the lifetime; training goes through every material and every condition, but
never through a pair of the two that occurs in a test, so that whoever keeps pairs or whole cards gains nothing; goal,
cards and tools are of one kind in all phases, and whether an outcome is told shows only after the first treatment.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.learning.phases import held_out, shows_outcomes
from proctor.suites.agency.learning.pupil import Memory, Pupil, known_or_guess
from proctor.suites.agency.learning.reagent_room.texts import (
    ANSWER_FORMAT,
    COLOURS,
    CONDITIONS,
    DROPS,
    GOALS,
    MATERIALS,
    RULES,
)
from proctor.suites.agency.learning.reagent_room.world import REASONS, AssayWorld
from proctor.suites.agency.learning.secrets import code_book, dealt
from proctor.suites.kit.cards import FORMS, READINGS, Card, can_read_and_act
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.spelling import enumerated, in_words
from proctor.suites.kit.words import firm
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=120)
_LETTERS = "BCDFGHKLMNPRSTVWZ"
Pair = tuple[str, str]
"""A material and a condition."""


class ReagentRoomFamily(JudgedByState):
    """Cards in eight layouts, treatments by rules nobody wrote down."""

    spec = FamilySpec(
        id="reagent-room",
        title="Reagent room",
        description="Samples are treated by material and condition, by rules of a house that only training teaches.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("L2",),
        criterion="The first treatment of every sample is the house's: the reagent of its material, the drops of its "
        "condition.",
        verification="The treatments on record are compared with those that follow from rules fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"samples": Knob(default=3, values=(2, 3, 4, 6), description="Samples to be treated.")},
        observation_schema={
            "type": "object",
            "properties": {"delivery": {"type": "string"}, "samples": {"type": "array", "items": {"type": "string"}}},
            "required": ["delivery", "samples"],
            "additionalProperties": False,
        },
        answer_schema=schema_of(Text()),
        examined="posttest",
        training=20,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, shared, knobs = draw.stream, draw.shared, knob_values(self.spec, draw)
        count: int = knobs["samples"]
        reagents = code_book(shared.child("reagents"), MATERIALS)
        drops = dict(zip(CONDITIONS, shared.child("drops").sample(DROPS, len(DROPS)), strict=True))
        taught, kept = _divided(shared.child("pairs"))
        if held_out(draw.phase):
            pairs = stream.sample(kept, count)
        else:
            pairs = dealt(shared.child("lessons"), taught, count, draw.step)
        template, house = stream.choice(_TEMPLATES), firm(shared.child("firm"))
        ids = _names(stream, count)
        cards = {name: _card(stream, template, name, pair) for name, pair in zip(ids, pairs, strict=True)}
        wanted = {
            name: {"reagent": reagents[material], "drops": drops[condition]}
            for name, (material, condition) in zip(ids, pairs, strict=True)
        }
        rules = RULES.format(
            materials=", ".join(MATERIALS),
            conditions=", ".join(CONDITIONS),
            reagents=", ".join(sorted(reagents.values())),
            drops=f"{', '.join(map(str, DROPS[:-1]))} or {DROPS[-1]}",
        )
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(count=in_words(count), firm=house, ids=enumerated(ids)) + rules,
            answer_format=ANSWER_FORMAT,
            observation={"delivery": f"{stream.integer(1000, 9999)}/{stream.integer(10, 99)}", "samples": ids},
            hidden={
                "right": wanted,
                "pairs": [list(pair) for pair in pairs],
                "reagents": sorted(reagents.values()),
                "shows": shows_outcomes(draw.phase),
                "cards": cards,
                "items": [f"{material}, {condition}" for material, condition in pairs],
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=(READINGS + 1) * count + 2,
        )

    def world(self, instance: Instance, place: Place) -> AssayWorld:
        return AssayWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return Pupil(_treat, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every card has to be certain; the rules were learned."""
        cards: dict[str, str] = instance.hidden["cards"]
        return can_read_and_act(instance, deliveries, list(cards.values()), len(cards))


def _divided(shared: Stream) -> tuple[list[Pair], list[Pair]]:
    """Pairs for training and pairs for tests: half of all each; both have every material and every condition."""
    materials, conditions = shared.sample(MATERIALS, len(MATERIALS)), shared.sample(CONDITIONS, len(CONDITIONS))
    halves: tuple[list[Pair], list[Pair]] = ([], [])
    for row, material in enumerate(materials):
        for column, condition in enumerate(conditions):
            halves[(row + column) % 2].append((material, condition))
    return halves


def _names(stream: Stream, count: int) -> list[str]:
    letters = stream.sample(_LETTERS, count)
    return [f"{letter}{number}" for letter, number in zip(letters, stream.sample(range(11, 99), count), strict=True)]


def _card(stream: Stream, template: str, name: str, pair: Pair) -> str:
    """The card of a sample: what matters and what does not, in any order."""
    values: list[tuple[str, int | str]] = [
        ("material", pair[0]),
        ("condition", pair[1]),
        ("colour", stream.choice(COLOURS)),
        ("weight in grams", stream.integer(3, 90)),
    ]
    stream.shuffle(values)
    return FORMS[template](Card(f"sample {name}", dict(values)), stream)


async def _treat(instance: Instance, memory: Memory, session: Session) -> None:
    """Treat every sample by what is remembered of its material and its condition."""
    hidden = instance.hidden
    for name, (material, condition) in zip(hidden["cards"], hidden["pairs"], strict=True):
        await call_with_retry(session, "inspect", sample=name)
        reagent = known_or_guess(memory, material, hidden["reagents"])
        drops = int(known_or_guess(memory, condition, list(map(str, DROPS))))
        result = await call_with_retry(session, "treat", sample=name, reagent=reagent, drops=drops)
        if result.ok and "right_was" in result.value:
            right = result.value["right_was"]
            memory[material], memory[condition] = right["reagent"], str(right["drops"])


family = ReagentRoomFamily()
