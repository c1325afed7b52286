"""An examination of an agent from a user's project folder: the engine and everything, but no store."""

from __future__ import annotations

import asyncio
import os
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.engine.run import freeze
from proctor.evidence.events import AgentFailed, Event, decode_event
from proctor.evidence.row import EpisodeRecord, Row
from proctor.spec.suite import Suite
from proctor.spec.system import System
from proctor.worlds.sandbox import available

FAMILIES = Path(__file__).with_name("families.py")


class Lived:
    """One episode: its row and events."""

    def __init__(self, record: EpisodeRecord) -> None:
        self.row: Row = record.row
        self.events: list[Event] = [decode_event(line) for line in record.trace.split(b"\n")]

    def of(self, kind: type[Any]) -> list[Any]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def failure(self) -> str:
        """What was recorded about the agent's failure; empty if there was none."""
        return "".join(event.message for event in self.of(AgentFailed))


class Project:
    """A user's project folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str, *, executable: bool = False) -> Path:
        """A file in it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        path.chmod(0o700 if executable else 0o600)
        return path

    def bench(self, agent: str, *, system: System | None = None, check: bool = True, **entry: Any) -> Bench:
        """A built run of a suite with one entry."""
        family = f"{FAMILIES}:{entry.pop('family', 'sums')}"
        family = entry.pop("plain_family", family)
        seconds = entry.pop("seconds", None)
        suite = Suite.parse(
            {
                "name": "tiny",
                "version": "1.0",
                "title": "Tiny",
                "epoch": "2026-01-01T00:00:00Z",
                "rules": {"limits": {} if seconds is None else {"episode_seconds": seconds}},
                "entries": [{"family": family, "n": 1, **entry}],
            },
            source="test",
        )
        frozen = freeze(suite=suite, agent=agent if check else "null", folder=self.folder, seed=7, system=system)
        return Bench(frozen if check else frozen.model_copy(update={"agent": agent}), self.folder)

    def examine(self, agent: str, **options: Any) -> list[Lived]:
        """Live every lifetime, one after another; episodes in order."""
        bench = self.bench(agent, **options)

        async def all_of_them() -> list[Lived]:
            lived: list[Lived] = []
            try:
                for index in range(bench.plan.lifetimes):
                    lived += [Lived(record) for record in await live(bench, bench.plan.lifetime(index))]
            finally:
                await bench.release()
            return lived

        return asyncio.run(all_of_them())


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder)


@pytest.fixture
def bubblewrap() -> None:
    """Skips where there is no sandbox; on CI that is a failure, or nobody would notice."""
    reason = available()
    if reason is None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[str]]]:
    """What must be gone after the test: children, private folders, open descriptors."""
    rooms = tmp_path / "rooms"
    rooms.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(rooms))
    before = _left_behind(rooms)
    yield lambda: sorted(_left_behind(rooms) - before)
    deadline = time.monotonic() + 300
    while (left := _left_behind(rooms) - before) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == set()


def _left_behind(rooms: Path) -> set[str]:
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    descriptors = [f"fd {name}" for name in os.listdir("/proc/self/fd")]
    return {*children, *os.listdir(rooms), *descriptors}
