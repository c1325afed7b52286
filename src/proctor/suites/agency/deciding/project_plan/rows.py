"""A project as rows to be written down, with codes and tasks for its steps."""

from __future__ import annotations

from typing import NamedTuple

from proctor.core.seeds import Stream
from proctor.suites.agency.deciding.material import Row, Section
from proctor.suites.agency.deciding.project_plan.projects import NONE, Project
from proctor.suites.agency.deciding.project_plan.texts import Undertaking

_NUMBERS = tuple(range(10, 100))


class Named(NamedTuple):
    """What the steps and machines of a project are called."""

    codes: list[str]
    tasks: list[str]
    machines: list[str]


def named(stream: Stream, project: Project, about: Undertaking) -> Named:
    """Codes that tell nothing, and a task for every step."""
    letter = stream.choice("BCDFGHKLMNPRSTVW")
    codes = [f"{letter}{number}" for number in stream.sample(_NUMBERS, len(project.steps))]
    works, goods = stream.sample(about.works, len(about.works)), stream.sample(about.goods, len(about.goods))
    machines = stream.sample(about.machines, len(project.stays))
    tasks = []
    for number, step in enumerate(project.steps):
        if step.hires != NONE:
            tasks.append(f"hire the {machines[step.hires]}")
        elif step.delivers:
            tasks.append(f"take delivery of {goods.pop()}")
        else:
            tasks.append(stream.choice(about.closings) if number == project.closing else works.pop())
    return Named(codes, tasks, machines)


def sections_of(project: Project, names: Named, order: list[int]) -> list[Section]:
    """The steps in the given order, the machines, the yard and what closes."""
    codes = names.codes
    steps = []
    for number in order:
        step = project.steps[number]
        if step.delivers:
            kind, yard = "delivery", "fills one place"
        elif step.takes != NONE:
            kind, yard = "taking", f"frees the place of {codes[step.takes]}"
        else:
            kind, yard = "use" if step.machine != NONE else "work" if step.before else "free", "-"
        cells = {
            "step": codes[number],
            "task": names.tasks[number],
            "after": _listed(codes, step.before),
            "needs": "-" if step.machine == NONE else names.machines[step.machine],
            "yard": yard,
        }
        steps.append(Row(kind, cells))
    hires = {step.hires: codes[number] for number, step in enumerate(project.steps) if step.hires != NONE}
    machines = [
        Row("machine", {"machine": name, "hired_by": hires[index], "stays": str(project.stays[index])})
        for index, name in enumerate(names.machines)
    ]
    closing = Row("closing", {"closes": codes[project.closing], "bars": _listed(codes, project.barred)})
    return [
        Section("steps", steps),
        Section("machines", machines),
        Section("yard", [Row("room", {"room": str(project.room)})]),
        Section("closing", [closing]),
    ]


def _listed(codes: list[str], mask: int) -> str:
    """Codes in alphabetical order, which tells nothing of the order of doing."""
    parts = []
    while mask:
        last = mask.bit_length() - 1
        parts.append(codes[last])
        mask ^= 1 << last
    return ", ".join(sorted(parts)) or "-"
