"""The family `project-plan` (B.4.5, D5): twenty steps, each of which can spoil those that follow.

Always: every step is necessary and can be done once; there is an order in which all can be done; taking whatever can be
done first does not find it, from whichever end of the list, nor with hires or deliveries put off. Used with the regime
`actions-25-5min`: 25 calls, five minutes, no faults.
"""

from __future__ import annotations

from proctor.agents.contract import Agent, Session
from proctor.core.seeds import Stream
from proctor.engine.family import Deliveries, Draw, SolvedBy
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec, Knob
from proctor.spec.task import Budget, Instance, Submission, TaskView
from proctor.suites.agency.deciding.forms import FORMS, written
from proctor.suites.agency.deciding.frames import frame
from proctor.suites.agency.deciding.project_plan.drawing import drawn_project, misled
from proctor.suites.agency.deciding.project_plan.projects import Project
from proctor.suites.agency.deciding.project_plan.rows import named, sections_of
from proctor.suites.agency.deciding.project_plan.texts import ANSWER_FORMAT, GOALS, RULES, UNDERTAKINGS, WORDING
from proctor.suites.agency.deciding.project_plan.world import REASONS, ProjectWorld
from proctor.suites.kit.ceiling import Policy
from proctor.suites.kit.families import JudgedByState
from proctor.suites.kit.retry import call_with_retry
from proctor.suites.kit.sheet import passages
from proctor.suites.kit.text_world import OBSERVATION_SCHEMA
from proctor.suites.kit.words import firm
from proctor.worlds.world import Place

_TEMPLATES = tuple(FORMS)
_BUDGET = Budget(actions=50)
_SPARE = 5
"""Calls beyond the steps: 25 for 20, as Appendix B has it."""


class ProjectPlanFamily(JudgedByState):
    """Projects with machines, deliveries and a point of no return."""

    spec = FamilySpec(
        id="project-plan",
        title="A project of twenty steps",
        description="Steps with what must come before them, hired machines, a small yard, and a step that bars others.",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        evidences=("D5",),
        criterion="All steps of the project are done; the world carries out only what its rules allow.",
        verification="The steps done, in the state of the world, are compared with the steps there are.",
        reasons=REASONS,
        templates=_TEMPLATES,
        knobs={"steps": Knob(default=20, values=(12, 16, 20), description="Steps of the project, all necessary.")},
        observation_schema=OBSERVATION_SCHEMA,
        answer_schema={"type": "string"},
    )

    def instance(self, draw: Draw) -> Instance:
        stream = draw.stream
        steps = draw.knobs.get("steps", 20)
        template = stream.choice(_TEMPLATES)
        goal = stream.choice(GOALS)
        undertaking = stream.choice(UNDERTAKINGS)
        about = frame(stream, undertaking.title.format(firm=firm(stream)))
        project, listed = _drawn(stream, steps)
        names = named(stream, project, undertaking)
        sheet = written(template, sections_of(project, names, listed), WORDING, about)
        return Instance(
            template=template,
            goal=goal.format(steps=steps) + RULES,
            answer_format=ANSWER_FORMAT,
            observation={"text": sheet.text, "passages": len(passages(sheet.lines))},
            hidden={
                "project": [[list(step) for step in project.steps], *project[1:]],
                "codes": names.codes,
                "machines": names.machines,
                "facts": sheet.facts,
            },
            knobs={"steps": steps},
            budget=_BUDGET,
            strict_actions=steps + _SPARE,
            call_milliseconds=11_000,
        )

    def world(self, instance: Instance, place: Place) -> ProjectWorld:
        return ProjectWorld(instance, place)

    def oracle(self, instance: Instance) -> Agent:
        return SolvedBy(_solve, instance)

    def attainable(self, instance: Instance, deliveries: Deliveries) -> bool:
        """The text has to be known for certain; then every step costs a call and its time."""
        steps = len(instance.hidden["codes"])
        limit = deliveries.regime.compute.milliseconds
        if limit is not None and steps * instance.call_milliseconds > limit:
            return False
        return Policy(instance, deliveries).settle_then_write(len(instance.hidden["facts"]), steps, keep=steps + _SPARE)


def _drawn(stream: Stream, steps: int) -> tuple[Project, list[int]]:
    """A project, and an order of listing that leads nobody to its end."""
    while True:
        project = drawn_project(stream, steps)
        listed = misled(stream, project)
        if listed is not None:
            return project, listed


async def _solve(instance: Instance, task: TaskView, session: Session) -> Submission:
    """Steps are numbered in an order that works."""
    for code in instance.hidden["codes"]:
        await call_with_retry(session, "do_step", step=code)
    return Submission("finished", confidence=1.0)


family = ProjectPlanFamily()
