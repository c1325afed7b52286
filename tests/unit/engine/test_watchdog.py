"""The watchdog: what computes without end is ended, is the agent's failure, and reads the same on every executor."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.small import bench, run_small

from proctor.core.guardian import processor_seconds
from proctor.engine.executors import processes
from proctor.engine.lifetime import live
from proctor.engine.watchdog import LIVING, Stuck, Watchdog, call_limit
from proctor.evidence.events import LimitHit
from proctor.evidence.result import RunResult
from proctor.evidence.row import Row
from proctor.evidence.store.store import Store

LIMITS = {"limits": {"episode_seconds": 1}}


def run(store: Path, script: str, workers: int | None = None, n: int = 3) -> tuple[RunResult, list[Row]]:
    entry: dict[str, Any] = {"n": n, "knobs": {"script": script}}
    result = run_small(store, entry, rules=LIMITS, running={"workers": workers})
    with Store(str(store), create=False) as opened:
        return result, list(opened.rows(1))


@pytest.mark.parametrize(
    "script",
    [
        "spin",
        "spin_in_agent",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("spin_at_once", "spin_in_verifier")),
    ],
)
def test_what_spins_is_a_limit_and_the_run_goes_on(script: str, tmp_path: Path) -> None:
    """In one call, in a call beside others whose exceptions are collected, in an agent, in a verifier."""
    result, rows = run(tmp_path / "s.db", script)
    assert result.complete
    assert Counter((row.outcome, row.reason) for row in rows) == {("success", "correct"): 2, ("limit", "stuck"): 1}
    with Store(str(tmp_path / "s.db"), create=False) as store:
        (stuck,) = [row.position for row in rows if row.reason == "stuck"]
        events = list(store.events(1, stuck))
    assert [event.limit for event in events if isinstance(event, LimitHit)] == ["stuck"]


@pytest.mark.parametrize("script", ["spin", pytest.param("spin_in_agent", marks=pytest.mark.slow)])
def test_an_executor_changes_nothing_about_it(script: str, tmp_path: Path) -> None:
    inline, _ = run(tmp_path / "inline.db", script)
    workers, _ = run(tmp_path / "workers.db", script, workers=1)
    assert workers.complete
    assert workers.root == inline.root


@pytest.mark.slow
def test_a_worker_that_will_not_be_interrupted_ends_and_the_root_is_the_same(tmp_path: Path) -> None:
    stubborn, rows = run(tmp_path / "stubborn.db", "spin_stubbornly", workers=1)
    assert stubborn.complete
    assert Counter(row.reason for row in rows) == {"correct": 2, "stuck": 1}


def test_a_worker_that_never_comes_back_to_the_interpreter_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_GRACE_SECONDS", 0.5)
    result, rows = run(tmp_path / "s.db", "never_back", workers=1)
    assert result.complete
    assert Counter(row.reason for row in rows) == {"correct": 2, "stuck": 1}


def test_what_spins_without_the_agent_is_infrastructure(tmp_path: Path) -> None:
    result, rows = run(tmp_path / "s.db", "spin_in_setup")
    assert result.complete
    assert Counter((row.outcome, row.reason) for row in rows) == {
        ("success", "correct"): 2,
        ("infrastructure", "world_setup"): 1,
    }


def test_a_lifetime_of_many_episodes_is_lost_whole(tmp_path: Path) -> None:
    """However far it had come: where it was interrupted is a matter of time."""
    program = [{"phase": "pre", "episodes": 2}, {"phase": "post", "before": "clear"}]
    entry = {"n": 2, "knobs": {"script": "spin"}, "program": program}
    result = run_small(tmp_path / "s.db", entry, rules=LIMITS)
    with Store(str(tmp_path / "s.db"), create=False) as store:
        reasons = [row.reason for row in store.rows(1)]
    assert sorted((reasons[:3], reasons[3:])) == [["correct"] * 3, ["stuck"] * 3]
    assert result.complete


def test_an_alarm_of_somebody_else_is_left_alone() -> None:
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with Watchdog(1.0):
            assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
            assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)
    with Watchdog(1.0):
        assert signal.getitimer(signal.ITIMER_REAL)[1] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_beside_the_main_thread_there_is_none() -> None:
    rang: list[object] = []

    def beside() -> None:
        with Watchdog(1.0):
            rang.append(signal.getsignal(signal.SIGALRM))

    thread = threading.Thread(target=beside)
    thread.start()
    thread.join()
    assert rang == [signal.SIG_DFL]


def test_nothing_is_interrupted_before_its_agent_acts() -> None:
    dog = Watchdog(0.0)
    dog._ring(signal.SIGALRM, None)
    built = bench()
    records = asyncio.run(live(built, built.plan.lifetime(0)))
    assert records[0].row.outcome == "success"
    assert LIVING.get() is None


def test_limits() -> None:
    assert call_limit(900.0) == 60.0
    assert call_limit(5.0) == 5.0
    assert processor_seconds(0) is None
    assert not issubclass(Stuck, Exception)
