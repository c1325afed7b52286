"""`proctor compare`: terminal, JSON, Markdown, page, and what it refuses."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

import proctor


@pytest.fixture
def runs(cli: Cli, small: str) -> tuple[str, str]:
    """A run of the oracle, and one of an agent that does nothing, on the same tasks."""
    first = cli("run", small, "--agent", "oracle", "--seed", "7", "--json").json["run"]
    second = cli("run", small, "--agent", "null", "--seed", "7", "--json").json["run"]
    return first, second


def test_the_answer_stands_first_and_every_flip_has_its_traces(cli: Cli, runs: tuple[str, str]) -> None:
    first, second = runs
    lines = cli("compare", *runs).out.splitlines()
    assert lines[0].startswith(f"{second} is worse than {first}: 0/9 (0 %) against 6/9 (67 %)")
    flips = [line for line in lines if line.startswith("newly failing")]
    assert len(flips) == 6
    assert sum(f"proctor show {second} " in line for line in lines) == 6
    assert any(line.strip().startswith("step ") for line in lines)


def test_json_has_everything(cli: Cli, runs: tuple[str, str]) -> None:
    told = cli("compare", *runs, "--json").json
    assert told["primary"]["verdict"] == "worse" and told["paired"] and told["matched"] == 9
    assert told["comparability"]["label"] == "Limited Comparability"
    assert any("oracle, not a result" in reason for reason in told["comparability"]["divergences"])
    assert all(flip["diverges"] for flip in told["flips"])


def test_a_verdict_that_was_edited_in_the_store_is_told(cli: Cli, runs: tuple[str, str], tmp_path: Path) -> None:
    reasons = cli("compare", *runs, "--json").json["comparability"]["divergences"]
    assert not any("was altered" in reason for reason in reasons)
    with closing(sqlite3.connect(tmp_path / ".proctor" / "store.db")) as database, database:
        database.execute("UPDATE episodes SET outcome = 'success', reason = 'correct' WHERE outcome = 'failure'")
    reasons = cli("compare", *runs, "--json").json["comparability"]["divergences"]
    assert f"{runs[1]} was altered after it was recorded: episodes" in reasons


def test_markdown_and_page_say_the_same(cli: Cli, runs: tuple[str, str], tmp_path: Path) -> None:
    first, second = runs
    done = cli("compare", *runs, "--markdown", str(tmp_path / "c.md"), "--html", str(tmp_path / "c.html"))
    assert done.code == 0
    markdown, page = (tmp_path / "c.md").read_text(), (tmp_path / "c.html").read_text()
    for text in (markdown, page):
        assert f"{second} is worse than {first}" in text and "Limited Comparability (§13.5)" in text
    assert "6 newly failing, 0 newly passing" in markdown and "6 newly failing, 0 newly passing" in page
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")


def test_several_runs_are_each_compared_with_the_first(cli: Cli, runs: tuple[str, str], small: str) -> None:
    third = cli("run", small, "--agent", "oracle", "--seed", "8", "--json").json["run"]
    told = cli("compare", *runs, third, "--json").json
    assert [one["second"]["run"] for one in told] == [runs[1], third]
    assert [one["paired"] for one in told] == [True, False]
    assert all(one["primary"]["adjusted_p"] is not None for one in told), "several primary comparisons are adjusted"
    assert "the seeds differ" in cli("compare", runs[0], third).out


def test_what_cannot_be_compared_is_one_sentence(cli: Cli, runs: tuple[str, str], tmp_path: Path) -> None:
    assert "name at least two runs" in cli("compare", runs[0]).sentence
    assert "compared with itself" in cli("compare", runs[0], runs[0]).sentence
    wrong = tmp_path / "n.yaml"
    wrong.write_text("regimes: {a: b}\n")
    done = cli("compare", *runs, "--normalise", str(wrong))
    assert done.code == 2 and "needs a justification" in done.sentence


def test_from_python(cli: Cli, runs: tuple[str, str], small: str) -> None:
    told = proctor.compare(*runs)
    assert told.primary is not None and told.primary.verdict == "worse"
    third = proctor.run(small, agent="oracle", seed=7)
    fourth = proctor.run(small, agent="null", seed=7)
    again = third.compare(fourth)
    assert again.primary is not None and again.primary.lost == 6


def test_damaged_declarations_are_one_sentence(cli: Cli, runs: tuple[str, str]) -> None:
    with closing(sqlite3.connect(".proctor/store.db")) as edited, edited:
        edited.execute("UPDATE runs SET frozen = '{' WHERE name = ?", (runs[1],))
    done = cli("compare", *runs)
    assert done.code != 0
    assert "its declarations are damaged" in done.err
    assert "Traceback" not in done.err
