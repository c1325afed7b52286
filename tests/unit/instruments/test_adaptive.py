"""Sampling until decided: which entries go on, looks read as one, no fixed-n interval for a sample that grew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.instruments.made import Cell, evidence
from tests.unit.instruments.test_agency_vector import MODERATE
from typer.testing import CliRunner

from proctor.cli.main import app
from proctor.evidence.evidence import evidence_of
from proctor.evidence.store.store import Store
from proctor.instruments.adaptive import is_adaptive, undecided
from proctor.instruments.agency.instrument import AgencyInstrument
from proctor.spec.rules import Rules
from proctor.spec.suite import Entry, Step

ANYTIME = Rules(stopping="anytime")


def test_only_cells_decided_by_one_rate_grow() -> None:
    assert is_adaptive(Entry(family="f", n=1, cell="S1"))
    assert is_adaptive(Entry(family="f", n=1))
    assert not is_adaptive(Entry(family="f", n=1, cell="R"))
    assert not is_adaptive(Entry(family="f", n=1, cell="M4"))
    assert not is_adaptive(Entry(family="f", n=1, cell="L2"))
    assert not is_adaptive(Entry(family="f", n=1, program=(Step(episodes=2),)))


def test_a_cell_is_left_when_its_bound_clears_or_falls_below() -> None:
    cells = [Cell("S1", 100, 100), Cell("S2", 75, 100, family="b"), Cell("S3", 20, 100, family="c")]
    found = evidence(*cells)
    open_cells = {found.frozen.suite.entries[entry].cell for entry in undecided(found, ANYTIME)}
    assert open_cells == {"S2"}


def test_each_family_of_a_cell_is_decided_by_itself() -> None:
    cells = [Cell("S4", 60, 60, regime=MODERATE), Cell("S4", 30, 40, family="b", regime=MODERATE)]
    found = evidence(*cells)
    assert {found.arms[entry].family for entry in undecided(found, ANYTIME)} == {"b@1.0"}


def test_readings_use_the_sequence_not_a_fixed_interval() -> None:
    fixed = AgencyInstrument().read(evidence(Cell("S1", 79, 100)), Rules()).vector["S"]
    grown = AgencyInstrument().read(evidence(Cell("S1", 79, 100), rules=ANYTIME), ANYTIME).vector["S"]
    assert (fixed.level, grown.level) == (1, 0), "79 of 100 does not clear an anytime-valid bound"
    assert [flag.name for flag in grown.flags] == ["Provisional"]
    rate = grown.levels[0].rates[0]
    assert rate.low is not None
    assert rate.low < (fixed.levels[0].rates[0].low or 0)
    assert grown.levels[0].characteristic is not None
    assert grown.levels[0].characteristic.below < 0.025


SUITE = """
name: looks
version: "1.0"
title: Looks
epoch: "2026-01-01T00:00:00Z"
entries:
  - {family: email-triage, n: 100, cell: S1}
  - {family: ticket-routing, n: 100, cell: S2}
"""


def call(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("looks")
    (place / "looks.yaml").write_text(SUITE)
    return place


def arguments(place: Path, *more: str) -> list[str]:
    store = ["--store", str(place / "store.db")]
    agent = ["--agent", "irt:S=1.9,a=1", "--seed", "3"]
    return ["run", str(place / "looks.yaml"), *agent, *store, "--until-decided", "--max-n", "160", "--json", *more]


def test_looks_form_a_chain_and_are_read_as_one(place: Path) -> None:
    result = json.loads(call(*arguments(place)).stdout)
    assert len(result["looks"]) >= 3
    with Store(str(place / "store.db")) as store:
        frozen = [store.frozen(store.run(name).number) for name in result["looks"]]
        roots = [store.run(name).root for name in result["looks"]]
        whole = evidence_of(store, result["looks"][-1])
    assert [one.look.after for one in frozen if one.look] == [None, *roots[:-1]]
    instances = [row.instance for row in whole.rows if whole.arms[row.arm].cell == "S1"]
    assert len(instances) == len(set(instances)), "no instance is taken twice"
    assert len({row.position for row in whole.rows}) == len(whole.rows)
    assert whole.locate(whole.rows[-1].position)[0] == result["looks"][-1]
    assert whole.locate(0) == (result["looks"][0], 0)


def test_the_same_command_gives_the_same_chain(place: Path, tmp_path: Path) -> None:
    again = json.loads(call(*arguments(place, "--resume")).stdout)
    (tmp_path / "looks.yaml").write_text(SUITE)
    fresh = json.loads(call(*arguments(tmp_path, "--workers", "2")).stdout)
    assert again["root"] == fresh["root"]


def test_a_missing_look_is_named(place: Path, tmp_path: Path) -> None:
    result = json.loads(call(*arguments(place, "--resume")).stdout)
    bundle, other = tmp_path / "last.proctor", tmp_path / "other.db"
    call("export", result["looks"][-1], "-o", str(bundle), "--store", str(place / "store.db"))
    call("import", str(bundle), "--store", str(other))
    scored = CliRunner().invoke(app, ["score", "--store", str(other)])
    assert "the run before it" in str(scored.exception)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--max-n", "10"], "need each other"),
        (["--until-decided"], "need each other"),
        (["--until-decided", "--max-n", "0"], "at least one"),
        (["--until-decided", "--max-n", "9", "--scale", "2"], "sets sample sizes itself"),
    ],
)
def test_bad_combinations_are_refused(place: Path, more: list[str], says: str) -> None:
    base = ["run", str(place / "looks.yaml"), "--agent", "null", "--store", str(place / "no.db")]
    found = CliRunner().invoke(app, [*base, *more])
    assert says in str(found.exception)
