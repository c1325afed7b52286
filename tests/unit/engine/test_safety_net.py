"""Whose fault a time-out is: only a loop that got no processor excuses anybody."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.unit.engine.small import bench, job_of, with_setting

from proctor.engine import safety_net
from proctor.engine.episode import run_episode
from proctor.engine.safety_net import LoopWatch
from proctor.spec.task import Submission, TaskView


class Clockwork:
    """A loop whose time is set by hand, and the processor time of its thread."""

    def __init__(self) -> None:
        self.now = self.computed = 0.0

    def time(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return self.computed

    def call_at(self, when: float, callback: Any) -> None:
        self.callback = callback


@pytest.mark.parametrize(("computed", "starved"), [(0.0, 10.0), (4.0, 6.0), (10.25, 0.0)])
def test_a_loop_that_computes_what_agents_ask_for_is_not_starved(
    computed: float, starved: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or an agent whose calls keep the bench busy could choose what counts."""
    clockwork = Clockwork()
    monkeypatch.setattr(safety_net, "thread_time", clockwork.thread_time)
    loop: Any = clockwork
    watch = LoopWatch(loop)
    assert watch.enter() == (0.0, 0.0)
    clockwork.now, clockwork.computed = 10.25, computed
    assert watch.so_far() == (10.0, starved)
    clockwork.callback()
    clockwork.now += 0.25
    assert watch.so_far() == (10.0, starved), "on time again"


def test_what_an_agent_wrote_and_nobody_read_excuses_nobody() -> None:
    """Whoever never stops writing always leaves something unread."""

    class Flooding:
        async def run(self, task: TaskView, session: Any) -> Submission:
            await asyncio.sleep(30)
            return Submission(1)

        def unread(self) -> bool:
            return True

    row = asyncio.run(run_episode(with_setting(job_of(bench()), real_seconds=0.5), Flooding())).row
    assert (row.outcome, row.reason) == ("limit", "wall_clock")
