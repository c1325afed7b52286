"""Load on the small desk: profiles, agents and runs on virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.unit.engine.load.virtual_time import on_virtual_time

from proctor.agents.contract import Session
from proctor.engine.load.run import LoadRun
from proctor.engine.run import freeze
from proctor.evidence.load_record import LoadRecord
from proctor.spec.frozen import FrozenRun
from proctor.spec.performance import LoadProfile
from proctor.spec.suite import Suite
from proctor.spec.task import Submission, TaskView

FOLDER = Path(__file__).parent
SINGLE = {"id": "single", "concurrentRequests": 1, "latencyBudgetMs": 500}


def profile(*scenarios: dict[str, Any], **more: Any) -> LoadProfile:
    """A profile with the scenario of one request in flight before the given ones."""
    return LoadProfile.parse({"name": "test", "scenarios": [SINGLE, *scenarios], **more}, source="test")


def frozen(agent: str = "oracle", **entry: Any) -> FrozenRun:
    suite = Suite.parse(
        {
            "name": "desks",
            "version": "1.0",
            "title": "Desks",
            "epoch": "2026-01-01",
            "entries": [{"family": "desk_family.py", "n": 60, **entry}],
        },
        source="test",
    )
    return freeze(suite=suite, agent=agent, folder=FOLDER, seed=7)


def loaded(
    declared: LoadProfile, make: Callable[[], Any] | None = None, *, records: list[LoadRecord] | None = None
) -> LoadRecord:
    """The record of a load on virtual time, by the oracle or by agents that `make` makes."""
    run = load_run(declared, make, records=records)
    on_virtual_time(run.scenarios())
    return run.record


def load_run(
    declared: LoadProfile, make: Callable[[], Any] | None = None, *, records: list[LoadRecord] | None = None
) -> LoadRun:
    kept: list[LoadRecord] = [] if records is None else records
    run = LoadRun(frozen(), FOLDER, declared, dedicated=False, on_record=kept.append)
    if make is not None:
        run._workload.open_agent = lambda number: make()  # type: ignore[method-assign]
    return run


class Careful:
    """Thinks for a while, retries, and escalates where a source stays silent."""

    def __init__(self, seconds: float = 0.1) -> None:
        self.seconds = seconds
        self.lived = 0

    async def run(self, task: TaskView, session: Session) -> Submission:
        self.lived += 1
        await asyncio.sleep(self.seconds)
        total = 0
        for source in ("left", "right"):
            for _ in range(6):
                result = await session.call("lookup", source_id=source)
                if result.ok:
                    total += result.value
                    break
            else:
                await session.call("escalate", reason="no source")
                return Submission("escalated")
        await session.call("act", action="no" if total % 2 else "yes")
        return Submission("done")


class Hasty(Careful):
    """Takes a source that does not answer for zero, and acts."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        await asyncio.sleep(self.seconds)
        total = 0
        for source in ("left", "right"):
            result = await session.call("lookup", source_id=source)
            total += result.value if result.ok else 0
        await session.call("act", action="no" if total % 2 else "yes")
        return Submission("done")
