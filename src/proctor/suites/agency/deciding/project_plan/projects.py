"""Projects: steps, what each needs, and what doing it changes. `Progress` is the only place where that is settled.

Steps are numbered; sets of steps are bit masks. A machine is there for a number of steps after the one that hires it
and never again; a delivery takes up room in the yard until the step that takes it is done; one step, once done, bars
others for good.
"""

from __future__ import annotations

from typing import NamedTuple

NONE = -1


class Step(NamedTuple):
    """What one step needs."""

    before: int
    """The steps that have to be done, as a mask."""
    machine: int = NONE
    """The machine it needs."""
    hires: int = NONE
    """The machine it brings."""
    delivers: bool = False
    takes: int = NONE
    """The delivery whose room it frees; that step is among those before it."""


class Project(NamedTuple):
    """All steps, each to be done once."""

    steps: list[Step]
    stays: list[int]
    """For each machine, how many steps after its hire it is there."""
    users: list[int]
    """For each machine the steps that need it, as a mask."""
    room: int
    """Deliveries that fit into the yard."""
    closing: int
    """The step that bars others."""
    barred: int
    """Those others, as a mask."""


class Progress:
    """How far a project is."""

    __slots__ = ("done", "hired", "order", "project", "stored")

    def __init__(self, project: Project) -> None:
        self.project = project
        self.done = 0
        self.order: list[int] = []
        self.stored = 0
        self.hired = [NONE] * len(project.stays)
        """For each machine, after how many steps it was there; NONE before its hire."""

    def left(self, machine: int) -> int:
        """For how many further steps a machine is there."""
        hired = self.hired[machine]
        return 0 if hired == NONE else max(0, hired + self.project.stays[machine] - len(self.order))

    def hindrance(self, number: int) -> str | None:
        """Why a step cannot be done now; None if it can."""
        step = self.project.steps[number]
        if self.done >> number & 1:
            return "done"
        if step.before & ~self.done:
            return "before"
        if step.machine != NONE and not self.left(step.machine):
            return "machine"
        if step.delivers and self.stored >= self.project.room:
            return "yard"
        if self.project.barred >> number & 1 and self.done >> self.project.closing & 1:
            return "barred"
        return None

    def do(self, number: int) -> None:
        """Do a step that nothing hinders."""
        step = self.project.steps[number]
        self.done |= 1 << number
        self.order.append(number)
        if step.hires != NONE:
            self.hired[step.hires] = len(self.order)
        self.stored += step.delivers
        self.stored -= step.takes != NONE

    @property
    def finished(self) -> bool:
        """Whether every step is done."""
        return len(self.order) == len(self.project.steps)


def succeeds(project: Project, order: list[int]) -> bool:
    """Whether doing always the first step of a list that can be done finishes the project.

    The same rules as `Progress`, but it gives up as soon as a step can never be done any more.
    """
    steps, stays, closing, barred = project.steps, project.stays, 1 << project.closing, project.barred
    ends = [NONE] * len(stays)
    waiting = list(order)
    done = count = stored = 0
    while waiting:
        room = stored < project.room
        chosen = NONE
        for number in waiting:
            before, machine, _, delivers, _ = steps[number]
            if not before & ~done and (machine == NONE or count < ends[machine]) and (room or not delivers):
                chosen = number
                break
        if chosen == NONE:
            return False
        waiting.remove(chosen)
        step = steps[chosen]
        done |= 1 << chosen
        count += 1
        stored += step.delivers - (step.takes != NONE)
        if step.hires != NONE:
            ends[step.hires] = count + stays[step.hires]
        if done & closing and barred & ~done:
            return False
        for machine, end in enumerate(ends):
            if end == count and project.users[machine] & ~done:
                return False
    return True
