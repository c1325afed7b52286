"""Tables as files: full precision, and a map whose digests are those of the files."""

from __future__ import annotations

import csv
from hashlib import sha256
from pathlib import Path

import pytest
from tests.unit.reports.binding.material import HOSTILE, KINDS, hostile, reading

from proctor.core.errors import InputError
from proctor.instruments.binding.variants import REGISTRY
from proctor.reports.figures.catalogue import FIGURES, draw_all, write_figures
from proctor.reports.source_data import MAP, Pictures, write_tables
from proctor.reports.tables import csv_of


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_read_back_exactly_and_missing_is_empty(tmp_path: Path, kind: str) -> None:
    given = reading(kind)
    write_tables(tmp_path, given)
    for name, table in given.data.items():
        back = rows(tmp_path / f"{name}.csv")
        assert list(back[0]) == list(table.columns)
        for column, values in table.columns.items():
            for row, value in zip(back, values, strict=True):
                if value is None:
                    assert row[column] == ""
                elif isinstance(value, float):
                    assert float(row[column]) == value
                    assert row[column] == repr(value)
                else:
                    assert row[column] == str(value)


def test_awkward_values_survive() -> None:
    values = [0.1 + 0.2, 1 / 3, -0.0, 1e-300, 5e-324, 1.7976931348623157e308]
    text = csv_of({"number": values, "text": ["a,b", 'say "so"', "two\nlines", "", "ü", HOSTILE]}).decode()
    back = list(csv.DictReader(text.splitlines(keepends=True)))
    assert [float(row["number"]) for row in back] == values
    assert [row["text"] for row in back] == ["a,b", 'say "so"', "two\nlines", "", "ü", HOSTILE]


def test_digests_of_the_map_are_those_of_the_files(tmp_path: Path) -> None:
    given = reading("benchmark")
    tables, figures = tmp_path / "tables", tmp_path / "figures"
    drawn = write_figures(figures, draw_all(given.tables(), kinds=FIGURES[:2]))
    write_tables(tables, given, pictures=Pictures(figures, tuple(drawn)))
    lines = rows(tables / MAP)
    files = [line for line in lines if line["file"]]
    for line in files:
        assert sha256((tables / line["file"]).read_bytes()).hexdigest() == line["sha256"], line["file"]
    written = {path.resolve() for folder in (tables, figures) for path in folder.iterdir()}
    mapped = {(tables / line["file"]).resolve() for line in files}
    assert written - mapped == {(tables / MAP).resolve(), (figures / "figures.csv").resolve()}
    assert {line["role"] for line in lines} == {"data", "source data", "picture"}
    assert next(line for line in lines if line["item"] == "config_hash")["sha256"] == given.conditions["config_hash"]


def test_without_pictures_the_map_still_names_the_source_of_each_figure(tmp_path: Path) -> None:
    write_tables(tmp_path, reading("benchmark"))
    sources = [line for line in rows(tmp_path / MAP) if line["kind"] == "figure"]
    assert {line["item"] for line in sources} >= {"contrast-forest", "profile-matrix", "response-matrix"}
    assert {line["role"] for line in sources} == {"source data"}


def test_figures_that_were_not_drawn_are_in_the_map_with_the_reason(tmp_path: Path) -> None:
    given = reading("sufficiency")
    forest = [kind for kind in FIGURES if kind.name == "contrast-forest"]
    drawn = write_figures(tmp_path / "figures", draw_all(given.tables(), kinds=forest))
    write_tables(tmp_path, given, pictures=Pictures(tmp_path / "figures", tuple(drawn)))
    (line,) = [line for line in rows(tmp_path / MAP) if line["kind"] == "figure"]
    assert (line["role"], line["file"], line["sha256"]) == ("not drawn", "", "")
    assert "no table inference, contrasts" in line["note"]


def test_registry_ledger_and_conditions(tmp_path: Path) -> None:
    given = reading("benchmark")
    write_tables(tmp_path, given, label="planted, not a result")
    registry = {row["variant"]: row for row in rows(tmp_path / "variant-registry.csv")}
    assert set(registry) >= {one.id for one in REGISTRY}
    assert registry["structured"]["paper_identifier"] == "A4"
    assert registry["structured"]["conditions_of_this_run"] == "structured"
    assert registry["full"]["conditions_of_this_run"] == ""
    ledger = rows(tmp_path / "claim-ledger.csv")
    assert [row["supported_claim"] for row in ledger] == [one.supported for one in given.claims]
    assert ledger[0]["excluded_inference"] == given.claims[0].excluded
    stated = {row["name"]: row["value"] for row in rows(tmp_path / "conditions.csv")}
    assert stated["suite"] == given.conditions["suite"]
    assert stated["label"] == "planted, not a result"


def test_a_condition_the_registry_does_not_know_is_listed_as_the_suites_own(tmp_path: Path) -> None:
    given = reading("benchmark")
    given.data["variants"].columns["condition"][0] = "own-idea"
    write_tables(tmp_path, given)
    (row,) = [row for row in rows(tmp_path / "variant-registry.csv") if row["variant"] == "own-idea"]
    assert row["definition"] == "declared by the suite"


def test_the_same_reading_gives_the_same_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_tables(tmp_path / name, hostile(reading("benchmark")))
    first = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}


def test_a_file_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("here")
    with pytest.raises(InputError, match="cannot be used as a folder"):
        write_tables(tmp_path / "taken" / "below", reading("benchmark"))
