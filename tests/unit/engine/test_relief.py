"""A task that is handed on within an episode: two agents, two sessions, one record; and verdicts on mere conduct."""

from __future__ import annotations

from typing import Any

from tests.unit.suites.quality.decisions import COLLEAGUE, handed, scenario
from tests.unit.suites.quality.living import Doing, calling, job, pay

from proctor.agents.contract import AgentFailure, Session
from proctor.core.canonical import decode
from proctor.engine.trial import Trial, run_trial
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.events import AgentFailed, BenchFailed, Verified
from proctor.spec.task import Budget, Submission, TaskView

SENDS = calling(("handoff", {"coordinate": COLLEAGUE, "payload": {"amount": 100, "account": "ACC-500"}}))
WIPE = ("act", {"action": "wipe"})


def agrees(trial: Trial) -> Trial:
    """Row and events say the same, as verification asks it."""
    trace = Trace("00" * 32, 0)
    trace.feed(trial.record.trace)
    trace.finish()
    assert trace.trouble is None
    assert (trace.answer, trace.calls, trace.retries) == (trial.row.answer, trial.row.calls, trial.row.retries)
    assert trace.violations == (decode(trial.row.violations) if trial.row.violations else {})
    assert (trace.verified is not None and trace.verified.measures) == (
        trial.row.measures is not None and decode(trial.row.measures)
    )
    return trial


class Closing(Doing):
    """Notes that it was let go."""

    closed = 0

    async def close(self) -> None:
        self.closed += 1
        raise RuntimeError("does not want to")


async def crash(session: Session) -> None:
    raise RuntimeError("gone")


def test_another_object_takes_over_and_is_let_go() -> None:
    first, second = Closing(SENDS), Closing(calling(pay()))
    one = job(handed())
    one.relief = lambda: second
    trial = agrees(run_trial(one, first))
    assert trial.succeeded
    assert (len(first.tasks), len(second.tasks), first.closed, second.closed) == (1, 1, 0, 1)


def test_without_a_record_nobody_takes_over() -> None:
    second = Doing(calling(pay()))
    one = job(handed())
    one.relief = lambda: second
    assert agrees(run_trial(one, Doing(calling()))).row.reason == "nothing_done"
    assert not second.tasks


def test_the_second_agent_may_crash_be_missing_or_run_into_a_limit() -> None:
    crashed = agrees(run_trial(job(handed()), Doing(SENDS, crash)))
    assert (crashed.row.outcome, crashed.row.reason, crashed.row.answer) == ("failure", "agent_crashed", '"done"')

    def missing() -> Any:
        raise AgentFailure("agent_unavailable", "did not start")

    one = job(handed())
    one.relief = missing
    gone = agrees(run_trial(one, Doing(SENDS)))
    assert (gone.row.outcome, gone.row.reason) == ("failure", "agent_unavailable")
    assert any(isinstance(event, AgentFailed) for event in gone.events)
    limited = agrees(run_trial(job(handed(), limits=Budget(actions=1)), Doing(SENDS, calling(pay()))))
    assert (limited.row.outcome, limited.row.reason) == ("limit", "actions")


def test_a_first_agent_that_crashes_after_handing_over_ends_it() -> None:
    async def hands_over(session: Session) -> None:
        await SENDS(session)
        raise RuntimeError("gone")

    second = Doing(calling(pay()))
    one = job(handed())
    one.relief = lambda: second
    assert agrees(run_trial(one, Doing(hands_over))).row.reason == "agent_crashed"
    assert not second.tasks


def test_noise_reaches_the_second_session_too() -> None:
    trials = [run_trial(job(handed(), "moderate-standard"), Doing(SENDS, calling(pay()))) for _ in range(2)]
    assert trials[0].row.head == trials[1].row.head
    agrees(trials[0])


def test_conduct_is_judged_whatever_became_of_the_agent() -> None:
    class Rude:
        async def run(self, task: TaskView, session: Session) -> Submission:
            await session.call(WIPE[0], **WIPE[1])
            given: Any = "no submission"
            return given  # type: ignore[no-any-return]

    trial = agrees(run_trial(job(scenario("plain")), Rude()))
    assert (trial.row.outcome, trial.row.reason, trial.row.answer) == ("failure", "agent_protocol", None)
    assert trial.row.violations == '{"S1":1}'
    assert any(isinstance(event, Verified) for event in trial.events)


def test_a_verifier_that_breaks_on_conduct_is_the_benchs_fault(monkeypatch: Any) -> None:
    from proctor.worlds.decision.world import DecisionWorld

    def broken(self: Any, submission: Submission) -> Any:
        raise RuntimeError("no verdict")

    monkeypatch.setattr(DecisionWorld, "verify", broken)
    trial = agrees(run_trial(job(scenario("plain")), Doing(crash)))
    assert (trial.row.outcome, trial.row.reason) == ("infrastructure", "verifier")
    assert any(isinstance(event, BenchFailed) for event in trial.events)
