"""The gate on finished runs: decisions, confirming reruns, baselines that travel, changes that are refused."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.pipeline.conftest import MakeSigner
from tests.unit.pipeline.living import CLERK, Fatal, Killed, accepted, gated, live, store_of
from tests.unit.pipeline.small_quality import RULES, SUITE, scenario, write_agent, write_project, write_scenarios

import proctor
from proctor.agents.lookup import label_of
from proctor.cli.runs import command
from proctor.core.errors import InputError
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
from proctor.evidence.evidence import evidence_of
from proctor.evidence.listing import list_runs
from proctor.evidence.load_record import LoadRecord
from proctor.instruments.quality.decision import Decision, decide
from proctor.instruments.quality.instrument import Examined, QualityInstrument
from proctor.instruments.quality.project import read_governed
from proctor.pipeline import examination
from proctor.pipeline.baseline.accepted import find_baseline
from proctor.pipeline.decision import answer_escalation, decisions
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.proposals import decide_proposal, propose
from proctor.pipeline.reruns import made_by_gates, run_meant
from proctor.pipeline.scenarios import charter_of_suite, refuse_unapproved
from proctor.pipeline.stages import STAGES, Pipeline


def rules(project: Path, **changes: object) -> None:
    (project / "proctor.rules.yaml").write_text(json.dumps({**RULES, **changes}))


def test_without_a_baseline_even_the_oracle_is_for_a_person(desk: Path) -> None:
    (name,) = live(desk, 1)
    decision = gated(desk, name)
    assert (decision.result, decision.exit_code) == ("escalate-to-human", 101)
    assert "no accepted baseline" in decision.sentence
    assert "for this suite, unsigned" in decision.standing


def test_with_a_baseline_an_excellent_agent_deploys(based: Path) -> None:
    (name,) = live(based, 9)
    decision = gated(based, name)
    assert (decision.result, decision.exit_code) == ("deploy", 0)


def test_replies_from_a_cache_decide_nothing(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (name,) = live(desk, 1)
    label = label_of("chat:openai:m,cache=kept")
    monkeypatch.setattr(examination, "label_of", lambda agent, recorded="": label)
    with pytest.raises(InputError, match="take `cache=…` out of the agent string"):
        gated(desk, name)


def test_an_agent_that_does_nothing_is_blocked(based: Path) -> None:
    (name,) = live(based, 9, agent="null")
    decision = gated(based, name)
    assert (decision.result, decision.exit_code) == ("block", 100)
    assert any(reason.startswith("DA 0.000 is below its floor") for reason in decision.reasons)


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


def test_the_report_says_loudly_that_nobody_signed_the_rules(desk: Path, signer: MakeSigner) -> None:
    one, two = live(desk, 1, 2)
    text = (Pipeline(desk, gated(desk, one).pipeline).folder / "report.md").read_text()
    assert "> **Nobody signed these rules and this oracle.**" in text
    Ledger(desk).path.unlink()
    shutil.rmtree(desk / ".proctor" / "pipeline")
    text = (Pipeline(desk, gated(desk, two, signer=signer("anna")).pipeline).folder / "report.md").read_text()
    assert "**Nobody signed" not in text
    assert "The rules and oracle are the first of this suite, signed by anna." in text


def test_the_report_says_what_the_agent_could_reach_and_names_its_configuration(desk: Path) -> None:
    write_agent(desk, 1)
    (name,) = live(desk, 1, agent=CLERK)
    folder = Pipeline(desk, gated(desk, name).pipeline).folder
    with store_of(desk) as store:
        frozen = store.frozen(store.run(name).number)
    isolation = json.loads((folder / "report.json").read_text())["isolation"]
    assert isolation["network"] == "none"
    assert isolation["agent_source"] == frozen.agent_source
    assert isolation["config_hash"] == frozen.config_hash
    assert isolation["configuration"] == frozen.inputs()["system_identifier"]["configuration_hash"]
    shown = (folder / "report.md").read_text()
    assert "Isolation: synthetic data only, network none, environment variables none" in shown
    assert isolation["configuration"][:16] in shown


def test_an_agent_that_was_not_confined_is_said_to_be_so_wherever_the_decision_appears(desk: Path) -> None:
    (name,) = live(desk, 1, agent=f"{CLERK},unconfined=yes")
    decision = gated(desk, name, rehearsal=False)
    assert decision.label == "unconfined"
    shown = (Pipeline(desk, decision.pipeline).folder / "report.md").read_text()
    assert "> **unconfined**" in shown
    assert "Isolation: **none**: the agent ran as an ordinary process that could read the oracle" in shown
    assert "synthetic data only" not in shown


def test_asked_again_it_is_the_same_decision(based: Path) -> None:
    (name,) = live(based, 9)
    states: list[str] = []
    first = gated(based, name)
    before = (based / ".proctor" / "ledger.jsonl").read_bytes()
    assert gated(based, name, lambda _stage, state, _summary: states.append(state)) == first
    assert (based / ".proctor" / "ledger.jsonl").read_bytes() == before
    assert states == ["kept"] * len(STAGES)


def test_a_decline_confirmed_twice_blocks(project: Path) -> None:
    """With five accepted runs one confirming rerun would block an unchanged agent too often."""
    write_project(project, scenarios=24)
    accepted(project, *live(project, 1, 2, 3, 4, 5))
    write_agent(project, 1, 2, 3, 4, 5)
    (name,) = live(project, 9, agent=CLERK)
    decision = gated(project, name)
    assert decision.result == "block"
    assert any("DA declined" in reason and "confirmed by two reruns" in reason for reason in decision.reasons)
    detection = Pipeline(project, decision.pipeline).outputs()["regression-detection"]
    with store_of(project) as store:
        runs = (name, detection["confirming"], detection["confirming_again"])
        seeds = {store.frozen(store.run(one).number).seed for one in runs}
    assert len(seeds) == 3, "fresh replicate streams"
    assert detection["repeating"] is None, "nothing is repeated for a run that is blocked"


def test_three_scenarios_that_turned_for_good_are_named_and_a_person_decides(based: Path) -> None:
    write_agent(based, 1, 2, 3)
    (name,) = live(based, 9, agent=CLERK)
    decision = gated(based, name)
    assert (decision.result, decision.exit_code) == ("escalate-to-human", 101)
    (turned,) = [reason for reason in decision.reasons if "turned wrong" in reason]
    for scenario_id in ("request-1", "request-2", "request-3"):
        said = "(right in 10 of 10 accepted episodes, wrong 5 of 5 times in this run and its repeats, done: "
        assert f"{scenario_id} {said}" in turned
    (still,) = [reason for reason in decision.reasons if "Fisher" in reason]
    assert "3 of 12 scenarios that were right in all 5 accepted runs are wrong now" in still
    assert "p = 0.0037" in still and still.endswith("confirmed by a rerun")
    report = json.loads((Pipeline(based, decision.pipeline).folder / "report.json").read_text())
    with store_of(based) as store:
        repeating = store.run(report["regression_analysis"]["repeating"])
        assert repeating.episodes == 12 * 3, "as often as is still needed, and all others keep them company"
        assert store.frozen(repeating.number).scope is not None
        assert gated(based, "latest").run == name


def test_one_scenario_that_is_right_when_repeated_is_no_reason(based: Path) -> None:
    """Wrong in both replicates by chance: a note says how often it was wrong."""
    (name,) = live(based, 9, agent=CLERK)
    found = decide_with(based, name, {"request-4": (0, 0)}, {"request-4": (0, 1)})
    assert found.result == "deploy", found.reasons
    (said,) = [note for note in found.notes if "request-4" in note]
    assert said.endswith("not named as turned wrong: request-4: wrong 3 of 4 times")
    assert "right when repeated" not in said and "nothing follows" not in said
    waiting = decide_with(based, name, {"request-4": (0, 0)}, {})
    assert waiting.repeat == {"request-4": 3}
    assert waiting.result == "escalate-to-human"
    paper = decide_with(based, name, {"request-4": (0, 0)}, {}, profile="paper")
    assert not paper.turned and paper.still is None


def decide_with(
    project: Path, name: str, wrong: dict[str, tuple[int, ...]], repeats: dict[str, tuple[int, ...]], **options: Any
) -> Decision:
    """The decision about a run in which these scenarios had these verdicts, and these when they were repeated."""
    governed = read_governed(project)
    with store_of(project) as store:
        evidence = evidence_of(store, name)
    examined = QualityInstrument(governed).examine(evidence, evidence.frozen.rules)
    baseline = find_baseline(project, "small-quality")
    assert baseline is not None

    def with_verdicts(verdicts: dict[str, tuple[int, ...]]) -> Examined:
        scenarios = dict(examined.summary.scenarios)
        for scenario_id, given in verdicts.items():
            record = scenarios[scenario_id]
            decided = tuple(replace(record.decided[0], replicate=n, correct=one) for n, one in enumerate(given))
            scenarios[scenario_id] = replace(record, decided=decided)
        return replace(examined, summary=replace(examined.summary, scenarios=scenarios))

    repeated = with_verdicts(repeats) if repeats else None
    return decide(with_verdicts(wrong), baseline.baseline, None, governed, repeated=repeated, **options)


def test_latest_is_not_the_run_that_a_gate_made_to_confirm_another(
    based: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever moment it was killed at, the same command goes on with the same run; `runs` says what the others are."""
    write_agent(based, 1, 2, 3)
    (name,) = live(based, 9, agent=CLERK)
    with pytest.raises(Killed):
        gated(based, "latest", progress=Fatal())
    decision = gated(based, "latest")
    assert (decision.run, decision.result) == (name, "escalate-to-human")
    assert gated(based, "latest") == decision
    with store_of(based) as store:
        assert len(store.runs()) == 5 + 1 + 2, "the confirming run was continued, and made once; so were the repeats"
        assert run_meant(store, based, "latest").name == name
        listed = list_runs(store, gates=made_by_gates(based))
        assert [one.gate for one in listed] == [
            *[""] * 6,
            f"confirming rerun, made by pipeline {decision.pipeline}",
            f"repeats of scenarios that turned wrong, made by pipeline {decision.pipeline}",
        ]
    monkeypatch.chdir(based)
    command("store.db")
    assert f"{listed[-1].name}: {listed[-1].gate}" in capsys.readouterr().out


