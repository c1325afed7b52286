"""`proctor load` about an agent that crashes: said, with what it raised and where, and not timed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

DESK_FAMILY = Path(__file__).parent.parent / "engine" / "load" / "desk_family.py"
CRASH = """class Crash:
    async def run(self, task, session):
        {condition}raise RuntimeError("boom")
        return "fine"
"""
ALONE = "name: one\nscenarios:\n  - {id: alone, concurrentRequests: 1, latencyBudgetMs: 60000}\n"


@pytest.fixture
def crashing(tmp_path: Path) -> str:
    (tmp_path / "crash.py").write_text(CRASH.format(condition=""))
    (tmp_path / "some.py").write_text(CRASH.format(condition="if task.id < '8': "))
    (tmp_path / "desk_family.py").write_text(DESK_FAMILY.read_text())
    (tmp_path / "one.yaml").write_text(ALONE)
    return "desk_family.py"


def test_an_agent_that_crashes_every_time(cli: Cli, crashing: str) -> None:
    done = cli("load", crashing, "--agent", "python:crash.py:Crash,unconfined=yes", "--profile", "one.yaml")
    assert done.code == 1
    (row,) = [line for line in done.out.splitlines() if line.startswith("alone ")]
    assert row.split() == ["alone", "1", "200", "–", "–", "–", "60,000", "–", "0.0", "–", "cannot", "be", "said"]
    assert "alone: the agent gave no answer in any of 200 requests (agent_crashed)" in done.out
    assert "0 of 200 tasks wrong and 200 without a decision with one request in flight (alone)" in done.out
    said = [line for line in done.err.splitlines() if "boom" in line]
    assert said == ["proctor: alone, request 0: AgentFailure: RuntimeError: boom at crash.py:3 in run"]


def test_an_agent_that_crashes_now_and_then(cli: Cli, crashing: str) -> None:
    done = cli("load", crashing, "--agent", "python:some.py:Crash,unconfined=yes", "--profile", "one.yaml")
    (said,) = [line for line in done.out.splitlines() if "were not answered" in line]
    assert said.startswith("alone: ") and " of 200 requests were not answered (agent_crashed " in said
    assert "; they are not timed, and count for LUL as the budget or more" in said
    (row,) = [line.split() for line in done.out.splitlines() if line.startswith("alone ")]
    assert row[4:6] == ["–", "–"], "p95 and p99 are those of requests that were not answered"
