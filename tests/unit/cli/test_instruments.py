"""What commands read a run with: governed rules and load records where there are scenarios, and only there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Cli

import proctor
from proctor.cli.summary import summary_text
from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.core.hashing import file_hash
from proctor.engine.load.run import LoadRun
from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.load_record import load_folder, write_load
from proctor.evidence.result import RunResult
from proctor.evidence.store.store import Store
from proctor.instruments.quality.instrument import QualityInstrument, QualityReading
from proctor.instruments.quality.rules import DEFAULT_WEIGHTS
from proctor.pipeline.reading import instrument_for
from proctor.spec.performance import LoadProfile
from proctor.spec.suite import Suite

STORE = "store.db"
BAD = "weights: {DA: 0.5, GCR: 0.3, EQS: 0.3}\n"


def run(family: str) -> tuple[RunResult, Evidence]:
    facts = {"name": "small", "version": "1.0", "title": "Small", "epoch": "2026-01-01T00:00:00Z"}
    suite = Suite.parse({**facts, "entries": [{"family": family, "n": 10}]}, source="test")
    result = proctor.run(suite, agent="oracle", seed=7, store=STORE, folder=Path())
    with Store(STORE, create=False) as store:
        return result, evidence_of(store, result.run)


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def quality(evidence: Evidence) -> QualityInstrument:
    """The instrument as the project in the current folder uses it."""
    instrument = instrument_for("quality", evidence, store=STORE)
    assert isinstance(instrument, QualityInstrument)
    return instrument


def test_rules_of_the_project_are_those_of_the_reading() -> None:
    result, evidence = run("expenses")
    assert quality(evidence).governed.weights == DEFAULT_WEIGHTS
    Path("proctor.rules.yaml").write_text("weights: {DA: 0.5, GCR: 0.3, EQS: 0.2}\n")
    assert quality(evidence).governed.weights == {"DA": 0.5, "GCR": 0.3, "EQS": 0.2}
    assert "weight of DA 0.500" in summary_text(result, evidence)


def test_python_and_the_command_line_read_the_same(cli: Cli) -> None:
    """By the project's rules and with its newest load record; another folder has other rules."""
    _, evidence = run("expenses")
    alone = {"id": "alone", "concurrentRequests": 1, "latencyBudgetMs": 60_000}
    profile = LoadProfile.parse({"name": "mine", "scenarios": [alone]}, source="test")
    Path("proctor.rules.yaml").write_text(
        f"targets: {{DA: 1, GCR: 1, EQS: 1, LUL: 1, CAS: 1, CAS_WITHOUT_LUL: 1}}\nload_profile: {profile.identity}\n"
    )
    record = LoadRun(evidence.frozen, Path(), profile, dedicated=True, on_record=lambda _: None).run()
    write_load(load_folder(STORE) / "1.json", record)
    shown = cli("score", evidence.run, "--store", STORE, "--json").json
    readings = proctor.score(evidence.run, store=STORE)
    for name, reading in readings.items():
        assert json.loads(json.dumps(jsonable(reading))) == shown[name], name
    quality = shown["quality"]
    assert quality["LUL"]["value"] is not None
    assert quality["load_record"]["record"] == file_hash(load_folder(STORE) / "1.json")
    assert quality["targets"] == dict.fromkeys(("DA", "GCR", "EQS", "LUL", "CAS"), 1.0)
    Path("elsewhere").mkdir()
    elsewhere = proctor.score(evidence.run, store=STORE, folder=Path("elsewhere"))["quality"]
    assert isinstance(elsewhere, QualityReading)
    assert elsewhere.targets["DA"] == 0.9
    assert elsewhere.lul is not None
    assert "the rules ask for paper" in str(elsewhere.lul.reason)


def test_a_run_stands_though_the_rules_are_wrong() -> None:
    result, evidence = run("expenses")
    Path("proctor.rules.yaml").write_text(BAD)
    with pytest.raises(InputError, match=r"sum to 1\.1; they must sum to 1"):
        instrument_for("quality", evidence, store=STORE)
    text = summary_text(result, evidence)
    assert "Quality cannot be read: " in text
    assert "they must sum to 1" in text
    assert result.run in text


def test_what_has_no_scenarios_asks_for_neither() -> None:
    result, evidence = run("route")
    Path("proctor.rules.yaml").write_text(BAD)
    broken = load_folder(STORE) / "1.json"
    broken.parent.mkdir(parents=True)
    broken.write_text("{")
    reading = quality(evidence).read(evidence, evidence.frozen.rules)
    assert (reading.measured, reading.reason) == (False, "no episode of this run is one of a scenario")
    assert "Success rates" in summary_text(result, evidence)
    with pytest.raises(InputError, match="not a load record"):
        instrument_for("quality", evidence, store=STORE, load=broken)
