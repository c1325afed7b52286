"""The family `lever-logbook` (M3, beside `strategy-choice`): choose the plan that ends best, by what earlier pulls did.

Always: what a lever does follows from one page of the logbook, every plan takes several levers, and pages are read one
at a time: whoever sees only the task and the last page cannot tell the plans apart. Nothing is left to chance.
"""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.modeling.lever_logbook.texts import (
    ANSWER_FORMAT,
    GOALS,
    KINDS,
    LABELS,
    LEVERS,
    PLAN,
    RULES,
    UNIT,
    UNITS,
)
from proctor.suites.agency.modeling.lever_logbook.units import Effect, Page, Unit, effects, ends, logbook, unit
from proctor.suites.agency.modeling.lever_logbook.world import REASONS, LeverWorld
from proctor.suites.kit.cards import FORMS, READINGS, Card, can_read_and_act
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.spelling import capital, enumerated, in_words
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=120)
_FOUR = 4
_PAGES = 6


class LeverLogbookFamily(JudgedByState):
    """Logbooks in eight layouts."""

    spec = FamilySpec(
        id="lever-logbook",
        title="Lever logbook",
        description="Which of three plans ends best at each unit follows from what single pulls did on earlier days.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("M3",),
        criterion="At every unit the plan that was run ends highest of the three.",
        verification="All three plans are played through with the true effects; the one that was run is compared.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "units": Knob(default=2, values=(2, 3, 4), description="Independent choices."),
            "steps": Knob(default=4, values=(3, 4, 5, 6), description="Pulls in a plan."),
        },
        observation_schema={
            "type": "object",
            "properties": {"logbook": {"type": "string"}, "pages": {"type": "integer"}},
            "required": ["logbook", "pages"],
            "additionalProperties": False,
        },
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal, kind = stream.choice(_TEMPLATES), stream.choice(GOALS), stream.choice(KINDS)
        levers = stream.sample(LEVERS, _FOUR)
        does = effects(stream, levers)
        pulls = logbook(stream, levers, _PAGES)
        pages = [
            _written(stream, template, kind, number, page, does[page.lever])
            for number, page in enumerate(pulls, start=1)
        ]
        units = [unit(stream, name, does, knobs["steps"]) for name in stream.sample(UNITS, knobs["units"])]
        words = {"kind": kind[0], "wanted": kind[1], "risk": kind[2]}
        rules = RULES.format(
            **words,
            levers=enumerated(levers),
            pages=in_words(_PAGES),
            units="\n".join(_described(one, words) for one in units),
        )
        return Instance(
            template=template,
            goal=capital(goal.format(**words, count=in_words(len(units)))) + rules,
            answer_format=ANSWER_FORMAT,
            observation={"logbook": f"{kind[0]}s, volume {stream.hex(8)}", "pages": _PAGES},
            hidden={
                "units": msgspec.to_builtins(units),
                "effects": msgspec.to_builtins(does),
                "pulled": [page.lever for page in pulls],
                "pages": pages,
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=READINGS * _PAGES + len(units) + 2,
        )

    def world(self, instance: Instance, place: Place) -> LeverWorld:
        return LeverWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """Every page has to be certain, and every choice has to be carried out."""
        return can_read_and_act(instance, deliveries, instance.hidden["pages"], len(instance.hidden["units"]))


def _written(stream: Stream, template: str, kind: tuple[str, str, str], number: int, page: Page, does: Effect) -> str:
    """A page of the logbook."""
    _, wanted, risk = kind
    values: list[tuple[str, int | str]] = [
        ("lever", page.lever),
        (wanted, f"{page.wanted} to {page.wanted + does.wanted}"),
        (risk, f"{page.risk} to {page.risk + does.risk}"),
        ("crew", stream.integer(2, 9)),
    ]
    stream.shuffle(values)
    return FORMS[template](Card(f"page {in_words(number)}", dict(values)), stream)


def _described(one: Unit, words: dict[str, str]) -> str:
    plans = [PLAN.format(label=label, pulls=", ".join(plan)) for label, plan in zip(LABELS, one.plans, strict=True)]
    told = UNIT.format(
        **words, name=one.name, level=one.wanted, hazard=one.risk, limit=one.limit, plans="\n".join(plans)
    )
    return capital(told)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Read every page, then run what ends highest by the levers that were read about; the others might do nothing."""
    hidden = instance.hidden
    effects = msgspec.convert(hidden["effects"], dict[str, Effect])
    does = {lever: Effect(0, 0) for lever in effects}
    for number, lever in enumerate(hidden["pulled"], start=1):
        page = await call_with_retry(session, "page", number=number)
        if page.ok and page.value:
            does[lever] = effects[lever]
    for one in msgspec.convert(hidden["units"], list[Unit]):
        scores = [-1 if (end := ends(one, plan, does)) is None else end for plan in one.plans]
        best = LABELS[max(range(len(scores)), key=scores.__getitem__)]
        await call_with_retry(session, "run", unit=one.name, plan=best)
    return Submission("done", confidence=1.0)


family = LeverLogbookFamily()
