"""Progress: a live bar on a terminal, a plain line every few seconds when piped, nothing with `--quiet`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import Any

from proctor.evidence.row import FAILURE, INFRASTRUCTURE, LIMIT, SUCCESS, EpisodeRecord

_LINE_SECONDS = 5.0
_REFRESH_SECONDS = 0.1
_SETTLED_EPISODES = 5
_SETTLED_SECONDS = 2.0
_LEAST_RATE = 0.01


class Counts:
    """What has happened so far."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.outcomes = {SUCCESS: 0, FAILURE: 0, LIMIT: 0, INFRASTRUCTURE: 0}
        self.tokens = 0
        self._began = monotonic()
        self._at_start = 0
        self._first: tuple[float, int] | None = None

    def start(self, total: int, done: int) -> None:
        self.total, self.done, self._at_start = total, done, done
        self._began = monotonic()
        self._first = None

    def add(self, records: list[EpisodeRecord]) -> None:
        self.done += len(records)
        if self._first is None and records:
            self._first = (monotonic(), self.done)
        for record in records:
            row = record.row
            self.outcomes[row.outcome] = self.outcomes.get(row.outcome, 0) + 1
            self.tokens += row.tokens or 0

    @property
    def pace(self) -> float | None:
        """Episodes per second since the first ones ended; None until that is more than chance.

        What comes before them (workers, agents that load a model) happens once, and would make the rest look long.
        """
        if self._first is None:
            return None
        began, done = self._first
        episodes, seconds = self.done - done, monotonic() - began
        settled = episodes >= _SETTLED_EPISODES and seconds >= _SETTLED_SECONDS
        return episodes / seconds if settled else None

    @property
    def rate(self) -> float:
        """Episodes per second: the pace, or the average since the start where there is no pace yet."""
        average = (self.done - self._at_start) / max(monotonic() - self._began, 1e-6)
        return self.pace or average

    def line(self) -> str:
        """Everything in one line."""
        pace = self.pace
        parts = [
            f"{self.done}/{self.total} episodes",
            _rate_words(self.rate),
            f"{self.outcomes[SUCCESS]} ok",
            f"{self.outcomes[FAILURE] + self.outcomes[LIMIT]} failed",
        ]
        if self.outcomes[INFRASTRUCTURE]:
            parts.append(f"{self.outcomes[INFRASTRUCTURE]} infrastructure")
        if self.tokens:
            parts.append(f"{self.tokens:,} tokens")
        if pace is not None:
            parts.append(f"{(self.total - self.done) / pace:.0f} s left")
        return " · ".join(parts)


def _rate_words(rate: float) -> str:
    if 0 < rate < _LEAST_RATE:
        return f"under {_LEAST_RATE}/s"
    return f"{rate:,.0f}/s" if rate >= 1 else f"{rate:.2f}/s"


class PlainProgress:
    """A line now and then: for logs and pipes."""

    def __init__(self) -> None:
        self._counts = Counts()
        self._last = monotonic()

    def start(self, total: int, done: int) -> None:
        self._counts.start(total, done)

    def advance(self, records: list[EpisodeRecord]) -> None:
        self._counts.add(records)
        if monotonic() - self._last >= _LINE_SECONDS:
            self._last = monotonic()
            print(self._counts.line(), file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Nothing to clear."""


class NowAndThen:
    """What is being looked at, a line every few seconds: what takes no longer says nothing."""

    def __init__(self) -> None:
        self._last = monotonic()

    def __call__(self, text: str) -> None:
        if monotonic() - self._last >= _LINE_SECONDS:
            self._last = monotonic()
            print(text, file=sys.stderr, flush=True)


@contextmanager
def taking_long(text: str) -> Iterator[None]:
    """Say so once, if the block takes longer than a few seconds; an empty text is never said."""
    timer = Timer(_LINE_SECONDS, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    if not text:
        yield
        return
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


class LiveProgress:
    """A bar that is redrawn in place: for terminals."""

    def __init__(self) -> None:
        self._counts = Counts()
        self._last = 0.0
        self._bar: Any = None
        self._task: Any = None

    def start(self, total: int, done: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._counts.start(total, done)
        self._bar = Progress(
            TextColumn("examining"),
            BarColumn(),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=total, completed=done)

    def advance(self, records: list[EpisodeRecord]) -> None:
        self._counts.add(records)
        if monotonic() - self._last >= _REFRESH_SECONDS:
            self._last = monotonic()
            self._bar.update(self._task, completed=self._counts.done, description=self._counts.line())
            self._bar.refresh()

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


class NoProgress:
    """Silence."""

    def start(self, total: int, done: int) -> None:
        """Nothing."""

    def advance(self, records: list[EpisodeRecord]) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


def progress(*, quiet: bool) -> LiveProgress | PlainProgress | NoProgress:
    """The right kind for where stderr goes."""
    if quiet:
        return NoProgress()
    return LiveProgress() if sys.stderr.isatty() else PlainProgress()
