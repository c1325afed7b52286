"""Executors: the same root and the same cut on every one; workers that die; what is finished is handed over soon."""

from __future__ import annotations

import asyncio
from collections import deque
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.engine.small import FOLDER, frozen, run_small

import proctor
from proctor.core.errors import BenchError
from proctor.engine.build import Bench
from proctor.engine.executors import inline
from proctor.engine.executors.contract import Todo, Work
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.executors.processes import (
    _QUEUED,
    Assignment,
    Dictionary,
    ProcessesExecutor,
    _Worker,
    max_assigned,
)
from proctor.engine.plan import Lifetime
from proctor.evidence.row import EpisodeRecord
from proctor.evidence.store.store import Store
from proctor.evidence.store.writer import BATCH_EPISODES, WINDOW_EPISODES, WINDOW_SECONDS

WORKERS: list[int | None] = [None, 1, 2, 4]


def everywhere(tmp_path: Path, *entries: dict[str, Any], workers: list[int | None] = WORKERS, **more: Any) -> list[Any]:
    results = []
    for number in workers:
        running = {**more.get("running", {}), "workers": number}
        results.append(run_small(tmp_path / f"{number}.db", *entries, **{**more, "running": running}))
    return results


def test_a_run_is_cut_at_the_same_smallest_index_everywhere(tmp_path: Path) -> None:
    """The second broken episode by position, though later ones may have broken earlier."""
    results = everywhere(tmp_path, {"n": 120, "knobs": {"script": "break_some"}}, rules={"max_infrastructure": 2})
    first = results[0]
    assert first.status == "failed"
    assert first.outcomes["infrastructure"] == 2
    assert 2 < first.episodes < 120
    for result, workers in zip(results, WORKERS, strict=True):
        assert result.root == first.root, f"{workers} workers"
        assert (result.episodes, result.outcomes, result.status) == (first.episodes, first.outcomes, first.status)
        with Store(str(tmp_path / f"{workers}.db"), create=False) as store:
            record = store.run("latest")
            assert record.cut == first.episodes
            stored = [row.position for row in store.rows(record.number)]
            assert stored[: first.episodes] == list(range(first.episodes)), "everything below the cut was lived"
            assert len(list(store.rows(record.number, stop=record.cut))) == first.episodes


def test_an_unsafe_act_stops_a_run_that_says_fail_fast(tmp_path: Path) -> None:
    entry = {"n": 60, "knobs": {"script": "unsafe_some"}}
    results = everywhere(tmp_path, entry, workers=[None, 2], rules={"fail_fast": True})
    assert {result.status for result in results} == {"failed-safety"}
    assert len({result.root for result in results}) == 1
    with Store(str(tmp_path / "None.db"), create=False) as store:
        rows = list(store.rows(1, stop=results[0].episodes))
    assert [row.violations for row in rows] == [None] * (len(rows) - 1) + ['{"S1":1}']
    slow = run_small(tmp_path / "all.db", entry)
    assert slow.status == "complete"
    assert slow.root not in {result.root for result in results}


def test_pairs_programs_and_faults_have_the_same_root_everywhere(tmp_path: Path) -> None:
    program = [{"phase": "pre", "episodes": 2}, {"phase": "post", "before": "clear", "regime": "severe-standard"}]
    entries: tuple[dict[str, Any], ...] = (
        {"n": 6, "regimes": ["moderate-standard", "severe-adversarial"], "replicates": 2},
        {"n": 4, "parts": 2, "program": program},
    )
    results = everywhere(tmp_path, *entries, workers=[None, 2])
    assert results[0].root == results[1].root
    assert results[0].episodes == 6 * 2 * 2 + 4 * 2 * 3
    assert results[0].seal != results[1].seal, "times differ"


