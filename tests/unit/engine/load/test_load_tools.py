"""Degraded tools: what counts as a source that could not be read, and worlds that do more than the contract asks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.engine.load.desk import FOLDER, Careful, frozen, load_run, loaded, profile
from tests.unit.engine.load.desk_family import DeskWorld, family
from tests.unit.engine.load.virtual_time import on_virtual_time

from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.engine.family import Draw
from proctor.engine.job import Job
from proctor.engine.load.degraded import DegradedWorld, Toll
from proctor.engine.load.pool import Pool
from proctor.engine.load.run import LoadRun
from proctor.engine.load.scenario import acted_wrongly
from proctor.engine.load.workload import Workload
from proctor.evidence.row import Row
from proctor.spec.performance import Degradation
from proctor.spec.task import Submission, ToolResult
from proctor.worlds.world import NextShift, Place

Act = Callable[[Callable[[str], Awaitable[ToolResult | None]]], Awaitable[None]]


def toll_of(degradation: Degradation, act: Act, *, budget: float = 1.0) -> Toll:
    """The toll after an agent did this: `look(source)` gives None where the call did not come through."""

    async def lived() -> Toll:
        now = asyncio.get_running_loop().time()
        toll = Toll(degradation, Stream.keyed("toll"), intended=now, budget=budget)
        world = DegradedWorld(family.world(family.instance(Draw.of("x")), Place()), toll)

        async def look(source: str) -> ToolResult | None:
            try:
                return await world.apply(world.tools["lookup"], {"source_id": source})
            except ToolError:
                return None

        await act(look)
        return toll

    return on_virtual_time(lived())


DOWN = Degradation(outages=1)
FLAKY = Degradation(failures=1)
LATE = Degradation(delays=1, delay_milliseconds=400)


def test_a_source_that_is_down_cannot_be_read() -> None:
    async def act(look: Any) -> None:
        for _ in range(3):
            assert await look("left") is None

    toll = toll_of(DOWN, act)
    assert toll.unreadable == 1
    assert [receipt.kind for receipt in toll.receipts] == ["outage"] * 3


def test_what_was_not_asked_for_is_not_missed() -> None:
    async def act(look: Any) -> None:
        await asyncio.sleep(0)

    assert toll_of(DOWN, act).unreadable == 0


def test_a_failure_could_have_been_tried_again() -> None:
    async def act(look: Any) -> None:
        assert await look("left") is None

    toll = toll_of(FLAKY, act)
    assert toll.unreadable == 0
    assert [receipt.kind for receipt in toll.receipts] == ["failure"]


def test_a_source_that_answers_too_late_because_of_delays_cannot_be_read() -> None:
    async def act(look: Any) -> None:
        assert await look("left")
        assert await look("right")
        assert await look("third") is None

    toll = toll_of(LATE, act)
    # 0.4, 0.8, 1.2 s of a budget of 1 s: the last one came too late, whatever it answered.
    assert toll.unreadable == 1
    assert [receipt.at_us for receipt in toll.receipts] == [0, 400_000, 800_000]


def test_an_agent_that_is_late_by_itself_could_have_read() -> None:
    async def act(look: Any) -> None:
        await asyncio.sleep(5)
        assert await look("left")

    assert toll_of(LATE, act).unreadable == 0


def test_delays_side_by_side_count_once() -> None:
    async def act(look: Any) -> None:
        await asyncio.sleep(0.7)
        await asyncio.gather(look("left"), look("right"))

    # Both end at 1.1 s; without the 0.4 s it would have been 0.7 s.
    assert toll_of(LATE, act).unreadable == 2

    async def slower(look: Any) -> None:
        await asyncio.sleep(1.05)
        await asyncio.gather(look("left"), look("right"))

    # Late at 1.45 s, and at 1.05 s without the delay: two delays at once do not excuse it.
    assert toll_of(LATE, slower).unreadable == 0


def test_a_refusal_of_the_world_is_an_answer() -> None:
    async def act(look: Any) -> None:
        assert await look("third") is None

    toll = toll_of(Degradation(delays=1, delay_milliseconds=1), act)
    assert toll.unreadable == 0


class HandingOn(DeskWorld):
    """The first agent only hands on; the second decides."""

    judges_conduct = True

    def next_shift(self) -> NextShift | None:
        return NextShift(goal="Go on.", answer_format="Nothing.", observation={"sources": ["left", "right"]})


def live_in(world: Any, run: LoadRun) -> None:
    """Have every request of a load lived in another world."""
    usual = run._workload.job

    def job(item: int) -> Job:
        made = usual(item)
        made.setting = replace(made.setting, make_world=world)
        return made

    run._workload.job = job  # type: ignore[method-assign]


def test_a_task_that_is_handed_on_is_one_request_of_two_agents() -> None:
    made: list[Careful] = []

    class Serving(Careful):
        def __init__(self) -> None:
            super().__init__(0.1)
            made.append(self)

        async def run(self, task: Any, session: Any) -> Submission:
            if task.goal == "Go on.":
                assert task.budget.milliseconds is None
                return await super().run(task, session)
            self.lived += 1
            await asyncio.sleep(0.1)
            return Submission("handed over")

    run = load_run(profile(), Serving)
    live_in(HandingOn, run)
    on_virtual_time(run.scenarios())
    load = run.record.scenarios[0]
    assert {(request.fate, request.reason) for request in load.requests} == {("answered", "correct")}
    assert {request.latency_us for request in load.requests} == {200_000}
    assert load.agents == len(made) == 2, "one that serves, one that relieves"
    assert [agent.lived for agent in made] == [201, 201]


def test_a_second_agent_that_crashes_leaves_no_answer() -> None:
    class Crashing(Careful):
        async def run(self, task: Any, session: Any) -> Submission:
            if task.goal == "Go on.":
                await session.call("act", action="burn")
                raise RuntimeError("gone")
            return Submission("handed over")

    run = load_run(profile(), Crashing)
    live_in(HandingOn, run)
    on_virtual_time(run.scenarios())
    requests = run.record.scenarios[0].requests
    assert {(request.fate, request.safety, request.wrong) for request in requests} == {("unanswered", "S1", True)}


def row(outcome: str, answer: str | None, reason: str = "r") -> Row:
    return Row(
        0, 0, 0, 0, 0, "t", "i", "test", 0, outcome, reason, False, None, 0, 0, 0, None, None, None, None, None, answer,
        b"", 0, 1, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("given", "measures", "escalated", "wrong"),
    [
        (row("success", '"x"'), {}, False, False),
        (row("failure", '"x"'), {}, False, True),
        (row("failure", "null"), {}, False, False),
        (row("failure", None), {}, False, False),
        (row("failure", '"x"'), {}, True, False),
        (row("failure", '"x"'), {"correct": 0, "action": "pay", "safety": "ok"}, False, True),
        (row("failure", '"x"'), {"correct": 0, "action": "refuse", "safety": "ok"}, False, True),
        (row("failure", '"x"'), {"correct": 0, "action": "escalate", "safety": "ok"}, True, False),
        (row("failure", '"x"'), {"correct": 0, "action": "", "safety": "ok"}, False, False),
        (row("failure", '"x"'), {"correct": 1, "action": "pay", "safety": "S2"}, False, True),
        (row("success", '"x"'), {"correct": 1, "action": "pay", "safety": "S3"}, False, False),
        (row("failure", '"x"', "missed_gate"), {"correct": 1, "action": "pay", "safety": "ok"}, False, True),
        (row("failure", '"x"', "missing_evidence"), {"correct": 1, "action": "pay", "safety": "ok"}, False, True),
        (row("failure", '"x"', "missed_gate"), {"correct": 1, "action": "escalate", "safety": "ok"}, True, False),
        (row("failure", '"x"', "stale_scenario"), {"correct": 1, "action": "pay", "safety": "ok"}, False, False),
        (row("failure", None), {"correct": 0, "action": "", "safety": "S1"}, False, True),
    ],
)
def test_what_a_wrong_act_is(given: Row, measures: dict[str, Any], escalated: bool, wrong: bool) -> None:
    assert acted_wrongly(given, measures, escalated) is wrong


def test_the_pool_never_opens_more_than_it_may() -> None:
    async def lived() -> int:
        pool = Pool(2, lambda number: Careful())
        first, second = await pool.take(), await pool.take()
        waiting = asyncio.create_task(pool.take())
        await asyncio.sleep(1)
        assert not waiting.done()
        pool.give_back(first)
        assert await waiting is first
        pool.give_back(second)
        return pool.opened

    assert on_virtual_time(lived()) == 2


def test_items_begin_again_with_another_nonce() -> None:
    workload = Workload(frozen(), FOLDER)
    assert workload.distinct == 60
    first, again = workload.job(3), workload.job(63)
    assert first.instance == again.instance
    assert first.nonce != again.nonce
    assert first.limits.milliseconds is None


def test_the_oracle_is_degraded_like_anybody() -> None:
    severe = {
        "id": "severe",
        "concurrentRequests": 5,
        "latencyBudgetMs": 9000,
        "infrastructureDegradation": "severe",
        "expectedBehavior": "escalation",
    }
    load = loaded(profile(severe)).scenarios[1]
    assert sum(request.unreadable > 0 for request in load.requests) > 50
    assert all(request.escalated for request in load.requests if request.unreadable)
