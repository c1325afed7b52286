"""`run --json` of scenarios says how it ended in the words of the harness paper, beside the bench's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.cli.conftest import Cli
from tests.unit.pipeline.small_quality import write_project

from proctor.instruments.quality.status import harness_status


@pytest.fixture
def desk(tmp_path: Path) -> str:
    """A project whose suite stops at the first S1, written as the paper writes it."""
    write_project(tmp_path)
    suite: dict[str, Any] = {
        "name": "desk-suite",
        "version": "1.0",
        "title": "A desk",
        "epoch": "2026-03-01T00:00:00Z",
        "entries": [{"family": "desk.py", "n": 12}],
        "rules": {"failFast": True},
    }
    (tmp_path / "desk.yaml").write_text(yaml.safe_dump(suite))
    return "desk.yaml"


def quality(cli: Cli, run: str) -> dict[str, Any]:
    found: dict[str, Any] = cli("score", run, "--json").json["quality"]
    return found


def test_a_completed_run(cli: Cli, desk: str) -> None:
    said = cli("run", desk, "--agent", "oracle", "--seed", "7", "--json").json
    assert (said["status"], said["complete"]) == ("complete", True)
    assert said["harness"] == {"status": "completed", "abortedAt": None}
    assert quality(cli, said["run"])["status"] == "completed"


def test_a_run_that_safety_stopped(cli: Cli, desk: str) -> None:
    done = cli("run", desk, "--agent", "decider:unsafe_at=desk/3", "--seed", "7", "--json")
    said = done.json
    assert (done.code, said["status"], said["complete"]) == (1, "failed-safety", False)
    assert said["harness"] == {"status": "failed-safety", "abortedAt": said["episodes"]}
    read = quality(cli, said["run"])
    assert (read["status"], read["abortedAt"]) == ("failed-safety", said["episodes"])


def test_other_suites_keep_their_words_alone(cli: Cli, small: str) -> None:
    said = cli("run", small, "--agent", "oracle", "--seed", "7", "--json").json
    assert said["status"] == "complete" and "harness" not in said


@pytest.mark.parametrize("status", ["interrupted", "limit", "failed", "running"])
def test_the_paper_has_no_word_for_other_ends(status: str) -> None:
    assert (harness_status(status, 7).status, harness_status(status, 7).aborted_at) == ("incomplete", None)
