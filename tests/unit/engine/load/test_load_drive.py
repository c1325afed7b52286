"""The drive: what is issued when, and how many are in flight. All on virtual time, so every number is exact."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.engine.load.virtual_time import on_virtual_time

from proctor.core.seeds import Stream
from proctor.engine.load.drive import Drive
from proctor.engine.load.schedule import arrivals, items
from proctor.spec.performance import PerformanceScenario


class Log:
    """A server that takes a fixed time and writes down what it saw."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.latency: dict[int, float] = {}
        self.ended: dict[int, float] = {}
        self.now = 0
        self.most = 0

    async def serve(self, number: int, intended: float) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.seconds)
        self.now -= 1
        moment = asyncio.get_running_loop().time()
        self.latency[number] = moment - intended
        self.ended[number] = moment - 1000


@pytest.mark.parametrize("in_flight", [1, 7, 500])
def test_a_closed_loop_holds_the_declared_number(in_flight: int) -> None:
    log = Log(0.5)
    drive = Drive(log.serve)
    requests = 10 * in_flight
    on_virtual_time(drive.closed(iter(range(requests)), in_flight, first=[-1 - i for i in range(in_flight)]))
    assert log.most == drive.gauge.peak == in_flight
    assert drive.gauge.issued == drive.gauge.finished == requests + in_flight
    assert sorted(log.latency) == list(range(-in_flight, requests))
    assert {round(seconds, 6) for seconds in log.latency.values()} == {0.5}
    assert max(log.ended.values()) == pytest.approx(0.5 * 11)


def test_an_agent_that_never_yields_is_seen_to_make_others_wait() -> None:
    loop_time = []

    async def serve(number: int, intended: float) -> None:
        # Computes for 10 ms without yielding.
        loop = asyncio.get_running_loop()
        loop._jumping.passed += 0.010  # type: ignore[attr-defined]
        loop_time.append(loop.time() - intended)

    drive = Drive(serve)
    on_virtual_time(drive.closed(iter(range(50)), 50))
    assert drive.gauge.peak == 50
    assert [round(seconds, 3) for seconds in loop_time] == [round(0.01 * (i + 1), 3) for i in range(50)]


@given(
    gaps=st.lists(st.integers(0, 300), min_size=1, max_size=40),
    milliseconds=st.integers(1, 500),
    servers=st.integers(1, 4),
)
def test_open_loop_latency_runs_from_the_intended_arrival(gaps: list[int], milliseconds: int, servers: int) -> None:
    """Against a queue worked out by hand: nobody's wait is left out, however slow the answers are."""
    due, at = [], 0
    for gap in gaps:
        at += gap
        due.append(at)
    free = [0] * servers
    expected = []
    for arrival in due:
        soonest = min(range(servers), key=free.__getitem__)
        free[soonest] = max(arrival, free[soonest]) + milliseconds
        expected.append(free[soonest] - arrival)
    log = Log(milliseconds / 1000)
    drive = Drive(log.serve)
    on_virtual_time(drive.open([moment / 1000 for moment in due], servers))
    assert [round(log.latency[number] * 1000) for number in range(len(due))] == expected
    assert log.most <= servers
    assert drive.gauge.issued == drive.gauge.finished == len(due)


def test_cutting_off_leaves_the_counts_right() -> None:
    log = Log(0.5)
    drive = Drive(log.serve)

    async def cut() -> None:
        async with asyncio.timeout(2.2):
            await drive.closed(iter(range(10_000)), 10)

    with pytest.raises(TimeoutError):
        on_virtual_time(cut())
    assert len(log.latency) == 40
    assert drive.gauge.issued == 50
    assert drive.gauge.in_flight == 0


def open_scenario(**more: object) -> PerformanceScenario:
    facts = {"id": "open", "concurrentRequests": 10, "latencyBudgetMs": 100, "loop": "open", "rate": 50.0}
    return PerformanceScenario.model_validate({**facts, **more})


def test_arrivals_are_seeded_and_at_the_declared_rate() -> None:
    scenario = open_scenario(requests=20_000)
    times = arrivals(scenario, Stream.keyed("a"))
    assert times == arrivals(scenario, Stream.keyed("a"))
    assert times != arrivals(scenario, Stream.keyed("b"))
    assert times[0] == 0
    assert times == sorted(times)
    # 20,000 exponential gaps of 20 ms: the mean has a standard error of 0.7 %.
    assert times[-1] == pytest.approx(400, rel=0.03)
    even = arrivals(open_scenario(arrivals="even"), Stream.keyed("a"))
    assert even == [number / 50 for number in range(200)]


@given(requests=st.integers(1, 3000), reference=st.integers(1, 400))
def test_every_reference_task_is_asked_once_and_spread_out(requests: int, reference: int) -> None:
    asked = items(requests, reference)
    assert sorted(asked) == list(range(requests))
    paired = [number for number, item in enumerate(asked) if item < reference]
    assert len(paired) == min(requests, reference)
    if requests > reference:
        gaps = [after - before for before, after in itertools.pairwise(paired)]
        assert not gaps or max(gaps) - min(gaps) <= 1
