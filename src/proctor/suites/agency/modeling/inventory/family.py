"""The family `inventory` (B.3.1, M1): the stock after one or two movements.

Always: several goods are asked for and all must be right, at least one of them was moved, and what is only planned
changes nothing.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent, Session
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.modeling.inventory.forms import FORMS
from proctor.suites.agency.modeling.inventory.stock import store
from proctor.suites.agency.modeling.inventory.texts import ANSWER_FORMAT, GOALS, NOTE
from proctor.suites.agency.modeling.inventory.world import REASONS, StoreWorld
from proctor.suites.agency.modeling.telling import REREADING, read_through, told
from proctor.suites.kit.answers import ROW
from proctor.suites.kit.rereading import restores
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=120)


class InventoryFamily:
    """Stores in eight forms."""

    spec = FamilySpec(
        id="inventory",
        title="Inventory",
        description="The stock of several goods after one or two movements, told in eight forms.",
        environment=EnvironmentClass(kind=EnvironmentKind.STATIC),
        evidences=("M1",),
        criterion="The reported quantities of all goods equal those after the last movement.",
        verification="The answer is read in any clear form and compared exactly with the stock worked out beforehand.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={
            "goods": Knob(default=4, values=(3, 4, 6, 8), description="Goods in the store, all of them asked for."),
            "moves": Knob(default=2, values=(1, 2), description="The most movements there are; there is at least one."),
            "plans": Knob(default=1, values=(0, 1, 2), description="Movements that are told but did not take place."),
        },
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema=schema_of(ROW),
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, draw.knobs
        chosen = {"goods": knobs.get("goods", 4), "moves": knobs.get("moves", 2), "plans": knobs.get("plans", 1)}
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(GOALS)
        found = store(stream, chosen["goods"], chosen["moves"], chosen["plans"])
        goods = stream.sample(list(found.opening), chosen["goods"])
        sheet = FORMS[template](found, stream)
        material = told(sheet)
        closing, planned = found.closing(), found.closing(planned=True)
        return Instance(
            template=template,
            goal=goal + NOTE.format(goods=", ".join(goods)) + REREADING,
            answer_format=ANSWER_FORMAT,
            observation=material.observation,
            hidden={
                "answer": [closing[good] for good in goods],
                "goods": goods,
                "opening": [found.opening[good] for good in goods],
                "with_plans": [planned[good] for good in goods],
                "facts": sheet.facts,
            },
            knobs=chosen,
            budget=_BUDGET,
            strict_actions=material.readings + 2,
        )

    def world(self, instance: Instance, place: Place) -> StoreWorld:
        return StoreWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def answer(self, instance: Instance) -> Any:
        return instance.hidden["answer"]

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The lines with counts, movements and plans have to come back right."""
        return restores(instance, deliveries)


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    await read_through(instance, session)
    return Submission(instance.hidden["answer"], confidence=1.0)


family = InventoryFamily()
