"""What an executor is asked to do, and what it may be told meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from proctor.engine.plan import Lifetime
from proctor.engine.stage_outputs import StageOutputs
from proctor.evidence.row import EpisodeRecord, Segment

WAITING = 4
"""How many waiting agents live at once when nothing else is said."""


class Todo:
    """Lifetimes still to be lived, handed out in presentation order and cut off from the end when told.

    `borders` are lifetimes that begin a round: none of them is handed out while one from before it is being lived.
    """

    def __init__(self, ranges: list[tuple[int, int]], borders: Sequence[int] = ()) -> None:
        self._ranges = list(reversed(ranges))
        self._borders = sorted(borders, reverse=True)
        self._again: list[int] = []
        self._living = 0
        self.cut: int | None = None
        """No lifetime from here on is started. Only ever lowered, and everything below it is drained."""

    def take(self, count: int) -> tuple[int, int] | None:
        """Up to `count` consecutive lifetimes [first, stop), or None when nothing is left to start.

        At the end of a round None may come before that; asked again once everything was delivered, it gives the next.
        """
        while self._again:
            index = self._again.pop()
            if self.cut is None or index < self.cut:
                self._living += 1
                return index, index + 1
        while self._ranges:
            first, stop = self._ranges.pop()
            if self.cut is not None:
                stop = min(stop, self.cut)
            if first >= stop:
                continue
            if self._between_rounds(first):
                self._ranges.append((first, stop))
                return None
            middle = min(stop, first + count, *self._borders[-1:])
            if middle < stop:
                self._ranges.append((middle, stop))
            self._living += middle - first
            return first, middle
        return None

    def _between_rounds(self, first: int) -> bool:
        """Whether this lifetime has to wait until its round begins."""
        while self._borders and self._borders[-1] <= first:
            if self._living:
                return True
            self._borders.pop()
        return False

    @property
    def next(self) -> int | None:
        """The lifetime that is handed out next, if any is."""
        first = self._again[-1] if self._again else self._ranges[-1][0] if self._ranges else None
        return None if first is None or (self.cut is not None and first >= self.cut) else first

    def give_back(self, index: int) -> None:
        """A lifetime that was taken and not lived."""
        self._living -= 1
        self._again.append(index)

    def delivered(self, count: int) -> None:
        """So many lifetimes that were taken have been lived."""
        self._living -= count

    def lower_cut(self, index: int) -> None:
        """Start nothing from this lifetime on."""
        if self.cut is None or index < self.cut:
            self.cut = index


class Work(msgspec.Struct):
    """One stage's worth of work for an executor."""

    todo: Todo
    lifetime: Callable[[int], Lifetime]
    """The lifetime of this number, in presentation order."""
    deliver: Callable[[list[EpisodeRecord]], None]
    """Take the records of whole lifetimes, in any order."""
    on_segment: Callable[[Segment], None]
    idle: Callable[[], None]
    """Called now and then while nothing arrives."""
    dictionary: Callable[[], tuple[int, bytes] | None]
    """The compression dictionary, once there is one."""
    stopped: Callable[[], bool]
    """Whether to start nothing more, for a reason outside the evidence (time is up, the user asked)."""
    lost: Callable[[int, int], None]
    """Whoever lived lifetimes [first, stop) died: forget what they handed over before they were finished."""


class Executor(Protocol):
    """Lives every lifetime of the work, or as many as it is left to."""

    name: str
    workers: int
    concurrency: int
    """Agents that may wait at once in each worker."""

    def execute(self, frozen: bytes, folder: Path, stage_outputs: StageOutputs, work: Work) -> None:
        """Do the work. `frozen` is the frozen run as JSON: executors build their own objects from it."""
        ...


class ExecutorFactory(Protocol):
    """What the group `proctor.executors` registers: makes an executor from the numbers of the command line."""

    def __call__(self, *, workers: int | None, concurrency: int | None) -> Executor:
        """The executor; None: nothing was asked for. Raises `InputError`, one sentence, for what it cannot take."""
        ...
