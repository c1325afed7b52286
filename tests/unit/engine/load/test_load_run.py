"""Whole loads on virtual time: real episodes with verifiers, degraded tools, times and counts."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.engine.load.desk import FOLDER, Careful, Hasty, frozen, load_run, loaded, profile
from tests.unit.engine.load.virtual_time import on_virtual_time

from proctor.core.errors import InputError
from proctor.engine.load.run import UNDER_WAY
from proctor.engine.load.workload import Workload
from proctor.evidence.load_record import LoadRecord, ScenarioLoad
from proctor.instruments.load_reading import read
from proctor.spec.task import Submission

BUSY = {"id": "busy", "concurrentRequests": 50, "latencyBudgetMs": 2000}
STRAINED = {
    "id": "strained",
    "concurrentRequests": 20,
    "latencyBudgetMs": 5000,
    "infrastructureDegradation": "partial",
    "expectedBehavior": "graceful-degradation",
}
OVERWHELMED = {
    "id": "overwhelmed",
    "concurrentRequests": 50,
    "latencyBudgetMs": 10000,
    "infrastructureDegradation": "severe",
    "expectedBehavior": "escalation",
}
ARRIVING = {"id": "arriving", "concurrentRequests": 4, "latencyBudgetMs": 400, "loop": "open", "rate": 80}


def of(record: LoadRecord, name: str) -> ScenarioLoad:
    return next(load for load in record.scenarios if load.scenario["id"] == name)


def test_every_request_is_an_episode_with_its_verdict_and_its_times() -> None:
    record = loaded(profile(BUSY), lambda: Careful(0.1))
    single, busy = of(record, "single"), of(record, "busy")
    assert (len(single.requests), len(busy.requests)) == (200, 500)
    assert (single.peak_in_flight, busy.peak_in_flight) == (1, 50)
    assert (single.warm_up, busy.warm_up, single.agents, busy.agents) == (1, 50, 1, 50)
    assert {request.fate for request in busy.requests} == {"answered"}
    assert {request.reason for request in busy.requests} == {"correct"}
    assert {request.latency_us for request in busy.requests} == {100_000}
    assert [request.number for request in busy.requests] == list(range(500))
    # 500 requests, 50 at a time, a tenth of a second each, and one round of warm-up.
    assert busy.seconds == pytest.approx(1.1)
    reading = read(record)
    assert reading.lul == pytest.approx((0.8 + 0.95) / 2)
    assert reading.lul_minimum == pytest.approx(0.8)
    assert reading.behaviour_ok is True
    assert reading.scenarios[1].throughput == pytest.approx(500)
    assert reading.scenarios[1].mean_in_flight == pytest.approx(50)


def test_the_same_tasks_are_asked_again_under_load() -> None:
    record = loaded(profile(BUSY))
    single, busy = of(record, "single"), of(record, "busy")
    there = {request.item: request.instance for request in single.requests}
    here = {request.item: request.instance for request in busy.requests if request.item in there}
    assert here == there
    assert len({request.instance for request in busy.requests}) == 60, "the suite's own instances, again and again"


def test_an_agent_sees_what_it_sees_without_load() -> None:
    """A clock in its task would tell it that this is the load test."""
    seen: list[tuple[int | None, int | None]] = []

    class Looking(Careful):
        async def run(self, task: Any, session: Any) -> Submission:
            await asyncio.sleep(0.12)
            seen.append((task.budget.milliseconds, session.budget.milliseconds))
            return Submission(None)

    loaded(profile(), Looking)
    assert set(seen) == {(None, None)}


def test_a_timeout_counts_as_its_budget_or_more_and_frees_its_agent() -> None:
    class Stuck(Careful):
        async def run(self, task: Any, session: Any) -> Submission:
            if self.lived % 4 == 3:
                self.lived += 1
                await asyncio.sleep(3600)
            return await super().run(task, session)

    record = loaded(profile({**BUSY, "timeoutMs": 2500}), Stuck)
    busy = of(record, "busy")
    timeouts = [request for request in busy.requests if request.fate == "timeout"]
    assert timeouts
    assert {request.latency_us for request in timeouts} == {2_500_000}
    assert not any(request.wrong for request in timeouts)
    assert len(busy.requests) == 500
    reading = read(record).scenarios[1]
    assert reading.fates == {"answered": 500 - len(timeouts), "timeout": len(timeouts)}
    assert reading.lul == 0
    assert reading.p95.estimate == 2500


def test_an_error_is_no_fast_answer() -> None:
    class Crashing(Careful):
        async def run(self, task: Any, session: Any) -> Submission:
            raise RuntimeError("too much")

    reading = read(loaded(profile(), Crashing))
    assert reading.scenarios[0].fates == {"unanswered": 200}
    assert reading.scenarios[0].p50 == 500
    assert reading.lul is None, "how fast it crashes is no latency"
    assert reading.scenarios[0].reason == "the agent gave no answer in any of 200 requests (agent_crashed)"


def test_open_loop_waits_are_not_left_out() -> None:
    """Four agents that take 0.1 s serve 40 a second; 80 arrive: the last of 200 waits about 2.5 s."""
    record = loaded(profile(ARRIVING), lambda: Careful(0.1))
    arriving = of(record, "arriving")
    assert arriving.peak_in_flight == 4
    free = [0.0] * 4
    for request in arriving.requests:
        soonest = min(range(4), key=free.__getitem__)
        begins = max(float(request.intended_us), free[soonest])
        free[soonest] = min(begins + 100_000, max(begins, request.intended_us + 800_000))
        assert request.ended_us == pytest.approx(free[soonest], abs=5)
    assert any(request.fate == "timeout" for request in arriving.requests)
    assert read(record).scenarios[1].lul == 0


def test_fewer_agents_than_requests_make_a_queue() -> None:
    record = loaded(profile({**BUSY, "agents": 5}), lambda: Careful(0.1))
    busy = of(record, "busy")
    assert (busy.agents, busy.peak_in_flight, busy.warm_up) == (5, 50, 5)
    assert busy.seconds == pytest.approx(10)
    assert max(request.latency_us for request in busy.requests) == 1_000_000


def test_degradation_is_receipted_and_the_same_for_every_agent() -> None:
    first = of(loaded(profile(STRAINED), lambda: Careful(0.1)), "strained")
    again = of(loaded(profile(STRAINED), lambda: Careful(0.2)), "strained")
    delivered = [receipt for request in first.requests for receipt in request.receipts]
    assert {receipt.kind for receipt in delivered} == {"delay", "failure"}
    assert {receipt.milliseconds for receipt in delivered if receipt.kind == "delay"} == {200}
    assert [[(r.kind, r.tool) for r in request.receipts] for request in first.requests] == [
        [(r.kind, r.tool) for r in request.receipts] for request in again.requests
    ]
    held = [sum(r.kind == "delay" for r in request.receipts) for request in first.requests]
    for request, delays in zip(first.requests, held, strict=True):
        assert request.latency_us == 100_000 + 200_000 * delays
    assert 0.15 < sum(held) / (3 * len(held)) < 0.3
    assert {r.tool for request in first.requests for r in request.receipts if r.kind == "failure"} == {"lookup"}


def test_behaviour_under_load() -> None:
    careful = read(loaded(profile(OVERWHELMED), lambda: Careful(0.1)))
    assert careful.behaviour_ok is True
    overwhelmed = careful.scenarios[1]
    assert overwhelmed.receipts.keys() == {"delay", "failure", "outage"}
    assert overwhelmed.behaviour.unreadable == overwhelmed.behaviour.unreadable_escalated > 100
    assert overwhelmed.behaviour.wrong_acts == 0
    assert overwhelmed.behaviour.pairs == 200

    hasty = read(loaded(profile(OVERWHELMED), lambda: Hasty(0.01)))
    wrong = hasty.scenarios[1].behaviour
    assert hasty.behaviour_ok is False
    assert hasty.scenarios[0].behaviour.ok is True
    assert wrong.newly_wrong > 20
    assert wrong.newly_right == 0
    assert wrong.p_value is not None
    assert wrong.p_value < 0.001
    assert "newly wrong" in wrong.reason
    assert "0 of" in wrong.reason
    assert hasty.lul is not None
    assert careful.lul is not None
    assert hasty.lul > careful.lul, "wrong and fast: the latency is good, the behaviour is not"


def test_degradation_that_meets_no_call_makes_a_scenario_invalid() -> None:
    class Silent(Careful):
        async def run(self, task: Any, session: Any) -> Submission:
            return Submission("whatever")

    reading = read(loaded(profile(STRAINED), Silent))
    assert reading.lul is None
    assert reading.scenarios[1].reason == "invalid: degradation 'partial' without a receipt for delay, failure"
    assert reading.scenarios[1].behaviour.ok is None
    assert reading.behaviour_ok is None
    assert reading.scenarios[0].lul is not None


def test_what_the_bench_breaks_is_counted_apart() -> None:
    class Missing(Careful):
        made = 0

        def __init__(self) -> None:
            super().__init__()
            type(self).made += 1
            if self.made == 1:
                raise OSError("no room")

    record = loaded(profile(), Missing)
    # Only the warm-up met it; requests that were measured got another agent.
    assert read(record).scenarios[0].fates == {"answered": 200}


def test_the_time_limit_and_ctrl_c_keep_what_was_measured() -> None:
    records: list[LoadRecord] = []
    run = load_run(profile(BUSY, most_seconds=25), lambda: Careful(0.3), records=records)
    with pytest.raises(TimeoutError):
        on_virtual_time(run.scenarios())
    assert len(records) == 2
    assert (records[0].stopped, records[0].complete) == (UNDER_WAY, False), "said before the first task is shown"
    assert [load.stopped for load in run.record.scenarios] == ["cut off"]
    assert len(run.record.scenarios[0].requests) == 82
    reading = read(run.record)
    assert reading.lul is None
    assert reading.reason is not None
    assert "after 82 of 200 requests" in reading.reason
    assert "not run: busy" in reading.reason
    assert reading.scenarios[0].p50 == pytest.approx(300)

    class Interrupting(Careful):
        async def run(self, task: Any, session: Any) -> Submission:
            self.lived += 1
            if self.lived == 100:
                raise KeyboardInterrupt
            return Submission(None)

    stopped = load_run(profile(BUSY), Interrupting).run()
    assert stopped.stopped == "stopped by the user"
    assert len(stopped.scenarios[0].requests) == 98
    assert not stopped.complete


def test_agents_are_let_go_of() -> None:
    class Closing(Careful):
        closed = 0

        async def close(self) -> None:
            type(self).closed += 1
            raise OSError("already gone")

    loaded(profile(BUSY), Closing)
    assert Closing.closed == 51


@pytest.mark.parametrize("entry", [{"regimes": ["mild"]}, {"program": [{"episodes": 2}]}])
def test_only_plain_episodes_can_be_requests(entry: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="nothing to load an agent with"):
        Workload(frozen(**entry), FOLDER)
