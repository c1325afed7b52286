"""`proctor report`: the page, the data, and refusals in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

from proctor.evidence.store.store import Store
from proctor.reports.data import from_json


@pytest.fixture
def ran(cli: Cli, small: str) -> str:
    """A finished run of nine episodes, three of them wrong; its name."""
    name: str = cli("run", small, "--agent", "oracle", "--seed", "7", "--json").json["run"]
    return name


def test_the_page_is_written_and_its_path_printed(cli: Cli, ran: str, tmp_path: Path) -> None:
    done = cli("report")
    assert (done.code, done.out) == (0, f"{ran}.html\n")
    page = (tmp_path / f"{ran}.html").read_text()
    assert page.startswith("<!doctype html>") and "oracle, not a result" in page
    assert cli("report", ran, "-o", "again.html").code == 0
    assert (tmp_path / "again.html").read_text() == page
    assert not list(tmp_path.glob(".*.part"))


def test_json_is_the_data_of_the_page(cli: Cli, ran: str, tmp_path: Path) -> None:
    printed = cli("report", ran, "--json")
    assert printed.json["run"] == ran and not list(tmp_path.glob("*.html"))
    assert cli("report", ran, "-o", "report.json").out == "report.json\n"
    assert (tmp_path / "report.json").read_text() == printed.out
    assert from_json(printed.out.encode()).run == ran
    both = cli("report", ran, "-o", "both.html", "--json")
    assert both.out == printed.out and (tmp_path / "both.html").exists()


def test_places_that_cannot_be_written_are_refused(cli: Cli, ran: str, tmp_path: Path) -> None:
    (tmp_path / "folder.html").mkdir()
    for place, words in (
        (tmp_path, "is a folder"),
        ("folder.html", "is a folder"),
        ("report.pdf", "reports are .html or .json"),
        ("nowhere/report.html", "there is no folder nowhere"),
        ("/proc/report.html", "cannot be written"),
    ):
        done = cli("report", ran, "-o", place)
        assert done.code == 2 and words in done.sentence, place
    assert "no run called" in cli("report", "nothing").sentence


def test_a_report_that_is_there_stays_until_the_new_one_is_whole(
    cli: Cli, ran: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.html").write_text("the old one")

    def broken(report: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("proctor.reports.html.page.render", broken)
    assert cli("report", ran, "-o", "report.html").code == 2
    assert (tmp_path / "report.html").read_text() == "the old one"
    assert not list(tmp_path.glob(".*.part"))


def test_ratings_are_read(cli: Cli, ran: str, tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("rater,question,subject,answer\nann,success,0,no\n")
    assert cli("report", ran, "--ratings", "ratings.csv").code == 0
    (tmp_path / "bad.csv").write_text("rater,question\n")
    done = cli("report", ran, "--ratings", "bad.csv")
    assert done.code == 2 and "the first line must read" in done.sentence


def test_a_strange_name_becomes_a_plain_file_name(cli: Cli, ran: str, tmp_path: Path) -> None:
    with Store(str(tmp_path / ".proctor/store.db")) as store:
        store.update_run(1, name="../<b>x\n")
    done = cli("report")
    assert (done.code, done.out) == (0, "_b_x_.html\n") or done.out.endswith("_b_x_.html\n")
    assert [path.name for path in tmp_path.glob("*.html")] == [done.out.strip()]
    assert json.loads(cli("report", "--json").out)["run"] == "../<b>x\n"
