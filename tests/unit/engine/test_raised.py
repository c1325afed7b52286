"""What somebody's own code raised is said to its author with its place, once, and the place is recorded nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli, cli
from tests.unit.engine.small import declared

from proctor.engine.raised import MOST, Raised, Told

__all__ = ["cli"]
SMALL = Path(__file__).parent / "small_family.py"
AGENT = """from proctor import Submission


class Matcher:
    async def run(self, task, session):
        return self.answer(task)

    def answer(self, task):
        return Submission({}[task.id])


class Halts:
    def __init__(self):
        raise ValueError("no key")
"""


@pytest.fixture
def suite(tmp_path: Path) -> str:
    (tmp_path / "matcher.py").write_text(AGENT)
    (tmp_path / "small_family.py").write_text(SMALL.read_text())
    (tmp_path / "small.json").write_text(declared({"n": 3}).model_dump_json())
    return "small.json"


def test_an_agent_that_crashes_in_its_own_process(cli: Cli, suite: str) -> None:
    done = cli("run", suite, "--agent", "python:matcher.py:Matcher,unconfined=yes", "--json")
    (said,) = [line for line in done.err.splitlines() if "matcher.py" in line]
    assert said.startswith("proctor: episode ") and "KeyError: '" in said
    assert said.endswith(" at matcher.py:9 in answer")
    trace = cli("show", done.json["run"], "0", "--json").out
    assert "agent_crashed" in trace and "matcher.py" not in trace


def test_the_check_of_an_agent_says_it_in_its_findings(cli: Cli, suite: str) -> None:
    done = cli("check", "python:matcher.py:Matcher,unconfined=yes")
    assert "'agent_crashed' (AgentFailure: KeyError: " in done.out
    assert " at matcher.py:9 in answer); handle every tool error" in done.out


def test_an_agent_that_cannot_be_made(cli: Cli, suite: str) -> None:
    said = cli("run", suite, "--agent", "python:matcher.py:Halts,unconfined=yes").sentence
    assert "failed in a trial task before the run: ValueError: no key at matcher.py:14 in __init__" in said


def test_a_world_that_breaks(cli: Cli, suite: str, tmp_path: Path) -> None:
    entry = {"n": 14, "knobs": {"script": "break_some"}}
    (tmp_path / "breaks.json").write_text(declared(entry).model_dump_json())
    done = cli("run", "breaks.json", "--agent", "oracle", "--json")
    lines = SMALL.read_text().splitlines()
    line = lines.index("        raise RuntimeError(message)", lines.index("    def crash(self) -> str:")) + 1
    assert done.err.count(f" at small_family.py:{line} in crash") == 1
    broken = next(row for row in cli("show", done.json["run"], "--failed").out.splitlines() if "infrastructure" in row)
    trace = cli("show", done.json["run"], broken.split()[0], "--json").out
    assert "RuntimeError" in trace and "small_family.py" not in trace


def test_a_family_without_an_instance(cli: Cli, suite: str, tmp_path: Path) -> None:
    (tmp_path / "small_family.py").write_text(
        SMALL.read_text().replace('if script == "no_instance":', "if draw.index == 1:")
    )
    done = cli("run", suite, "--agent", "oracle", "--json")
    assert "RuntimeError: no instance today at small_family.py:" in done.err
    assert "in instance\n" in done.err


def test_each_place_is_said_once_and_not_too_many(capsys: pytest.CaptureFixture[str]) -> None:
    told = Told()
    for number in range(3 * MOST):
        told.tell(number, Raised("KeyError: 'a\x1b[2J'", f"at one.py:{number // 2} in run"))
    told.tell(99, Raised("KeyError", ""))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == MOST
    assert said[0] == "proctor: episode 0: KeyError: 'a\N{REPLACEMENT CHARACTER}[2J' at one.py:0 in run"
