"""The gate on finished runs: decisions, confirming reruns, baselines that travel, changes that are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.conftest import MakeSigner
from tests.unit.pipeline.living import CLERK, accepted, gated, live, setting_of, store_of
from tests.unit.pipeline.small_quality import RULES, SUITE, scenario, write_agent, write_project, write_scenarios

from proctor.core.errors import InputError, IntegrityError
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.evidence.load import LoadRecord
from proctor.pipeline.baselines import BASELINE, find_baseline, read_baseline, take_in, with_lineage, write_baseline
from proctor.pipeline.decision import answer_escalation, decisions
from proctor.pipeline.gate import gate_run
from proctor.pipeline.governance import approved_charter, decide_proposal, propose
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.scenarios import charter_of_suite, refuse_unapproved
from proctor.pipeline.stages import STAGES, Pipeline


@pytest.fixture
def desk(project: Path) -> Path:
    """A project with scenarios, rules and an agent."""
    write_project(project)
    return project


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an accepted baseline of five runs; copied, never changed."""
    project = tmp_path_factory.mktemp("ready") / "project"
    project.mkdir()
    write_project(project)
    accepted(project, *live(project, 1, 2, 3, 4, 5))
    return project


@pytest.fixture
def based(ready: Path, project: Path) -> Path:
    """A copy of it."""
    shutil.copytree(ready, project, dirs_exist_ok=True)
    return project


def rules(project: Path, **changes: object) -> None:
    (project / "proctor.rules.yaml").write_text(json.dumps({**RULES, **changes}))


def test_without_a_baseline_even_the_oracle_is_for_a_person(desk: Path) -> None:
    (name,) = live(desk, 1)
    decision = gated(desk, name)
    assert (decision.result, decision.exit_code) == ("escalate-to-human", 101)
    assert "no accepted baseline" in decision.sentence
    assert "nobody signed" in decision.standing


def test_with_a_baseline_an_excellent_agent_deploys(based: Path) -> None:
    (name,) = live(based, 9)
    decision = gated(based, name)
    assert (decision.result, decision.exit_code) == ("deploy", 0)


def test_an_agent_that_does_nothing_is_blocked(based: Path) -> None:
    (name,) = live(based, 9, agent="null")
    decision = gated(based, name)
    assert (decision.result, decision.exit_code) == ("block", 100)
    assert any(reason.startswith("DA 0.000 lies under its floor") for reason in decision.reasons)


def test_the_report_has_its_four_sections_in_order(based: Path) -> None:
    (name,) = live(based, 9)
    decision = gated(based, name)
    text = (Pipeline(based, decision.pipeline).folder / "report.md").read_text()
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert titles == ["Composite score", "Per-metric breakdown", "Regression analysis", "Recommendation"]
    assert "**deploy** (exit code 0)" in text
    assert "smallest detectable drop" in text
    data = json.loads((Pipeline(based, decision.pipeline).folder / "report.json").read_text())
    assert data["recommendation"]["result"] == decision.result
    assert data["composite_score"]["CAS"]["value"] == 1


def test_asked_again_it_is_the_same_decision(based: Path) -> None:
    (name,) = live(based, 9)
    states: list[str] = []
    first = gated(based, name)
    before = (based / ".proctor" / "ledger.jsonl").read_bytes()
    assert gated(based, name, lambda _stage, state, _summary: states.append(state)) == first
    assert (based / ".proctor" / "ledger.jsonl").read_bytes() == before
    assert states == ["kept"] * len(STAGES)


def test_a_confirmed_decline_blocks(based: Path) -> None:
    write_agent(based, 1, 2, 3)
    (name,) = live(based, 9, agent=CLERK)
    decision = gated(based, name)
    assert decision.result == "block"
    assert any("DA declined" in reason and "confirmed by a rerun" in reason for reason in decision.reasons)
    confirming = Pipeline(based, decision.pipeline).outputs()["regression-detection"]["confirming"]
    with store_of(based) as store:
        seeds = {store.frozen(store.run(one).number).seed for one in (name, confirming)}
    assert len(seeds) == 2, "fresh replicate streams"


def test_a_decline_that_cannot_be_tried_again_is_for_a_person(based: Path) -> None:
    write_agent(based, 1, 2, 3)
    (name,) = live(based, 9, agent=CLERK)
    write_agent(based, 1, 2)
    decision = gated(based, name)
    assert decision.result == "escalate-to-human"
    assert any("could not be made" in reason and "agent's files changed" in reason for reason in decision.reasons)


def test_an_answered_escalation_holds_when_the_gate_is_asked_again(desk: Path, signer: MakeSigner) -> None:
    (name,) = live(desk, 1)
    decision = gated(desk, name)
    answer_escalation(Ledger(desk), decision.pipeline, approve=True, reason="first release", signer=signer("anna"))
    again = gated(desk, name)
    assert (again.result, again.outcome, again.exit_code) == ("escalate-to-human", "deploy", 0)


