"""The family `strategy-choice` (B.3.3, M3): predict which of three strategies earns most, and execute it.

Always: several independent sites, one decision each, taken once; at every site the chosen strategy must earn at least
80 % of what the best of the three earns over the same simulated rounds.
"""

from __future__ import annotations

import msgspec

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.modeling.prediction import REREADING, restores_and_acts
from proctor.suites.agency.modeling.strategy_choice.forms import FORMS
from proctor.suites.agency.modeling.strategy_choice.markets import sites
from proctor.suites.agency.modeling.strategy_choice.texts import ANSWER_FORMAT, GOALS, NEEDED_PERCENT, NOTE, ROUNDS
from proctor.suites.agency.modeling.strategy_choice.world import REASONS, SeasonWorld
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import show
from proctor.suites.kit.spelling import capital, in_words
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=200)
_NOTE = NOTE.format(rounds=ROUNDS, percent=NEEDED_PERCENT) + REREADING


class StrategyChoiceFamily(JudgedByState):
    """Planning papers in eight forms."""

    spec = FamilySpec(
        id="strategy-choice",
        title="Strategy choice",
        description="Several sites with three strategies each; days on record and earnings tell which earns most.",
        environment=EnvironmentClass(kind=EnvironmentKind.STOCHASTIC),
        evidences=("M3",),
        criterion="At every site the executed strategy earns at least 80 % of the best one's reward.",
        verification="All three strategies are simulated over the same seeded rounds; the executed one is compared.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "sites": Knob(default=4, values=(3, 4, 5, 6), description="Independent choices."),
            "kinds": Knob(default=3, values=(2, 3, 4), description="Kinds of day at each site."),
            "close": Knob(
                default=60,
                values=(45, 60, 65),
                description="What the second best strategy earns on average, at most, in per cent of the best.",
            ),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(_TEMPLATES), stream.choice(GOALS)
        drawn = sites(stream, knobs["sites"], knobs["kinds"], knobs["close"])
        shown = show(FORMS[template](drawn, stream))
        return make_instance(
            shown,
            template=template,
            goal=capital(goal.format(count=in_words(len(drawn)))) + _NOTE,
            answer_format=ANSWER_FORMAT,
            hidden={"sites": msgspec.to_builtins(drawn)},
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=shown.readings + len(drawn) + 2,
        )

    def world(self, instance: Instance, place: Place) -> SeasonWorld:
        return SeasonWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The lines with days and earnings have to come back right, and every choice has to be carried out."""
        return restores_and_acts(instance, deliveries, len(instance.hidden["sites"]))


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    for site in instance.hidden["sites"]:
        best = next(strategy for strategy in site["strategies"] if strategy["best"])
        await call_with_retry(session, "execute", site=site["name"], strategy=best["name"])
    return Submission("done", confidence=1.0)


family = StrategyChoiceFamily()
