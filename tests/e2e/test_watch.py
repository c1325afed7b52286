"""`proctor watch` as a service: it goes on by itself, says what set it off, and ends when it is told to.

Waiting is bounded, and nothing is asserted about how long anything takes.
"""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.command import PROCTOR, proctor, proctor_json
from tests.unit.pipeline.small_quality import SUITE, scenario, write_agent, write_project

PATIENCE = 300.0
"""Seconds after which something that should happen has not."""
CLERK = "python:agent.py:make"
SLOW = """

import asyncio

_quick = Clerk.run


async def _run(self, task, session):
    await asyncio.sleep(1.0)
    return await _quick(self, task, session)


Clerk.run = _run
"""


class Service:
    """A watch at work in a project."""

    def __init__(self, project: Path, *arguments: str) -> None:
        self.project = project
        self.log = project / "watch.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*PROCTOR, "watch", SUITE, "--pause", "1", *arguments], cwd=project, stdout=log, stderr=log
            )

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait for something; if the watch ends before, or patience does, say what was seen."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            if self.process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"{what} did not happen (exit {self.process.poll()}):\n{self.log.read_text()}")
            time.sleep(0.05)

    def decided(self, count: int) -> list[dict[str, Any]]:
        """The decisions, once there are so many and the look that made the last of them is over."""
        self.until(lambda: len(decisions(self.project)) >= count, f"decision {count}")
        self.until(lambda: self.log.read_text().count("ledger entry") >= count, f"the end of look {count}")
        return decisions(self.project)

    def told(self, number: int) -> int:
        """The exit code after a signal."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path, scenarios=4)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "system.txt").write_text("be careful")
    return tmp_path


@pytest.fixture
def serve(project: Path) -> Iterator[Callable[..., Service]]:
    """Start a watch; it is gone after the test whatever happened."""
    started: list[Service] = []

    def start(*arguments: str) -> Service:
        started.append(Service(project, *arguments))
        return started[-1]

    yield start
    for service in started:
        if service.process.poll() is None:
            service.process.kill()
            service.process.wait()


def decisions(project: Path) -> list[dict[str, Any]]:
    path = project / ".proctor" / "ledger.jsonl"
    lines = path.read_text().splitlines(keepends=True) if path.is_file() else []
    entries = [json.loads(line) for line in lines if line.endswith("\n")]
    return [entry["body"] for entry in entries if entry["kind"] == "decision"]


def children(process: int) -> list[int]:
    """The processes a process has started."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in found]


def is_alive(process: int) -> bool:
    """Whether a process is at work; one that has ended and was not yet looked after is not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_it_goes_on_until_it_is_told_to_stop(project: Path, serve: Callable[..., Service]) -> None:
    watch = serve("--agent", "oracle", "--path", "prompts")
    (first,) = watch.decided(1)
    assert first["triggers"] == ["onAgentUpdate"]
    watch.until(lambda: "nothing to do" in watch.log.read_text(), "a look without a reason")

    (project / "prompts" / "system.txt").write_text("be quick")
    assert [body["triggers"] for body in watch.decided(2)][1:] == [["onAgentUpdate"]]

    incident = {"incident": "INC-7", "at": "2026-03-02", "happened": {"name": "delete"}, "harm": "S1"}
    known = {name: scenario(3)[name] for name in ("coordinate", "context", "sources", "actions", "expected")}
    (project / "incident.yaml").write_text(yaml.safe_dump({**incident, **known}))
    proctor("incident", "add", "incident.yaml", cwd=project)
    assert [body["triggers"] for body in watch.decided(3)][2:] == [["onIncident"]]

    assert watch.told(signal.SIGTERM) == 0
    assert "entries verified" in proctor("govern", "verify", cwd=project).stdout
    runs = proctor_json("runs", cwd=project)
    assert [run["status"] for run in runs] == ["complete"] * 3
    assert {body["run"] for body in decisions(project)} == {run["name"] for run in runs}


@pytest.mark.parametrize(
    ("told", "code"),
    [
        pytest.param(signal.SIGTERM, 0, id="SIGTERM"),
        pytest.param(signal.SIGINT, 130, id="SIGINT", marks=pytest.mark.slow),
    ],
)
def test_told_to_stop_while_an_agent_is_at_work_nothing_is_lost_or_left_behind(
    project: Path, serve: Callable[..., Service], told: int, code: int
) -> None:
    agent = project / "agent.py"
    agent.write_text(agent.read_text() + SLOW)
    watch = serve("--agent", CLERK)
    begun = project / ".proctor" / "pipeline"
    watch.until(lambda: any(begun.glob("*/note-run.json")), "the beginning of the run")
    watch.until(lambda: len(proctor_json("runs", cwd=project)) == 1, "the run in the store")
    (look,) = children(watch.process.pid)
    assert watch.told(told) == code
    assert not is_alive(look)
    assert decisions(project) == []
    assert "Traceback" not in watch.log.read_text()
    (run,) = proctor_json("runs", cwd=project)

    # Started again, it continues the look it was in: the same run, and one decision.
    watch = serve("--agent", CLERK)
    (decision,) = watch.decided(1)
    assert (decision["run"], decision["triggers"]) == (run["name"], ["onAgentUpdate"])
    assert watch.told(signal.SIGTERM) == 0
    assert len(proctor_json("runs", cwd=project)) == 1
    assert "entries verified" in proctor("govern", "verify", cwd=project).stdout


@pytest.mark.slow
def test_a_look_that_fails_later_does_not_end_the_watch(project: Path, serve: Callable[..., Service]) -> None:
    watch = serve("--agent", CLERK)
    watch.decided(1)
    sound = (project / "agent.py").read_text()
    (project / "agent.py").unlink()
    watch.until(lambda: "agent.py" in watch.log.read_text(), "a complaint about the missing file")
    write_agent(project, 1)
    assert (project / "agent.py").read_text() != sound
    assert watch.decided(2)[1]["triggers"] == ["onAgentUpdate"]
    assert watch.told(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--agent", "nobody"), "nobody"),
        (("--agent", "oracle", "--pause", "0"), "at least one second"),
        (("--agent", "oracle", "--every", "soon"), "not an interval"),
        (("--agent", "oracle", "--at", "2026-03-02"), "use it with --once"),
    ],
)
def test_what_cannot_begin_is_said_at_once(project: Path, arguments: tuple[str, ...], sentence: str) -> None:
    done = proctor("watch", SUITE, *arguments, cwd=project, code=2)
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_once_a_day_unless_told_otherwise(project: Path) -> None:
    def look(at: str, *more: str) -> list[str]:
        done = proctor(
            "watch", SUITE, "--agent", "oracle", "--once", "--at", at, "--json", *more, cwd=project, code=None
        )
        assert done.returncode in (0, 101), done.stderr
        found = json.loads(done.stdout)
        triggers: list[str] = found["report"]["triggers"] if "report" in found else found["triggers"]
        return triggers

    assert look("2026-03-02T09:00:00Z") == ["onAgentUpdate"]
    assert look("2026-03-03T08:59:59Z") == []
    assert look("2026-03-03T09:00:00Z") == ["scheduled"]
    assert look("2026-03-03T09:30:00Z") == []
    assert look("2026-03-03T09:30:00Z", "--every", "30m") == ["scheduled"]
    times = [entry["at"] for entry in map(json.loads, (project / ".proctor" / "ledger.jsonl").read_text().splitlines())]
    assert len(times) == len(decisions(project)) + 1, "the rules, and a decision each"
    assert len(list((project / ".proctor" / "pipeline").iterdir())) == 3
