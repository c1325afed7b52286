"""The family `feasibility-check` (§10.10.2, G1-1): detect what cannot be done, and halt or ask.

Always: half of all requests are feasible in the mean, one of each sort is in every instance, nearly all are tight;
an infeasible one fails exactly one of five conditions; every verdict must be right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.family import Knob
from proctor.spec.task import Instance
from proctor.suites.agency.revising.feasibility_check.requests import requests
from proctor.suites.agency.revising.feasibility_check.texts import GOALS, RULES
from proctor.suites.agency.revising.feasibility_check.world import REASONS, RequestWorld
from proctor.suites.agency.revising.forms import FORMS
from proctor.suites.agency.revising.office import NOTE
from proctor.suites.agency.revising.revision import TEMPLATES, RevisionFamily, case_instance, family_spec
from proctor.suites.kit.instances import knob_values
from proctor.worlds.world import Place

_GOALS = tuple(goal + RULES + NOTE for goal in GOALS)


class FeasibilityCheckFamily(RevisionFamily):
    """Requests for works, told in nine forms."""

    spec = family_spec(
        id="feasibility-check",
        title="Feasibility check",
        description="Requests for works and the means there are; some requests cannot be met as they stand.",
        evidences="G1-1",
        criterion="Every feasible request goes ahead; every other is halted or asked back about, with what blocks it.",
        verification="The recorded decisions are compared with the verdicts that follow from the facts.",
        reasons=REASONS,
        knobs={"requests": Knob(default=5, values=(4, 5, 6), description="Requests to decide on.")},
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(TEMPLATES), stream.choice(_GOALS)
        case = requests(stream, knobs["requests"])
        return case_instance(template, goal, case, FORMS[template](case.dossier, stream), knobs=knobs)

    def world(self, instance: Instance, place: Place) -> RequestWorld:
        return RequestWorld(instance, place)


family = FeasibilityCheckFamily()
