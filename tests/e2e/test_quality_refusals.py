"""What quality refuses in one clear sentence, with exit code 2: changes nobody approved, declarations in error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.command import proctor, proctor_json
from tests.unit.pipeline.small_quality import RULES, SUITE, scenario, write_project, write_scenarios
from tests.unit.suites.quality.lint_samples import AT, sound

RUNNING = ("run", SUITE, "--agent", "oracle", "--seed")
STALE = {"from": "2020-01-01", "to": "2021-01-01"}


def refused(*arguments: str, cwd: Path) -> str:
    """The one sentence a command is refused with."""
    done = proctor(*arguments, cwd=cwd, code=2)
    assert done.stdout == ""
    (sentence,) = done.stderr.splitlines()
    return sentence


@pytest.fixture(scope="module")
def governed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose rules and oracle are recorded, with one run that was decided on."""
    project = tmp_path_factory.mktemp("governed")
    write_project(project)
    proctor_json(*RUNNING, "1", cwd=project)
    proctor("gate", "--freeze", cwd=project, code=101)
    return project


@pytest.fixture(autouse=True)
def as_it_was(governed: Path) -> None:
    """Whatever the test before changed."""
    write_project(governed)


def test_a_weight_changed_without_approval(governed: Path) -> None:
    rules = {**RULES, "weights": {"DA": 0.45, "GCR": 0.30, "EQS": 0.25}}
    (governed / "proctor.rules.yaml").write_text(yaml.safe_dump(rules))
    loading = ("load", SUITE, "--agent", "oracle", "--out", "load.json")
    for command in ((*RUNNING, "2"), loading, ("gate", "latest", "--quiet")):
        sentence = refused(*command, cwd=governed)
        assert "differs from its approved rules and oracle in 2 places" in sentence
        assert "rules.weights.DA 0.4 → 0.45" in sentence
        assert "proctor govern propose" in sentence
    assert len(proctor_json("runs", cwd=governed)) == 1, "nothing was run under it"
    assert not (governed / "load.json").exists()


def test_the_weight_of_a_scenario_changed_without_approval(governed: Path) -> None:
    write_scenarios(governed, [scenario(0, weight=0.5), *(scenario(number) for number in range(1, 12))])
    assert "in 1 place (oracle.request-0 " in refused(*RUNNING, "2", cwd=governed)


def test_an_oracle_edited_in_place(governed: Path) -> None:
    edited = scenario(3, expected={"name": "decline", "args": {"number": 3}})
    write_scenarios(governed, [edited if number == 3 else scenario(number) for number in range(12)])
    sentence = refused(*RUNNING, "2", cwd=governed)
    assert "in 1 place (oracle.request-3 " in sentence
    assert "let somebody else approve it" in sentence


def test_weights_that_do_not_sum_to_one(governed: Path) -> None:
    (governed / "proctor.rules.yaml").write_text(yaml.safe_dump({"weights": {"DA": 0.5, "GCR": 0.3, "EQS": 0.3}}))
    for command in ((*RUNNING, "2"), ("gate", "latest"), ("baseline", "accept", "latest")):
        assert "the weights of DA, GCR, EQS sum to 1.1; they must sum to 1" in refused(*command, cwd=governed)


def lint(place: Path, scenarios: list[dict[str, Any]], code: int) -> list[str]:
    """The findings about a file of these scenarios."""
    (place / "cases.yaml").write_text(yaml.safe_dump({"name": "cases", "title": "Cases", "scenarios": scenarios}))
    done = proctor("lint", "cases.yaml", "--at", AT, cwd=place, code=code)
    return done.stdout.splitlines()[:-1]


def test_stale_scenarios(tmp_path: Path) -> None:
    cases = sound()
    assert lint(tmp_path, cases, 0) == []
    (one,) = lint(tmp_path, [{**cases[0], "valid": STALE}, *cases[1:]], 0)
    assert one.startswith("warn ")
    assert "1 scenario is stale at 2026-06-01T00:00:00Z and left out: case-0; review and renew `valid`" in one
    (every,) = lint(tmp_path, [{**case, "valid": STALE} for case in cases], 2)
    assert "every scenario is stale at 2026-06-01T00:00:00Z, so nothing is left to run" in every


def test_a_stale_scenario_is_left_out_of_the_reading_and_counted(tmp_path: Path) -> None:
    write_project(tmp_path)
    write_scenarios(tmp_path, [scenario(0, valid=STALE), *(scenario(number) for number in range(1, 12))])
    proctor_json(*RUNNING, "1", cwd=tmp_path)
    read = proctor_json("score", cwd=tmp_path)["quality"]
    assert (read["episodes"], read["stale"], read["stale_scenarios"]) == (22, 2, 1)
    assert (
        "1 stale scenario left out of the metrics (2 episodes)"
        in proctor("gate", "--freeze", "--json", cwd=tmp_path, code=101).stdout
    )


def test_a_typo_in_a_coordinate(tmp_path: Path) -> None:
    cases = sound()
    (one,) = lint(tmp_path, [{**cases[0], "coordinate": "G1.U1.P1.Zl.A1"}, *cases[1:]], 2)
    assert "scenario 'case-0': coordinate 'G1.U1.P1.Zl.A1': 'Zl' should be Z and a number, or *" in one
    write_project(tmp_path)
    write_scenarios(tmp_path, [scenario(0, coordinate="G1.U1.P1.Zl.A1")])
    sentence = refused(*RUNNING, "1", cwd=tmp_path)
    assert "coordinate 'G1.U1.P1.Zl.A1': 'Zl' should be Z and a number, or *" in sentence
    sentence = refused("lint", "quality", "--scope", "G1.U2.*.*.X5", cwd=tmp_path)
    assert "coordinate 'G1.U2.*.*.X5': 'X5' should be A and a number, or *" in sentence


def test_a_circle_of_evidence(tmp_path: Path) -> None:
    claims = [
        {"id": one, "statement": f"claim {one}", "value": 1, "links": [other]} for one, other in ("ab", "bc", "ca")
    ]
    bundle = {"decision_id": "d-1", "coordinate": "G1.U1.P1.Z1.A1", "claims": claims}
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    done = proctor("lint", "bundle.json", cwd=tmp_path, code=2)
    (finding, _) = done.stdout.splitlines()
    assert "claims rest on each other in a circle: a → b → c → a; let one of them rest on a source" in finding
