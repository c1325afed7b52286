"""`proctor init` keeps out of a repository what belongs in none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        ("store.db", True),
        ("store.db-wal", True),
        ("load/1.json", True),
        ("pipeline/desk-1/lock", True),
        ("pipeline/desk-1/report.md", False),
        ("ledger.jsonl", False),
    ],
)
def test_what_git_ignores(cli: Cli, tmp_path: Path, path: str, ignored: bool) -> None:
    assert cli("init").code == 0
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    asked = subprocess.run(["git", "check-ignore", "-q", f".proctor/{path}"], cwd=tmp_path, check=False)
    assert (asked.returncode == 0) is ignored
