"""The family `customer-sessions` (B.6.3, L3): find out, session after session, how customers wish to be approached.

Always: every session is about somebody new; who suits which channel, offer and moment is drawn for the lifetime; the
first six sessions show every kind of household, livelihood and home once; phrases of held-out sessions never occur in
sessions that teach.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.learning.customer_sessions.people import ASIDES, TRAITS
from proctor.suites.agency.learning.customer_sessions.texts import (
    ANSWER_FORMAT,
    DECISIONS,
    GOALS,
    READING,
    RULES,
    TAUGHT,
    UNTAUGHT,
)
from proctor.suites.agency.learning.customer_sessions.world import REASONS, SessionWorld
from proctor.suites.agency.learning.phases import held_out, shows_outcomes
from proctor.suites.agency.learning.pupil import Memory, Pupil, known_or_guess
from proctor.suites.agency.learning.reading_ceiling import can_read_and_act
from proctor.suites.agency.learning.slips import FORMS, Entry, Slip
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import Sheet, passages
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import GIVEN, SURNAMES
from proctor.worlds.answers import Text, schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=60)
_READINGS = 7
_KINDS = 6


class CustomerSessionsFamily(JudgedByState):
    """Notes on customers in eight forms."""

    spec = FamilySpec(
        id="customer-sessions",
        title="Customer sessions",
        description="Customers are approached by channel, offer and moment; what suits whom only outcomes tell.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("L3",),
        criterion="The first contact with every customer has the channel, offer and moment that suit them.",
        verification="The contacts on record are compared with the preferences fixed for the lifetime.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"customers": Knob(default=1, values=(1, 2, 3), description="Customers in one session.")},
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(Text()),
        examined="late",
        training=10,
    )

    def instance(self, draw: Draw) -> Instance:
        stream, shared = draw.stream, draw.shared
        count = draw.knobs.get("customers", 1)
        tastes = _tastes(shared)
        template = stream.choice(_TEMPLATES)
        names = [f"{stream.choice(GIVEN)} {stream.choice(SURNAMES)}" for _ in range(count)]
        sheet, people, items = Sheet(), [], []
        for number, name in enumerate(names, start=1):
            kinds = _kinds(draw, number)
            slip = _slip(stream, name, kinds, held_out(draw.phase))
            items.append(" / ".join(entry.phrase for entry in slip.entries if entry.matters))
            own = FORMS[template](slip, stream)
            if count > 1:
                sheet.add(f"[customer {number}]")
            sheet.facts += [len(sheet.lines) + index for index in own.facts]
            sheet.lines += own.lines
            people.append(kinds)
        right = {
            f"customer {number}": {name: tastes[kind] for name, kind in zip(DECISIONS, kinds, strict=True)}
            for number, kinds in enumerate(people, start=1)
        }
        spans = passages(sheet.lines)
        note = TAUGHT if shows_outcomes(draw.phase) else UNTAUGHT
        return Instance(
            template=template,
            goal=stream.choice(GOALS).format(who=" and ".join(names)) + RULES + note + READING,
            answer_format=ANSWER_FORMAT,
            observation={"text": sheet.text, "passages": len(spans)},
            hidden={
                "right": right,
                "people": people,
                "shows": shows_outcomes(draw.phase),
                "facts": sheet.facts,
                "items": items,
            },
            knobs={"customers": count},
            budget=_BUDGET,
            strict_actions=_READINGS * len(spans) + count + 2,
        )

    def world(self, instance: Instance, place: Place) -> SessionWorld:
        return SessionWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return Pupil(_approach, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The notes have to be read right; the preferences were learned."""
        return can_read_and_act(instance, deliveries, len(instance.hidden["people"]))


def _tastes(shared: Stream) -> dict[str, str]:
    """What suits each kind."""
    tastes: dict[str, str] = {}
    for trait, (decision, options) in zip(TRAITS, DECISIONS.items(), strict=True):
        chosen = shared.child(decision).sample(options, len(options))
        tastes.update(zip(trait.kinds, chosen, strict=True))
    return tastes


def _kinds(draw: Draw, number: int) -> list[str]:
    """The kinds of one customer: at random, or in training all in turn, in company that changes with every round."""
    if held_out(draw.phase):
        return [draw.stream.choice(tuple(trait.kinds)) for trait in TRAITS]
    turn = draw.step + number - 1
    kinds: list[str] = []
    for index, trait in enumerate(TRAITS):
        order = draw.shared.child("turns", trait.label).sample(tuple(trait.kinds), _KINDS)
        kinds.append(order[(turn + index * (turn // _KINDS)) % _KINDS])
    return kinds


def _slip(stream: Stream, name: str, kinds: list[str], tested: bool) -> Slip:
    entries: list[Entry] = []
    for trait, kind in zip(TRAITS, kinds, strict=True):
        phrases = trait.tests if tested else trait.training
        entries.append(Entry(trait.label, stream.choice(phrases[kind])))
    for label in stream.sample(tuple(ASIDES), 2):
        phrase = stream.choice(ASIDES[label]).format(n=stream.integer(2, 40))
        entries.append(Entry(label, phrase, matters=False))
    stream.shuffle(entries)
    return Slip(name, f"{name} {{phrase}}", entries)


async def _approach(instance: Instance, memory: Memory, session: Session) -> None:
    """Approach every customer by what is remembered of their kinds."""
    for number, kinds in enumerate(instance.hidden["people"], start=1):
        known = zip(DECISIONS.items(), kinds, strict=True)
        chosen = {name: known_or_guess(memory, kind, options) for (name, options), kind in known}
        result = await call_with_retry(session, "contact", customer=number, **chosen)
        if result.ok and "right_was" in result.value:
            memory.update(zip(kinds, result.value["right_was"].values(), strict=True))


family = CustomerSessionsFamily()