def test_an_unfinished_run_cannot_be_gated(desk: Path) -> None:
    (name,) = live(desk, 1)
    with store_of(desk) as store:
        store.update_run(store.run(name).number, root=None)
    with pytest.raises(InputError, match="not finished"):
        gated(desk, name)


def test_changed_weights_are_refused_until_somebody_else_approves(based: Path, signer: MakeSigner) -> None:
    (name,) = live(based, 9)
    rules(based, weights={"DA": 0.5, "GCR": 0.25, "EQS": 0.25})
    with pytest.raises(InputError, match=r"differs from its approved rules .*rules\.weights\.DA 0\.4 → 0\.5"):
        gated(based, name)
    assert not decisions(Ledger(based).entries(), Ledger(based).keyring)
    ledger = Ledger(based)
    anna, ben = signer("anna"), signer("ben")
    charter = charter_of_suite(SUITE, based)
    wanted = propose(
        ledger, charter, justification="accuracy matters most", evidence=[based / "cases.json"], signer=anna
    )
    with pytest.raises(InputError):
        gated(based, name)
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed", signer=ben)
    decision = gated(based, name)
    assert decision.result == "deploy"
    assert "approved by ben" in decision.standing


def test_an_oracle_edited_in_place_is_refused_and_an_approved_one_rescores_the_baseline(
    based: Path, signer: MakeSigner
) -> None:
    edited = scenario(0, acceptable=[{"name": "escalate"}])
    write_scenarios(based, [edited, *(scenario(number) for number in range(1, 12))])
    (name,) = live(based, 9)
    with pytest.raises(InputError, match=r"in 1 place \(oracle\.request-0"):
        gated(based, name)
    ledger = Ledger(based)
    anna, ben = signer("anna"), signer("ben")
    charter = charter_of_suite(SUITE, based)
    wanted = propose(ledger, charter, justification="asking is fine too", evidence=[based / "cases.json"], signer=anna)
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed", signer=ben)
    decision = gated(based, name)
    assert decision.result == "deploy"
    regression = Pipeline(based, decision.pipeline).outputs()["regression-detection"]["decision"]["regressions"][0]
    assert regression["scenarios"] == 12


def test_a_run_of_an_older_oracle_is_not_gated_by_the_new_one(based: Path) -> None:
    (name,) = live(based, 9)
    write_scenarios(based, [scenario(0, weight=0.5), *(scenario(number) for number in range(1, 12))])
    # The run's families are not here any more: its own rows say what it was judged by, and that is as approved.
    assert gated(based, name).result == "deploy"


def test_a_baseline_moved_to_another_clone_gives_the_same_gate(based: Path, tmp_path: Path) -> None:
    (here,) = live(based, 9)
    first = gated(based, here)
    clone = tmp_path / "clone"
    clone.mkdir()
    write_project(clone)
    carried = tmp_path / "carried.baseline"
    write_baseline(with_lineage(read_baseline(based / BASELINE), Ledger(based)), carried)
    take_in(read_baseline(carried), Ledger(clone), signer=None)
    write_baseline(read_baseline(carried), clone / BASELINE)
    (there,) = live(clone, 9)
    again = gated(clone, there)
    assert (again.result, again.reasons, again.standing) == (first.result, first.reasons, first.standing)
    both = [Pipeline(p, d.pipeline).outputs() for p, d in ((based, first), (clone, again))]
    assert both[0]["regression-detection"] == both[1]["regression-detection"]
    assert both[0]["scenario-generation"]["charter"] == both[1]["scenario-generation"]["charter"]


