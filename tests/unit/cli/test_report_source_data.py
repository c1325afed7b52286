"""`proctor report --tables --figures`: one command writes everything, and refuses in one sentence."""

from __future__ import annotations

import csv
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli
from tests.unit.reports.binding.material import small_run
from tests.unit.reports.binding.test_prediction_tables import written


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("cli-binding") / "store.db"
    small_run(place)
    return place


def test_tables_and_figures_of_a_small_run(cli: Cli, store: Path, tmp_path: Path) -> None:
    predicted = written(tmp_path / "predicted")
    done = cli("report", "--store", store, "--tables", "tables", "--figures", "figures/all", "--predicted", predicted)
    assert done.code == 0, done.err
    assert "figures/all: " in done.out
    coupling = "coupling-contrasts, coupling-terms, coupling-distributions, structured-compressed-band"
    assert f"not drawn: {coupling}: their tables come from `proctor run binding-interface`" in done.out
    assert not list(tmp_path.glob("*.html")), "the page is written where -o names it"
    with (tmp_path / "tables" / "source-data.csv").open(newline="") as lines:
        listed = [row for row in csv.DictReader(lines) if row["file"]]
    for row in listed:
        assert sha256((tmp_path / "tables" / row["file"]).read_bytes()).hexdigest() == row["sha256"]
    pictures = {row["item"] for row in listed if row["role"] == "picture"}
    assert pictures >= {"contrast-forest", "profile-matrix", "auc-gain", "reliability-curve", "thresholds"}
    assert "not a result" in (tmp_path / "tables" / "conditions.csv").read_text()
    assert (tmp_path / "tables" / "predictive_gain.csv").exists()


def test_page_and_tables_together(cli: Cli, store: Path, tmp_path: Path) -> None:
    done = cli("report", "--store", store, "--tables", "tables", "-o", "page.html")
    assert done.out.endswith("page.html\n")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "tables" / "components.csv").exists()


def test_without_matplotlib_page_and_tables_are_written_and_the_extra_is_named(
    cli: Cli, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = cli("report", "--store", store, "--tables", "tables", "--figures", "figures", "-o", "page.html")
    assert done.code == 0
    assert "figures: 0 figures as SVG and PNG" in done.out
    assert "pip install 'proctor[figures]'" in done.out
    assert (tmp_path / "page.html").exists()
    assert (tmp_path / "tables" / "components.csv").exists()


def test_json_stays_one_document(cli: Cli, store: Path, tmp_path: Path) -> None:
    done = cli("report", "--store", store, "--tables", "tables", "--json")
    assert done.json["suite"] == "small-binding@1.0"
    assert (tmp_path / "tables" / "source-data.csv").exists()


def test_a_run_without_probes_has_no_tables(cli: Cli, small: str) -> None:
    cli("run", small, "--agent", "oracle", "--seed", "7", "--json")
    done = cli("report", "--tables", "tables")
    assert done.code == 2
    assert "no episode of this run is a binding probe" in done.sentence


def test_places_that_make_no_sense_are_refused(cli: Cli, store: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("here")
    for arguments, words in (
        (("--tables", "taken"), "is a file; give a folder"),
        (("--figures", "taken"), "is a file; give a folder"),
        (("--predicted", "anything"), "needs --figures FOLDER or --tables FOLDER as well"),
        (("--tables", "new", "--predicted", "nowhere"), "there is no study.json"),
    ):
        done = cli("report", "--store", store, *arguments)
        assert done.code == 2
        assert words in done.sentence
