"""Rules: the names the harness paper fixes may be written, and what came later changes no hash."""

from __future__ import annotations

import pytest
import yaml

from proctor.core.errors import InputError
from proctor.spec.documents import parse_document
from proctor.spec.editors import schema_of
from proctor.spec.project import Project
from proctor.spec.rules import Rules
from proctor.spec.suite import Suite

PAPER = """
failFast: true
recordTraces: false
limits: {timeoutMs: 9000}
"""
OWN = """
fail_fast: true
record_traces: false
limits: {episode_milliseconds: 9000}
"""
FACTS = {"name": "s", "version": "1.0", "title": "S", "epoch": "2026-01-01", "entries": [{"family": "f", "n": 1}]}


def test_the_names_of_the_paper_mean_the_same() -> None:
    paper = Rules.parse(parse_document(PAPER, source="rules.yaml"), source="rules.yaml")
    assert paper == Rules.parse(parse_document(OWN, source="rules.yaml"), source="rules.yaml")
    assert (paper.fail_fast, paper.record_traces, paper.limits.episode_milliseconds) == (True, False, 9000)
    suite = Suite.parse({**FACTS, "rules": yaml.safe_load(PAPER)}, source="suite.yaml")
    assert suite.rules == paper
    system = {"name": "x", "agents": {"core": "null"}}
    project = Project.parse({"system": system, "limits": {"timeoutMs": 9000}}, source="proctor.yaml")
    assert project.limits == paper.limits


def test_a_name_and_its_second_name_together_are_refused() -> None:
    with pytest.raises(InputError, match="'failFast' is not a field"):
        Rules.parse({"fail_fast": True, "failFast": True}, source="rules.yaml")


def test_editors_know_both_names() -> None:
    shown = schema_of(Rules)
    assert shown["properties"]["failFast"] == shown["properties"]["fail_fast"]
    assert shown["properties"]["recordTraces"]["description"].startswith("Keep every event")
    assert "timeoutMs" in shown["$defs"]["Limits"]["properties"]


def test_rules_with_traces_have_the_identity_they_always_had() -> None:
    # What was frozen before traces could be left out has to keep its configuration hash.
    assert "record_traces" not in Rules().model_dump(mode="json")
    assert Rules(record_traces=False).model_dump(mode="json")["record_traces"] is False
    assert Rules(record_traces=False).identity != Rules().identity


@pytest.mark.parametrize("freeze", ["replies", "states"])
def test_a_stage_that_is_frozen_from_traces_needs_them(freeze: str) -> None:
    data = {**FACTS, "stages": [{"id": "first", "freeze": freeze}], "rules": {"recordTraces": False}}
    with pytest.raises(InputError, match=f"stage 'first' freezes {freeze}, which are taken from traces"):
        Suite.parse(data, source="suite.yaml")
    assert Suite.parse({**data, "rules": {}}, source="suite.yaml").stages[0].freeze == freeze
    counted = {**data, "stages": [{"id": "first", "freeze": "answers"}]}
    assert not Suite.parse(counted, source="suite.yaml").rules.record_traces
