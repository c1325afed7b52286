"""The ladder of tiers as it is shown: every gate with its number, and no tier without its tuple."""

from __future__ import annotations

import msgspec
from tests.unit.instruments.tiers.ladders import Some, ladder_evidence, up_to

from proctor.instruments.agency.instrument import instrument
from proctor.reports.sections.agency import AgencySection
from proctor.reports.sections.agency.ladder import gate_rows, ladder_lines, rungs, stopped_words
from proctor.reports.sections.agency.ladder_page import ladder_markup
from proctor.reports.sections.agency.standing import Standing, standing_of


def standing(*some: Some) -> Standing:
    reading = instrument.read(evidence := ladder_evidence(*some), evidence.frozen.rules)
    return standing_of(msgspec.to_builtins(reading))


def test_the_tuple_stands_above_the_ladder() -> None:
    shown = standing(*up_to(3))
    title, first, *rest = ladder_lines(shown)
    assert title == "Tiers"
    assert first == shown.comparison["text"]
    assert ", Tier 3, A = [" in first
    assert "3  Predictive      passed" in rest
    assert "4  Reflective      stopped here" in rest
    assert "5  Social          not reached" in rest
    stopped = next(line for line in rest if line.strip().startswith("calibration"))
    assert "failed" in stopped and "the confidence is the same for every item" in stopped


def test_the_page_has_the_tuple_and_every_gate() -> None:
    shown = standing(*up_to(2))
    page = str(ladder_markup(shown))
    assert shown.comparison["text"] in page
    assert "15 points above the model-free baseline" in page
    assert len(gate_rows(shown)) == sum(len(rung.gates) for rung in rungs(shown)) == 24


def test_without_cells_of_tiers_there_is_nothing_to_show() -> None:
    shown = standing(Some("S1", 100, 100))
    assert (ladder_lines(shown), rungs(shown), gate_rows(shown)) == ([], (), ())
    assert stopped_words(shown) == ""
    assert shown.tier == "None (not tested)"


def test_the_verdict_names_the_gate_that_decided() -> None:
    evidence = ladder_evidence(*up_to(3))
    reading = instrument.read(evidence, evidence.frozen.rules)
    *_, last = AgencySection().conclusion(reading, evidence).verdict
    reason = "undefined: the confidence is the same for every item"
    assert last == f"Tier 4 Reflective was stopped at the gate calibration: {reason}."
