"""Drawing a project that can be done, but not by doing whatever can be done first.

Always: the steps are numbered in an order in which they can be done; hires and deliveries need nothing, so they can be
had too early; a machine stays no longer than its steps take; what the closing step bars comes before it.
"""

from __future__ import annotations

from typing import NamedTuple

from proctor.core.seeds import Stream
from proctor.suites.agency.deciding.project_plan.projects import NONE, Project, Step, succeeds

_ROOM = 2


class Role(NamedTuple):
    """What a step is, before it is known what has to come before it."""

    kind: str
    """work, hire, use, between, delivery, taking or closing."""
    of: int = NONE
    """Which machine or delivery."""


def roles(stream: Stream, count: int) -> list[Role]:
    """So many roles in an order that works."""
    goods = 4 if count >= 20 else 2
    blocks = [_block(0, "use", "use", "between", "use"), _block(1, "use", "use", "use")][: 1 if count < 16 else 2]
    stream.shuffle(blocks)
    flow = [Role("delivery", 0)]
    for number in range(1, goods):
        flow += [Role("delivery", number), Role("taking", number - 1)]
    flow.append(Role("taking", goods - 1))
    for _ in range(count - len(flow) - sum(map(len, blocks)) - 2):
        flow.insert(stream.below(len(flow) + 1), Role("work"))
    # Machines come when some of the flow is done; the closing step and a last one end it all.
    cuts = sorted(stream.sample(range(3, len(flow) + 1), len(blocks)))
    for cut, block in zip(reversed(cuts), blocks, strict=True):
        flow[cut:cut] = block
    return [*flow, Role("closing"), Role("work")]


def _block(machine: int, *kinds: str) -> list[Role]:
    return [Role("hire", machine), *[Role(kind, machine) for kind in kinds]]


def drawn_project(stream: Stream, count: int) -> Project:
    """A project whose steps are numbered in an order that works."""
    drawn = roles(stream, count)
    stays: dict[int, int] = dict.fromkeys(sorted({role.of for role in drawn if role.kind == "hire"}), 0)
    delivered: dict[int, int] = {}
    steps: list[Step] = []
    start = 0
    for number, role in enumerate(drawn):
        match role.kind:
            case "hire":
                start = number
                steps.append(Step(0, hires=role.of))
            case "delivery":
                delivered[role.of] = number
                steps.append(Step(0, delivers=True))
            case "taking":
                source = delivered[role.of]
                steps.append(Step(1 << source | _some(stream, drawn, number, 1), takes=source))
            case "use" | "between":
                stays[role.of] = number - start
                # Something from before the hire, and the step before it: so the block holds together.
                needs = _some(stream, drawn, start, 1) | (1 << (number - 1) if number - 1 > start else 0)
                steps.append(Step(needs, machine=role.of if role.kind == "use" else NONE))
            case "closing":
                steps.append(Step(_some(stream, drawn, number // 2, 1)))
            case _:
                steps.append(Step(_some(stream, drawn, number, 2)))
    closing = count - 2
    steps[-1] = Step(1 << closing | steps[-1].before)
    candidates = [number for number in range(closing // 2, closing) if drawn[number].kind in ("use", "taking", "work")]
    barred = sum(1 << number for number in stream.sample(candidates, 3))
    users = [sum(1 << number for number, step in enumerate(steps) if step.machine == machine) for machine in stays]
    return Project(steps, list(stays.values()), users, _ROOM, closing, barred)


def _some(stream: Stream, drawn: list[Role], before: int, count: int) -> int:
    """A mask of so many earlier steps that do something, rather late ones; fewer where there are not so many."""
    able = [number for number in range(before) if drawn[number].kind not in ("hire", "delivery")]
    mask = 0
    for _ in range(count if able else 0):
        late = able[-1 - min(stream.below(len(able)), stream.below(len(able)))]
        mask |= 1 << late
    return mask


def misled(stream: Stream, project: Project) -> list[int] | None:
    """An order of listing in which nobody succeeds who takes the first step that can be done; None if none was found.

    Not from the top, not from the bottom, not with hires and closing put off, and not with deliveries put off too.
    """
    numbers = list(range(len(project.steps)))
    for _ in range(6):
        stream.shuffle(numbers)
        late = [number for number in numbers if _late(project, number)]
        early = [number for number in numbers if not _late(project, number)]
        goods = [number for number in early if project.steps[number].delivers]
        rest = [number for number in early if not project.steps[number].delivers]
        tries = (numbers, numbers[::-1], [*early, *late], [*rest, *goods, *late], [*goods, *rest, *late])
        if not any(succeeds(project, order) for order in tries):
            return numbers
    return None


def _late(project: Project, number: int) -> bool:
    return project.steps[number].hires != NONE or number == project.closing
