"""A call that never came back is evidence like any other: shown, verified, exported, verified again; resume goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli, cli
from tests.unit.engine.small import declared

from proctor.engine.executors.choice import resuming_workers

__all__ = ["cli"]
SMALL = Path(__file__).parent / "small_family.py"


def test_a_stuck_call_is_shown_verified_and_exported(cli: Cli, tmp_path: Path) -> None:
    entry = {"n": 3, "knobs": {"script": "spin"}}
    (tmp_path / "small_family.py").write_text(SMALL.read_text())
    suite = declared(entry, rules={"limits": {"episode_seconds": 1}})
    (tmp_path / "spins.json").write_text(suite.model_dump_json())
    done = cli("run", "spins.json", "--agent", "oracle", "--json")
    assert (done.code, done.json["complete"]) == (0, True), done.err
    failed = cli("show", done.json["run"], "--failed").out
    assert "stuck" in failed
    place = next(line.split()[0] for line in failed.splitlines() if "stuck" in line)
    assert "stuck" in cli("show", done.json["run"], place, "--json").out
    assert cli("verify", done.json["run"]).code == 0
    assert cli("export", done.json["run"], "-o", "spins.proctor").code == 0
    verified = cli("verify", "spins.proctor")
    assert verified.code == 0, verified.out + verified.err


@pytest.mark.parametrize(
    ("agent", "workers"), [("oracle", 1), ("python:mine.py:run", 4), ("cmd:sh x", 4), ("human", None)]
)
def test_a_run_is_resumed_where_a_stuck_call_can_be_ended(agent: str, workers: int | None) -> None:
    """Inline it would get stuck again: code that never comes back to the interpreter can only be killed."""
    assert resuming_workers(agent) == workers
