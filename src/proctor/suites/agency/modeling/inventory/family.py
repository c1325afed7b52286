"""The family `inventory` (B.3.1, M1): the stock after one or two movements.

Always: several goods are asked for and all must be right, at least one of them was moved, and what is only planned
changes nothing.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance
from proctor.suites.agency.modeling.inventory.forms import FORMS
from proctor.suites.agency.modeling.inventory.stock import store
from proctor.suites.agency.modeling.inventory.texts import ANSWER_FORMAT, GOALS, NOTE
from proctor.suites.agency.modeling.inventory.world import REASONS, StoreWorld
from proctor.suites.agency.modeling.prediction import REREADING, PredictingFamily
from proctor.suites.kit.answers import ROW
from proctor.suites.kit.instances import knob_values, make_instance
from proctor.suites.kit.sheet import show
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.worlds.answers import schema_of
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=120)


class InventoryFamily(PredictingFamily):
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
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(_TEMPLATES), stream.choice(GOALS)
        drawn = store(stream, knobs["goods"], knobs["moves"], knobs["plans"])
        goods = stream.sample(list(drawn.opening), knobs["goods"])
        shown = show(FORMS[template](drawn, stream))
        closing, planned = drawn.closing(), drawn.closing(planned=True)
        return make_instance(
            shown,
            template=template,
            goal=goal + NOTE.format(goods=", ".join(goods)) + REREADING,
            answer_format=ANSWER_FORMAT,
            hidden={
                "answer": [closing[good] for good in goods],
                "goods": goods,
                "opening": [drawn.opening[good] for good in goods],
                "with_plans": [planned[good] for good in goods],
            },
            knobs=knobs,
            budget=_BUDGET,
            strict_actions=shown.readings + 2,
        )

    def world(self, instance: Instance, place: Place) -> StoreWorld:
        return StoreWorld(instance, place)


family = InventoryFamily()