def test_a_confirming_run_that_was_begun_and_not_noted_is_found(based: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_agent(based, 1, 2, 3)
    live(based, 9, agent=CLERK)
    with monkeypatch.context() as killed:
        killed.setattr("proctor.engine.run.execute", _killed)
        with pytest.raises(Killed):
            gated(based, "latest")
    gated(based, "latest")
    with store_of(based) as store:
        assert [run.root is None for run in store.runs()] == [False] * 8


def test_stages_repeated_after_their_decision_write_the_same_bytes(based: Path) -> None:
    """Killed after the ledger was written: the decision is worked out again, and recognised as the one that stands."""
    write_agent(based, 1, 2, 3)
    (name,) = live(based, 9, agent=CLERK)
    decision = gated(based, name)
    folder = Pipeline(based, decision.pipeline).folder
    ledger = Ledger(based).entries()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in (*folder.glob("[4567]-*"), *folder.glob("report.*")):
        path.unlink()
    assert gated(based, name) == decision
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert Ledger(based).entries() == ledger


def _killed(*_: object, **__: object) -> None:
    raise Killed


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
    for who in ("anna", "ben"):
        answer_escalation(Ledger(desk), decision.pipeline, approve=True, reason="first release", signer=signer(who))
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
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed by all", signer=ben)
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
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed by all", signer=ben)
    decision = gated(based, name)
    assert decision.result == "deploy"
    regression = Pipeline(based, decision.pipeline).outputs()["regression-detection"]["decision"]["regressions"][0]
    assert regression["scenarios"] == 12


def test_a_run_of_an_older_oracle_is_not_gated_by_the_new_one(based: Path) -> None:
    (name,) = live(based, 9)
    write_scenarios(based, [scenario(0, weight=0.5), *(scenario(number) for number in range(1, 12))])
    # The run's families are not here any more: its own rows say what it was judged by, and that is as approved. What
    # it left out, and whether its verdicts follow from its acts, nobody can say here.
    decision = gated(based, name)
    assert decision.exit_code == 101
    assert decision.reasons[0].startswith("the suite's families are not here as they were in the run")


def test_a_suite_without_scenarios_has_no_gate(desk: Path) -> None:
    (name,) = live(desk, 1)
    with store_of(desk) as store:
        connection = store.connection
        connection.exec_driver_sql("UPDATE episodes SET measures = NULL")
        connection.commit()
    with pytest.raises(InputError, match="no episode of a scenario"):
        gated(desk, name)


def test_a_run_under_unapproved_rules_is_refused_before_it_starts(based: Path) -> None:
    suite = load_suite(SUITE, based)
    frozen = freeze(suite=suite, agent="oracle", folder=based)
    refuse_unapproved(frozen, based)
    rules(based, alpha=0.05)
    with pytest.raises(InputError, match=r"rules\.alpha 0\.01 → 0\.05"):
        refuse_unapproved(frozen, based)
    (based / ".proctor" / "ledger.jsonl").unlink()
    refuse_unapproved(frozen, based)


def test_python_refuses_what_the_command_line_refuses(based: Path) -> None:
    facts: dict[str, Any] = {"agent": "oracle", "seed": 9, "store": str(based / "other.db"), "folder": based}
    assert proctor.run(SUITE, **facts).complete
    rules(based, alpha=0.05)
    with pytest.raises(InputError, match=r"rules\.alpha 0\.01 → 0\.05"):
        proctor.run(SUITE, **(facts | {"seed": 10, "store": str(based / "none.db")}))
    assert not (based / "none.db").exists()


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


def report_of(project: Path, name: str) -> tuple[dict[str, Any], str, dict[str, str]]:
    """The report of a gate as data and as text, and what each stage said."""
    said: dict[str, str] = {}
    decision = gated(project, name, lambda stage, _state, summary: said.__setitem__(stage, summary))
    folder = Pipeline(project, decision.pipeline).folder
    return json.loads((folder / "report.json").read_text()), (folder / "report.md").read_text(), said


def test_the_report_keeps_the_names_of_the_paper(based: Path) -> None:
    (name,) = live(based, 9)
    data, _, _ = report_of(based, name)
    assert data["config"] == {"parallelism": 1, "timeoutMs": None, "failFast": False, "recordTraces": True}
    assert (data["status"], data["abortedAt"]) == ("completed", None)
    assert (data["suite"], data["seed"], data["timestamp"]) == ("small-quality@1.0", 9, "2026-03-01T00:00:00Z")


def test_the_report_shows_no_number_without_its_condition(based: Path) -> None:
    write_agent(based, 1, 2, 3)
    (name,) = live(based, 9, agent=CLERK)
    _, text, _ = report_of(based, name)
    assert "the true S1 rate is at most 12 % (95 % confidence)" in text
    assert "| metric | value | 95 % interval | n |" in text
    assert "the prediction test decides at α = 0.01" in text
    assert "p (run; Holm)" in text
    assert "3 turned wrong and 0 turned right (McNemar, p = " in text
    assert "% interval over templates: " in text
    (safety,) = [line for line in text.splitlines() if line.startswith("| safety |")]
    assert re.match(r"\| safety \| 0\.6667 \(\d\.\d\d to \d\.\d\d; n 6\) \|", safety), safety


def test_an_agent_inside_the_bench_is_not_said_to_be_confined(desk: Path) -> None:
    (name,) = live(desk, 1)
    data, text, _ = report_of(desk, name)
    assert (data["isolation"]["where"], data["isolation"]["confined"]) == ("in the bench", False)
    assert "Isolation: **none**: the agent ships with the bench and ran inside its process." in text
    assert "working directory of its own" not in text


def test_what_was_not_compared_is_not_said_to_be_the_same(based: Path) -> None:
    (name,) = live(based, 9, timestamp="2099-06-01T00:00:00Z")
    data, text, said = report_of(based, name)
    assert said["regression-detection"] == "not compared: the run's metrics are not measured"
    assert "The run was not compared with it: its metrics are not measured." in text
    assert data["per_metric_breakdown"]["stale_scenarios"] == 12, "all of them"
    assert "12 stale scenarios are in no metric; safety counts what was done there." in text