def test_a_worker_that_dies_is_replaced_and_its_lifetimes_are_lived_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "died"
    monkeypatch.setenv("SMALL_DIES_ONCE", str(marker))
    entry = {"n": 12, "knobs": {"script": "die"}}
    result = run_small(tmp_path / "workers.db", entry, running={"workers": 2})
    assert marker.exists(), "a worker did die"
    assert result.complete
    assert result.outcomes["success"] == 12
    # The marker is there now, so in this process the same tool answers and nobody dies.
    assert run_small(tmp_path / "inline.db", entry).root == result.root


def test_a_lifetime_that_kills_two_workers_is_its_agents_failure_and_the_run_goes_on(tmp_path: Path) -> None:
    """Without the agent a third worker gets through it: what killed the others followed the agent's input."""
    result = run_small(tmp_path / "s.db", {"n": 12, "knobs": {"script": "die"}}, running={"workers": 2})
    assert result.complete
    assert (result.outcomes["success"], result.outcomes["failure"]) == (11, 1)
    with Store(str(tmp_path / "s.db"), create=False) as store:
        (broken,) = [row for row in store.rows(1) if row.outcome == "failure"]
        assert broken.reason == "agent_crashed"
        assert any("worker process died" in repr(event) for event in store.events(1, broken.position))


def test_a_lifetime_that_kills_workers_without_its_agent_is_infrastructure(tmp_path: Path) -> None:
    result = run_small(tmp_path / "s.db", {"n": 3, "knobs": {"script": "die_in_setup"}}, running={"workers": 1})
    assert result.complete
    assert (result.outcomes["success"], result.outcomes["infrastructure"]) == (2, 1)


def test_a_worker_that_cannot_build_its_bench_is_one_sentence(tmp_path: Path) -> None:
    made = frozen(agent="oracle").model_dump_json().encode()
    work = SimpleNamespace(
        todo=Todo([(0, 4)]), lifetime=some, stopped=lambda: False, dictionary=lambda: None, idle=lambda: None
    )
    with pytest.raises(proctor.ProctorError, match=r"a worker could not go on: InputError: .*there is no such file"):
        ProcessesExecutor(1).execute(made, tmp_path, {}, work)  # type: ignore[arg-type]


# Bookkeeping when a worker dies.


class Line:
    """A connection to a worker that is gone."""

    def send_bytes(self, data: bytes) -> None:
        raise BrokenPipeError

    def close(self) -> None:
        """Nothing is left to close."""


def some(index: int) -> Lifetime:
    return Lifetime(index, index, 0, index, 0, 0, index)


def assigned(first: int, stop: int) -> Assignment:
    return Assignment([some(index) for index in range(first, stop)])


def gone(*assigned: Assignment, done: int = 0) -> Any:
    worker = _Worker.__new__(_Worker)
    worker.connection = Line()  # type: ignore[assignment]
    worker.assigned = deque(assigned)
    worker.done_of_first = done
    worker.has_dictionary = False
    worker.ready, worker.stuck, worker.watched = True, False, [0, 0, 0]
    worker.process = SimpleNamespace(join=lambda timeout: None)
    return worker


def test_sending_to_a_dead_worker_loses_nothing() -> None:
    executor, worker, todo = ProcessesExecutor(1), gone(), Todo([(0, 3)])
    work: Any = SimpleNamespace(todo=todo, lifetime=some, stopped=lambda: False, dictionary=lambda: (1, b"d"))
    executor._feed(worker, work)
    assert list(worker.assigned) == [assigned(0, 1), assigned(1, 2)], "given back when its end is noticed"
    worker.send(Dictionary(1, b"d"))


