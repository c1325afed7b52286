"""`proctor schema`: what ships and what the pages show is valid for editors, and a typo is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.unit.cli.conftest import Cli
from tests.unit.pipeline.small_quality import RULES, scenario

from proctor.cli.schema import schema_of_kind
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.pipeline.incident import scenario_from_file
from proctor.spec.documents import parse_document
from proctor.spec.editors import schema_of
from proctor.spec.performance import PAPER
from proctor.spec.project import Project
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.scenario import Scenario, ScenarioSet
from proctor.spec.scope import Scope
from proctor.spec.suite import Suite
from proctor.suites.quality.families import DOMAINS, domain

ROOT = Path(__file__).parents[3]
KINDS = (
    "suite",
    "regime",
    "system",
    "rules",
    "condition",
    "project",
    "scenario",
    "scenarios",
    "scope",
    "load",
    "quality-rules",
    "policy",
    "incident",
)
DOCUMENTS = ("card", "technical-report")
"""What Proctor writes and nobody else: these have a schema too."""
SHIPPED = [path for path in sorted((ROOT / "src").rglob("*.yaml")) if path.name != "words.yaml"]
"""Suites. `words.yaml` beside a family is what its texts are made of."""
BLOCK = re.compile(r"^```yaml\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def validator(kind: str) -> Any:
    return jsonschema.Draft202012Validator(schema_of_kind(kind))


def problems(kind: str, document: Any) -> list[str]:
    return [error.message for error in validator(kind).iter_errors(json.loads(json.dumps(document, default=str)))]


def kind_of(name: str, document: dict[str, Any]) -> str | None:
    """What a file on a page is; None for what is not ours (a workflow, say)."""
    if name == "proctor.yaml":
        return "project"
    if name == "proctor.rules.yaml":
        return "quality-rules"
    if "entries" in document:
        return "suite"
    if name == "load.yaml":
        return "load"
    return "scenarios" if "scenarios" in document else None


def shown() -> Iterator[tuple[str, str, Any]]:
    """Every declaration that a page shows: where, of what kind, what."""
    for page in (ROOT / "docs" / "tutorial.md", *sorted((ROOT / "docs" / "how-to").glob("*.md"))):
        for name, text in BLOCK.findall(page.read_text()):
            document = parse_document(text, source=name)
            kind = kind_of(name, document)
            # Rules that name a metric of a package are valid where it is installed: tested with that page.
            if kind is not None and page.name != "your-metric.md":
                yield f"{page.name}:{name}", kind, document


SHOWN = list(shown())


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_a_schema_and_explains_itself(kind: str) -> None:
    schema = schema_of_kind(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False, "a typo shows while it is typed"
    fields = [
        one for part in (schema, *schema.get("$defs", {}).values()) for one in part.get("properties", {}).values()
    ]
    assert any("description" in field for field in fields), "an editor has something to show"


def test_an_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(InputError) as refused:
        schema_of_kind("town")
    assert set(str(refused.value).partition("choose from ")[2].split(", ")) == {*KINDS, *DOCUMENTS, "http-agent"}


@pytest.mark.parametrize(("kind", "document"), [one[1:] for one in SHOWN], ids=[one[0] for one in SHOWN])
def test_what_the_pages_show_is_valid(kind: str, document: Any) -> None:
    assert problems(kind, document) == []


def test_the_pages_show_each_kind_a_user_writes() -> None:
    assert {kind for _, kind, _ in SHOWN} >= {"suite", "scenarios", "load", "quality-rules", "project"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_suites_that_ship_are_valid(path: Path) -> None:
    document = yaml.safe_load(path.read_text())
    Suite.parse(document, source=path.name)
    assert problems("suite", document) == []


def test_the_scenarios_that_ship_are_valid() -> None:
    check = validator("scenario")
    for name in DOMAINS:
        for one in domain(name).scenarios.scenarios[::25]:
            written = one.model_dump(mode="json", by_alias=True)
            assert list(check.iter_errors(written)) == [], one.id


def test_standard_regimes_and_the_papers_load_are_valid() -> None:
    for regime in STANDARD_REGIMES.values():
        assert problems("regime", regime.model_dump(mode="json")) == []
    assert problems("load", PAPER.model_dump(mode="json", by_alias=True)) == []
    assert problems("load", PAPER.model_dump(mode="json")) == [], "either name of a field"


def test_a_project_and_its_rules_are_valid(cli: Cli, tmp_path: Path) -> None:
    assert cli("init", "--agent", "clerk").code == 0
    document = yaml.safe_load((tmp_path / "proctor.yaml").read_text())
    Project.parse(document, source="proctor.yaml")
    assert problems("project", document) == []
    assert problems("quality-rules", RULES) == []


def test_an_incident_is_valid_and_can_be_taken_in(tmp_path: Path) -> None:
    known = {name: scenario(3)[name] for name in ("coordinate", "context", "sources", "actions", "expected")}
    incident = {"incident": "INC-7", "at": "2026-03-02", "happened": {"name": "delete"}, "harm": "S1", **known}
    (tmp_path / "incident.yaml").write_text(yaml.safe_dump(incident))
    assert scenario_from_file(tmp_path / "incident.yaml").safety["delete"] == "S1"
    assert problems("incident", incident) == []
    assert problems("incident", {name: value for name, value in incident.items() if name != "at"}) != []


@pytest.mark.parametrize(
    ("kind", "document"),
    [
        ("quality-rules", {"weigths": {"DA": 1.0}}),
        ("quality-rules", {"weights": {"DA": 0.5, "SPEED": 0.5}}),
        ("quality-rules", {"alpha": 0.2}),
        ("scope", {"coordinate": "G1.U2.*.*.*", "includeAll": True}),
        ("scope", {"level": "zone"}),
        ("load", {"name": "x", "scenarios": [{"id": "a", "concurrentRequest": 1, "latencyBudgetMs": 5}]}),
        ("load", {"name": "x", "scenarios": [{"id": "a", "latencyBudgetMs": 5}]}),
        ("scenario", scenario(1, category="speed")),
        ("scenario", scenario(1, valid={"from": "2026-01-01"})),
        ("scenario", scenario(1, gate=[])),
        ("incident", {**scenario(1), "incident": "INC-7", "at": "2026-01-01", "harm": "S9"}),
        ("suite", {"name": "x", "version": "1.0", "title": "X", "epoch": "2026-01-01", "entries": []}),
        ("project", {"system": {"name": "x"}, "sedd": 7}),
    ],
)
def test_a_typo_is_no_valid_declaration(kind: str, document: Any) -> None:
    assert problems(kind, document) != []


def test_a_scope_is_valid_under_both_names_of_its_fields_but_not_twice() -> None:
    scope = Scope.parse({"coordinate": "G1.U2.P3.Z1.A5", "inheritParentScenarios": False})
    assert problems("scope", jsonable(scope)) == []
    assert problems("scope", scope.model_dump(mode="json")) == []
    valid = {"from": "2026-01-01", "to": "2027-01-01"}
    assert problems("scenario", scenario(1, valid={**valid, "since": "2026-01-01"})) != []


def test_a_bare_word_is_a_declaration_where_it_may_stand() -> None:
    assert problems("condition", {"id": "lesion", "reads": {"memory": "remove", "reason": {"do": "keep"}}}) == []
    assert problems("condition", {"id": "lesion", "reads": {"memory": "erase"}}) != []
    assert problems("condition", {"id": "lesion", "reads": {"memory": {"does": "remove"}}}) != []


def test_descriptions_are_the_words_under_the_fields() -> None:
    schema = schema_of(ScenarioSet)
    parts = {**schema["$defs"], "": schema}
    assert parts["Scenario"]["properties"]["context"]["description"] == "What the agent reads."
    assert parts["Scenario"]["description"].startswith(str(Scenario.__doc__).split("\n")[0])
    assert parts["Gate"]["properties"]["before"]["description"] == "The action it has to precede; None: any action."
