"""The clerk makes the same calls, gets the same results and reads the same levels behind every door."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proctor.worlds.sandbox import available
from tests.e2e.doors.kit import DOORS, agent_behind, examine, vector, write_project

SMALL = """
name: doors
version: "1.0"
title: A little of everything, for agents behind doors
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: email-triage, n: 1, regimes: [baseline, moderate-standard]}
  - {family: account-transactions, n: 1}
  - {family: database-transaction, n: 1}
  - {family: code-lock, n: 1, program: [{phase: first}, {phase: later}]}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    if (reason := available()) is not None:
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path / "project"
    write_project(folder)
    (folder / "small.yaml").write_text(SMALL)
    return folder


def test_calls_and_results_are_the_same_behind_every_door(project: Path) -> None:
    inline, _ = examine(project, "small.yaml", "clerk", "inline")
    assert sum(len(calls) for calls in inline.calls.values()) > 20
    for door in DOORS:
        with agent_behind(door, project) as agent:
            behind, _ = examine(project, "small.yaml", agent, door)
        assert behind.outcomes == inline.outcomes, door
        assert behind.calls == inline.calls, door


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_agency_quick_reads_the_same_levels_behind_every_door(project: Path, door: str) -> None:
    inline, store = examine(project, "agency-quick", "clerk", "inline")
    with agent_behind(door, project) as agent:
        behind, other = examine(project, "agency-quick", agent, door)
    assert behind.outcomes == inline.outcomes
    assert behind.calls == inline.calls
    assert vector(project, other) == vector(project, store)