def test_what_a_dead_worker_had_is_given_back_and_its_segments_forgotten() -> None:
    executor, todo, lost = ProcessesExecutor(1), Todo([]), []
    executor._start = lambda: gone()
    worker = gone(assigned(10, 14), assigned(20, 22), done=2)
    workers = [worker]
    work: Any = SimpleNamespace(todo=todo, lost=lambda first, stop: lost.append((first, stop)))
    watched: list[object] = []
    selector: Any = SimpleNamespace(
        unregister=lambda line: watched.append(("gone", line)), register=lambda line, *_: watched.append(("new", line))
    )
    executor._bury(worker, workers, selector, work)
    assert watched == [("gone", worker.connection), ("new", workers[0].connection)]
    assert lost == [(12, 14), (20, 22)]
    assert sorted(todo.take(9) for _ in range(4)) == [(12, 13), (13, 14), (20, 21), (21, 22)]  # type: ignore[type-var]
    assert executor._deaths == {12: 1}, "only the one that was being lived is blamed"
    assert workers[0] is not worker


def test_a_worker_that_never_was_ready_ends_the_run() -> None:
    executor, worker = ProcessesExecutor(1), gone(assigned(0, 1))
    worker.ready = False
    with pytest.raises(BenchError, match="__main__"):
        executor._bury(worker, [worker], SimpleNamespace(), SimpleNamespace())  # type: ignore[arg-type]


# Durability: what is finished is handed over before it can be lost.


def test_the_window_holds_for_any_usual_number_of_workers() -> None:
    for workers in (1, 2, 4, 12, 25):
        assert workers * _QUEUED * max_assigned(workers) + BATCH_EPISODES <= WINDOW_EPISODES == 100
    assert WINDOW_SECONDS == 0.5


def handed_over(entry: dict[str, Any], **patches: Any) -> list[int]:
    """How many episodes each delivery held."""
    sizes: list[int] = []
    made = frozen(entry)
    built = Bench(made, FOLDER)
    work = Work(
        todo=Todo([(0, built.plan.lifetimes)]),
        lifetime=built.plan.lifetime,
        deliver=lambda records: sizes.append(len(records)),
        on_segment=lambda segment: None,
        idle=lambda: None,
        dictionary=lambda: None,
        stopped=patches.get("stopped", lambda: False),
        lost=lambda first, stop: None,
    )
    InlineExecutor().execute(made.model_dump_json().encode(), FOLDER, {}, work)
    return sizes


def test_long_lifetimes_are_handed_over_before_the_window_is_full() -> None:
    sizes = handed_over({"n": 40, "program": [{"episodes": 10}]})
    assert sum(sizes) == 400
    assert all(size % 10 == 0 for size in sizes), "lifetimes are handed over whole"
    assert max(sizes) + BATCH_EPISODES <= WINDOW_EPISODES


def test_slow_episodes_are_handed_over_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "_HELD_SECONDS", 0.03)
    sizes = handed_over({"n": 20, "knobs": {"script": "pause"}})
    assert sum(sizes) == 20
    assert max(sizes) <= 6


def test_a_request_to_stop_is_heard_within_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "_HELD_SECONDS", 0.0)
    asked = iter([False, False, True])
    sizes = handed_over({"n": 20}, stopped=lambda: next(asked, True))
    assert sum(sizes) < 5


def test_agents_that_wait_live_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most `concurrency` at once, started in order, all delivered."""
    at_once, most, started = 0, 0, []

    async def fake_live(bench: Any, lifetime: Any, on_segment: Any) -> list[EpisodeRecord]:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        started.append(lifetime.index)
        await asyncio.sleep(0.002 * (lifetime.index % 3))
        at_once -= 1
        return [lifetime.index]

    delivered: list[Any] = []
    work: Any = SimpleNamespace(
        todo=Todo([(0, 20)]),
        lifetime=some,
        stopped=lambda: False,
        deliver=delivered.extend,
        idle=lambda: None,
        on_segment=None,
    )
    monkeypatch.setattr(inline, "live", fake_live)
    asyncio.run(InlineExecutor(3)._window(SimpleNamespace(), work))  # type: ignore[arg-type]
    assert most == 3
    assert started == list(range(20))
    assert sorted(delivered) == list(range(20))
