"""The linter: a sound set is clean; each principle, broken alone, gives one finding of one sentence."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.suites.quality.lint_samples import AT, GATE, data, made, sound

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.spec.scope import Scope
from proctor.suites.quality.links import cycle, links_of, problems
from proctor.suites.quality.lint import Finding, is_stale, lint, lint_bundle, lint_document

Rows = list[dict[str, Any]]


def findings(rows: Rows, **options: Any) -> tuple[Finding, ...]:
    return lint(made(rows), at=AT, **options)


def each(change: dict[str, Any], when: Callable[[int], bool] = lambda i: True, count: int = 40) -> Rows:
    """A sound set with some fields changed in some scenarios."""
    return [row | change if when(i) else row for i, row in enumerate(sound(count))]


def test_a_sound_set_is_clean() -> None:
    assert findings(sound()) == ()
    assert lint([made(sound(40)), made([row | {"id": f"b-{row['id']}"} for row in sound(80)], "more")], at=AT) == ()


HANDOFF = {"to": "G1.U1.P1.Z1.A2", "needs": ["invoice"], "context": "Pay it."}
BROKEN: dict[str, tuple[Rows, str, str, str]] = {
    "no gate": (each({"gates": [], "approvals": []}), "not_measured", "warning", "GCR cannot be measured"),
    "no evidence": (each({"evidence_schema": None}), "not_measured", "warning", "EQS cannot be measured"),
    "few adversarial": (
        each({"adversarial_kind": None}, lambda i: i not in (0, 3, 6, 9)),
        "adversarial",
        "warning",
        "only 4 of 40 (10.0 %) scenarios are adversarial",
    ),
    "no adversarial": (each({"adversarial_kind": None}), "adversarial", "unusable", "no scenario is adversarial"),
    "a kind missing": (
        each({"adversarial_kind": "ambiguous_context"}, lambda i: i % 3 == 0),
        "adversarial",
        "warning",
        "no adversarial scenario is of kind conflicting constraints, resource pressure, cascading errors",
    ),
    "a category missing": (
        each({"category": "governance"}, lambda i: i % 4 == 1),
        "categories",
        "warning",
        "no scenario tests safety",
    ),
    "a level missing": (
        each({"coordinate": "G1.U1.P1.Z1.*", "reach": "inter_agent"}, lambda i: i // 4 % 4 == 2),
        "levels",
        "warning",
        "level universe is claimed, but no scenario is at level planet",
    ),
    "approvers nod": (
        each({"approvals": [GATE | {"answers": ["approved"]}]}, lambda i: i % 2 == 1),
        "approvers",
        "warning",
        "in only 0 of 20 (0.0 %) gated scenarios",
    ),
    "weights zero": (each({"weight": 0}), "weights", "unusable", "every scenario of 'invoices' has weight 0"),
    "one stale": (
        each({"valid": {"from": "2020-01-01", "to": "2021-01-01"}}, lambda i: i == 7),
        "stale",
        "warning",
        "1 scenario is stale at 2026-06-01T00:00:00Z and left out: case-7",
    ),
    "all stale": (
        each({"valid": {"from": "2020-01-01", "to": "2021-01-01"}}),
        "stale",
        "unusable",
        "every scenario is stale",
    ),
    "a large template": (
        each({"template": "form-0"}, lambda i: i < 3),
        "templates",
        "warning",
        "template 'form-0' supplies 3 of 40 (7.5 %) scenarios, and 1 in all",
    ),
    "no provenance": (
        each({"provenance": {"kind": "expert", "source": "TBD"}}, lambda i: i == 4),
        "provenance",
        "warning",
        "not said where 1 scenario (case-4) came from",
    ),
    "another template's": (
        each({"provenance": {"kind": "template", "source": "elsewhere#1"}}, lambda i: i == 4),
        "provenance",
        "warning",
        "names another template",
    ),
    "reach too far": (
        each({"reach": "cross_planet"}, lambda i: i == 4),
        "reach",
        "unusable",
        "is cross_planet, but G1.U1.P1.Z1.* is only a zone; give it the coordinate of a universe",
    ),
    "oracle unsafe": (
        each({"acceptable": [{"name": "wipe"}]}, lambda i: i == 4),
        "unsafe_oracle",
        "unusable",
        "'case-4' accepts 'wipe', which it classes S1",
    ),
    "gate before nothing": (
        each({"gates": [GATE | {"before": "fly"}]}, lambda i: i == 5),
        "gate_before",
        "unusable",
        "gate before 'fly'",
    ),
    "nobody to ask": (each({"approvals": []}, lambda i: i == 5), "no_approver", "warning", "(case-5)"),
    "unclassified": (each({"safety": {"pay": "ok"}}, lambda i: i == 5), "unclassified", "warning", "(case-5)"),
    "hand-off typo": (
        each({"handoff": HANDOFF | {"to": "G1.U1.P1.Z1.2A"}}, lambda i: i == 4),
        "coordinate",
        "unusable",
        "scenario 'case-4' hands off to a coordinate 'G1.U1.P1.Z1.2A': '2A' should be A and a number",
    ),
    "hand-off without source": (
        each({"handoff": HANDOFF | {"needs": ["receipt"]}}, lambda i: i == 4),
        "handoff",
        "unusable",
        "hands 'receipt' over, but has no source of that name",
    ),
    "hand-off outside": (
        each({"handoff": HANDOFF | {"to": "G1.U1.P1.Z2.A2"}}, lambda i: i == 4),
        "handoff",
        "warning",
        "outside its coordinate G1.U1.P1.Z1.*",
    ),
    "said twice": (
        each({"context": "Invoice number 4 came in."}, lambda i: i == 6),
        "duplicate",
        "warning",
        "'case-4' and 'case-6' show the agent the same thing and count twice",
    ),
    "contradiction": (
        each({"context": "Invoice number 4 came in.", "expected": {"name": "refuse"}}, lambda i: i == 6),
        "contradiction",
        "unusable",
        "accept nothing in common",
    ),
    "a lone universe": (
        each({"coordinate": "G1.U11.P1.Z1.A1"}, lambda i: i == 16),
        "coordinate",
        "warning",
        "'case-16' is the only one in G1.U11 while 39 are in G1.U1",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_each_rule_broken_alone_is_one_finding(name: str) -> None:
    rows, rule, severity, sentence = BROKEN[name]
    found = findings(rows)
    assert [(one.rule, one.severity) for one in found] == [(rule, severity)], [one.sentence for one in found]
    assert sentence in found[0].sentence
    assert "\n" not in found[0].sentence
    assert ";" in found[0].sentence or "should be" in found[0].sentence, "it says what to do"


def test_what_cannot_be_measured_is_said_first() -> None:
    found = findings([data(), data(id="two", context="Another.")])
    assert [one.sentence.split()[0] for one in found[:3]] == ["GCR", "EQS", "LUL"]


def test_only_a_dedicated_machine_misses_latency_in_the_composite() -> None:
    found = {one.sentence.split()[0]: one.sentence for one in findings([data(), data(id="two", context="Another.")])}
    assert "the composite score is withheld" in found["GCR"]
    assert "withheld" not in found["LUL"]
    assert "needs LUL on a machine declared dedicated, and is made without it elsewhere" in found["LUL"]


def test_stale_scenarios_are_left_out_of_the_rest() -> None:
    """Half the set, and with it all that is adversarial, is over."""
    old = {"valid": {"from": "2020-01-01", "to": "2021-01-01"}}
    found = {one.rule: one for one in findings(each(old, lambda i: i % 3 == 0))}
    assert "14 scenarios are stale" in found["stale"].sentence
    assert len(found["stale"].scenarios) == 14
    assert "and 9 more" in found["stale"].sentence
    assert found["adversarial"].severity == "unusable"


def test_a_scenario_holds_from_its_first_moment_to_just_before_its_last() -> None:
    one = made([data()]).scenarios[0]
    stale = {day: is_stale(one, datetime.fromisoformat(day).replace(tzinfo=UTC)) for day in MOMENTS}
    assert stale == MOMENTS


MOMENTS = {"2025-12-31T23:59:59": True, "2026-01-01": False, "2026-12-31T23:59:59": False, "2027-01-01": True}


def test_a_scope_is_linted_by_itself_and_is_the_claim() -> None:
    zone = findings(sound(), scope=Scope.parse("G1.U1.P1.Z1.*"))
    assert not [one for one in zone if one.rule == "levels"]
    universe = findings([row for row in sound() if row["reach"] == "agent"], scope=Scope.parse("G1.U1.*.*.*"))
    assert "no scenario is at level zone, planet, universe" in next(o.sentence for o in universe if o.rule == "levels")
    assert findings(sound(), scope=Scope.parse("G2.U1.*.*.*"))[0].rule == "empty"


def test_sets_of_a_suite_share_no_ids_and_no_names() -> None:
    one, other = made(sound()), made([row | {"context": f"{row['context']} Again."} for row in sound()], "more")
    found = lint([one, other], at=AT)
    assert {finding.rule for finding in found} == {"ids"}
    assert "is both in 'invoices' and in 'more'" in found[0].sentence
    assert lint([one, one], at=AT)[0].rule == "names"


def test_a_principle_holds_over_a_suite_not_over_each_of_its_sets() -> None:
    hostile = [row for row in sound(80) if row["adversarial_kind"]]
    rest = [row for row in sound(80) if not row["adversarial_kind"]]
    rules = {finding.rule for finding in lint([made(hostile, "a"), made(rest, "b")], at=AT)}
    assert "adversarial" not in rules


def test_a_file_is_read_scenario_by_scenario() -> None:
    rows = each({"coordinate": "G1.U1.P1.Z1.5A"}, lambda i: i == 3)
    rows[9] = rows[9] | {"colour": "red"}
    found, count = lint_document({"name": "x", "title": "X", "scenarios": rows}, source="cases.yaml", at=AT)
    assert count == 40
    said = [finding.sentence for finding in found if finding.rule == "declaration"]
    assert said[0] == "cases.yaml: scenario 'case-3': coordinate 'G1.U1.P1.Z1.5A': '5A' should be A and a number, or *"
    assert "scenario 'case-9': scenario at colour: 'colour' is not a field" in said[1]
    assert len(said) == 2


@pytest.mark.parametrize(
    "document", [data(), [data()], {"name": "x", "title": "X", "scenarios": [data()]}], ids=["one", "list", "set"]
)
def test_a_file_may_hold_one_scenario_a_list_or_a_set(document: Any) -> None:
    found, count = lint_document(document, source="cases.yaml", at=AT)
    assert count == 1
    assert not [one for one in found if one.rule == "declaration"]


@pytest.mark.parametrize("document", [None, 3, "text", {}, {"scenarios": {"a": 1}}, {"name": "x"}])
def test_a_file_of_something_else_is_one_sentence(document: Any) -> None:
    with pytest.raises(InputError, match="neither scenarios nor an evidence bundle"):
        lint_document(document, source="cases.yaml", at=AT)


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"name": "x", "title": "X", "scenarios": []}, "at least 1"),
        ({"name": "X!", "title": "X", "scenarios": [data()]}, "scenario set at name"),
        ({"title": "X", "scenarios": [data()]}, "'name' is required"),
        ({"name": "x", "title": "X", "scenarios": [data(), data()]}, "declared twice"),
        ({"name": "x", "title": "X", "scenarios": ["text"]}, "scenario '1'"),
    ],
)
def test_a_set_that_is_none_is_one_finding(document: Any, sentence: str) -> None:
    found, _ = lint_document(document, source="cases.yaml", at=AT)
    assert [one.rule for one in found if one.severity == "unusable"] == ["declaration"]
    assert sentence in found[0].sentence


# Evidence bundles.


def bundle(**links: list[str]) -> dict[str, Any]:
    claims = [{"id": name, "statement": name, "value": 1, "links": targets} for name, targets in links.items()]
    return {"decision_id": "d", "claims": claims, "coordinate": "G1.U1.P1.Z1.A1"}


def test_a_bundle_whose_links_end_in_sources_is_clean() -> None:
    sound_one = bundle(total=["lines", "invoice"], lines=["order"])
    assert lint_bundle(sound_one, source="b.json", sources=["invoice", "order"]) == ()
    assert lint_document(sound_one, source="b.json", at=AT) == ((), 0)


@pytest.mark.parametrize(
    ("links", "sentence"),
    [
        ({"a": ["b"], "b": ["c"], "c": ["a", "invoice"]}, "in a circle: "),
        ({"a": ["a"]}, "in a circle: a → a"),
        ({"a": []}, "claim 'a' rests on nothing"),
        ({"a": ["receipt"]}, "links to 'receipt', which is neither a source nor a claim"),
    ],
)
def test_bad_links_are_one_sentence(links: dict[str, list[str]], sentence: str) -> None:
    found = lint_bundle(bundle(**links), source="b.json", sources=["invoice"])
    assert [one.severity for one in found] == ["unusable"]
    assert sentence in found[0].sentence
    assert found[0].sentence.startswith("b.json: ")


def test_the_circle_is_named_in_the_direction_of_its_links() -> None:
    assert cycle({"a": ["b"], "b": ["c"], "c": ["a"]}) in {
        ("a", "b", "c", "a"),
        ("b", "c", "a", "b"),
        ("c", "a", "b", "c"),
    }


def test_a_name_that_a_source_has_means_the_source() -> None:
    assert problems({"invoice": ["invoice"]}, ["invoice"]) == []


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefs"), max_size=4), max_size=6))
def test_a_circle_is_found_exactly_when_some_claim_reaches_itself(links: dict[str, list[str]]) -> None:
    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(links.get(start, ()))
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += links.get(name, ())
        return seen

    circle = cycle(links)
    assert (circle is not None) == any(name in reached(name) for name in links)
    if circle is not None:
        assert circle[0] == circle[-1]
        assert all(target in links[claim] for claim, target in pairwise(circle))


def test_a_long_chain_is_followed_to_its_end() -> None:
    chain = {f"c{i}": [f"c{i + 1}"] for i in range(20_000)}
    assert cycle(chain) is None
    assert len(cycle(chain | {"c20000": ["c0"]}) or ()) == 20_002


@pytest.mark.parametrize(
    "document",
    [
        {"claims": "a"},
        {"claims": ["a"]},
        {"claims": [{"id": 3}]},
        {"claims": [{"id": "a", "links": "b"}]},
        {"claims": [{"id": "a", "links": [3]}]},
        {"claims": [{"id": "a"}, {"id": "a"}]},
    ],
)
def test_what_has_not_the_shape_of_a_bundle_is_one_finding(document: dict[str, Any]) -> None:
    assert links_of(document) is None
    found = lint_bundle(document, source="b.json")
    assert [one.rule for one in found] == ["bundle"]


def test_a_bundles_coordinate_is_read() -> None:
    found = lint_bundle(bundle(a=["s"]) | {"coordinate": "G1"}, source="b.json")
    assert [one.rule for one in found] == ["coordinate"]


def test_findings_are_json() -> None:
    assert jsonable(findings(each({"weight": 0}))[0])["rule"] == "weights"
