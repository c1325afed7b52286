"""Figures: drawn from tables alone, the same bytes each time, and a reason for each that is not there."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.test_instrument import RUNS
from tests.unit.reports.binding.material import everything, guard_of, hostile, reading, records, studied

from proctor.instruments.binding.inference import FAMILY_STRATA, FEW_FAMILIES, NO_GENERALISATION, STRATA
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.tables import Columns
from proctor.reports.figures.behaviour import forest_key
from proctor.reports.figures.canvas import number_text, short, stacked
from proctor.reports.figures.catalogue import FIGURES, FigureDrawn, draw_all, write_figures
from proctor.reports.figures.forests import CONTRASTS, contrast_forest, effects
from proctor.reports.figures.prediction_tables import predictive_tables
from proctor.reports.figures.views import grid_settings, mapping_errors, profile, responses, rows_of, scope
from proctor.spec.ontology import UNMAPPED

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def tables() -> dict[str, Columns]:
    """Something for every figure."""
    given = records()
    name = "study"
    found = predictive_tables(
        {name: studied(given)}, guard_of(given), label="made", violations={name: given["violation"]}
    )
    return {**everything().tables(), **{name: table.columns for name, table in found.items()}}


@pytest.fixture(scope="module")
def drawn(tables: dict[str, Columns]) -> list[FigureDrawn]:
    return list(draw_all(tables, ("Under these conditions",)))


def test_every_figure_can_be_drawn_as_svg_and_png(drawn: list[FigureDrawn]) -> None:
    for one in drawn:
        if one.name == "structured-compressed-band":
            continue
        assert one.reason == "", one.name
        root = ElementTree.fromstring(one.files["svg"])
        assert root.tag == f"{SVG}svg"
        assert root.findall(f".//{SVG}path"), one.name
        assert one.files["png"].startswith(b"\x89PNG"), one.name
        assert b"<dc:date>" not in one.files["svg"]


def test_the_same_tables_give_the_same_bytes(tables: dict[str, Columns], drawn: list[FigureDrawn]) -> None:
    # Every third: drawing all of them twice would take as long as many other tests together.
    some = [kind for place, kind in enumerate(FIGURES) if place % 3 == 0]
    again = {one.name: one for one in draw_all(tables, ("Under these conditions",), some)}
    assert again
    assert [one.name for one in drawn if one.name in again and again[one.name] != one] == []


def test_the_conditions_of_the_run_stand_below_its_figures_and_not_below_other_records(
    tables: dict[str, Columns],
) -> None:
    for name, same in (("profile-matrix", False), ("reliability-curve", True)):
        kinds = [kind for kind in FIGURES if kind.name == name]
        (one,), (two,) = (list(draw_all(tables, (under,), kinds)) for under in ("Under this", "Under that"))
        assert (one.files == two.files) is same, name


def test_what_is_said_about_datasets_hangs_on_how_many_there_are() -> None:
    def some(count: int) -> dict[str, Columns]:
        return {"traces": {"dataset": [f"d{place}" for place in range(count)]}, "sufficiency": {"model": ["m"]}}

    assert scope(some(7), ("traces",)) == STRATA
    assert scope(some(3), ("traces",)) == NO_GENERALISATION
    assert scope(some(7), ("sufficiency",)) == ""


def test_where_there_are_cells_it_is_families_that_are_spoken_of() -> None:
    def some(count: int) -> dict[str, Columns]:
        cells: Columns = {"control": ["lesion"], "family_units": [count]}
        return {"traces": {"dataset": [f"d{place}" for place in range(count)]}, "cell_summary": cells}

    for used in ("traces", "cell_summary"):
        assert scope(some(20), (used,)) == FAMILY_STRATA
        assert scope(some(2), (used,)) == FEW_FAMILIES


def test_a_ring_is_solid_only_where_the_declared_contrast_was_decided() -> None:
    given = reading("benchmark").tables()
    undecided: Columns = {**given["inference"], "above_zero": ["no"] * len(given["inference"]["contrast"])}
    shown = {row.condition: row.rings for row in profile({**given, "inference": undecided})}
    assert shown["no-reason"] == {"B_RSI": False}
    without = {name: table for name, table in given.items() if name != "inference"}
    assert {row.condition: row.rings for row in profile(without)}["no-reason"] == {"B_RSI": True}


def test_rows_that_ask_again_answer_another_question_and_stay_out() -> None:
    given = reading("benchmark").tables()
    renamed = ["reask-veto" if name == "no-veto" else name for name in given["probe_rates"]["condition"]]
    again = {**given, "probe_rates": {**given["probe_rates"], "condition": renamed}}
    assert set(responses(given)) - set(responses(again)) == {"no-veto"}
    assert "reask-veto" not in responses(again)


def test_the_key_of_a_forest_names_the_kind_of_its_intervals() -> None:
    lines = contrast_forest(reading("benchmark").tables())
    assert "mean and t interval over datasets" in forest_key(lines)
    cells = effects(reading("families").tables())["state-boundary controls (cells)"]
    assert "t interval over families" in forest_key(cells)
    assert "Circles" not in forest_key(cells), "cells are not drawn one by one"


def test_equal_marks_stand_on_each_other_within_their_row() -> None:
    heights = stacked([0.5, 0.5, 0.2, 0.5], step=0.1, room=0.15)
    assert heights == [0.0, 0.075, 0.0, 0.15]
    assert stacked([], step=0.1, room=0.2) == []


def test_a_caller_that_stops_in_the_middle_leaves_no_settings_behind() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    found = iter(draw_all(reading("benchmark").tables()))
    assert next(found).files
    assert dict(matplotlib.rcParams) == before


def test_other_numbers_give_other_pictures() -> None:
    one, two = reading("benchmark").tables(), reading("benchmark").tables()
    two["components_by_condition"]["B_RSI_mean"][0] = 0.123456
    kinds = [kind for kind in FIGURES if kind.name == "profile-matrix"]
    first, second = (next(iter(draw_all(given, kinds=kinds))).files["png"] for given in (one, two))
    assert first != second


def test_the_compressed_band_is_drawn_where_the_compressed_form_was_run(tables: dict[str, Columns]) -> None:
    kinds = [kind for kind in FIGURES if kind.name == "structured-compressed-band"]
    (absent,) = draw_all(tables, kinds=kinds)
    assert absent.reason == "its tables hold nothing to draw"
    contrasts = tables["coupling_contrasts"]
    marked: Columns = {**contrasts, "control": ["no"] * len(contrasts["control"])}
    given = {**tables, "coupling_contrasts": marked}
    (there,) = draw_all(given, kinds=kinds)
    assert set(there.files) == {"svg", "png"}


def test_texts_of_strangers_are_letters_and_nothing_else() -> None:
    wicked = hostile(everything()).tables()
    found = [one for one in draw_all(wicked, ("$\\frac{1}{0}$ <b>\u202e",)) if one.files]
    assert len(found) >= 10
    for one in found:
        root = ElementTree.fromstring(one.files["svg"])
        assert not root.findall(f".//{SVG}script")
        assert "\u202e".encode() not in one.files["svg"]


def test_each_figure_that_is_not_drawn_says_what_makes_its_tables(tmp_path: Path) -> None:
    found = write_figures(tmp_path, draw_all(reading("benchmark").tables()))
    absent = {one.name: one.reason for one in found if not one.files}
    assert "proctor run binding-interface" in absent["coupling-terms"]
    assert "proctor run binding-families" in absent["state-boundary"]
    assert "proctor run binding-sufficiency" in absent["sufficiency"]
    assert "proctor predict" in absent["reliability-curve"]
    drawn = {one.name for one in found if one.files}
    assert drawn >= {"contrast-forest", "profile-matrix", "response-matrix", "mapping-errors", "conservative-effects"}
    assert {path.name for path in tmp_path.iterdir()} == {
        "figures.csv",
        *(f"{name}.{ending}" for name in drawn for ending in ("svg", "png")),
    }
    with (tmp_path / "figures.csv").open(newline="") as lines:
        listed = {row["figure"]: row for row in csv.DictReader(lines)}
    assert {name for name, row in listed.items() if row["drawn"] == "yes"} == drawn
    assert list(listed) == [kind.name for kind in FIGURES]


def test_no_table_at_all_draws_nothing_and_says_so() -> None:
    assert all(one.reason and not one.files for one in draw_all({}))


def test_names_of_figures_are_file_names_and_unique() -> None:
    names = [kind.name for kind in FIGURES]
    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalpha() and name.islower() for name in names)


def test_without_the_library_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    drawn = list(draw_all(reading("benchmark").tables()))
    assert len(drawn) == len(FIGURES), "whoever asked is told of each, and nothing else is held up"
    assert not any(one.files for one in drawn)
    assert {one.reason for one in drawn} == {
        "figures are drawn with matplotlib: install it with `pip install 'proctor[figures]'`"
    }


def test_the_views_hold_the_numbers_of_the_tables() -> None:
    given = reading("benchmark").tables()
    assert {column for column, _ in CONTRASTS.values()} <= set(given["contrasts"])
    lines = contrast_forest(given)
    assert [line.mean for line in lines] == given["inference"]["mean_contrast"]
    assert all(len(line.units) == 7 for line in lines)
    shown = profile(given)
    assert [row.condition for row in shown] == ["structured", "stochastic", "no-reason", "no-veto"]
    assert shown[2].rings == {"B_RSI": True}
    assert shown[0].rings == {}
    rates = responses(given)["structured"]["d0"]["reason_flip"]
    one = next(row for row in rows_of(given, "probe_rates") if row["condition"] == "structured")
    assert (rates.mean, rates.rows) == (1.0, one["rows"])
    assert [one.unmapped for one in mapping_errors(given)] == [0.0] * 4
    assert set(effects(given)) == {"declared contrasts (datasets)", "composite over other Conditions (datasets)"}


def test_settings_of_the_grid_stay_out_of_other_pictures() -> None:
    given = reading("grid").tables()
    hidden = grid_settings(given)
    assert hidden
    assert not hidden & {row.condition for row in profile(given)}


def test_replicates_are_weighed_by_their_rows() -> None:
    columns: Columns = {
        "dataset": ["d", "d"],
        "condition": ["structured", "structured"],
        "replicate": [0, 1],
        "probe": ["veto_cue", "veto_cue"],
        "correct": [1.0, 0.0],
        "unmapped": [0.0, 0.5],
        "rows": [3, 1],
    }
    assert responses({"probe_rates": columns})["structured"]["d"]["veto_cue"].mean == 0.75
    assert mapping_errors({"probe_rates": columns})[0].unmapped == 0.125
    assert mapping_errors({"probe_rates": columns})[0].false_positive is None


def test_names_are_shortened_and_minus_signs_real() -> None:
    assert short("a" * 100, 11) == "aaaaaa…aaaa"
    assert short("one\ntwo\x00") == "one two⟨U+0000⟩"
    assert number_text(-0.5) == "−0.50"
    assert number_text(-0.0001) == "0.00"
    assert number_text(None) == "–"


def test_unmapped_means_the_same_in_tables_and_gate() -> None:
    """The invalid code, emitted as such, is a wrong action; a reply that names no code is unmapped."""
    rows = [dict(one) for one in RUNS["benchmark"]]
    rows[0] |= {"code": UNMAPPED, "how": "exact"}
    rows[1] |= {"code": UNMAPPED, "how": "none"}
    run = evidence(rows)
    found = BindingInstrument().read(run, run.frozen.rules)
    gate = next(one for one in found.gates[0].criteria if one.name == "unmapped actions")
    pooled = [(one.unmapped or 0.0) * one.unmapped_rows for one in mapping_errors(found.tables())]
    assert gate.k == 1
    assert round(sum(pooled), 9) == 1.0
