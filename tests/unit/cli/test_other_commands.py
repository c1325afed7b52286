"""The commands that read: lists, runs, show, score, schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

from proctor.cli.main import COMMANDS
from proctor.cli.output import clean, percent, say, table
from proctor.evidence.row import FAILURE, INFRASTRUCTURE, SUCCESS
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.suite import Suite


@pytest.fixture
def ran(cli: Cli, small: str) -> str:
    """A finished run of nine episodes, three of them wrong; its name."""
    name: str = cli("run", small, "--agent", "oracle", "--seed", "7", "--json").json["run"]
    return name


def test_help_lists_every_command(cli: Cli) -> None:
    done = cli("--help")
    assert done.code == 0
    for name, text in COMMANDS.items():
        assert name in done.out
        assert text.split()[0] in done.out


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if name not in ("export", "import", "verify", "check", "new", "init")]
)
def test_every_command_explains_itself(cli: Cli, name: str) -> None:
    done = cli(name, "--help")
    assert done.code == 0
    assert "Usage: proctor" in done.out
    if name not in ("play", "schema"):
        assert "--json" in done.out


def test_no_environment_variable_makes_every_command_print_the_version(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROCTOR_VERSION", "1")
    assert "env var" not in cli("--help").out
    assert cli("regimes").out.startswith("regime ")


def test_version(cli: Cli) -> None:
    assert cli("--version").out.startswith("proctor ")


def test_regimes(cli: Cli) -> None:
    assert [regime["id"] for regime in cli("regimes", "--json").json] == list(STANDARD_REGIMES)
    shown = cli("regimes", "show", "moderate-standard").out
    assert "factor: 0.5" in shown and "timeouts: 0.1" in shown and "share: 0.2" in shown
    assert STANDARD_REGIMES["moderate-standard"].identity in shown


def test_families_and_suites(cli: Cli, small: str) -> None:
    assert {family["id"] for family in cli("families", "--json").json} >= {"track", "extract"}
    shown = cli("families", "show", "small_family.py", "--json").json
    assert shown["id"] == "small" and len(shown["probe"]["verdicts"]) == 64
    assert "knob       script = solve" in cli("families", "show", "small_family.py").out
    assert "evidences  S1, R\n" in cli("families", "show", "email-triage").out
    assert Suite.model_validate(cli("suites", "show", small, "--json").json).full_name == "small@1.0"
    assert "hello@1.0" in cli("suites").out


@pytest.mark.parametrize(
    ("family", "n", "said"),
    [
        ("/dev/zero", 1, "/dev/zero"),
        ("../../etc/passwd", 1, "../../etc/passwd"),
        ("nobody.py", 1, "nobody.py: there is no such file"),
        ("hello", 9_999_999_999_999, "too large"),
    ],
)
def test_a_suite_that_cannot_be_run_says_so_when_it_is_shown(
    cli: Cli, tmp_path: Path, family: str, n: int, said: str
) -> None:
    entry = {"family": family, "n": n}
    suite = {"name": "odd", "version": "1.0", "title": "Odd", "epoch": "2026-01-01", "entries": [entry]}
    (tmp_path / "odd.json").write_text(json.dumps(suite))
    remarks = [line for line in cli("suites", "show", "odd.json").out.splitlines() if "cannot be run: " in line]
    assert any(said in line for line in remarks), remarks


def test_schemas_are_printed(cli: Cli) -> None:
    assert cli("schema", "suite").json["title"] == "Suite"
    refused = cli("schema", "town")
    assert refused.code == 2
    kinds = refused.sentence.partition("choose from ")[2].split(", ")
    assert "quality-rules" in kinds
    help_text = cli("schema", "--help").out
    assert [kind for kind in kinds if kind not in help_text] == []


def test_runs(cli: Cli, ran: str) -> None:
    (listed,) = cli("runs", "--json").json
    assert (listed["name"], listed["status"], listed["stored"], listed["episodes"]) == (ran, "complete", 9, 9)
    assert ran in cli("runs").out


def test_show_a_run_and_its_failures(cli: Cli, ran: str) -> None:
    assert cli("show", ran, "--json").json["run"] == ran
    assert "Success rates" in cli("show").out
    failed = cli("show", ran, "--failed").out
    assert failed.count("failure") == 3


def test_what_to_do_next_is_something_else(cli: Cli, small: str) -> None:
    ran = cli("run", small, "--agent", "oracle").out.splitlines()[-1]
    shown = cli("show").out.splitlines()[-1]
    assert ran.startswith("next: proctor report ") and " · proctor show " in ran and " · proctor export " in ran
    assert shown.startswith("next: proctor report ") and " · proctor export " in shown and "proctor show" not in shown


def test_show_an_episode(cli: Cli, ran: str) -> None:
    events = cli("show", ran, "0", "--json").json
    assert events[0]["event"] == "episode" and events[-1]["event"] == "end"
    shown = cli("show", ran, "0").out
    for word in ("goal", "observe", "act 0", "decide", "verify", "end"):
        assert word in shown
    done = cli("show", ran, "99")
    assert done.code == 2
    assert "episode 99 is not in this run; it has 9 episodes" in done.sentence


@pytest.mark.parametrize("position", [str(1 << 31), str(10**18 - 1), "9" * 23, "9" * 5000])
def test_an_episode_that_no_store_could_hold_is_one_sentence(cli: Cli, ran: str, position: str) -> None:
    done = cli("show", ran, position)
    assert done.code == 2 and "episode" in done.sentence
    assert cli("incident", "add", "--run", ran, "--episode", position).code == 2


def test_score(cli: Cli, ran: str) -> None:
    read = cli("score", ran, "--json").json
    assert {"run", "root", "config_hash", "suite", "profile", "rates"} <= set(read)
    rates = sorted((value["successes"], value["estimate"]["n"]) for value in read["rates"]["values"])
    assert rates == [(0, 3), (6, 6)]
    assert "6/6" in cli("score", "--instrument", "rates").out
    assert cli("score").out.endswith("also measured: efficiency; shown with --instrument NAME\n")
    assert "also measured" not in cli("score", "--instrument", "rates").out
    assert cli("score", "--instrument", "nope").code == 2


def test_an_ambiguous_name_is_one_sentence(cli: Cli, ran: str, small: str) -> None:
    cli("run", small, "--agent", "oracle", "--quiet")
    assert "could be small-oracle-" in cli("show", "small").sentence


def test_a_damaged_store_is_one_sentence(cli: Cli, ran: str, tmp_path: Path) -> None:
    path = tmp_path / ".proctor" / "store.db"
    data = bytearray(path.read_bytes())
    data[: len(data) // 2] = b"x" * (len(data) // 2)
    path.write_bytes(bytes(data))
    for command in ("runs", "show", "score"):
        done = cli(command)
        assert done.code == 2
        assert "not a Proctor store, or it is damaged" in done.sentence


# Printing.


def test_a_table_lines_up() -> None:
    lines = table(["name", "n"], [["a", "1"], ["longer", "100"]], right=(1,)).splitlines()
    assert lines == ["name      n", "──────  ───", "a         1", "longer  100"]
    assert table(["name"], []).splitlines() == ["name", "────"]


def test_text_of_strangers_cannot_drive_the_terminal() -> None:
    assert clean("a\x1b[31mb\x07\r\nc\t\u202ed") == "a�[31mb��\nc\t�d"


def test_whatever_is_said_does_not_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("preflight ValueError: \x1b]0;owned\x07 \u202egnp\u2066 \x9b2J\nnext")
    assert capsys.readouterr().err == "preflight ValueError: �]0;owned� �gnp� �2J\nnext\n"


def test_an_interrupt_before_a_command_is_at_work_says_a_word(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("proctor.engine.names.load_suite", interrupted)
    done = cli("suites", "show", "hello")
    assert (done.code, done.sentence) == (130, "proctor: stopped by you")


def test_missing_is_a_dash() -> None:
    assert (percent(None), percent(0.0), percent(0.705), percent(1.0)) == ("–", "0 %", "70 %", "100 %")


def test_counting_progress() -> None:
    from types import SimpleNamespace
    from typing import Any

    from proctor.cli.progress import Counts

    counts = Counts()
    counts.start(10, 4)
    records: Any = [
        SimpleNamespace(row=SimpleNamespace(outcome=o, tokens=5)) for o in (SUCCESS, FAILURE, INFRASTRUCTURE)
    ]
    counts.add(records)
    line = counts.line()
    assert line.startswith("7/10 episodes")
    assert "1 ok · 1 failed · 1 infrastructure · 15 tokens" in line


def test_json_stays_json_whatever_an_agent_said(cli: Cli, ran: str) -> None:
    """The oracle of the small family says a lone surrogate."""
    said = [event for event in cli("show", ran, "0", "--json").json if event["event"] == "say"]
    assert json.loads(json.dumps(said))[0]["text"] == "é\ufffd"
