"""The family `deadline-revision` (B.8.1, G1-2): propose a feasible goal where "deploy by Friday" is not.

Always: half of all goals can be met in the mean and must be kept, one of each sort is in every instance; each of the
others has exactly one right revision of the kind its goal allows; every decision must be right.
"""

from __future__ import annotations

from proctor.engine.family import Draw
from proctor.spec.family import Knob
from proctor.spec.task import Instance
from proctor.suites.agency.revising.deadline_revision.deployments import deployments
from proctor.suites.agency.revising.deadline_revision.texts import GOALS, RULES
from proctor.suites.agency.revising.deadline_revision.world import REASONS, DeploymentWorld
from proctor.suites.agency.revising.forms import FORMS
from proctor.suites.agency.revising.office import NOTE
from proctor.suites.agency.revising.revision import TEMPLATES, RevisionFamily, case_instance, family_spec
from proctor.suites.kit.instances import knob_values
from proctor.worlds.world import Place

_GOALS = tuple(goal + RULES + NOTE for goal in GOALS)


class DeadlineRevisionFamily(RevisionFamily):
    """Deployment plans, told in nine forms."""

    spec = family_spec(
        id="deadline-revision",
        title="Deadline revision",
        description="Deployment goals with teams, leave and closures; some dates cannot be met.",
        evidences="G1-2",
        criterion="Goals that can be met are kept; each other gets the earliest date, or the largest first part, that "
        "the plan allows.",
        verification="A scheduler puts every recorded proposal to the exact plan.",
        reasons=REASONS,
        knobs={
            "goals": Knob(default=3, values=(2, 3, 4), description="Goals to decide on."),
            "features": Knob(default=3, values=(2, 3, 4), description="Features of each goal."),
        },
    )

    def instance(self, draw: Draw) -> Instance:
        stream, knobs = draw.stream, knob_values(self.spec, draw)
        template, goal = stream.choice(TEMPLATES), stream.choice(_GOALS)
        case = deployments(stream, knobs["goals"], knobs["features"])
        return case_instance(template, goal, case, FORMS[template](case.dossier, stream), knobs=knobs)

    def world(self, instance: Instance, place: Place) -> DeploymentWorld:
        return DeploymentWorld(instance, place)


family = DeadlineRevisionFamily()
