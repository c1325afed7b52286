"""The family `known-unknowns` (§12.7.2, T4-calibration): a number from the books, and how likely it is to be right.

Always: half of the items can be answered from what is there to be read and half cannot, whoever reads; goal, rules,
length and wording are drawn alike for both. Success counts right numbers only, so nobody who reads can expect more
than half of them: the stated ceiling says so. What is measured is the confidence.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.reflecting.frames import FRAMES, TEMPLATES
from proctor.suites.agency.reflecting.halves import in_first_half
from proctor.suites.agency.reflecting.known_unknowns.books import SOLVABLE, UNKNOWABLE, WORDS, Entry, books, settle
from proctor.suites.agency.reflecting.known_unknowns.world import REASONS, SHAPE, BooksWorld
from proctor.suites.kit.instances import make_instance
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_BUDGET = Budget(actions=60)
_SURE, _GUESSED = 0.98, 0.01
_GUESS = 5_450
"""The middle of the range: no guess is better than another."""
_RULES = "\n\n".join(("", WORDS["rules"], f"{WORDS['confidence']} {WORDS['tools']}"))


class KnownUnknownsFamily:
    """Books of eight houses, in eight forms."""

    spec = FamilySpec(
        id="known-unknowns",
        title="Known and unknown numbers",
        description=(
            "A number from a house's books, which in half of the items the books do not tell, and the probability that "
            "it is right."
        ),
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("T4-calibration",),
        criterion="The number equals the one fixed beforehand, whether or not the books tell it.",
        verification=(
            "The answer is read in any clear form and compared exactly; whether the item was solvable or unknowable "
            "stands among the verifier's measures as `item`."
        ),
        reasons=REASONS,
        templates=TEMPLATES,
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(SHAPE),
        ceiling=0.45,
        oracle_floor=0.30,
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        solvable = in_first_half(draw)
        template, goal = stream.choice(TEMPLATES), stream.choice(WORDS["goals"])
        drawn = books(stream, solvable=solvable)
        title = stream.choice(WORDS["titles"]).format(month=drawn.month)
        shown = show(FRAMES[template](stream, title, drawn.lines))
        return make_instance(
            shown,
            template=template,
            goal=goal.format(unit=drawn.unit, s=drawn.asked, day=f"{drawn.day} {drawn.month}") + _RULES,
            answer_format=WORDS["answer_format"],
            hidden={
                "answer": drawn.answer,
                "item": SOLVABLE if solvable else UNKNOWABLE,
                "way": drawn.way,
                "asked": drawn.asked,
                "day": drawn.day,
                "entries": msgspec.to_builtins(drawn.entries),
            },
            knobs={},
            budget=_BUDGET,
            strict_actions=min(60, shown.readings + 2),
        )

    def world(self, instance: Instance, place: Place) -> BooksWorld:
        return BooksWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """What the books tell comes back right by reading again; what they do not tell nobody can know."""
        return instance.hidden["item"] == SOLVABLE and restores(instance, deliveries)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Follows the entries as anybody can read them, and knows when they do not tell."""
    await call_with_retry(session, "passage", number=1)
    hidden = instance.hidden
    number = settle(msgspec.convert(hidden["entries"], list[Entry]), hidden["asked"], hidden["day"])
    return Submission(_GUESS, confidence=_GUESSED) if number is None else Submission(number, confidence=_SURE)


family = KnownUnknownsFamily()
