"""Studies of predictive validity as tables: from objects, and from the folder `proctor predict -o` wrote."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.unit.reports.binding.material import guard_of, records, studied

from proctor.cli.predict import _data as study_data
from proctor.cli.predict import _write
from proctor.core.errors import InputError
from proctor.instruments.predictive.localisation import MARGIN
from proctor.reports.figures.catalogue import FIGURES, draw_all
from proctor.reports.figures.prediction_tables import predictive_tables, read_predicted


def written(folder: Path) -> Path:
    """A folder as the command leaves it."""
    given = records()
    one = studied(given)
    whole = {"source": given.source, "label": "made", "studies": {"study": study_data(one)}, "guard": guard_of(given)}
    _write(folder, given, {"study": one}, whole)
    return folder


def test_tables_say_what_the_study_says() -> None:
    given = records()
    one = studied(given)
    found = predictive_tables({"study": one}, guard_of(given), violations={"study": given["violation"]})
    auc = found["predictive_auc"].columns
    assert auc["auc"] == [one.baseline.estimate, one.augmented.estimate]
    gains = found["predictive_gain"].columns
    within = one.gain_within.estimate if one.gain_within else None
    assert gains["gain"] == [one.gain.estimate, within, one.over_chance.estimate]
    assert gains["primary"] == ["no", "yes", "no"]
    assert found["predictive_single"].columns["predictor"] == ["model", "rank", "binding"]
    assert found["predictive_null"].columns["gain"] == list(one.null)
    assert found["predictive_guard"].columns["margin"] == [MARGIN, None]
    assert found["predictive_guard"].columns["change"][0] == 0.0
    bins = found["predictive_reliability"].columns
    assert bins["decile"] == [*range(1, 11), *range(1, 11)]
    assert sum(int(value or 0) for value in bins["records"]) == 2 * one.n
    first = found["predictive_thresholds"].columns
    assert first["threshold"][0] == 0.5
    assert first["accepted"][0] == sum(value >= 0.5 for value in one.before) / one.n
    assert first["violations"][0] is not None


def test_a_folder_of_the_command_gives_the_same_tables(tmp_path: Path) -> None:
    given = records()
    direct = predictive_tables(
        {"study": studied(given)},
        guard_of(given),
        label="made",
        source=given.source,
        violations={"study": given["violation"]},
    )
    assert read_predicted(written(tmp_path)) == direct


def test_violations_that_were_not_recorded_are_missing_and_not_none(tmp_path: Path) -> None:
    folder = written(tmp_path)
    with (folder / "records.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    with (folder / "records.csv").open("w", newline="") as out:
        kept = [name for name in rows[0] if name != "violation"]
        writer = csv.DictWriter(out, kept, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    found = read_predicted(folder)
    assert set(found["predictive_thresholds"].columns["violations"]) == {None}
    (one,) = draw_all(
        {name: table.columns for name, table in found.items()},
        kinds=[kind for kind in FIGURES if kind.name == "thresholds"],
    )
    assert one.files


def test_a_study_without_a_guard_is_drawn_without_it(tmp_path: Path) -> None:
    folder = written(tmp_path)
    whole = json.loads((folder / "study.json").read_text())
    (folder / "study.json").write_text(json.dumps({**whole, "guard": None}))
    found = read_predicted(folder)
    assert "predictive_guard" not in found
    kinds = [kind for kind in FIGURES if kind.name == "sensitivity-and-guard"]
    (one,) = draw_all({name: table.columns for name, table in found.items()}, kinds=kinds)
    assert one.files


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"guard": null, "studies": {"a": 1}}', "\x00"])
def test_a_folder_of_something_else_is_refused_in_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "study.json").write_text(content)
    with pytest.raises(InputError, match="cannot be read as the output of `proctor predict -o`"):
        read_predicted(tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no study\.json in it"):
        read_predicted(tmp_path)
