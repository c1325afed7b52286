"""Building and living small runs, for every test of the engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import proctor
from proctor.agents.contract import Session
from proctor.engine.build import Bench
from proctor.engine.episode import run_episode
from proctor.engine.job import Job
from proctor.engine.run import freeze
from proctor.engine.stage_outputs import StageOutputs
from proctor.evidence.chain import replay
from proctor.evidence.events import Event, decode_event
from proctor.evidence.result import RunResult
from proctor.evidence.row import EpisodeRecord, Row
from proctor.spec.frozen import FrozenRun
from proctor.spec.suite import Suite
from proctor.spec.task import Submission, TaskView

FOLDER = Path(__file__).parent
FAMILY = "small_family.py"

Act = Callable[[TaskView, Any], Awaitable[Any]]


class Acting:
    """An agent made from a coroutine function; what it gives need not be a Submission."""

    def __init__(self, act: Act) -> None:
        self._act = act

    async def run(self, task: TaskView, session: Session) -> Submission:
        given: Submission = await self._act(task, session)
        return given


def declared(*entries: dict[str, Any], **suite: Any) -> Suite:
    """A suite over the small family; an entry says only what is unusual about it."""
    listed = [{"family": FAMILY, "n": 4, **entry} for entry in entries or ({},)]
    facts = {"name": "small", "version": "1.0", "title": "Small", "epoch": "2026-01-01T00:00:00Z"}
    return Suite.parse({**facts, "entries": listed, **suite}, source="test")


def frozen(
    *entries: dict[str, Any], agent: str = "oracle", freezing: dict[str, Any] | None = None, **suite: Any
) -> FrozenRun:
    return freeze(suite=declared(*entries, **suite), agent=agent, folder=FOLDER, **(freezing or {}))


def bench(*entries: dict[str, Any], stage_outputs: StageOutputs | None = None, **more: Any) -> Bench:
    return Bench(frozen(*entries, **more), FOLDER, stage_outputs)


class Lived(NamedTuple):
    """One episode that was lived."""

    row: Row
    events: list[Event]
    record: EpisodeRecord

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def only(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def job_of(built: Bench, index: int = 0, step: int = 0) -> Job:
    return built.job(built.plan.lifetime(index), step)


def lived(act: Act, job: Job | None = None, config_hash: str | None = None) -> Lived:
    """Live one episode of the small family and check what holds of every record."""
    built = bench() if job is None else None
    job = job or job_of(built or bench())
    record = asyncio.run(run_episode(job, Acting(act)))
    return read(record, config_hash or (built.config_hash if built else None))


def read(record: EpisodeRecord, config_hash: str | None = None) -> Lived:
    if config_hash is not None:
        assert replay(config_hash, record.row.position, record.trace) == record.row.head
    return Lived(record.row, [decode_event(line) for line in record.trace.split(b"\n")], record)


def with_setting(job: Job, **changes: Any) -> Job:
    job.setting = msgspec.structs.replace(job.setting, **changes)
    return job


def run_small(store: Path, *entries: dict[str, Any], running: dict[str, Any] | None = None, **suite: Any) -> RunResult:
    """A whole run of the oracle, in a store."""
    facts: dict[str, Any] = {"agent": "oracle", "seed": 7, **(running or {})}
    return proctor.run(declared(*entries, **suite), store=str(store), folder=FOLDER, **facts)
