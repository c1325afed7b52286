"""A run without traces on the command line: what is there is shown, and what is not is said in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import SMALL_FAMILY, Cli
from tests.unit.engine.small import declared

SENTENCE = "were not recorded (recordTraces: false), so "


@pytest.fixture
def untraced(cli: Cli, tmp_path: Path) -> str:
    """A finished run whose events were not kept; its name."""
    (tmp_path / "small_family.py").write_text(SMALL_FAMILY.read_text())
    entries = ({"n": 3}, {"n": 2, "knobs": {"script": "wrong"}})
    (tmp_path / "small.json").write_text(declared(*entries, rules={"recordTraces": False}).model_dump_json())
    name: str = cli("run", "small.json", "--agent", "oracle", "--seed", "7", "--json").json["run"]
    return name


def test_what_needs_no_events_works(cli: Cli, untraced: str) -> None:
    assert "5 episodes" in cli("show", untraced).out
    assert cli("score", untraced, "--json").json["run"] == untraced
    assert cli("report", untraced, "-o", "report.html").code == 0


@pytest.mark.parametrize(
    "command",
    [
        ("show", "RUN", "0"),
        ("export", "RUN"),
        ("run", "small.json", "--agent", "oracle", "--seed", "7", "--replay", "RUN"),
        ("incident", "add", "--run", "RUN", "--episode", "0"),
    ],
    ids=lambda words: words[0] + words[-2],
)
def test_what_needs_events_says_that_there_are_none(cli: Cli, untraced: str, command: tuple[str, ...]) -> None:
    done = cli(*(untraced if word == "RUN" else word for word in command))
    assert done.code == 2
    assert f"the traces of run {untraced} {SENTENCE}" in done.sentence


def test_verify_says_what_was_not_checked(cli: Cli, untraced: str, small: str) -> None:
    done = cli("verify", untraced)
    assert done.code == 0
    assert "not checked: traces were not recorded" in done.out
    assert "nothing was changed" not in done.out
    traced = cli("run", small, "--agent", "oracle", "--seed", "8", "--json").json["run"]
    done = cli("verify", traced)
    assert "verified: nothing was changed since it was written" in done.out and "not checked" not in done.out
