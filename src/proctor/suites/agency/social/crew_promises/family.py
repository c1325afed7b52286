"""The family `crew-promises` (Tier 5, §12.8): coordination with crews that all promise and keep it in different ways.

Always: of four crews three can be got to come on the right day, each by another treatment, and one never comes; hours
are enough for whoever treats the three as their habits ask for, and for nobody else. Past jobs under names tell each
habit; the knob `identity` says what the names are worth.
"""

from __future__ import annotations

from typing import Any

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind, Interaction
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.spec.tier_protocols import Counterparties
from proctor.suites.agency.modeling.prediction import restores_and_acts
from proctor.suites.agency.social.crew_promises import texts
from proctor.suites.agency.social.crew_promises.dealings import Dealing, supposed
from proctor.suites.agency.social.crew_promises.habits import (
    DELAYS,
    EARLY,
    IDLE,
    KINDS,
    LATE,
    LEADS,
    NUDGED,
    REPAYING,
    WORKING,
    Crew,
    Habit,
    Told,
    hours,
    right_day,
)
from proctor.suites.agency.social.crew_promises.world import REASONS, Hand, QuayWorld
from proctor.suites.agency.social.crew_promises.writing import TELLER
from proctor.suites.agency.social.identity import KNOB, cast, names_by_way
from proctor.suites.agency.social.notes import LAYOUTS, TEMPLATES, Page
from proctor.suites.agency.social.past import past
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import show
from proctor.suites.kit.spelling import enumerated
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.world import Place

SHIPS = 3
_BUDGET = Budget(actions=200)
_DAYS = (5, 6, 7, 8, 9)
"""When ships are in port: late enough to ask for three days earlier."""
Call = tuple[str, dict[str, Any]]


class CrewPromisesFamily(JudgedByState):
    """Quays in eight layouts."""

    spec = FamilySpec(
        id="crew-promises",
        title="Crew promises",
        description="Ships are unloaded by crews that come late, early, when reminded, in return for help, or never.",
        environment=EnvironmentClass(kind=EnvironmentKind.MULTI_AGENT, interaction=Interaction.COOPERATIVE),
        evidences=("T5-social",),
        criterion="Every ship is unloaded on the one day it is in port, within the hours there are.",
        verification="Crews come by their policies and what they were told; the days are played out to the end.",
        reasons=REASONS,
        templates=TEMPLATES,
        knobs={
            "identity": KNOB,
            "remarks": Knob(default=2, values=(0, 2, 4), description="Remarks on crews that say nothing of promises."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
        counterparties=Counterparties(
            roles=("quay master", "crew", "crew", "crew", "crew"),
            protocol="The quay master asks, reminds and helps crews and lets days pass; crews come when they come.",
            depends="The day a crew comes follows from its own policy, what it promised, and how it was treated.",
        ),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        dice = Dice(stream)
        template, load = dice.choice(TEMPLATES), dice.choice(texts.LOADS)
        goal, title, figure = dice.choice(texts.GOALS), dice.choice(texts.TITLES), dice.choice(texts.FIGURES)
        ships = dict(zip(dice.sample(texts.SHIPS, SHIPS), dice.sample(_DAYS, SHIPS), strict=True))
        kinds = dice.shuffled([*dice.sample(WORKING, SHIPS), IDLE])
        by = {LATE: dice.choice(DELAYS), EARLY: dice.choice(LEADS)}
        shift = dice.integer(1, len(kinds) - 1)
        pool = names_by_way(draw.source, texts.CREWS, len(KINDS))
        places = [dice.integer(0, len(pool[0]) - 1) for _ in kinds]
        names = [pool[KINDS.index(kind)][place] for kind, place in zip(kinds, places, strict=True)]
        ways = {kind: Habit(kind, by.get(kind, 0)) for kind in KINDS}
        for_hire = dice.choice(texts.FOR_HIRE)
        # All is drawn; what is made of it comes now, from streams of its own.
        people = cast(knobs["identity"], names, [ways[kind] for kind in kinds], shift, "Crew")
        hands = [Hand(*one) for one in zip(people.names, people.now, strict=True)]
        away = [
            (ways[kind], name) for kind, group in zip(KINDS, pool, strict=True) for name in group if name not in names
        ]
        before = past(people, away, TELLER, knobs["remarks"], stream)
        figures = [
            for_hire.format(crews=enumerated(people.names)),
            *(figure.format(ship=ship, day=day) for ship, day in ships.items()),
        ]
        shown = show(LAYOUTS[template](Page(title, tuple(figures), "notes on past promises", before.notes), dice))
        needed = sum(hours(one.habit) for one in hands if one.habit.works)
        told = (texts.PAST if people.named else texts.PAST_UNNAMED) if people.noted else texts.NO_PAST
        return make_instance(
            shown,
            template=template,
            goal=(goal + texts.NOTE).format(load=load, hours=needed) + told + texts.REREADING,
            answer_format=texts.ANSWER_FORMAT,
            hidden={
                "hands": msgspec.to_builtins(hands),
                "ships": ships,
                "hours": needed,
                "dealings": msgspec.to_builtins(before.dealings),
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=shown.readings + 2 * needed + 2,
        )

    def world(self, instance: Instance, place: Place) -> QuayWorld:
        return QuayWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        """Knows the past jobs as the text tells them, under the names it gives, and nothing else that is hidden."""
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The lines that matter have to come back right, the calls be made, and the notes tell the truth by name."""
        return restores_and_acts(instance, deliveries, len(_plan(instance))) and _succeeds(instance)


def _taken_for(instance: Instance) -> dict[str, Habit]:
    crews = [hand["name"] for hand in instance.hidden["hands"]]
    return supposed(crews, msgspec.convert(instance.hidden["dealings"], list[Dealing]))


def _plan(instance: Instance) -> list[Call]:
    """The calls of somebody who has read crews, ships and notes."""
    taken_for = _taken_for(instance)
    working = [crew for crew, habit in taken_for.items() if habit.works]
    calls: list[Call] = []
    for crew, (ship, day) in zip(working, instance.hidden["ships"].items(), strict=False):
        habit = taken_for[crew]
        if habit.kind == REPAYING:
            calls.append(("lend_hand", {"crew": crew}))
        calls.append(("ask", {"crew": crew, "ship": ship, "day": right_day(habit, day)}))
        if habit.kind == NUDGED:
            calls.append(("remind", {"crew": crew}))
    return calls


def _succeeds(instance: Instance) -> bool:
    """Whether these calls, undisturbed, bring a crew to every ship on its day."""
    hidden = instance.hidden
    calls = _plan(instance)[: hidden["hours"]]
    crews = {hand["name"]: Crew(msgspec.convert(hand["habit"], Habit)) for hand in hidden["hands"]}
    called = {
        name: [arguments["crew"] for tool, arguments in calls if tool == name] for name in ("lend_hand", "remind")
    }
    right = 0
    for tool, arguments in calls:
        if tool == "ask":
            crew = arguments["crew"]
            told = Told(arguments["day"], reminded=crew in called["remind"], helped=crew in called["lend_hand"])
            right += crews[crew].comes(told) == hidden["ships"][arguments["ship"]]
    return right == len(hidden["ships"])


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await call_with_retry(session, "passage", number=1)
    for tool, arguments in _plan(instance):
        result = await call_with_retry(session, tool, **arguments)
        if not result.ok:
            return Submission("done", confidence=0.0)
    await call_with_retry(session, "wait", days=max(instance.hidden["ships"].values()))
    return Submission("done", confidence=1.0)


family = CrewPromisesFamily()
