"""The family `coding-patterns` (B.6.2, L2): label functions in the private language of a software house.

Always: the language is drawn for the lifetime; training goes through every pattern and guard; functions of tests have
names, parameters and signatures that never occur in training; all labels of an episode must be right.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.learning.coding_patterns.code import GUARDS, PATTERNS, function
from proctor.suites.agency.learning.coding_patterns.languages import LANGUAGES, written
from proctor.suites.agency.learning.coding_patterns.texts import (
    ANSWER_FORMAT,
    GOALS,
    READING,
    RULES,
    TAUGHT,
    UNTAUGHT,
)
from proctor.suites.agency.learning.coding_patterns.words import TESTS, TRAINING
from proctor.suites.agency.learning.coding_patterns.world import REASONS, ReviewWorld
from proctor.suites.agency.learning.phases import held_out, shows_outcomes
from proctor.suites.agency.learning.pupil import Memory, Pupil, known_or_guess
from proctor.suites.agency.learning.reading_ceiling import can_read_and_act
from proctor.suites.agency.learning.secrets import code_book, dealt
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import Sheet, passages
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import firm
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(LANGUAGES)
_BUDGET = Budget(actions=80)
_READINGS = 4


class CodingPatternsFamily(JudgedByState):
    """Functions in eight languages, labels in a ninth."""

    spec = FamilySpec(
        id="coding-patterns",
        title="Coding patterns",
        description="Functions are labelled by pattern and guard in a house language that only training teaches.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("L2",),
        criterion="The first label of every function is the house label of its pattern and guard.",
        verification="The labels on record are compared with those that follow from the language fixed beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"functions": Knob(default=3, values=(2, 3, 4, 6), description="Functions to be labelled.")},
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(Text()),
        examined="posttest",
        training=20,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, shared = draw.stream, draw.shared
        count = draw.knobs.get("functions", 3)
        words = code_book(shared.child("words"), tuple(PATTERNS))
        particles = code_book(shared.child("particles"), tuple(GUARDS), taken=tuple(words.values()))
        template = stream.choice(_TEMPLATES)
        if held_out(draw.phase):
            kinds = [(stream.choice(tuple(PATTERNS)), stream.choice(tuple(GUARDS))) for _ in range(count)]
        else:
            patterns = dealt(shared.child("patterns"), tuple(PATTERNS), count, draw.step)
            guards = [stream.choice(tuple(GUARDS)) for _ in range(count)]
            guards[0] = dealt(shared.child("guards"), tuple(GUARDS), 1, draw.step)[0]
            kinds = list(zip(patterns, guards, strict=True))
        sheet = Sheet()
        items: list[str] = []
        for number, (pattern, guard) in enumerate(kinds, start=1):
            names = TESTS if held_out(draw.phase) else TRAINING
            made = function(stream, names, pattern, guard, LANGUAGES[template].notation)
            lines = written(made, LANGUAGES[template])
            items.append("\n".join(lines))
            sheet.add(f"[function {number}]")
            sheet.fact(*lines)
        rules = RULES.format(words=_listed(words), particles=_listed(particles))
        note = TAUGHT if shows_outcomes(draw.phase) else UNTAUGHT
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(count=count, firm=firm(shared.child("firm"))) + rules + note + READING,
            answer_format=ANSWER_FORMAT,
            observation={"text": sheet.text, "passages": len(passages(sheet.lines))},
            hidden={
                "right": {f"function {n}": f"{words[p]}-{particles[g]}" for n, (p, g) in enumerate(kinds, start=1)},
                "kinds": [list(kind) for kind in kinds],
                "words": sorted(words.values()),
                "particles": sorted(particles.values()),
                "shows": shows_outcomes(draw.phase),
                "facts": sheet.facts,
                "items": items,
            },
            knobs={"functions": count},
            budget=_BUDGET,
            strict_actions=_READINGS * len(passages(sheet.lines)) + count + 2,
        )

    def world(self, instance: Instance, place: Place) -> ReviewWorld:
        return ReviewWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return Pupil(_label, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The code has to be read right; the language was learned."""
        return can_read_and_act(instance, deliveries, len(instance.hidden["kinds"]))


def _listed(book: dict[str, str]) -> str:
    return ", ".join(sorted(book.values()))


async def _label(instance: Instance, memory: Memory, session: Session) -> None:
    """Label every function by what is remembered of its pattern and its guard."""
    hidden = instance.hidden
    for number, (pattern, guard) in enumerate(hidden["kinds"], start=1):
        word = known_or_guess(memory, pattern, hidden["words"])
        particle = known_or_guess(memory, guard, hidden["particles"])
        result = await call_with_retry(session, "label", function=number, label=f"{word}-{particle}")
        if result.ok and "right_was" in result.value:
            memory[pattern], memory[guard] = result.value["right_was"].split("-")


family = CodingPatternsFamily()
