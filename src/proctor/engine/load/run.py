"""A whole profile against one agent: scenario after scenario, written down after each, kept whatever stops it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from proctor.agents.lookup import label_of
from proctor.core.clock import format_timestamp
from proctor.engine.load.machine import machine_facts
from proctor.engine.load.scenario import ScenarioRun
from proctor.engine.load.workload import Workload
from proctor.evidence.load_record import FORMAT, LoadRecord, Request, ScenarioLoad
from proctor.spec.frozen import FrozenRun
from proctor.spec.performance import LoadProfile, PerformanceScenario

STOPPED_BY_USER = "stopped by the user"
UNDER_WAY = "broken off before its first scenario was over"
TIME_IS_UP = "the profile's most_seconds were over"


class LoadProgress(Protocol):
    """Told what happens, for those who watch."""

    def start(self, scenario: PerformanceScenario) -> None:
        """A scenario begins."""
        ...

    def advance(self, request: Request) -> None:
        """A measured request has ended."""
        ...

    def stop(self, load: ScenarioLoad) -> None:
        """The scenario is over, or was cut off."""
        ...


class LoadRun:
    """A load under way. `record` is what there is so far; it survives whatever ends `run`."""

    def __init__(
        self,
        frozen: FrozenRun,
        folder: Path,
        profile: LoadProfile,
        *,
        dedicated: bool,
        on_record: Callable[[LoadRecord], None],
        progress: LoadProgress | None = None,
    ) -> None:
        self._workload = Workload(frozen, folder)
        self._profile = profile
        self._on_record = on_record
        self._progress = progress
        kind = frozen.system.boundary.kind
        self.record = LoadRecord(
            format=FORMAT,
            suite=frozen.suite.full_name,
            agent=frozen.agent,
            label=label_of(frozen.agent),
            agent_source=frozen.agent_source,
            seed=frozen.seed,
            config_hash=frozen.config_hash,
            profile=profile.model_dump(mode="json"),
            profile_hash=profile.identity,
            dedicated=dedicated,
            machine=machine_facts(),
            began=format_timestamp(datetime.now(UTC)),
            code_version=version("proctor"),
            only=frozen.only,
            stream=frozen.suite.stream_name,
            system=frozen.system.name,
            boundary=None if kind is None else kind.value,
        )

    def run(self) -> LoadRecord:
        """Run the profile. Ctrl-C and the time limit cut it off, and what was measured is in the record."""
        stopped = None
        try:
            asyncio.run(self.scenarios())
        except TimeoutError:
            stopped = TIME_IS_UP
        except (KeyboardInterrupt, asyncio.CancelledError):
            stopped = STOPPED_BY_USER
        if stopped is not None:
            self._set(replace(self.record, stopped=stopped))
        return self.record

    async def scenarios(self) -> None:
        """Every scenario in the order of its declaration; raises `TimeoutError` when the time is up."""
        # Tasks are met from here on, and whatever ends this process must not hide it.
        self._on_record(replace(self.record, stopped=UNDER_WAY))
        with _cancelled_by_signal():
            async with asyncio.timeout(self._profile.most_seconds):
                for scenario in self._profile.scenarios:
                    await self._one(scenario)

    async def _one(self, scenario: PerformanceScenario) -> None:
        run = ScenarioRun(
            self._workload,
            scenario,
            self._profile.degradation(scenario.infrastructure_degradation),
            reference=self._profile.reference.measured,
            on_request=None if self._progress is None else self._progress.advance,
        )
        if self._progress is not None:
            self._progress.start(scenario)
        stopped: str | None = "cut off"
        try:
            await run.run()
            stopped = None
        finally:
            load = run.load(stopped)
            self._set(replace(self.record, scenarios=(*self.record.scenarios, load)))
            if self._progress is not None:
                self._progress.stop(load)

    def _set(self, record: LoadRecord) -> None:
        self.record = record
        self._on_record(record)


@contextmanager
def _cancelled_by_signal() -> Iterator[None]:
    """Whoever runs services ends them with SIGTERM; it loses no more than Ctrl-C does.

    No handler of the loop's own: that would take the place of whoever else is told about signals.
    """
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    if task is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: loop.call_soon_threadsafe(task.cancel))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
