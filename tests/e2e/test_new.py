"""`proctor new` and `proctor init`: what they write works at once, through the real command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import ALONE

PROCTOR = Path(sys.executable).with_name("proctor")


def proctor(folder: Path, *arguments: str, code: int = 0) -> str:
    done = subprocess.run([PROCTOR, *arguments], capture_output=True, text=True, check=False, cwd=folder, timeout=300)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def examined(folder: Path, *arguments: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(proctor(folder, "run", *arguments, "--json"))
    assert result["complete"]
    assert not result["outcomes"]["infrastructure"]
    return result


def passes_its_own_test(folder: Path, file: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", *ALONE, file]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_new_family_passes_every_check_and_runs(tmp_path: Path) -> None:
    shown = json.loads(proctor(tmp_path, "new", "family", "parcel-sorting", "--json"))
    assert shown["written"] == ["parcel_sorting.py", "test_parcel_sorting.py"]
    assert "every check holds" in proctor(tmp_path, "check", "parcel_sorting.py")
    solved = examined(tmp_path, "parcel_sorting.py@suite", "--agent", "oracle")
    assert solved["outcomes"]["success"] == solved["episodes"] == 20
    passes_its_own_test(tmp_path, "test_parcel_sorting.py")


def test_a_new_agent_runs_confined(tmp_path: Path) -> None:
    proctor(tmp_path, "new", "agent", "my-first")
    result = examined(tmp_path, "hello", "--agent", "python:my_first.py:make", "--only", "track")
    assert result["episodes"] == 40
    assert "agent_" not in proctor(tmp_path, "show", "latest", "--failed")
    passes_its_own_test(tmp_path, "test_my_first.py")


def test_a_new_suite_runs(tmp_path: Path) -> None:
    proctor(tmp_path, "new", "suite", "bad-day")
    assert "every check holds" in proctor(tmp_path, "check", "bad_day.yaml")
    result = examined(tmp_path, "bad_day.yaml", "--agent", "clerk")
    assert result["suite"] == "bad-day@1.0"
    assert result["outcomes"]["success"]
    passes_its_own_test(tmp_path, "test_bad_day.py")


def test_a_new_project_runs_without_further_words(tmp_path: Path) -> None:
    proctor(tmp_path, "init", "--agent", "null", "--name", 'a "strange": name')
    result = examined(tmp_path, "--only", "extract")
    assert (result["agent"], result["suite"]) == ("null", "hello@1.0")
    assert (tmp_path / ".proctor" / "store.db").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("world", "mine"), "there is no template for 'world'"),
        (("agent", "Not A Name"), "is not a valid name"),
        (("agent", "json"), "would hide the installed Python module"),
        (("agent", "there"), "already exists"),
    ],
)
def test_bad_requests_get_one_sentence(arguments: tuple[str, str], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "there.py").write_text("mine", encoding="utf-8")
    said = proctor(tmp_path, "new", *arguments, code=2)
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["there.py"]
