"""The load profile is governed: which one a record has to be of, who may change it; every decision names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.pipeline.conftest import MakeSigner
from tests.unit.pipeline.living import gated, live
from tests.unit.pipeline.small_quality import SUITE

from proctor.core.errors import InputError
from proctor.core.hashing import file_hash
from proctor.engine.load.run import LoadRun
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.evidence.load_record import LoadRecord, read_load, write_load
from proctor.instruments.quality.rules import DEFAULT_WEIGHTS
from proctor.pipeline.decision import GateDecision
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.proposals import decide_proposal, propose
from proctor.pipeline.scenarios import charter_of_suite
from proctor.pipeline.stages import Pipeline
from proctor.spec.performance import PAPER, LoadProfile

EASY = LoadProfile.parse(
    {"name": "paper", "scenarios": [{"id": "single", "concurrentRequests": 1, "latencyBudgetMs": 60_000}]},
    source="easy.yaml",
)
"""It calls itself like the profile of the paper, and asks for next to nothing."""


def rules(project: Path, **changes: object) -> None:
    (project / "proctor.rules.yaml").write_text(json.dumps({"weights": DEFAULT_WEIGHTS, "draws": 1000, **changes}))


def measured(project: Path) -> LoadRecord:
    """What the easy profile finds of the oracle."""
    frozen = freeze(suite=load_suite(SUITE, project), agent="oracle", folder=project, seed=1)
    return LoadRun(frozen, project, EASY, dedicated=False, on_record=lambda _: None).run()


def load_reasons(decision: GateDecision) -> list[str]:
    return [reason for reason in decision.reasons if "load" in reason]


def named_in(project: Path, decision: GateDecision) -> tuple[Any, Any, str]:
    """The load record as ledger, report data and report text name it."""
    (entry,) = [one for one in Ledger(project).entries() if one.hash == decision.entry]
    folder = Pipeline(project, decision.pipeline).folder
    data = json.loads((folder / "report.json").read_text())
    return entry.body["load_record"], data["per_metric_breakdown"]["load_record"], (folder / "report.md").read_text()


def test_a_record_of_another_profile_escalates_until_two_people_agree(desk: Path, signer: MakeSigner) -> None:
    rules(desk)
    (name,), record = live(desk, 1), measured(desk)
    refused = gated(desk, name, load=record)
    assert refused.result == "escalate-to-human"
    own, paper = EASY.identity[:16], PAPER.identity[:16]
    why = f"the record is of profile paper ({own}), the rules ask for paper ({paper})"
    assert load_reasons(refused) == [f"behaviour under load: not measured: {why}"]
    in_ledger, _, text = named_in(desk, refused)
    assert in_ledger["asked_for"] is False
    assert f"profile paper ({own}, not the one asked for)" in text
    assert f"| LUL | not measured: {why} |" in text

    rules(desk, load_profile=own)
    with pytest.raises(InputError, match=r"in 1 place \(rules\.load_profile paper → "):
        gated(desk, name, load=record)
    ledger, anna, ben = Ledger(desk), signer("anna"), signer("ben")
    (desk / "minutes.md").write_text("Requests come one at a time here.")
    facts: dict[str, Any] = {"justification": "requests come one at a time", "evidence": [desk / "minutes.md"]}
    wanted = propose(ledger, charter_of_suite(SUITE, desk), signer=anna, **facts)
    assert [change.what for change in wanted.changes] == ["rules.load_profile"]
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed by all", signer=ben)
    assert load_reasons(gated(desk, name, load=record)) == []


def test_report_and_ledger_name_the_record_and_its_budgets(desk: Path) -> None:
    rules(desk, load_profile=EASY.identity)
    (name,), record = live(desk, 1), measured(desk)
    write_load(desk / "load.json", record)
    decision = gated(desk, name, load=read_load(desk / "load.json"))
    in_ledger, in_report, text = named_in(desk, decision)
    assert in_ledger == in_report
    assert in_ledger == {
        "record": file_hash(desk / "load.json"),
        "profile": "paper",
        "profile_hash": EASY.identity,
        "asked_for": True,
        "budgets_ms": {"single": 60_000},
        "dedicated": False,
    }
    assert f"Load record: {in_ledger['record'][:16]}, profile paper ({EASY.identity[:16]}), " in text
    assert "budgets single 60,000 ms, machine not declared dedicated." in text
    without = gated(desk, name)
    assert named_in(desk, without)[0] is None


def test_what_a_record_says_of_its_own_profile_is_not_believed(desk: Path) -> None:
    from msgspec.structs import replace

    rules(desk)
    (name,) = live(desk, 1)
    claimed = replace(measured(desk), profile_hash=PAPER.identity)
    assert "the record is of profile paper" in str(load_reasons(gated(desk, name, load=claimed)))
