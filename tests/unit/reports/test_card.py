"""The Agency Card: the tuple, what §13.3 adds to it, and nothing that could be taken for more than it is."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from msgspec.structs import replace
from tests.unit.reports.documents import STATEMENT, declared, with_levels, with_reading
from tests.unit.reports.material import entries_of, ran, report_of
from tests.unit.reports.reading_html import Page, text_of

from proctor.core.errors import InputError
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.agency.instrument import instrument
from proctor.reports.build import build_report
from proctor.reports.data import Report, from_json, to_json
from proctor.reports.documents.card import card_from_json, card_json, card_of
from proctor.reports.documents.parts import Contact
from proctor.reports.documents.schema import document_schema
from proctor.reports.html.card import render_card


def test_the_comparison_tuple_is_whole(report: Report) -> None:
    tuple_ = card_of(report).comparison
    assert (tuple_.framework, tuple_.boundary, tuple_.suite) == ("v.10", "Core", "graded@1.0")
    assert tuple_.tier == "None (not tested)"
    assert list(tuple_.vector) == ["S", "M", "D", "E", "L", "R", "G"] and tuple_.vector["E"] is None
    assert tuple_.regime.startswith("graded@1.0#") and len(tuple_.regime.partition("#")[2]) == 12
    for part in (tuple_.framework, "Core Boundary", tuple_.suite, tuple_.regime, "Tier None", "A = [4, ", tuple_.flags):
        assert part in tuple_.text


def test_the_fields_of_the_card(report: Report) -> None:
    card = card_of(report)
    assert [one.name for one in card.efficiency] == [
        "tokens per episode",
        "wall clock per episode",
        "actions per episode",
        "retry rate",
    ]
    tokens, clock, actions, retries = card.efficiency
    assert tokens.value is None and tokens.text == "not measured" and tokens.reason == "the agent reports no tokens"
    assert clock.value is not None and clock.value > 0 and clock.n == report.episodes
    assert actions.value is not None and retries.value is not None and 0 <= retries.value <= 1
    assert card.verification.methods and card.verification.failed == 0
    assert card.verification.text == f"0 of {report.episodes:,} verifications failed (0.0\u00a0%)"
    assert (card.artifact.root, card.artifact.bundle) == (report.digests.root, f"{report.run}.proctor")
    assert card.contact.contact == card.contact.organisation == "not declared"
    assert card.statement.startswith("Capability only:")
    assert card.label == "oracle, not a result" and card.exploratory
    assert {flag.about for flag in card.flags} >= {"G"} and all(flag.reason for flag in card.flags)


def test_the_means_are_over_all_episodes(vector_store: Path, report: Report) -> None:
    from proctor.evidence.evidence import evidence_of
    from proctor.evidence.store.store import Store

    with Store(str(vector_store), create=False) as store:
        rows = evidence_of(store, report.run).rows
    _, clock, actions, retries = card_of(report).efficiency
    assert actions.value == pytest.approx(sum(row.calls for row in rows) / len(rows))
    assert clock.value == pytest.approx(sum(row.elapsed_us for row in rows) / len(rows) / 1000)
    assert retries.value == pytest.approx(sum(row.retries for row in rows) / sum(row.calls for row in rows))


def test_verification_failures_are_counted(report: Report) -> None:
    broken = replace(report, outcomes={**report.outcomes, "infrastructure": 30, "invalid": 2})
    found = card_of(broken).verification
    assert found.failed == 32 and found.attempted == sum(broken.outcomes.values())
    assert found.failure_rate == pytest.approx(32 / found.attempted)


def test_who_answers_and_vendor_evaluated(report: Report) -> None:
    card = card_of(declared(report))
    assert (card.contact.organisation, card.contact.contact) == ("Example Labs", "evals@example.org")
    assert card.contact.label == "Vendor-Evaluated" and card.contact.statement == STATEMENT
    assert card.contact.independence == "vendor: whoever offers the system evaluated it"
    other = card_of(declared(report, independence="third-party", label="", statement=""))
    assert not other.contact.label and not other.contact.statement
    nobody = "not declared"
    assert card_of(report).contact == Contact(nobody, nobody, nobody, nobody, nobody, "", "", "")


@pytest.mark.parametrize(
    ("levels", "use", "cases"),
    [
        ({"E": 2, "R": 2}, None, ()),
        ({"E": 3, "R": 2}, None, ("E = 3 is above 2",)),
        ({"E": 2, "R": 3}, None, ("R = 3 is 3 or more",)),
        ({"E": 5, "R": 4}, "internal", ("E = 5 is above 2", "R = 4 is 3 or more")),
        ({"E": 0, "R": 0}, "procurement", ("the declared use is procurement, by which others decide",)),
        ({"E": 0, "R": 0}, "comparison", ("the declared use is comparison, by which others decide",)),
        ({"E": 0, "R": 0}, "research", ()),
    ],
)
def test_when_a_technical_report_is_mandatory(
    report: Report, levels: dict[str, int], use: str | None, cases: tuple[str, ...]
) -> None:
    assert card_of(with_levels(declared(report, use=use), **levels)).technical_report == cases


def test_json_reads_back_and_holds_to_its_schema(report: Report) -> None:
    for one in (report, declared(report), replace(report, other=report)):
        data = card_json(card_of(one))
        assert card_from_json(data) == card_of(one) and card_of(from_json(to_json(one))) == card_of(one)
        jsonschema.Draft202012Validator(document_schema("card")).validate(json.loads(data))


def test_the_schema_refuses_a_card_without_its_tuple_or_statement(report: Report) -> None:
    whole = json.loads(card_json(card_of(report)))
    schema = document_schema("card")
    jsonschema.Draft202012Validator.check_schema(schema)
    for field in ("comparison", "statement", "flags", "exploratory", "verdict", "contact", "artifact"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema).validate(
                {name: value for name, value in whole.items() if name != field}
            )
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({**whole, "score": 4.2})
    bare = {name: value for name, value in whole["comparison"].items() if name != "flags"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({**whole, "comparison": bare})


def test_the_page_shows_every_field(report: Report) -> None:
    card = card_of(declared(report))
    page = render_card(card).decode()
    text = text_of(page)
    assert Page(page).all("svg")
    for words in (
        card.comparison.text,
        card.statement,
        card.exploratory,
        card.label,
        *card.verdict,
        *(one.text for one in card.efficiency),
        card.verification.text,
        card.artifact.bundle,
        card.artifact.root or "",
        card.contact.organisation,
        card.contact.contact,
        "Vendor-Evaluated",
        card.contact.statement,
        *(one.reason for one in card.flags),
        "Governance Notes",
        "Technical Report",
    ):
        assert words in text, words
    for one in card.dimensions:
        for rate in (one.credited, one.next):
            if rate is not None and rate.n is not None:
                assert rate.value_text in text and rate.needs_text in text, rate.cell


def test_it_loads_nothing_and_hostile_names_stay_names(report: Report) -> None:
    bad = '"><script>x</script>\u202e'
    page = render_card(card_of(replace(report, system=replace(report.system, name=bad), label=bad))).decode()
    parsed = Page(page)
    assert not {tag for tag, _ in parsed.elements} & {"script", "img", "link", "iframe"}
    assert "\u202e" not in page and "⟨U+202E⟩" in parsed.text
    assert "http://" not in page and "https://" not in page and "default-src" in page


def test_both_boundaries_stand_side_by_side(report: Report) -> None:
    boundary = {**report.system.boundary, "kind": "extended"}
    other = with_levels(replace(report, system=replace(report.system, boundary=boundary)), S=5)
    card = card_of(replace(report, other=other))
    assert card.other is not None and card.other.vector["S"] == 5
    by_name = {one.dimension: one for one in card.dimensions}
    assert by_name["S"].level == 4 and by_name["S"].other_level == 5
    assert card.other.text in text_of(render_card(card).decode())


def test_a_run_without_a_vector_has_no_card(tmp_path: Path) -> None:
    ran(tmp_path / "store.db", [{"family": "graded_family.py:family", "n": 5}])
    with pytest.raises(InputError, match="has no Agency Vector"):
        card_of(report_of(tmp_path / "store.db"))


@pytest.mark.parametrize("brought", [True, False])
def test_an_undeclared_boundary_is_never_called_core(vector_store: Path, brought: bool) -> None:
    """Neither by the tuples that a reading brings, nor by those worked out for a reading that has none."""
    with Store(str(vector_store), create=False) as store:
        evidence = evidence_of(store, "latest")
        system = evidence.frozen.system
        boundary = system.boundary.model_copy(update={"kind": None})
        frozen = evidence.frozen.model_copy(update={"system": system.model_copy(update={"boundary": boundary})})
        undeclared = replace(evidence, frozen=frozen)
        bare = build_report(store, undeclared, [instrument.read(undeclared, frozen.rules)])
    card = card_of(bare if brought else with_reading(bare, comparison={}, identification={}))
    assert card.comparison.boundary == "not declared" and "Boundary not declared" in card.comparison.text
    assert "Core" not in card.comparison.text and "Boundary not declared" in text_of(render_card(card).decode())


def test_a_small_run_has_a_card(tmp_path: Path) -> None:
    ran(tmp_path / "store.db", entries_of("S1", 100, n=12))
    card = card_of(report_of(tmp_path / "store.db"))
    assert [one.dimension for one in card.dimensions] == ["S", "M", "D", "E", "L", "R", "G"]
    assert card.dimensions[1].rungs == ("not tested",) * 5 and card.dimensions[1].text == "not measured"