def test_rules_changed_in_the_clone_are_refused_there_too(based: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    write_project(clone)
    rules(clone, floors={**_floors(), "DA": 0.1})
    file = read_baseline(based / BASELINE)
    take_in(file, Ledger(clone), signer=None)
    write_baseline(file, clone / BASELINE)
    (name,) = live(clone, 9)
    with pytest.raises(InputError, match=r"rules\.floors\.DA 0\.7 → 0\.1"):
        gated(clone, name)


def _floors() -> dict[str, float]:
    return {"DA": 0.7, "GCR": 0.8, "EQS": 0.6, "LUL": 0.05, "CAS": 0.6, "CAS_WITHOUT_LUL": 0.7}


def test_a_changed_baseline_file_is_found(based: Path) -> None:
    path = based / BASELINE
    text = path.read_text()
    path.write_text(text.replace('"accepted_at":"2', '"accepted_at":"3', 1))
    with pytest.raises(IntegrityError, match=r"baseline\.json.*digest"):
        find_baseline(based, "small-quality")
    path.write_text("[]")
    with pytest.raises(IntegrityError, match="not a baseline"):
        find_baseline(based, "small-quality")


def test_a_signed_baseline_cannot_be_signed_by_nobody(based: Path, signer: MakeSigner) -> None:
    names = [one.run for one in read_baseline(based / BASELINE).baseline.runs]
    file = accepted(based, *names, signer=signer("anna"))
    assert file.signature is not None
    assert "signed by anna" in file.standing(Ledger(based).keyring)
    older = msgspec.structs.replace(file.baseline, accepted_at="2020-01-01T00:00:00Z")
    write_baseline(msgspec.structs.replace(file, baseline=older), based / BASELINE)
    with pytest.raises(IntegrityError, match="signature of 'anna'"):
        read_baseline(based / BASELINE)


def test_too_few_runs_or_several_agents_are_no_baseline(desk: Path) -> None:
    names = live(desk, 1, 2, 3, 4)
    with pytest.raises(InputError, match="at least 5"):
        accepted(desk, *names)
    with pytest.raises(InputError, match="one agent"):
        accepted(desk, *names, *live(desk, 5, agent="null"))


def test_the_anchor_stays_when_a_baseline_is_accepted_again(based: Path) -> None:
    first = read_baseline(based / BASELINE).baseline
    names = live(based, 11, 12, 13, 14, 15)
    second = accepted(based, *names, release="2.0").baseline
    assert second.anchor == first.anchor
    assert accepted(based, *names, release="2.0", new_anchor=True).baseline.anchor.release == "2.0"


def test_a_lent_baseline_is_compared_with_and_not_moved(based: Path) -> None:
    (name,) = live(based, 9)
    lent = read_baseline(based / BASELINE)
    (based / BASELINE).unlink()
    with store_of(based) as store:
        decision = gate_run(setting_of(based, baseline=lent), store, name)
    assert decision.result == "deploy"
    assert not (based / BASELINE).exists()


def test_a_suite_without_scenarios_has_no_gate(desk: Path) -> None:
    (name,) = live(desk, 1)
    with store_of(desk) as store:
        connection = store.connection
        connection.exec_driver_sql("UPDATE episodes SET measures = NULL")
        connection.commit()
    with pytest.raises(InputError, match="no episode of a scenario"):
        gated(desk, name)


def test_approvals_after_acceptance_travel_with_it(based: Path, tmp_path: Path, signer: MakeSigner) -> None:
    rules(based, weights={"DA": 0.5, "GCR": 0.25, "EQS": 0.25})
    ledger, anna, ben = Ledger(based), signer("anna"), signer("ben")
    accepted_before = read_baseline(based / BASELINE)
    charter = charter_of_suite(SUITE, based)
    wanted = propose(
        ledger, charter, justification="accuracy matters most", evidence=[based / "cases.json"], signer=anna
    )
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed", signer=ben)
    file = with_lineage(accepted_before, ledger)
    clone = tmp_path / "clone"
    clone.mkdir()
    write_project(clone)
    shutil.copy(based / "proctor.rules.yaml", clone)
    shutil.copytree(based / "proctor.keys", clone / "proctor.keys")
    take_in(file, Ledger(clone), signer=None)
    write_baseline(file, clone / BASELINE)
    (name,) = live(clone, 9)
    assert "approved by ben" in gated(clone, name).standing
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    take_in(file, Ledger(stranger), signer=None)
    own = Ledger(stranger)
    found = approved_charter(own.entries(), own.keyring, "small-quality")
    assert found is not None
    assert found[0].hash == accepted_before.charter, "without the keys the change counts for nothing"


def test_an_import_that_rests_on_nothing_is_refused(based: Path, tmp_path: Path) -> None:
    file = msgspec.structs.replace(read_baseline(based / BASELINE), lineage=())
    with pytest.raises(InputError, match="do not follow from the approvals"):
        take_in(file, Ledger(tmp_path / "elsewhere"), signer=None)


def test_a_run_under_unapproved_rules_is_refused_before_it_starts(based: Path) -> None:
    suite = load_suite(SUITE, based)
    frozen = freeze(suite=suite, agent="oracle", folder=based)
    refuse_unapproved(frozen, based)
    rules(based, alpha=0.05)
    with pytest.raises(InputError, match=r"rules\.alpha 0\.01 → 0\.05"):
        refuse_unapproved(frozen, based)
    (based / ".proctor" / "ledger.jsonl").unlink()
    refuse_unapproved(frozen, based)


def test_a_load_record_of_another_agent_is_refused(based: Path) -> None:
    (name,) = live(based, 9)
    record = LoadRecord(
        format="proctor-load/1",
        suite="small-quality@1.0",
        agent="null",
        label="",
        agent_source=None,
        seed=0,
        config_hash="c",
        profile={},
        profile_hash="p",
        dedicated=False,
        machine={},
        began="2026-03-01T00:00:00Z",
        code_version="1",
    )
    with pytest.raises(InputError, match="load record is of agent null"):
        gated(based, name, load=record)
