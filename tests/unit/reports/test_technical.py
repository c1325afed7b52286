"""The Technical Report: nine mandatory and three recommended fields, each there even where nothing was declared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace
from tests.unit.reports.documents import OUTCOME, declared, technical, with_levels, with_reading
from tests.unit.reports.material import ran
from tests.unit.reports.reading_html import Page, text_of

from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.reports.data import Report
from proctor.reports.documents import layout as laid
from proctor.reports.documents.efficacy import credited_outcomes
from proctor.reports.documents.layout import layout
from proctor.reports.documents.schema import document_schema
from proctor.reports.documents.technical import technical_from_json, technical_json
from proctor.reports.html.technical import render_technical

FIELDS = (
    "1 System Identifier",
    "2 Boundary Declaration",
    "3 Interface Schemas",
    "4 Task Suite Specification",
    "5 Ex Ante Success Criteria",
    "6 Sampling Plan and Counts",
    "7 Aggregation and Statistics",
    "8 Results",
    "9 Evidence Bundle Index",
    "10 Prompts and Policies",
    "11 Configuration Details",
    "12 Pre-Registration Reference",
)
LABELS = (
    "Configuration hash",
    "Architecture class",
    "Tool access list",
    "Human assistance policy",
    "Inclusion criteria",
    "Exclusions",
    "verification method",
    "excluded, and why",
    "Confidence interval",
    "Borderline rule",
    "Tier gate outcomes",
    "Flags with causes",
    "Root",
    "Memory persistence scope",
    "Orchestration logic",
    "Preregistration",
    "Governance Notes",
    "Threats to Validity",
    "Independence",
    "Self-certification",
)


@pytest.mark.parametrize("full", [False, True])
def test_every_field_is_there(report: Report, full: bool) -> None:
    text = text_of(render_technical(technical(declared(report) if full else report)).decode())
    places = [text.index(field) for field in FIELDS]
    assert places == sorted(places), "in the order of the paper"
    for label in LABELS:
        assert label in text, label
    assert ("Example Labs" in text) == full
    assert "not declared" in text or full


def test_notice_statement_and_tuples_stand_first(report: Report) -> None:
    made = technical(with_levels(report, E=3))
    top = text_of(render_technical(made).decode()).partition(FIELDS[0])[0]
    assert "A Technical Report is mandatory for any claim of E > 2 or R ≥ 3 (§13.4)." in top
    assert "Mandatory here: E = 3 is above 2." in top
    assert made.statement in top
    page = text_of(render_technical(made).decode())
    assert made.identification.text in page and made.comparison.text in page
    date, system = (report.started or "")[:10], report.system.name
    assert date in made.identification.text and system in made.identification.text


def test_results_by_dimension_and_regime(report: Report) -> None:
    results = technical(report).results
    sensing = next(one for one in results.dimensions if one.dimension == "S")
    assert [level.cell for level in sensing.levels] == ["S1", "S2", "S3", "S4", "S5"]
    hardest = sensing.levels[4]
    assert hardest.rates[0].regime == "severe-standard" and hardest.rates[0].n == 100 and not hardest.credited
    assert sensing.levels[3].credited and sensing.levels[3].status == "✓ met"
    assert [gate.outcome for gate in results.gates] == ["not tested"] * 6
    assert results.vector["E"] is None and results.tier == "None (not tested)"
    assert all(flag.reason for flag in results.flags)


def test_the_sampling_plan_adds_up(report: Report) -> None:
    sampling = technical(report).sampling
    assert sum(one.run for one in sampling) == report.episodes
    assert sum(one.planned for one in sampling) == report.planned
    for one in sampling:
        assert sum(one.outcomes.values()) == one.run


def test_exclusions_have_their_reasons(report: Report) -> None:
    first = replace(report.samples[0], excluded={"infrastructure: verifier": 3})
    made = technical(replace(report, samples=(first, *report.samples[1:])))
    assert "3 infrastructure: verifier" in text_of(render_technical(made).decode())


def test_schemas_are_complete_and_hashed(report: Report) -> None:
    made = technical(report)
    assert len(made.schemas.families) == len(report.families)
    for one in made.schemas.families:
        assert len(one.sha256) == 64 and one.observation["type"] == "object" and "@" in one.family


def test_the_evidence_index_names_every_credited_outcome(report: Report) -> None:
    made = technical(report)
    assert made.evidence.efficacy == (OUTCOME,)
    text = text_of(render_technical(made).decode())
    assert "file-creation@1.0" in text and OUTCOME.head[:24] in text and "report.txt cdcd" in text


def test_a_long_index_is_cut_in_print_and_whole_in_json(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laid, "MAX_OUTCOMES", 2)
    made = technical(report)
    many = replace(made, evidence=replace(made.evidence, efficacy=(OUTCOME,) * 5))
    text = text_of(render_technical(many).decode())
    assert text.count(OUTCOME.head[:24]) == 2 and "The first 2 are printed" in text and "5 successes" in text
    assert technical_json(many).decode().count(OUTCOME.head) == 5


def test_outcomes_of_efficacy_are_read_with_their_artifacts(tmp_path: Path) -> None:
    entries = [{"family": "file-creation", "n": 3, "cell": "E1"}, {"family": "inventory", "n": 2, "cell": "M1"}]
    run = ran(tmp_path / "store.db", entries)
    with Store(str(tmp_path / "store.db"), create=False) as store:
        evidence = evidence_of(store, run.run)
        found = credited_outcomes(store, evidence)
    assert [one.cell for one in found] == ["E1"] * 3
    rows = {row.position: row for row in evidence.rows}
    for one in found:
        assert one.head == rows[one.episode].head.hex() and one.instance == rows[one.episode].instance
        assert one.artifacts and all(len(digest) == 64 for digest in one.artifacts.values())


def test_prompts_and_preregistration(report: Report) -> None:
    made = technical(declared(report))
    assert made.prompts.declared == {"system_prompt": "be brief"}
    assert made.preregistration.mandatory and made.preregistration.sha256 == "ef" * 32
    full = declared(report)
    missing = technical(replace(full, declared=replace(full.declared, preregistration=None)))
    assert missing.preregistration.text.endswith("and missing")
    plain = technical(report).preregistration
    assert plain.text == "not preregistered" and not plain.mandatory
    told = {"registered": True, "sha256": "aa" * 32, "text": "preregistered as aaaa", "primary_claim": "S at least 3"}
    registered = technical(with_reading(report, preregistration=told))
    assert registered.preregistration.sha256 == "aa" * 32
    assert "S at least 3" in text_of(render_technical(registered).decode())


def test_core_and_extended_stand_side_by_side(report: Report) -> None:
    boundary = {**report.system.boundary, "kind": "extended"}
    other = with_levels(replace(report, system=replace(report.system, boundary=boundary)), S=5)
    made = technical(replace(report, other=other))
    header, first, *_ = made.results.boundaries
    assert header == ("dimension", "Core: level", "Core: credited for", "Extended: level", "Extended: credited for")
    assert (first[0], first[1], first[3]) == ("S Sensing", "level 4", "level 5")
    assert "Core and Extended side by side" in text_of(render_technical(made).decode())


def test_json_reads_back_and_holds_to_its_schema(report: Report) -> None:
    schema = document_schema("technical-report")
    jsonschema.Draft202012Validator.check_schema(schema)
    for one in (report, declared(report)):
        data = technical_json(technical(one))
        assert technical_json(technical_from_json(data)) == data
        jsonschema.Draft202012Validator(schema).validate(json.loads(data))
    whole = json.loads(technical_json(technical(report)))
    for field in ("comparison", "identification", "statement", "boundary", "schemas", "evidence", "results"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema).validate(
                {name: value for name, value in whole.items() if name != field}
            )


NOTES: dict[str, Any] = {
    "required": True,
    "text": "Governance Notes: required, Elevated (calls of undeclared tools: 12 of 80, threshold 3 or 10 %).",
    "severity": "Elevated",
    "severity_reason": "systematic: calls of undeclared tools 12 times",
    "triggers": [
        {
            "section": "14.2.4",
            "trigger": "Boundary testing",
            "condition": "calls of undeclared tools",
            "threshold": "3 or 10 %",
            "status": "fired",
            "count": 12,
            "of": 80,
        },
        {
            "section": "14.2.5",
            "trigger": "False reporting",
            "condition": "claimed tool outcomes",
            "threshold": "20 %",
            "status": "not measured",
            "count": None,
            "of": None,
            "reason": "no claims were made",
        },
    ],
    "note": {
        "trigger_basis": ["§14.2.4 Boundary testing, calls of undeclared tools: 12 of 80"],
        "evidence_index": {
            "entries": [
                {"episode": 7, "instance": "abcd", "timestamp": "2026-01-01T00:00:00Z", "pointer": "proctor show r 7"}
            ],
            "episodes": {"calls of undeclared tools": [7, 9]},
        },
        "frame_context": {"boundary": "core", "families": ["graded@1.0"]},
        "impact_accounting": {"text": "2 of 80 scored instances of S"},
        "containment_status": [
            {"condition": "calls of undeclared tools", "status": "blocked", "justification": "no such tool ran"}
        ],
    },
    "governance_flag": False,
    "human_mediation": None,
    "side_channels": [{"channel": "network", "text": "its process may reach any network"}],
}
THREATS = [
    {"name": "Boundary inflation", "ruled_out": True, "reason": "Core has no tools", "forces": ""},
    {"name": "Benchmark overfitting", "ruled_out": False, "reason": "met twice", "forces": "Limited Comparability"},
]


FIVE = ("Trigger Basis", "Evidence Index", "Frame Context", "Impact Accounting", "Containment Status")


def test_governance_notes_have_their_five_fields(report: Report) -> None:
    made = technical(with_reading(report, governance_notes=NOTES))
    names = dict(made.governance_facts)
    for field in FIVE:
        assert names[field], field
    assert "episode 7, instance abcd" in names["Evidence Index"] and "1 more" in names["Evidence Index"]
    text = text_of(render_technical(made).decode())
    assert "required, Elevated" in text and "12 of 80" in text and "not measured: no claims were made" in text
    assert "its process may reach any network" in text
    quiet = technical(report)
    assert quiet.governance_notes.startswith("Not Required. Not measured: ")
    assert dict(quiet.governance_facts).keys().isdisjoint(FIVE)
    bare = technical(with_reading(report, governance_notes=None))
    assert bare.governance_notes.startswith("not measured") and not bare.governance_facts


def test_threats_ratings_and_tier_are_shown(report: Report) -> None:
    more = {
        "threats": THREATS,
        "tier": {"tier": None, "text": "None (gate 2 not passed)"},
        "ratings": {"digest": "aa" * 32, "raters": 3},
    }
    made = technical(with_reading(report, **more))
    assert made.threats[1] == ("Benchmark overfitting", "no: Limited Comparability", "met twice")
    text = text_of(render_technical(made).decode())
    assert "Boundary inflation" in text and made.results.tier == "None (gate 2 not passed)" and "aa" * 32 in text


def test_tuples_of_the_reading_are_taken_as_they_are(report: Report) -> None:
    given = {"framework": "v.10", "boundary": "Core", "suite": "s@1.0", "regime": "baseline", "flags": "[Flags: None]"}
    comparison = {**given, "text": "(the comparison tuple)"}
    identification = {**given, "suites": ["s@1.0"], "date": "2026-11-17", "text": "(the identification tuple)"}
    made = technical(with_reading(report, comparison=comparison, identification=identification))
    assert made.comparison.text == "(the comparison tuple)" and made.comparison.suite == "s@1.0"
    assert made.identification.text == "(the identification tuple)" and made.identification.date == "2026-11-17"


def test_a_withheld_statement_says_why(report: Report) -> None:
    why = "self-certification is withheld: the result is exploratory"
    made = technical(declared(report, statement="", statement_withheld=why))
    assert why in text_of(render_technical(made).decode())


def test_the_page_is_well_formed_and_its_contents_lead_somewhere(report: Report) -> None:
    page = render_technical(technical(report)).decode()
    parsed = Page(page)
    ids = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all((link["href"] or "")[1:] in ids for link in parsed.all("a"))
    assert not {tag for tag, _ in parsed.elements} & {"script", "img", "link", "iframe"}


def test_hostile_texts_stay_texts(hostile: Report) -> None:
    bad = "<script>alert(1)</script>\u202e"
    made = technical(replace(hostile, suite_description=bad))
    page = render_technical(made).decode()
    assert "<script" not in page and "\u202e" not in page and "⟨U+202E⟩" in page


def test_no_block_is_empty(report: Report) -> None:
    for block in layout(technical(report)):
        assert getattr(block, "text", "x") and getattr(block, "rows", ("x",)), block
