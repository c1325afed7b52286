"""`proctor report`: the page, the data, and refusals in one sentence."""

from __future__ import annotations

import json
import sys
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
        ("report.pdf", "the page is .html or .json; --card and --technical-report also write .pdf"),
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


def test_a_strange_name_becomes_no_file(cli: Cli, ran: str, tmp_path: Path) -> None:
    with Store(str(tmp_path / ".proctor/store.db")) as store:
        store.update_run(1, name="../<b>x\n")
    done = cli("report")
    assert done.code == 1
    assert "its name ('../<b>x\\n') is none that Proctor writes" in done.sentence
    assert not list(tmp_path.glob("**/*.html"))


VECTOR = """
name: acting
version: "1.0"
title: Acting
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: file-creation, n: 10, cell: E1}
  - {family: database-transaction, n: 10, cell: E2}
  - {family: code-deployment, n: 20, cell: E3, regimes: [operations-10]}
regimes:
  - {id: operations-10, intensity: moderate, action: {cap: 10}, stability: {timeouts: 0.1}}
"""
SENSING = """
name: sensing
version: "1.0"
title: Sensing
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: email-triage, n: 12, cell: S1}
  - {family: ticket-routing, n: 12, cell: S2}
"""


@pytest.fixture
def sensing(cli: Cli, tmp_path: Path) -> str:
    """A run with a small vector, for which no Technical Report is mandatory."""
    (tmp_path / "sensing.yaml").write_text(SENSING)
    name: str = cli("run", "sensing.yaml", "--agent", "clerk", "--seed", "7", "--json").json["run"]
    return name


def test_card_and_technical_report_are_written_in_every_form(cli: Cli, sensing: str, tmp_path: Path) -> None:
    for kind, start in (("html", b"<!doctype html>"), ("json", b"{"), ("pdf", b"%PDF-")):
        done = cli("report", sensing, "--card", f"card.{kind}", "--technical-report", f"technical.{kind}")
        assert (done.code, done.out) == (0, f"card.{kind}\ntechnical.{kind}\n")
        for name in ("card", "technical"):
            assert (tmp_path / f"{name}.{kind}").read_bytes().startswith(start)
    assert json.loads((tmp_path / "card.json").read_bytes())["format"] == "proctor-agency-card"
    assert json.loads((tmp_path / "technical.json").read_bytes())["format"] == "proctor-technical-report"
    assert not list(tmp_path.glob(f"{sensing}*")), "neither brings the page with it"
    assert cli("report", sensing, "-o", "page.html", "--card", "again.html").out == "page.html\nagain.html\n"


def test_places_for_documents_are_refused_before_any_work(cli: Cli, sensing: str, tmp_path: Path) -> None:
    for option in ("--card", "--technical-report"):
        for place, words in (("card.docx", ".html, .json or .pdf"), ("nowhere/card.pdf", "there is no folder nowhere")):
            done = cli("report", sensing, option, place)
            assert done.code == 2 and words in done.sentence


def test_a_run_without_a_vector_has_no_card(cli: Cli, ran: str, tmp_path: Path) -> None:
    done = cli("report", ran, "--card", "card.html")
    assert done.code == 2 and "has no Agency Vector" in done.sentence and not (tmp_path / "card.html").exists()


def test_without_typst_the_extra_is_named(cli: Cli, sensing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    done = cli("report", sensing, "--card", "card.pdf")
    assert done.code == 2 and "pip install 'proctor[pdf]'" in done.sentence
    assert cli("report", sensing, "--card", "card.html").code == 0


def test_a_mandatory_technical_report_is_written_unasked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "acting.yaml").write_text(VECTOR)
    cli("run", "acting.yaml", "--agent", "oracle", "--seed", "7", "-q")
    page = cli("report", "-o", "page.html")
    assert (page.code, page.out) == (0, "page.html\npage-technical.html\n")
    assert "a Technical Report is mandatory (§13.4): E = 3 is above 2; it is in page-technical.html" in page.err
    assert "Technical Report" in (tmp_path / "page.html").read_text()
    card = cli("report", "--card", "card.json")
    assert card.out == "card.json\ncard-technical.json\n"
    index = json.loads((tmp_path / "card-technical.json").read_bytes())["evidence"]["efficacy"]
    assert len(index) == 40 and all(one["artifacts"] for one in index)
    asked = cli("report", "-o", "page.html", "--technical-report", "mine.html")
    assert asked.out == "page.html\nmine.html\n" and not asked.err
