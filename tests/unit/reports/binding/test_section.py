"""The binding section: from JSON alone, the same bytes, nothing of a stranger's text as markup, missing parts named."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.unit.reports.binding.material import HOSTILE, KINDS, everything, hostile, reading, section_of
from tests.unit.reports.material import report_of
from tests.unit.reports.reading_html import Page

from proctor.instruments.binding.inference import NO_GENERALISATION, STRATA
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.variants import REGISTRY
from proctor.reports.data import Report, from_json, to_json
from proctor.reports.html.page import render
from proctor.reports.section import section_kind
from proctor.reports.sections.binding import BindingSection
from proctor.reports.sections.binding.conditions import conditions_text
from proctor.reports.sections.binding.ledger import BOUNDARY, QUESTIONS


def shown(report: Report, given: BindingReading) -> Page:
    """The page of a report that has this reading alone."""
    return Page(render(replace(report, sections=(section_of(given),), failures=())).decode())


def test_the_instrument_has_its_own_section() -> None:
    assert isinstance(section_kind("binding"), BindingSection)


def test_the_page_comes_from_the_json_alone(binding_report: Report) -> None:
    assert render(from_json(to_json(binding_report))) == render(binding_report)


def test_the_same_evidence_gives_the_same_bytes(binding_store: Path, binding_report: Report) -> None:
    assert render(report_of(binding_store)) == render(binding_report)


def test_a_run_shows_its_scores_contrasts_gates_and_claims(binding_report: Report) -> None:
    section = next(one for one in binding_report.sections if one.instrument == "binding")
    text = Page(render(binding_report).decode()).text
    found = section.data["data"]["components_by_condition"]["columns"]
    structured = found["condition"].index("structured")
    assert f"{found['B_RSI_mean'][structured]:.3f}".replace("-", "−") in text
    assert f"{found['composite_mean'][structured]:.3f}".replace("-", "−") in text
    for words in ("Scores by Condition, with lesions", "Declared contrasts", "Gates", "Claims", "Mapping errors"):
        assert words in text
    assert NO_GENERALISATION in text, "three corpora: nothing is said beyond them"
    assert section.headline.startswith("behaviour gate")
    assert "small-binding@1.0" in section.headline


def test_failing_episodes_with_the_whole_state_are_shown(binding_report: Report) -> None:
    about = [one for one in binding_report.failures if "with the whole state miss the target" in one.why]
    assert about
    assert {one.condition for one in about} == {"structured"}
    assert all(one.outcome != "success" for one in about)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_run_has_a_page_that_closes_its_tags(binding_report: Report, kind: str) -> None:
    given = reading(kind)
    page = shown(binding_report, given)
    assert page.text.count(conditions_text(given)) >= len(given.claims), "conditions stand beside the numbers"
    for table in given.data.values():
        assert table.title in page.text


def test_lesion_rings_stand_where_a_reduction_is_expected(binding_report: Report) -> None:
    page = shown(binding_report, reading("benchmark"))
    rings = [one["class"] for one in page.all("ellipse")]
    assert rings == ["ring", "ring"], "no-reason on B_RSI and no-veto on B_VEI, both below the structured score"


def test_a_lesion_that_lowers_nothing_has_a_broken_ring(binding_report: Report) -> None:
    given = reading("benchmark")
    table = given.data["components_by_condition"]
    lesion, whole = table.columns["condition"].index("no-reason"), table.columns["condition"].index("structured")
    table.columns["B_RSI_mean"][lesion] = table.columns["B_RSI_mean"][whole]
    decided = given.data["inference"].columns
    decided["above_zero"][decided["contrast"].index("reason")] = "no"
    page = shown(binding_report, given)
    assert sorted(str(one["class"]) for one in page.all("ellipse")) == ["ring", "ring stayed"]
    assert "expected to fall, and does not" in page.text


def test_controls_over_families_are_a_matrix_with_rings_too(binding_report: Report) -> None:
    given = reading("families")
    assert not shown(binding_report, given).all("ellipse"), "none of its controls is a lesion"
    cells = given.data["cells"].columns
    cells["control"][:] = ["lesion" if name == "no-fields" else name for name in cells["control"]]
    lowered = [value for name, value in zip(cells["control"], cells["delta"], strict=True) if name == "lesion"]
    assert all(isinstance(value, float) and value > 0 for value in lowered)
    page = shown(binding_report, given)
    assert "Accuracy by Condition and scaffold" in page.text
    assert [one["class"] for one in page.all("ellipse")] == ["ring"] * (len(set(cells["scaffold"])) + 1)


def test_corpora_of_one_generator_are_called_strata(binding_report: Report) -> None:
    assert STRATA in shown(binding_report, reading("benchmark")).text


def test_criteria_are_met_or_boundary_conditions_or_not_measured(binding_report: Report) -> None:
    text = shown(binding_report, reading("benchmark")).text
    assert "✓ met" in text
    assert BOUNDARY not in text
    given = reading("benchmark")
    first = given.gates[0]
    changed = (
        replace(first.criteria[0], status="not met", value=0.5),
        replace(first.criteria[1], status="not measured", value=None, reason="nobody asked"),
        *first.criteria[2:],
    )
    text = shown(binding_report, replace(given, gates=(replace(first, status="not met", criteria=changed),))).text
    assert f"× {BOUNDARY}" in text
    assert "nobody asked" in text


def test_the_claim_ledger_says_what_is_not_supported(binding_report: Report) -> None:
    given = reading("benchmark")
    claim = replace(given.claims[0], supported="", contrary="parse errors: 0.5 (below 0.02)")
    text = shown(binding_report, replace(given, claims=(claim,))).text
    assert "none: not all its criteria were measured and met" in text
    assert "parse errors: 0.5 (below 0.02)" in text
    assert claim.excluded in text


def test_the_registry_gives_every_name(binding_report: Report) -> None:
    text = shown(binding_report, reading("benchmark")).text
    assert all(one.id in text and one.paper in text for one in REGISTRY)


def test_what_was_not_measured_is_named(binding_report: Report) -> None:
    given = reading("benchmark")
    text = shown(binding_report, given).text
    absent = [one for one in QUESTIONS if one.table not in given.data]
    assert absent
    assert all(f"{one.question}: not measured in this run; proctor run {one.suite} has it" in text for one in absent)
    there = [one for one in QUESTIONS if one.table in given.data]
    assert all(f"{one.question}: not measured in this run" not in text for one in there)


def test_nothing_a_stranger_wrote_becomes_markup(binding_report: Report) -> None:
    plain, wicked = everything(), hostile(everything())
    page = shown(binding_report, wicked)
    assert not page.all("script")
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in shown(binding_report, plain).elements}
    assert "\u202e" not in page.text
    assert "⟨U+202E⟩" in page.text
    assert HOSTILE.partition("\u202e")[0] in page.text
    assert not any(name.startswith("on") or name == "style" for _, found in page.elements for name in found)


def test_a_reading_that_measured_nothing_says_why(binding_report: Report) -> None:
    given = replace(reading("benchmark"), measured=False, reason="no probe at all", values=(), gates=(), data={})
    text = shown(binding_report, given).text
    assert "not measured: no probe at all" in text
    assert section_of(given).headline == "Binding not measured: no probe at all."
    assert section_of(replace(given, records=None)).headline == "", "a run without probes is not about binding"


def test_trouble_with_the_interface_is_said_before_any_score(binding_report: Report) -> None:
    sentence = "Interface not passed: 300 of 500 (60 %) replies name no action."
    text = shown(binding_report, replace(reading("benchmark"), interface=sentence)).text
    assert text.index("interface not passed: no claim about binding is made") < text.index(sentence)
    assert text.index(sentence) < text.index("Scores by Condition, with lesions")
    assert "Interface not passed" not in shown(binding_report, reading("benchmark")).text


def test_the_forced_budget_has_its_tables(binding_report: Report) -> None:
    text = shown(binding_report, reading("budget")).text
    assert "Comparisons under equal budgets" in text
    assert "token-matched" in text
    assert "Comparisons under equal budgets" not in shown(binding_report, reading("benchmark")).text


def test_no_response_stands_for_a_probe_that_was_never_asked(binding_report: Report) -> None:
    """Extended probes have a corpus of their own, and so a matrix of their own."""
    given = reading("benchmark")
    rates = given.data["probe_rates"].columns
    first = {name: values[0] for name, values in rates.items()}
    for name, value in {**first, "dataset": "extended_probes", "probe": "late_veto", "condition": "structured"}.items():
        rates[name].append(value)
    page = shown(binding_report, given)
    assert page.text.count("Expected responses under structured, by dataset and probe") == 2
    assert "late veto" in page.text
    assert not [one for one in page.all("text") if "absent" in str(one.get("class", ""))]
