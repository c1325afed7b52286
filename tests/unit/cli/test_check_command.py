"""`proctor check`: under which regimes a family, on which family an agent, and what is said of a suite."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

from proctor.conformance import tells
from proctor.stats.tells import Tell

SUITE = """
name: own
version: "1.0"
title: Own
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: pipeline, n: 12, regimes: [tight]}
regimes:
  - {id: tight, intensity: severe, action: {cap: 4}, stability: {failures: 0.3}}
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.yaml").write_text(SUITE)
    return "own.yaml"


def test_a_suite_that_nobody_can_solve_does_not_pass(cli: Cli, own: str) -> None:
    done = cli("check", own)
    assert done.code == 1
    assert "reaches 0.00 of family 'pipeline' under 'tight' (100 draws), below the stated 0.90" in done.out
    assert "1 family loads." in done.out and " 1 arm; " in done.out
    assert done.out.endswith("own@1.0: 1 check does not hold\n")


def test_a_family_is_checked_under_a_regime_of_a_suite_file(cli: Cli, own: str) -> None:
    done = cli("check", "pipeline", "--regime", f"{own}:tight", "--instances", "5", "--json")
    results = {result["check"]["id"]: result for result in done.json["results"]}
    assert results["ceiling"]["measured"]["tight"] == 0.0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pipeline", "--regime", "tight"), "as in --regime suite.yaml:tight"),
        (("pipeline", "--regime", "own.yaml:tigt"), "own.yaml declares no regime 'tigt'; it may use baseline,"),
        (("own.yaml", "--regime", "mild"), "is a suite; leave it out: a suite is checked under the regimes"),
        (("clerk", "--regime", "mild"), "is an agent; leave it out: agents are checked under baseline"),
        (("rates", "--regime", "mild"), "is an instrument; leave it out"),
        (("pipeline", "--on", "route"), "--on names the family that an agent is checked on"),
        (("clerk", "--on", "no-such-family"), "no family is called 'no-such-family'"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(cli: Cli, own: str, arguments: tuple[str, ...], said: str) -> None:
    done = cli("check", *arguments)
    assert done.code == 2
    assert said in done.sentence


def test_an_agent_is_checked_on_a_family_of_ones_own(cli: Cli, small: str) -> None:
    assert "episodes of the family practice@1.0 without a crash" in cli("check", "null").out
    assert "episodes of the family small@1.0 without a crash" in cli("check", "null", "--on", "small_family.py").out


@pytest.mark.parametrize(
    ("cells", "said", "code"),
    [
        (("pass",), "every check holds", 0),
        (("pass", "few"), "nothing was found, and not all of it could be decided", 0),
        (("between",), "nothing was found, and not all of it could be decided", 0),
        (("few",), "not checked", 0),
        (("few", "fail"), "1 check does not hold", 1),
    ],
)
def test_the_last_line_says_how_much_of_an_event_file_was_decided(
    cells: tuple[str, ...], said: str, code: int, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = "too few to say"
    of = {"pass": (300, 0.55, "pass"), "between": (300, 0.61, few), "few": (5, 1.0, few), "fail": (60, 0.9, "fail")}

    def verdicts(*_: object, **__: object) -> list[tells.Verdict]:
        found = [of[one] for one in cells]
        return [tells.Verdict(("d", "veto"), Tell(count, 0.5, upper, 0.5), 1.0, one) for count, upper, one in found]

    monkeypatch.setattr(tells, "verdicts", verdicts)
    events = "\n".join(f"e{number},The van in hall {number} stopped.,d" for number in range(12))
    (tmp_path / "events.csv").write_text(f"event_id,text,dataset\n{events}\n")
    done = cli("check", "events.csv")
    assert (done.out.splitlines()[-1], done.code) == (f"events.csv: {said}", code)
