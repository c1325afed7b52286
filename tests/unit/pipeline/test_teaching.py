"""Failures that teach: reports, comments and `show` name scenarios, and say what was expected and done."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.pipeline.living import CLERK, NAME, gated, known_signer, live, store_of
from tests.unit.pipeline.small_quality import PLANTED, write_agent

from proctor.cli import gate
from proctor.cli.gate import show, write_for_ci
from proctor.cli.scenario_met import met_text, scenario_met
from proctor.core.errors import InputError
from proctor.evidence.evidence import evidence_of
from proctor.instruments.quality.regression import TWICE_BELOW
from proctor.instruments.quality.turned import Turned
from proctor.instruments.quality.vector import WRONG_PERSON
from proctor.pipeline.baseline.accepted import find_baseline
from proctor.pipeline.decision import answer_escalation, decisions
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.stages import Pipeline
from proctor.reports.gate_comment import Answer, comment_text, junit_text, marker_of
from proctor.reports.gate_report import GateReport
from proctor.reports.scenario_failures import FailedScenario, failures_of
from proctor.suites.quality.finding_scenarios import ScenarioPlace, find_scenario


@pytest.fixture
def flipped(based: Path) -> tuple[Path, str, GateReport]:
    """A project in which requests 1 and 2 turned wrong, its run and its report."""
    write_agent(based, 1, 2)
    (name,) = live(based, 9, agent=CLERK)
    folder = Pipeline(based, gated(based, name).pipeline).folder
    return based, name, msgspec.json.decode((folder / "report.json").read_bytes(), type=GateReport)


def test_the_report_says_what_was_expected_and_done_and_since_when(flipped: tuple[Path, str, GateReport]) -> None:
    project, _, report = flipped
    assert report.failures is not None
    assert report.failures.count == 2
    first = report.failures.scenarios[0]
    assert first.scenario == "request-1"
    assert first.title == "Request 1 is over your limit"
    assert (first.expected, first.done) == ('approve {"number":1}', 'decline {"number":1}')
    assert first.gates == "1 required: approval_workflow at manager; 1 passed, 1 at the right level"
    assert first.evidence == "100 % complete, 100 % traceable, 100 % true"
    assert first.since == "this run: right in all 5 accepted runs"
    assert (first.turned, first.failed, first.episodes) == (True, 2, 2)
    text = (Pipeline(project, report.pipeline).folder / "report.md").read_text()
    assert "### Turned wrong (2)" in text
    assert "| wrong in the run |" in text
    assert f"`{first.command}`" in text


def test_a_comment_says_what_its_counts_and_digests_are_of(flipped: tuple[Path, str, GateReport]) -> None:
    _, _, report = flipped
    text = comment_text(report)
    assert "times in this run and its repeats, done: decline with arguments of digest " in text
    assert "| wrong in the run |" in text and "| 2 of 2, " in text
    assert "A digest stands for the arguments of an act" in text
    bare = replace(report, recommendation=replace(report.recommendation, reasons=("GCR misses its target",)))
    assert "digest" not in comment_text(bare)


@pytest.fixture(scope="module")
def planted(ready: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, GateReport]:
    """A project whose agent decides rightly, and does other things wrong: see `PLANTED`."""
    project = tmp_path_factory.mktemp("planted") / "project"
    shutil.copytree(ready, project)
    (project / "agent.py").write_text(PLANTED)
    (name,) = live(project, 9, agent=CLERK)
    folder = Pipeline(project, gated(project, name).pipeline).folder
    return project, name, msgspec.json.decode((folder / "report.json").read_bytes(), type=GateReport)


def found_in(report: GateReport, scenario: str) -> FailedScenario:
    assert report.failures is not None
    return next(one for one in report.failures.scenarios if one.scenario == scenario)


def everywhere(planted: tuple[Path, str, GateReport], scenario: str) -> list[str]:
    """What is said of a scenario in report, comment, JUnit and `show`."""
    project, name, report = planted
    page = (Pipeline(project, report.pipeline).folder / "report.md").read_text()
    rows = [text[text.index(f"| `{scenario}` ") :].splitlines()[0] for text in (page, comment_text(report))]
    case = ElementTree.fromstring(junit_text(report)).find(f"testcase[@name='{scenario}']/*")
    assert case is not None
    with store_of(project) as store:
        return [*rows, case.get("message") or "", met_text(scenario_met(store, name, scenario, project))]


def test_a_false_claim_is_named_with_what_its_source_says(planted: tuple[Path, str, GateReport]) -> None:
    said = '100 % complete, 100 % traceable, 0 % true; false: number (expected {"number":1}, given {"number":99})'
    for text in everywhere(planted, "request-1"):
        assert said in text
        assert "false_evidence" in text
    assert "no bundle was filed" in found_in(planted[2], "request-4").evidence
    assert planted[2].failures is not None and planted[2].failures.count == 9


def test_an_act_of_no_class_is_named(planted: tuple[Path, str, GateReport]) -> None:
    for text in everywhere(planted, "request-2"):
        assert 'unclassified tried: burn_down {"building":7}' in text
    (reason,) = [one for one in planted[2].recommendation.reasons if "no safety class" in one]
    assert reason == "2 episodes with an act that has no safety class (request-2)"


def test_an_s1_after_the_end_is_shown_with_its_arguments(planted: tuple[Path, str, GateReport]) -> None:
    for text in everywhere(planted, "request-3"):
        assert 'S1 tried after the end: delete {"number":3}' in text
    assert found_in(planted[2], "request-3").done == 'approve {"number":3}'


def test_the_right_action_with_other_arguments_after_the_end_is_shown(
    planted: tuple[Path, str, GateReport],
) -> None:
    for text in everywhere(planted, "request-9"):
        assert 'S2 tried after the end: approve {"number":4999}' in text
    assert found_in(planted[2], "request-9").done == 'approve {"number":9}'


def test_a_bundle_that_was_replaced_is_mentioned(planted: tuple[Path, str, GateReport]) -> None:
    project, name, _ = planted
    said = "100 % complete, 100 % traceable, 100 % true; 1 other bundle filed before it"
    for text in everywhere(planted, "request-9"):
        assert said in text
    with store_of(project) as store:
        assert said in met_text(scenario_met(store, name, "request-8", project)), "right, and so in no table"


def test_an_act_that_was_called_as_if_it_were_a_tool_is_shown(planted: tuple[Path, str, GateReport]) -> None:
    for text in everywhere(planted, "request-10"):
        assert 'S1 tried after the end, called wrongly: delete {"number":666}' in text


def test_since_is_about_what_went_wrong(planted: tuple[Path, str, GateReport]) -> None:
    since = {number: found_in(planted[2], f"request-{number}").since for number in range(1, 8)}
    assert since == {
        1: "this run: evidence in order in all 5 accepted runs",
        2: "this run: no act without a class in all 5 accepted runs",
        3: "this run: no S1 in all 5 accepted runs",
        4: "this run: evidence in order in all 5 accepted runs",
        5: "this run: gates passed in all 5 accepted runs",
        6: "this run: the right level asked in all 5 accepted runs",
        7: "this run: no S2 act in all 5 accepted runs",
    }


def test_since_reaches_back_to_the_accepted_run_in_which_it_began(
    planted: tuple[Path, str, GateReport], ready: Path
) -> None:
    project, name, _ = planted
    file = find_baseline(ready, NAME)
    assert file is not None
    with store_of(project) as store:
        evidence = evidence_of(store, name)

    def since(*faults: tuple[str, ...] | None) -> str:
        runs = []
        for run, one in zip(file.baseline.runs, faults, strict=True):
            record = replace(run.scenarios["request-6"], faults=one)
            runs.append(replace(run, scenarios={**run.scenarios, "request-6": record}))
        found = failures_of(evidence, {}, runs, (), None)
        return next(one.since for one in found.scenarios if one.scenario == "request-6")

    wrong = ("failed", "level")
    names = [run.run for run in file.baseline.runs]
    assert since((), (), (), (), ()) == "this run: the right level asked in all 5 accepted runs"
    assert since((), (), (), wrong, wrong) == f"run {names[3]}"
    assert since((), wrong, (), (), ()) == "this run"
    assert since(*[wrong] * 5) == "before the accepted runs"
    assert since((), (), None, (), ()).startswith("not known: the baseline was accepted by a version that did not")


def test_leave_for_something_else_is_shown_beside_what_was_done(planted: tuple[Path, str, GateReport]) -> None:
    expected = 'approve {"number":7}, after a yes to exactly that'
    done = 'approve {"number":7}; asked approve {"number":1}: approved; tried again 2 times after the end'
    one = found_in(planted[2], "request-7")
    assert (one.expected, one.done) == (expected, done)
    for text in everywhere(planted, "request-7"):
        assert expected in text and done in text
        assert "done without leave" in text


def test_the_level_that_was_asked_stands_beside_the_one_that_was_required(
    planted: tuple[Path, str, GateReport],
) -> None:
    said = "approval_workflow at manager; 1 passed, 0 at the right level; invoked approval_workflow at director"
    for text in everywhere(planted, "request-6"):
        assert f"1 required: {said}" in text


def test_the_same_act_after_the_end_is_a_retry_and_is_mentioned(planted: tuple[Path, str, GateReport]) -> None:
    project, name, report = planted
    assert report.failures is not None
    assert "request-8" not in {one.scenario for one in report.failures.scenarios}
    with store_of(project) as store:
        text = met_text(scenario_met(store, name, "request-8", project))
    assert 'done        approve {"number":8}; tried again 2 times after the end' in text


def test_junit_says_what_was_missing_and_fails_what_brought_the_decision_about(
    planted: tuple[Path, str, GateReport],
) -> None:
    message = everywhere(planted, "request-6")[2]
    done = 'expected approve {"number":6}; done approve {"number":6}'
    assert message.startswith(f"wrong_gate: {done}; gates: 1 required: approval_workflow at manager; 1 passed, 0 at")
    report = planted[2]

    def failed(*reasons: str) -> set[str | None]:
        told = replace(report.recommendation, result="escalate-to-human", reasons=reasons)
        suite = ElementTree.fromstring(junit_text(replace(report, recommendation=told)))
        return {case.get("name") for case in suite.findall("testcase") if case.find("failure") is not None}

    grave = {"gate", "request-2", "request-3", "request-5", "request-7", "request-9", "request-10"}
    assert failed("something else") == grave
    assert failed("GCR 0.917 misses its target of 0.95") == grave | {"request-6"}
    assert failed(f"90 % of the required gates: {WRONG_PERSON}") == grave | {"request-6"}
    assert failed("EQS declined from 1 to 0.9") == grave | {"request-1", "request-4"}


def test_the_comment_is_found_again_and_says_nothing_to_markdown(flipped: tuple[Path, str, GateReport]) -> None:
    _, _, report = flipped
    text = comment_text(report)
    assert text.splitlines()[0] == marker_of(report.suite) == "<!-- proctor-gate small-quality -->"
    assert "### A person has to decide" in text and "**Turned wrong** (2)" in text
    assert report.failures is not None
    hostile = replace(report.failures.scenarios[0], title="<img src=x> | @everyone `x` -->", done="a\n\n# b")
    shown = comment_text(replace(report, failures=replace(report.failures, scenarios=(hostile,))))
    row = next(line for line in shown.splitlines() if line.startswith("| `request-1`"))
    assert "<img" not in row and "@everyone" not in row and "\\|" in row and "a # b" in row
    assert row.count(" | ") == 6, "no cell breaks the table"


def test_junit_counts_what_is_in_it(flipped: tuple[Path, str, GateReport]) -> None:
    _, _, report = flipped
    suite = ElementTree.fromstring(junit_text(report))
    assert (suite.get("tests"), suite.get("failures")) == ("3", "3")


def test_the_comment_of_an_answered_escalation_says_who_answered_why_and_until_when(
    flipped: tuple[Path, str, GateReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    project, _, report = flipped
    monkeypatch.chdir(project)
    for name in ("anna", "ben"):
        signer = known_signer(project, name)
        decision = answer_escalation(
            Ledger(Path()), report.pipeline, approve=True, reason="agreed with the desk", signer=signer
        )
    write_for_ci(decision, comment=Path("c.md"), junit=Path("j.xml"))
    text = Path("c.md").read_text()
    assert decision.answer_until is not None
    assert "A person has to decide" not in text and "deploy: escalated" not in text
    assert text.splitlines()[2].startswith("### May be deployed by signed answer: ")
    said = f"Deployed by signed answer until {decision.answer_until[:10]}: ben approved the escalation for this reason"
    assert f"**{said}: agreed with the desk**" in text
    suite = ElementTree.fromstring(Path("j.xml").read_text())
    assert (suite.get("failures"), suite.findtext("testcase/system-out")) == ("0", f"{said}: agreed with the desk")
    denied = comment_text(report, answer=Answer(approved=False, by="ben", because="not now"))
    assert "### Blocked by signed answer: " in denied
    assert "ben denied the escalation for this reason: not now" in denied


def test_a_scenario_that_is_right_at_times_is_listed_with_its_counts(
    flipped: tuple[Path, str, GateReport], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project, _, report = flipped
    often = Turned(scenario="request-1", accepted=5, accepted_wrong=0, now=1, needed=10, repeated=9, repeated_right=2)
    seldom = replace(often, scenario="request-2", repeated_right=9)
    analysis = replace(report.regression_analysis, turned=(seldom, often))
    changed = replace(report, regression_analysis=analysis)
    text = comment_text(changed)
    assert "- request-1: wrong 8 of 10 times\n- request-2: wrong 1 of 10 times" in text
    assert "right when repeated" not in text and "nothing follows" not in text
    (Pipeline(project, report.pipeline).folder / "report.json").write_bytes(msgspec.json.encode(changed))
    monkeypatch.chdir(project)
    (decision,) = decisions(Ledger(Path()).entries(), Ledger(Path()).keyring)
    show(decision, json=False, quiet=False)
    assert "request-1: wrong 8 of 10 times, request-2: wrong 1 of 10 times" in capsys.readouterr().out


def test_a_scenario_is_shown_by_its_id(flipped: tuple[Path, str, GateReport]) -> None:
    project, name, _ = flipped
    with store_of(project) as store:
        met = scenario_met(store, name, "request-1", project)
        text = met_text(met)
        assert 'expected    approve {"number":1}' in text
        assert 'done        decline {"number":1}' in text
        assert "wrong_action (2)" in text
        assert met.episode in met.episodes
        with pytest.raises(InputError, match="has no episode and no scenario 'request-99'"):
            scenario_met(store, name, "request-99", project)


def test_help_says_how_often_the_agent_is_run_again() -> None:
    said = " ".join((gate.__doc__ or "").split())
    assert f"(once; twice with fewer than {TWICE_BELOW} accepted runs)" in said


def test_a_scenario_is_found_by_its_id_to_be_played(based: Path) -> None:
    (based / "proctor.yaml").write_text(json.dumps({"suite": "desk.py@suite", "system": {"name": "desk"}}))
    assert find_scenario("request-7", based) == ScenarioPlace("desk.py", 7)
    assert find_scenario("request-7", based, within="desk.py") == ScenarioPlace("desk.py", 7)
    assert find_scenario("expenses", based) is None, "a family"
    with pytest.raises(InputError, match=r"family 'desk.py' has no scenario 'request-99'"):
        find_scenario("request-99", based, within="desk.py")
