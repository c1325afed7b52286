"""A project under way: steps are done or refused. Which are done in the end is judged."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.deciding.project_plan.projects import NONE, Progress, Project
from proctor.suites.kit.text_world import TextWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = ("correct", "not_started", "machine_gone", "step_barred", "yard_jammed", "unfinished")
_REFUSALS = {
    "done": "is done already",
    "before": "cannot be done yet: not all steps that come before it are done",
    "machine": "cannot be done: the machine it needs is not there",
    "yard": "cannot be done: the yard is full",
    "barred": "cannot be done any more: the closing step is done",
}


class ProjectWorld(TextWorld):
    """How far the project is."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        hidden = instance.hidden
        self._codes: list[str] = hidden["codes"]
        self._progress = Progress(msgspec.convert(hidden["project"], Project))

    @tool(effect="write", milliseconds=11_000)
    def do_step(self, step: Annotated[str, Meta(description="The step's code.")]) -> dict[str, Any]:
        """Do one step, if it can be done now; answers how many are done. Takes eleven seconds."""
        code = step.strip().upper()
        if code not in self._codes:
            message = f"there is no step '{step[:40]}'"
            raise ToolError(message)
        number = self._codes.index(code)
        hindrance = self._progress.hindrance(number)
        if hindrance is not None:
            message = f"{code} {_REFUSALS[hindrance]}"
            raise ToolError(message)
        self._progress.do(number)
        return {"done": code, "steps_done": len(self._progress.order), "of": len(self._codes)}

    @tool(effect="read", milliseconds=3_000)
    def status(self) -> dict[str, Any]:
        """Show the steps done so far, for how many steps each machine is still there, and the yard. Three seconds."""
        progress = self._progress
        machines: list[str] = self.instance.hidden["machines"]
        return {
            "done": [self._codes[number] for number in progress.order],
            "machines": {name: progress.left(index) for index, name in enumerate(machines)},
            "yard": f"{progress.stored} of {progress.project.room} places taken",
        }

    def verify(self, submission: Submission) -> Verification:
        progress = self._progress
        if progress.finished:
            return Verification(True, "correct")
        return Verification(False, self._failure(progress))

    def _failure(self, progress: Progress) -> str:
        """The first thing that makes it impossible to finish, or that it was simply not finished."""
        project = progress.project
        undone = [number for number in range(len(project.steps)) if not progress.done >> number & 1]
        if not progress.order:
            return "not_started"
        gone = [index for index, hired in enumerate(progress.hired) if hired != NONE and not progress.left(index)]
        if any(project.users[machine] & ~progress.done for machine in gone):
            return "machine_gone"
        if progress.done >> project.closing & 1 and any(project.barred >> number & 1 for number in undone):
            return "step_barred"
        hindrances = {progress.hindrance(number) for number in undone}
        return "yard_jammed" if "yard" in hindrances and None not in hindrances else "unfinished"

    def state(self) -> Any:
        return self._progress.order
