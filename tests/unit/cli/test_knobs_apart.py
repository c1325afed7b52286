"""Entries that differ only in their knobs are told apart wherever arms are named; others are named as ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.engine.small import declared
from tests.unit.reports.reading_html import Page

from proctor.evidence.arms import knobs_apart
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.base import Value
from proctor.reports.html.values import values_table
from proctor.stats.intervals import mean

EASY, HARD = "script=solve", "script=wrong"


@pytest.fixture
def run(cli: Cli, small: str) -> str:
    """A run of one family with its default knobs, and again with another value of one."""
    name: str = cli("run", small, "--agent", "oracle", "--json").json["run"]
    return name


def where(score: dict[str, Any], instrument: str) -> set[str | None]:
    return {value["where"].get("knobs") for value in score[instrument]["values"]}


def test_json_has_them_in_where(cli: Cli, run: str) -> None:
    score = cli("score", run, "--json").json
    for instrument in ("rates", "efficiency", "reliability"):
        assert where(score, instrument) <= {EASY, HARD}, instrument
    assert where(score, "rates") == where(score, "efficiency") == {EASY, HARD}
    assert {group["knobs"] for group in cli("items", run, "--json").json["groups"]} == {EASY, HARD}


def test_people_see_them_in_every_table(cli: Cli, run: str) -> None:
    shown = cli("show", run).out
    assert f"baseline / {EASY} " in shown and f"baseline / {HARD} " in shown
    assert f"small@1.0 / {HARD}" in shown, "among the failures"
    assert f"baseline / {HARD}" in cli("show", run, "--failed").out
    items = cli("items", run).out
    assert f"baseline / {EASY}" in items and f"baseline / {HARD}" in items
    assert f"baseline · {HARD}" in cli("score", run, "--instrument", "efficiency").out


def test_the_page_has_a_row_for_each(cli: Cli, run: str, tmp_path: Path) -> None:
    assert cli("report", run, "-o", "page.html").code == 0
    text = Page((tmp_path / "page.html").read_text()).text
    assert text.count(f"small@1.0 · baseline · {EASY}") == text.count(f"small@1.0 · baseline · {HARD}") == 1


def test_nothing_is_added_where_nothing_else_is_like_it(cli: Cli, tmp_path: Path, small: str) -> None:
    (tmp_path / "one.json").write_text(declared({"n": 3, "knobs": {"script": "wrong"}}).model_dump_json())
    run = cli("run", "one.json", "--agent", "oracle", "--json").json["run"]
    assert where(cli("score", run, "--json").json, "rates") == {None}
    assert "knobs" not in cli("items", run, "--json").json["groups"][0]
    assert "script" not in cli("show", run).out + cli("items", run).out + cli("show", run, "--failed").out


def test_looks_of_one_examination_keep_them_apart(cli: Cli, tmp_path: Path, small: str) -> None:
    entries = [{"n": 6, "cell": "S1"}, {"n": 6, "cell": "S1", "knobs": {"script": "wrong"}}]
    (tmp_path / "looks.json").write_text(declared(*entries).model_dump_json())
    done = cli("run", "looks.json", "--agent", "oracle", "--until-decided", "--max-n", "40", "--json")
    with Store(".proctor/store.db") as store:
        evidence: Evidence = evidence_of(store, done.json["run"])
    by_knobs = {name: [row.outcome for row in evidence.of_arm(arm)] for arm, name in knobs_apart(evidence).items()}
    assert len(json.loads(done.out)["looks"]) > 1
    assert set(by_knobs[EASY]) == {"success"} and set(by_knobs[HARD]) == {"failure"}


def test_rows_that_go_by_the_same_words_are_all_in_a_table() -> None:
    """Entries may also differ in what has no words: each still has its row."""
    values = [
        Value(name, mean([float(number)] * 3, confidence=0.95), where={"family": family, "regime": "baseline"})
        for family, number in (("a@1.0", 11), ("a@1.0", 22), ("b@1.0", 33))
        for name in ("actions", "retries")
    ]
    text = Page(str(values_table("Efficiency", values))).text
    assert all(str(number) in text for number in (11, 22, 33))
    assert text.count("a@1.0 · baseline") == 2
