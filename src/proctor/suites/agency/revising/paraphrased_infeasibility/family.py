"""The family `paraphrased-infeasibility` (B.8.2, G1-4): the same revision however the case is told.

Always: both halves of a pair have the same workshops, orders and right decisions; they differ in form, wording of the
goal, syntax, order and units; half of all orders can be reached in the mean; every decision must be right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.family import Knob
from proctor.spec.task import Instance
from proctor.suites.agency.revising.forms import FORMS
from proctor.suites.agency.revising.office import NOTE
from proctor.suites.agency.revising.paraphrased_infeasibility.orders import case, workshops
from proctor.suites.agency.revising.paraphrased_infeasibility.texts import GOALS, RULES
from proctor.suites.agency.revising.paraphrased_infeasibility.world import REASONS, WorkshopWorld
from proctor.suites.agency.revising.revision import TEMPLATES, RevisionFamily, case_instance, family_spec
from proctor.suites.kit.instances import knob_values
from proctor.worlds.world import Place

_GOALS = tuple(goal + RULES + NOTE for goal in GOALS)
_HALVES = 2


class ParaphrasedInfeasibilityFamily(RevisionFamily):
    """Pairs of tellings; the stream of a draw is the same for both halves."""

    spec = family_spec(
        id="paraphrased-infeasibility",
        title="Paraphrased infeasibility",
        description="Workshop orders that outrun time, material or money, each told in two ways.",
        evidences="G1-4",
        criterion="Orders within reach are kept; each other is lowered to the most that can be made, with what limits "
        "it; in both halves of a pair.",
        verification="The recorded decisions are compared with what the scarcest mean suffices for.",
        reasons=REASONS,
        knobs={"workshops": Knob(default=3, values=(2, 3, 4), description="Workshops to decide on.")},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, half = draw.stream, draw.part % _HALVES
        knobs = knob_values(self.spec, draw)
        template = stream.sample(TEMPLATES, _HALVES)[half]
        goal = stream.sample(_GOALS, _HALVES)[half]
        drawn = workshops(stream, knobs["workshops"])
        problem = case(drawn, half, stream)
        sheet = FORMS[template](problem.dossier, stream.child("half", half))
        return case_instance(template, goal, problem, sheet, knobs=knobs)

    def world(self, instance: Instance, place: Place) -> WorkshopWorld:
        return WorkshopWorld(instance, place)


family = ParaphrasedInfeasibilityFamily()
