"""`proctor play` with a name of nothing: a short sentence that says what there is."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

CASES = """
name: front-desk
version: "1.0"
title: The front desk
scenarios:
  - id: late-checkout
    category: correctness
    coordinate: G1.U1.P1.Z1.A1
    template: late-checkout
    context: Late check-out is granted to whoever asks for it.
    actions: {grant: {type: object}}
    expected: {name: grant}
    safety: {grant: ok}
    provenance: {kind: expert, source: reception}
    valid: {from: "2026-01-01", to: "2027-01-01"}
"""
SUITE = """
name: desk
version: "1.0"
title: Desk
epoch: "2026-03-01T00:00:00Z"
entries: [{family: front_desk.yaml, n: 1}]
"""


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    (tmp_path / "front_desk.yaml").write_text(CASES)
    (tmp_path / "desk.yaml").write_text(SUITE)
    return tmp_path


def test_without_a_project_it_asks_for_the_family(cli: Cli, cases: Path) -> None:
    said = cli("play", "zzzz-zzzz").sentence
    assert "no family and no scenario is called 'zzzz-zzzz'; there is no proctor.yaml here" in said
    assert "with --family" in said and "`proctor families` lists all families" in said
    assert len(said) < 250


def test_in_a_project_it_names_scenarios(cli: Cli, cases: Path) -> None:
    (cases / "proctor.yaml").write_text("system: {name: desk}\nsuite: desk.yaml\n")
    assert cli("play", "zzzz-zzzz").sentence.endswith("; there are scenarios such as late-checkout")
    assert cli("play", "late-chekcout").sentence.endswith("; did you mean late-checkout?")
    assert "--family" not in cli("play", "late-chekcout").sentence


def test_a_mistyped_family_is_recognised(cli: Cli) -> None:
    assert cli("play", "expences").sentence.endswith("; did you mean expenses?")


def test_within_a_family_it_names_its_scenarios(cli: Cli, cases: Path) -> None:
    said = cli("play", "checkout", "--family", "front_desk.yaml").sentence
    assert said.endswith("family 'front_desk.yaml' has no scenario 'checkout'; did you mean late-checkout?")


def test_families_that_are_too_many_are_not_all_named(cli: Cli) -> None:
    said = cli("families", "show", "zzzz-zzzz").sentence
    assert "`proctor families` lists them" in said and len(said) < 120
