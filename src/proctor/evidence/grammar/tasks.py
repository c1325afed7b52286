"""Tasks made again: whoever has the family and the seed can say what an episode must have shown.

The engine makes them (`engine.tasks_again`); here they are only compared. Families that are not here, or that come
from somebody's file, are left out, and the report says how many tasks were made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from msgspec import Struct

from proctor.evidence.events import EpisodeOpened, TaskShown
from proctor.evidence.row import Row
from proctor.spec.frozen import FrozenRun


class Task(Struct, frozen=True):
    """What declarations, seed and family give for one episode."""

    template: str
    instance: str
    task: TaskShown
    commitment: str


class Tasks(Protocol):
    """Makes the tasks of a run again."""

    @property
    def altered(self) -> dict[str, str]:
        """Families that are here under the same name and version, and declared otherwise: `id@version` → what is."""
        ...

    def at(self, position: int) -> Task | None:
        """The task at this position; None where its family is not here."""
        ...


MakeTasks = Callable[[FrozenRun], Tasks]


def task_problems(row: Row, opened: EpisodeOpened | None, made: Task) -> Iterator[str]:
    """Where an episode's record is not about the task that its place asks for."""
    if opened is None:
        if row.reason == "instance":
            yield "its task is said to have been impossible to make, and can be made here"
        return
    for name, says, follows in (
        ("template", opened.template, made.template),
        ("instance", opened.instance, made.instance),
        ("goal", opened.task.goal, made.task.goal),
        ("answer format", opened.task.answer_format, made.task.answer_format),
        ("budget", opened.task.budget, made.task.budget),
        ("nonce", (opened.task.id, opened.task.nonce), (made.task.id, made.task.nonce)),
        ("canary", opened.task.canary, made.task.canary),
        ("commitment", opened.commitment, made.commitment),
    ):
        if says != follows:
            yield f"the {name} on record is not what family and seed give"
