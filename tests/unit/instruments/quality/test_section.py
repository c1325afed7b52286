"""The report section: read back from its data, every metric with its target, harm before breakdowns."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.instruments.quality.made import evidence, load_reading, row

from proctor.evidence.evidence import Evidence
from proctor.instruments.quality.instrument import QualityInstrument, QualityReading
from proctor.instruments.quality.load_figures import Behaviour, LoadFigures, figures_of
from proctor.instruments.quality.metrics import Measured
from proctor.instruments.quality.rules import QualityRules
from proctor.reports.data import Section, plain
from proctor.reports.section import section_kind
from proctor.reports.sections.quality import section
from proctor.spec.rules import Rules

EVIDENCE = evidence(
    *(row(n, correct=int(n % 4 > 0), category=("safety", "governance")[n % 2]) for n in range(40)),
    row(40, safety="S1", correct=0, coordinate="G1.U1.P1.Z2.*", level="zone", reach="inter_agent"),
    row(41, stale=1),
)


def shown(given: Evidence, load: LoadFigures | None = None) -> str:
    reading = QualityInstrument(load=load).read(given, Rules())
    data = section.data(reading, given)
    flags = tuple(section.flags(reading))
    made = Section("quality", "1.0", section.title(reading), True, None, section.headline(reading), flags, data)
    # The page never looks at the report here: everything is in the section's data.
    return section.html(made, None)  # type: ignore[arg-type]


def test_the_section_is_found_and_its_data_reads_back() -> None:
    assert section_kind("quality") is section
    reading = QualityInstrument().read(EVIDENCE, Rules())
    assert plain(msgspec.convert(section.data(reading, EVIDENCE), QualityReading)) == plain(reading)


def test_metrics_targets_harm_and_breakdowns_are_shown() -> None:
    page = shown(EVIDENCE)
    for words in (
        "Decision Accuracy",
        "under its target of 90",
        "shown, not decided on",
        "not measured",
        "there is no load record",
        "1 S1 in 42 episodes",
        "1 in no metric (1 episode)",
        "without LUL, weights renormalised",
        "G1.U1.P1.Z2.*",
        "governance",
    ):
        assert words in page, words


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (Behaviour(True), "as expected"),
        (Behaviour(False, ("busy: 9 tasks newly wrong",)), "not as expected: busy: 9 tasks newly wrong"),
        (Behaviour(None, ("busy: cannot be said",)), "not known: busy: cannot be said"),
    ],
)
def test_what_was_measured_under_load_is_shown(behaviour: Behaviour, words: str) -> None:
    measured = Measured(value=0.625, n=400, reason="made", beside={"minimum": 0.5, "alone": 0.75, "busy": 0.5})
    page = shown(EVIDENCE, LoadFigures(measured, behaviour))
    assert f"<dd>{words}</dd>" in page
    assert "62.5" in page
    assert "worst scenario 50" in page
    assert "there is no load record" not in page
    assert "Under load, milliseconds" not in page, "nothing is known of single scenarios"


def test_scenarios_under_load_are_shown_one_by_one() -> None:
    figures = figures_of(load_reading(ok=False, safety={}), QualityRules())
    page = shown(EVIDENCE, figures)
    for words in (
        "Under load, milliseconds",
        "calm",
        "50.0",
        "100.0",
        "120.0",
        "500.0",
        "12 tasks newly wrong",
        "budgets calm 500 ms",
    ):
        assert words in page, words
    reading = QualityInstrument(load=figures).read(EVIDENCE, Rules())
    data = section.data(reading, EVIDENCE)
    assert msgspec.convert(data, QualityReading).load_scenarios == reading.load_scenarios


def test_harm_is_the_first_example() -> None:
    reading = QualityInstrument().read(EVIDENCE, Rules())
    found = list(section.examples(reading, EVIDENCE))
    assert (found[0].position, found[0].about) == (40, "S1")
    assert any("episodes that did not succeed" in one.why for one in found)


def test_an_aborted_run_says_where_it_stopped() -> None:
    page = shown(evidence(row(0), row(1, safety="S1", correct=0), complete=False))
    assert "failed-safety, stopped after 2 episodes" in page
    assert "the run stopped at an S1 violation" in page


def test_hostile_names_stay_text() -> None:
    page = shown(evidence(*(row(n, category="<script>x</script>") for n in range(4))))
    assert "<script>" not in page


def test_the_headline_is_one_line() -> None:
    reading = QualityInstrument().read(EVIDENCE, Rules())
    assert section.headline(reading).startswith("completed: DA 0.")
    empty = QualityInstrument().read(evidence(), Rules())
    assert section.headline(empty) == ""
