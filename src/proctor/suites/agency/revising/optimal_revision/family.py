"""The family `optimal-revision` (§10.10.2, G1-5): the best revision by declared criteria, under caps.

Always: what was wanted cannot be had; of the plans within the caps on days, euros and permissions exactly one is best
by the criteria of its goal, and it is neither the quickest nor the cheapest of all; a strict cap on calls leaves one
reading of each passage that matters.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.family import Knob
from proctor.spec.task import Instance
from proctor.suites.agency.revising.forms import FORMS
from proctor.suites.agency.revising.office import NOTE
from proctor.suites.agency.revising.optimal_revision.plans import plans
from proctor.suites.agency.revising.optimal_revision.texts import GOALS, RULES
from proctor.suites.agency.revising.optimal_revision.world import REASONS, PlanWorld
from proctor.suites.agency.revising.revision import TEMPLATES, RevisionFamily, case_instance, family_spec
from proctor.suites.kit.instances import knob_values
from proctor.worlds.world import Place

_GOALS = tuple(goal + RULES + NOTE for goal in GOALS)


class OptimalRevisionFamily(RevisionFamily):
    """Building plans, told in nine forms."""

    spec = family_spec(
        id="optimal-revision",
        title="Optimal revision",
        description="Goals that are out of reach; the best admissible combination of variants takes their place.",
        evidences="G1-5",
        criterion="For each goal the one plan is adopted that is best by its criteria within its caps and permissions.",
        verification="Every recorded plan is added up and compared with the best of all plans.",
        reasons=REASONS,
        knobs={
            "goals": Knob(default=2, values=(1, 2, 3), description="Goals to revise."),
            "variants": Knob(default=3, values=(2, 3), description="Variants of each package."),
        },
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(TEMPLATES), stream.choice(_GOALS)
        case = plans(stream, knobs["goals"], knobs["variants"])
        return case_instance(template, goal, case, FORMS[template](case.dossier, stream), knobs=knobs, readings=1)

    def world(self, instance: Instance, place: Place) -> PlanWorld:
        return PlanWorld(instance, place)


family = OptimalRevisionFamily()
