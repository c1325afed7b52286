"""`proctor lint`: exit 0 for what can be used, 2 for what cannot, one sentence for what is no scenario at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.cli.conftest import Cli
from tests.unit.suites.quality.lint_samples import AT, data, sound


@pytest.fixture
def cases(tmp_path: Path) -> Any:
    """Write scenarios as a file an expert would write; its name."""

    def write(rows: list[dict[str, Any]], name: str = "cases.yaml") -> str:
        plain = json.loads(json.dumps({"name": "invoices", "title": "Invoices", "scenarios": rows}))
        (tmp_path / name).write_text(yaml.safe_dump(plain), encoding="utf-8")
        return name

    return write


def test_clean_scenarios_exit_0(cli: Cli, cases: Any) -> None:
    done = cli("lint", cases(sound()), "--at", AT)
    assert (done.code, done.err) == (0, "")
    assert done.out == "cases.yaml: 40 scenarios at 2026-06-01T00:00:00Z: clean\n"


def test_warnings_are_printed_and_exit_0(cli: Cli, cases: Any) -> None:
    rows = [row | {"evidence_schema": None} for row in sound()]
    done = cli("lint", cases(rows), "--at", AT)
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("warn  not_measured  EQS cannot be measured")
    assert done.out.splitlines()[-1].endswith("1 finding, usable")


def test_what_is_unusable_exits_2(cli: Cli, cases: Any) -> None:
    rows = [row | {"weight": 0} for row in sound()]
    rows[3]["coordinate"] = "G1.U1.P1.Z1.5A"
    done = cli("lint", cases(rows), "--at", AT)
    assert done.code == 2
    assert "FAIL  declaration   cases.yaml: scenario 'case-3': coordinate 'G1.U1.P1.Z1.5A'" in done.out
    assert "FAIL  weights" in done.out
    assert done.out.splitlines()[-1].endswith("2 findings, not usable")


def test_json_says_the_same(cli: Cli, cases: Any) -> None:
    done = cli("lint", cases([row | {"weight": 0} for row in sound()]), "--at", AT, "--scope", "G1.U1.*.*.*", "--json")
    assert done.code == 2
    assert done.json["usable"] is False
    assert (done.json["subject"], done.json["at"], done.json["scope"]) == ("cases.yaml", AT, "G1.U1.*.*.*")
    assert [finding["rule"] for finding in done.json["findings"]] == ["weights"]


def test_without_a_time_a_file_is_linted_as_of_now(cli: Cli, cases: Any) -> None:
    forever = {"valid": {"from": "2000-01-01", "to": "2999-01-01"}}
    assert cli("lint", cases([row | forever for row in sound()])).out.endswith("clean\n")


def test_a_bundle_with_a_circle_exits_2(cli: Cli, tmp_path: Path) -> None:
    claims = [{"id": "a", "links": ["b"]}, {"id": "b", "links": ["a"]}]
    (tmp_path / "bundle.json").write_text(json.dumps({"claims": claims, "coordinate": "G1.U1.P1.Z1.A1"}))
    done = cli("lint", "bundle.json")
    assert done.code == 2
    assert "claims rest on each other in a circle" in done.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.yaml"], "there is no such file"),
        (["hello"], "'hello' has no scenarios"),
        (["orders"], "'orders' has no scenarios"),
        (["qualty"], "no suite is called 'qualty'"),
        (["cases.yaml", "--scope", "G1.U1.*"], "all five levels"),
        (["cases.yaml", "--at", "soon"], "is not ISO 8601"),
        (["other.yaml"], "neither scenarios nor an evidence bundle"),
    ],
)
def test_bad_input_is_one_sentence(cli: Cli, cases: Any, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    cases([data()])
    (tmp_path / "other.yaml").write_text("a: 1\n")
    done = cli("lint", *arguments)
    assert done.code == 2
    assert sentence in done.sentence


DOMAIN = """
from pathlib import Path
from proctor.spec.documents import read_document
from proctor.spec.scenario import ScenarioSet
from proctor.suites.quality.family import ScenarioFamily

path = Path(__file__).with_name("cases.yaml")
family = ScenarioFamily(ScenarioSet.parse(read_document(path), source=path.name))
"""


def test_a_suite_is_linted_at_its_epoch(cli: Cli, cases: Any, tmp_path: Path) -> None:
    cases(sound())
    (tmp_path / "domain.py").write_text(DOMAIN)
    entry = {"family": "domain.py", "n": 40}
    suite = {"name": "mine", "version": "1.0", "title": "Mine", "epoch": AT, "entries": [entry, entry | {"first": 20}]}
    (tmp_path / "suite.yaml").write_text(yaml.safe_dump(suite))
    assert cli("lint", "suite.yaml").out == f"suite.yaml: 40 scenarios at {AT}: clean\n"
    late = cli("lint", "suite.yaml", "--at", "2031-01-01")
    assert (late.code, "every scenario is stale at 2031-01-01T00:00:00Z" in late.out) == (2, True)
    assert cli("lint", "domain.py", "--at", AT).out.endswith("clean\n")


@pytest.mark.parametrize("kind", ["scenario", "scenarios"])
def test_editors_get_a_schema(cli: Cli, kind: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = cli("schema", kind).json
    row = json.loads(json.dumps(data()))
    good = row if kind == "scenario" else {"name": "x", "title": "X", "scenarios": [row]}
    jsonschema.validate(good, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(good | {"colour": "red"}, schema)
