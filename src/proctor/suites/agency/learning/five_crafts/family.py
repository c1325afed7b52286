"""The family `five-crafts` (B.6.5, L5): five kinds of work in a row, without forgetting the ones before.

Always: each craft has house rules of its own, drawn for the lifetime; five consecutive training jobs of a craft show
all of them; what tests deal with never occurs in training. With `craft` at `mixed` the crafts take turns.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.learning.five_crafts.crafts import CRAFTS, LETTERS, Making, job_of
from proctor.suites.agency.learning.five_crafts.goods import ASIDES
from proctor.suites.agency.learning.five_crafts.texts import (
    ANSWER_FORMAT,
    GOALS,
    READING,
    RULES,
    TAUGHT,
    UNTAUGHT,
)
from proctor.suites.agency.learning.five_crafts.world import QUESTION, REASONS, WorkshopWorld
from proctor.suites.agency.learning.phases import held_out, shows_outcomes
from proctor.suites.agency.learning.pupil import Memory, Pupil, known_or_guess
from proctor.suites.agency.learning.reading_ceiling import can_read_and_act
from proctor.suites.agency.learning.slips import FORMS, Entry, Slip
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import passages
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import firm
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

MIXED = "mixed"
_TEMPLATES = tuple(FORMS)
_NAMES = tuple(CRAFTS)
_BUDGET = Budget(actions=34)
_READINGS = 8


class FiveCraftsFamily(JudgedByState):
    """Job sheets in eight forms for five crafts."""

    spec = FamilySpec(
        id="five-crafts",
        title="Five crafts",
        description="Sorting, routing, stamping, queueing and weighing by house rules that only training teaches.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("L5",),
        criterion="The first delivery of the job is right in all its parts.",
        verification="The delivery on record is compared with the one that follows from the house rules.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "craft": Knob(default=MIXED, values=(MIXED, *_NAMES), description="The kind of work; none is the harder."),
            "pieces": Knob(default=4, values=(3, 4, 6), description="Pieces of a job."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(Text()),
        examined="posttest",
        training=25,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, tested = draw.stream, held_out(draw.phase)
        wanted, count = draw.knobs.get("craft", MIXED), draw.knobs.get("pieces", 4)
        template = stream.choice(_TEMPLATES)
        craft, turn = wanted, draw.step
        if wanted == MIXED:
            turn, place = divmod(draw.step, len(_NAMES))
            craft = stream.choice(_NAMES) if tested else _NAMES[place]
        job = job_of(craft, Making(stream, draw.shared, tested, turn, count))
        entries = [Entry(f"piece {letter}", phrase) for letter, phrase in zip(LETTERS, job["phrases"], strict=False)]
        entries.insert(stream.below(len(entries) + 1), Entry("aside", stream.choice(ASIDES), matters=False))
        slip = Slip(f"job {stream.integer(1000, 9999)}", "{label}: {phrase}", entries)
        sheet = FORMS[template](slip, stream)
        spans = passages(sheet.lines)
        numbers = [next(n for n, span in enumerate(spans, start=1) if place in range(*span)) for place in sheet.facts]
        rules = CRAFTS[craft].rules.format(guesses=", ".join(job["guesses"]), example=_example(count))
        note = TAUGHT if shows_outcomes(draw.phase) else UNTAUGHT
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(firm=firm(draw.shared.child("firm")))
            + RULES.format(craft=rules)
            + note
            + READING,
            answer_format=ANSWER_FORMAT,
            observation={"text": sheet.text, "passages": len(spans)},
            hidden={
                "right": {QUESTION: job["right"]},
                "craft": craft,
                "parts": job["parts"],
                "rules": job["rules"],
                "guesses": job["guesses"],
                "shows": shows_outcomes(draw.phase),
                "facts": sheet.facts,
                "places": numbers,
                "items": job["phrases"],
            },
            knobs={"craft": wanted, "pieces": count},
            budget=_BUDGET,
            strict_actions=_READINGS * len(set(numbers)) + 2,
        )

    def world(self, instance: Instance, place: Place) -> WorkshopWorld:
        return WorkshopWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return Pupil(_work, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The job sheet has to be read right; the house rules were learned."""
        return can_read_and_act(instance, deliveries, 1)


def _example(count: int) -> str:
    return ", ".join(reversed(LETTERS[:count]))


async def _work(instance: Instance, memory: Memory, session: Session) -> None:
    """Look at each piece, then finish the job by what is remembered of the house rules of its craft."""
    hidden = instance.hidden
    known: Memory = memory.setdefault(hidden["craft"], {})
    options = ["1"] if hidden["craft"] == "queueing" else hidden["guesses"]
    for number in hidden["places"]:
        await call_with_retry(session, "passage", number=number)
    work = CRAFTS[hidden["craft"]].finish(hidden["parts"], lambda key: known_or_guess(known, key, options))
    result = await call_with_retry(session, "deliver", work=work)
    if result.ok and "house_rules" in result.value:
        known.update(result.value["house_rules"])


family = FiveCraftsFamily()
