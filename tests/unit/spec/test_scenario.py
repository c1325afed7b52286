"""Scenarios: what an expert writes is read, what contradicts itself is one sentence, equal content is equal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.suites.quality.lint_samples import data, made, scenario, sound

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.spec.coordinate import Level
from proctor.spec.documents import read_document
from proctor.spec.editors import schema_of
from proctor.spec.scenario import Action, Scenario, ScenarioSet


def test_actions_are_equal_when_name_and_arguments_are() -> None:
    pay = Action(name="pay", args={"amount": 40, "to": {"a": 1, "b": 2}})
    assert pay.key == Action(name="pay", args={"to": {"b": 2, "a": 1.0}, "amount": 40.0}).key
    assert pay.key != Action(name="pay", args={"amount": "40", "to": {"a": 1, "b": 2}}).key
    assert pay.key != Action(name="hold", args=pay.args).key


def test_equal_content_has_an_equal_hash() -> None:
    assert scenario().content_hash == scenario(weight=1).content_hash
    assert scenario().content_hash != scenario(weight=0.5).content_hash
    assert scenario().content_hash != scenario(context="Another invoice came in.").content_hash


def test_the_evidence_schema_may_be_written_under_its_older_name() -> None:
    schema = {"claims": [{"id": "a", "statement": "s", "source": "invoice"}]}
    older, newer = data() | {"evidence": schema}, data() | {"evidence_schema": schema}
    assert Scenario.parse(older, source="old.yaml") == Scenario.parse(newer, source="new.yaml")
    written = jsonable(Scenario.parse(older, source="old.yaml"))
    assert written["evidence_schema"] == schema and "evidence" not in written
    with pytest.raises(InputError, match="'evidence' is not a field"):
        Scenario.parse(older | {"evidence_schema": schema}, source="both.yaml")
    shown = schema_of(Scenario)["properties"]
    assert shown["evidence"] == shown["evidence_schema"]


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_file_gives_the_scenarios_it_was_written_from(tmp_path: Path, suffix: str) -> None:
    whole = made(sound(8))
    text = json.dumps(jsonable(whole)) if suffix == "json" else yaml.safe_dump(jsonable(whole))
    path = tmp_path / f"set.{suffix}"
    path.write_text(text, encoding="utf-8")
    assert ScenarioSet.parse(read_document(path), source=str(path)) == whole


def test_the_level_is_that_of_the_coordinate() -> None:
    assert scenario().level is Level.AGENT
    assert scenario(coordinate="G1.U1.P1.*.*").level is Level.PLANET


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"coordinate": "G1.U1.P1.Z1.5A"}, "'5A' should be A and a number"),
        ({"reach": "inter_agent"}, "about more than one agent"),
        ({"expected": {"name": "fly"}}, "expects 'fly', which is not an action of this scenario"),
        ({"acceptable": [{"name": "fly"}]}, "expects 'fly'"),
        ({"safety": {"fly": "S1"}}, "safety class is given for 'fly'"),
        ({"evidence_schema": {"claims": [{"id": "a", "statement": "s", "source": "receipt"}]}}, "source 'receipt'"),
        ({"evidence_schema": {"claims": []}}, "at least 1"),
        ({"valid": {"from": "2027-01-01", "to": "2026-01-01"}}, "is empty"),
        ({"valid": {"from": "soon", "to": "2026-01-01"}}, "not ISO 8601"),
        ({"weight": 1.5}, "less than or equal to 1"),
        ({"weight": -0.1}, "greater than or equal to 0"),
        ({"category": "speed"}, "'correctness', 'safety'"),
        ({"provenance": {"kind": "hearsay", "source": "x"}}, "'template', 'incident'"),
        ({"adversarial_kind": "rude"}, "'ambiguous_context'"),
        ({"colour": "red"}, "'colour' is not a field"),
        ({"version": 1.0}, "put it in quotes"),
        ({"id": "Case 1"}, "should match pattern"),
        ({"actions": {}}, "at least 1"),
    ],
)
def test_a_contradiction_is_one_sentence(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Scenario.parse(data(**changed), source="cases.yaml")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("cases.yaml: ")
    assert "\n" not in str(caught.value)


def test_refusing_and_escalating_need_no_declaration() -> None:
    assert scenario(expected={"name": "refuse"}, acceptable=[{"name": "escalate"}]).expected.name == "refuse"


def test_an_id_is_used_once() -> None:
    with pytest.raises(InputError, match="declared twice"):
        made([data(), data()])


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"expected": {"name": "pay", "args": {"amount": 2**53}}}, "expected.args.amount"),
        ({"acceptable": [{"name": "pay", "args": {"parts": [1, -(2**60)]}}]}, "acceptable.0.args.parts.1"),
        ({"sources": {"invoice": {"total": 10**5000}}}, "sources.invoice.total"),
        ({"sources": {"invoice": float("nan")}}, "sources.invoice"),
        ({"sources": {"invoice": "\ud800"}}, "sources.invoice"),
        ({"sources": {"invoice": {"\ud800": 1}}}, "sources.invoice"),
        ({"misuse": [{"action": "pay", "safety": "S1", "above": {"amount": float("inf")}}]}, "misuse.0.above.amount"),
        ({"misuse": [{"action": "pay", "safety": "S1", "equal": {"amount": 2**53}}]}, "misuse.0.equal.amount"),
    ],
)
def test_what_json_cannot_carry_is_refused_with_scenario_and_field(changed: dict[str, Any], place: str) -> None:
    """An agent cannot send it, and a run of it would end with neither file nor scenario in its message."""
    case = data(**{"id": "vast", **changed})
    case["actions"]["pay"] = {"type": "object"}
    with pytest.raises(InputError) as caught:
        ScenarioSet.parse({"name": "set", "title": "Set", "scenarios": [case]}, source="cases.yaml")
    said = str(caught.value)
    assert said.startswith("cases.yaml: ") and "scenario 'vast' has" in said and said.endswith(f" at {place}"), said


def test_the_largest_number_that_json_carries_is_fine() -> None:
    assert scenario(sources={"invoice": {"amount": 2**53 - 1}}).content_hash
