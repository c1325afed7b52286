"""How checks end, and how one episode is lived for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.conformance.contract import MAX_FINDINGS, Check, Tally, examine, examine_all
from proctor.conformance.practice import family
from proctor.conformance.prober import Prober
from proctor.conformance.subject import BASELINE, Options, Subject, regimes_of
from proctor.core.errors import NotEvaluable
from proctor.engine.trial import SubmittingAgent, run_trial
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.task import Budget

CHECK = Check("tried", "Tried", "It was tried.")


@pytest.fixture
def subject() -> Iterator[Subject]:
    regimes = regimes_of(("baseline", "moderate-standard"))
    with Subject(family, Options(regimes, 5, 0, thorough=False, fresh_process=False)) as examined:
        yield examined


def test_a_check_passes_fails_or_says_why_not() -> None:
    def missing(tally: Tally) -> None:
        raise NotEvaluable("there is no bubblewrap")

    def fails(tally: Tally) -> None:
        tally.unmeasured = "outweighed"
        tally.find("one")
        tally.find("one")

    assert examine(CHECK, lambda tally: None).status == "passed"
    result = examine(CHECK, fails)
    assert (result.status, [finding.detail for finding in result.findings]) == ("failed", ["one"])
    result = examine(CHECK, missing)
    assert (result.status, result.detail) == ("not measured", "there is no bubblewrap")
    assert result.ok


def test_an_exception_is_a_finding() -> None:
    def raises(tally: Tally) -> None:
        raise KeyError("lost")

    assert "KeyError: 'lost'" in examine(CHECK, raises).detail


def test_many_findings_are_counted_not_listed() -> None:
    def many(tally: Tally) -> None:
        for number in range(50):
            tally.find(f"number {number}")

    result = examine(CHECK, many)
    assert len(result.findings) == MAX_FINDINGS + 1
    assert "42 further findings" in result.findings[-1].detail
    assert "(and 49 more)" in result.detail


def test_only_what_is_asked_for_is_done() -> None:
    other = Check("other", "Other", "Not asked for.")
    report = examine_all("family", "x", [(CHECK, lambda t: None), (other, lambda t: None)], only=["other"])
    assert [result.check.id for result in report.results] == ["other"]
    with pytest.raises(StopIteration):
        report.result("tried")


def test_a_trial_keeps_what_the_agent_saw(subject: Subject) -> None:
    trial = subject.trial(0, "oracle")
    assert trial.succeeded
    assert trial.task is not None
    assert trial.seen[0].fields == trial.instance.observation
    assert [pair.called.tool for pair in trial.calls] == ["weigh", "stamp"] * 3
    assert len(trial.seen) == 1 + trial.row.calls
    assert trial.faults == {}


def test_a_trial_meets_the_faults_of_its_regime(subject: Subject) -> None:
    regime = STANDARD_REGIMES["moderate-standard"]
    faults = [set(subject.trial(index, "oracle", regime).faults) for index in range(5)]
    assert set().union(*faults) == {"rate", "timeouts", "noise"}


def test_the_work_of_one_and_the_answer_of_another(subject: Subject) -> None:
    solver = subject.family.oracle(subject.instance(0))
    row = run_trial(subject.job(0), SubmittingAgent("nonsense", solver)).row
    assert (row.outcome, row.reason) == ("failure", "unreadable_answer")
    assert run_trial(subject.job(0), SubmittingAgent(0)).row.reason == "wrong_stamps"


def test_the_prober_meets_refusals_and_stops_at_its_budget(subject: Subject) -> None:
    prober = Prober(subject.source.child("test"), subject.solver_calls(0))
    trial = run_trial(subject.job(0, BASELINE, limits=Budget(actions=50)), prober)
    assert trial.row.calls == 50
    assert any("error" in observation.fields for observation in trial.seen)
    assert {pair.called.tool for pair in trial.calls} == {"list_crates", "weigh", "stamp"}
