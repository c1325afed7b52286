"""Commands in a project whose store somebody else made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.adversarial.attackers.stores import TEXTS, escaped
from tests.unit.cli.conftest import Cli

STORE = Path(".proctor") / "store.db"
PREPARED = "UPDATE runs SET number = number + 1000 WHERE name = 'prepared'; UPDATE runs SET agent = 'oracle';"


@pytest.fixture
def examined(cli: Cli, small: str) -> Cli:
    assert cli("run", small, "--agent", "oracle", "-q").code == 0
    return cli


def change(statement: str) -> None:
    with closing(sqlite3.connect(STORE)) as connection, connection:
        connection.execute(statement)


def test_a_trigger_cannot_have_a_gate_decide_about_another_run(examined: Cli, small: str) -> None:
    change(f"CREATE TRIGGER prepare AFTER INSERT ON runs WHEN NEW.name != 'prepared' BEGIN {PREPARED} END")
    before = STORE.read_bytes()
    for command in (("run", small, "--agent", "null"), ("gate",), ("runs",), ("verify",), ("show",), ("report",)):
        done = examined(*command)
        assert done.code == 2
        assert "trigger prepare does not belong in one" in done.sentence
    assert STORE.read_bytes() == before


@pytest.mark.parametrize("number", [2**63 - 1, 2**31])
def test_a_run_of_an_impossible_number_is_one_sentence_in_every_command(examined: Cli, small: str, number: int) -> None:
    change(f"UPDATE runs SET number = {number}")
    for command in (("run", small, "--agent", "null"), ("gate",), ("runs",), ("verify",), ("show",), ("export",)):
        done = examined(*command)
        assert done.code == 1
        assert f"run {number}: it cannot be read" in done.sentence


@pytest.mark.parametrize("execution", ["{}", '{"started": 5}', '{"begins": "x"}', "[]", "5", "x"])
def test_a_run_whose_facts_are_odd_is_resumed_or_refused(examined: Cli, small: str, execution: str) -> None:
    change("UPDATE runs SET root = NULL, seal = NULL, status = 'interrupted'")
    change(f"UPDATE runs SET execution = '{execution}'")
    done = examined("run", small, "--agent", "oracle", "--resume", "-q")
    assert done.code in (0, 1)
    assert done.code == 0 or "\n" not in done.sentence.strip()


@pytest.mark.parametrize("name", ["../../escaped", "/tmp/absolute", "a/b", "..", "", "-x", "a\nb", "x" * 300])
def test_a_run_whose_name_proctor_would_not_give_is_exported_nowhere(examined: Cli, name: str, tmp_path: Path) -> None:
    change(f"UPDATE runs SET name = '{name}'")
    before = sorted(tmp_path.parent.rglob("*.proctor"))
    done = examined("export", "latest")
    assert done.code == 1
    assert "run 1: it" in done.sentence
    assert sorted(tmp_path.parent.rglob("*.proctor")) == before


@pytest.mark.parametrize(
    ("column", "value"),
    [("status", "done"), ("suite", "hello"), ("root", "abc"), ("seal", "g" * 64), ("config_hash", "A" * 64)],
)
def test_what_is_none_of_a_closed_set_is_refused(examined: Cli, column: str, value: str) -> None:
    change(f"UPDATE runs SET {column} = '{value}'")
    done = examined("runs")
    assert done.code == 1
    assert f"run 1: its {column} ('{value[:39]}" in done.sentence


READING = (("runs",), ("show",), ("show", "--failed"), ("score",), ("verify",), ("report",), ("items",), ("export",))


@pytest.mark.parametrize(("table", "column"), TEXTS, ids=[".".join(one) for one in TEXTS])
def test_no_text_of_a_store_drives_a_terminal_or_begins_a_line(examined: Cli, table: str, column: str) -> None:
    if not escaped(STORE, table, column):
        pytest.skip("no value there")
    for command in READING:
        done = examined(*command)
        said = done.out + done.err
        assert "\x1b" not in said, command
        assert "\x07" not in said, command
        assert not any(line.startswith("::") for line in said.splitlines()), command
