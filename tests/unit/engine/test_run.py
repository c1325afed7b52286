"""Whole runs: limits, stages, resuming, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.small import FOLDER, frozen, run_small

import proctor
from proctor.agents.lookup import label_of
from proctor.core.errors import InputError, IntegrityError
from proctor.engine.batch import Batch
from proctor.engine.executors.contract import Executor
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.plan import Plan
from proctor.engine.run import execute, start_run
from proctor.evidence.chain import replay
from proctor.evidence.events import StageRead
from proctor.evidence.result import result_of
from proctor.evidence.row import EpisodeRecord
from proctor.evidence.store.store import Store
from proctor.spec.frozen import FrozenRun
from proctor.spec.rules import Limits


class Stopper:
    """Progress that asks for a stop after so many episodes."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.seen = 0
        self.started: tuple[int, int] | None = None
        self.batch: Batch | None = None

    def start(self, total: int, done: int) -> None:
        self.started = (total, done)

    def advance(self, records: list[EpisodeRecord]) -> None:
        self.seen += len(records)
        if self.seen >= self.after and self.batch is not None:
            self.batch.ask_to_stop()

    def stop(self) -> None:
        pass


def go(
    store: Store, made: FrozenRun, *, after: int = 10**9, executor: Executor | None = None, **resuming: Any
) -> tuple[str, Stopper]:
    """Start or resume a run; its name."""
    plan, watch = Plan(made), Stopper(after)
    executor = executor or InlineExecutor()
    record, finished = start_run(store, made, plan, executor=executor, **resuming)

    def note(batch: Batch) -> None:
        watch.batch = batch

    if not finished:
        execute(store, record, made, plan, folder=FOLDER, executor=executor, progress=watch, on_batch=note)
    return record.name, watch


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(str(tmp_path / "store.db")) as opened:
        yield opened


# Limits of a run.


@pytest.mark.parametrize(
    ("length", "limit", "kept"), [(1, 7, 7), (3, 7, 6), (3, 6, 6), (3, 2, 0), (1, 20, 20), (1, 99, 20)]
)
def test_a_limit_on_episodes_keeps_whole_lifetimes(tmp_path: Path, length: int, limit: int, kept: int) -> None:
    n = 20 if length == 1 else 4
    result = run_small(
        tmp_path / "s.db", {"n": n, "program": [{"episodes": length}]}, running={"limits": Limits(run_episodes=limit)}
    )
    assert result.episodes == kept
    whole = n * length <= limit
    assert result.status == ("complete" if whole else "limit")
    assert result.root is not None
    assert result.reason == (None if whole else f"the run's limit of {limit} episodes is reached")


def test_a_limited_run_is_the_beginning_of_the_whole_one(tmp_path: Path) -> None:
    run_small(tmp_path / "part.db", {"n": 30}, running={"limits": Limits(run_episodes=7)})
    run_small(tmp_path / "whole.db", {"n": 30})
    answers = []
    for name in ("part", "whole"):
        with Store(str(tmp_path / f"{name}.db"), create=False) as opened:
            answers.append([(row.instance, row.answer) for row in opened.rows(1)])
    assert answers[0] == answers[1][:7]


def test_a_limit_on_tokens(tmp_path: Path) -> None:
    entry = {"n": 30, "knobs": {"script": "spend"}}
    result = run_small(tmp_path / "s.db", entry, running={"limits": Limits(run_tokens=1_000)})
    assert (result.episodes, result.status) == (10, "limit")
    assert result.reason == "the run's 1000 tokens are used up"


def test_a_limit_on_cost_counts_tokens_at_the_systems_price(tmp_path: Path) -> None:
    entry = {"n": 30, "knobs": {"script": "spend"}}
    system = proctor.System(name="s", price_per_million_tokens="10")
    result = run_small(tmp_path / "s.db", entry, running={"limits": Limits(run_cost="0.005"), "system": system})
    assert (result.episodes, result.status) == (5, "limit")
    with pytest.raises(InputError, match="a cost limit needs a price"):
        run_small(tmp_path / "s.db", entry, running={"limits": Limits(run_cost="0.005")})


def test_a_limit_on_time_leaves_a_run_to_be_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from proctor.engine import batch

    ticks = iter([0.0, *[0.5] * 1, *[100.0] * 1000])
    monkeypatch.setattr(batch, "monotonic", lambda: next(ticks))
    running = {"limits": Limits(run_seconds=1)}
    result = run_small(tmp_path / "s.db", {"n": 60}, running=running)
    assert (result.status, result.root, result.complete) == ("interrupted", None, False)
    assert result.reason == "the run's 1 seconds are over"
    assert 0 < result.episodes < 60
    monkeypatch.undo()
    done = run_small(tmp_path / "s.db", {"n": 60}, running={**running, "resume": True})
    assert done.run == result.run
    assert done.complete
    assert done.root == run_small(tmp_path / "again.db", {"n": 60}, running=running).root


# Resuming.


def test_an_interrupted_run_goes_on_where_it_was(store: Store) -> None:
    made = frozen({"n": 60})
    name, first = go(store, made, after=20)
    assert store.run(name).status == "interrupted"
    stored = store.count(1)
    assert 20 <= stored < 60
    again, second = go(store, made, resume=True)
    assert again == name
    assert second.started == (60, stored)
    assert first.seen + second.seen == 60, "nothing was lived twice"
    result = result_of(store, name, label_of)
    assert result.complete
    assert len(store.run(name).execution["started"]) == 2
    other, _ = go(store, made)
    assert other != name
    assert result_of(store, other, label_of).root == result.root


def test_a_finished_run_is_given_back_as_it_is(store: Store) -> None:
    made = frozen({"n": 5})
    name, _ = go(store, made)
    seal = store.run(name).seal
    again, watch = go(store, made, resume=True)
    assert (again, watch.started, store.run(name).seal) == (name, None, seal)


def test_resuming_what_was_never_begun_begins(store: Store) -> None:
    name, _ = go(store, frozen({"n": 5}), resume=True)
    assert store.run(name).status == "complete"


def test_the_newest_unfinished_run_of_the_configuration_is_chosen(store: Store) -> None:
    made = frozen({"n": 60})
    go(store, made, after=1)
    second, _ = go(store, made, after=1)
    go(store, frozen({"n": 60}, freezing={"seed": 5}), after=1)
    assert go(store, made, resume=True)[0] == second


def test_an_unfinished_run_comes_before_a_newer_finished_one(store: Store) -> None:
    made = frozen({"n": 60})
    unfinished, _ = go(store, made, after=1)
    go(store, made)
    assert go(store, made, resume=True)[0] == unfinished
    assert [run.status for run in store.runs()] == ["complete", "complete"]


@pytest.mark.parametrize("by_name", [True, False])
def test_another_configuration_is_refused_with_the_difference_named(store: Store, by_name: bool) -> None:
    name, _ = go(store, frozen({"n": 60}), after=1)
    resuming = {"resume_name": name} if by_name else {"resume": True}
    with pytest.raises(
        InputError, match=f"cannot resume {name}: seed was 0 and is now 3; repeat the original arguments"
    ):
        go(store, frozen({"n": 60}, freezing={"seed": 3}), **resuming)
    assert len(store.runs()) == 1, "nothing was started"


def test_a_finished_run_of_another_configuration_does_not_stand_in_the_way(store: Store) -> None:
    go(store, frozen({"n": 5}))
    go(store, frozen({"n": 5}, freezing={"seed": 3}), resume=True)
    assert [run.status for run in store.runs()] == ["complete", "complete"]


def test_a_cut_run_stays_cut_when_it_is_resumed(store: Store) -> None:
    made = frozen({"n": 200, "knobs": {"script": "break_some"}}, rules={"max_infrastructure": 8})
    name, _ = go(store, made, after=1)
    assert store.run(name).root is None
    go(store, made, resume=True)
    other, _ = go(store, made)
    assert store.run(name).root == store.run(other).root
    assert store.run(name).cut == store.run(other).cut is not None


def test_the_execution_says_what_really_executed_it(store: Store) -> None:
    made = frozen({"n": 5})
    plan, executor = Plan(made), InlineExecutor()
    record, _ = start_run(store, made, plan, executor=executor)
    store.update_run(record.number, execution={**record.execution, "executor": "processes", "workers": 8})
    name, _ = go(store, made, resume=True)
    assert (store.run(name).execution["executor"], store.run(name).execution["workers"]) == ("inline", 1)


def test_a_crash_of_the_bench_leaves_what_was_finished(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from proctor.engine.executors import inline

    lives: Any = vars(inline)["live"]

    async def breaks(bench: Any, lifetime: Any, **more: Any) -> Any:
        if lifetime.index == 40:
            raise SystemError("power cut")
        return await lives(bench, lifetime, **more)

    made = frozen({"n": 60})
    with monkeypatch.context() as patch:
        patch.setattr(inline, "live", breaks)
        with pytest.raises(SystemError):
            go(store, made)
    assert store.run("latest").status == "interrupted"
    assert store.count(1) == 25, "the chunk that was handed over"
    go(store, made, resume=True)
    assert store.run("latest").status == "complete"


# Stages.

STAGED: dict[str, Any] = {
    "stages": [{"id": "first", "freeze": "answers"}, {"id": "second", "freeze": "answers"}],
    "conditions": [{"id": "c", "after": "first"}],
}


def test_a_stage_is_frozen_and_read_later(store: Store) -> None:
    made = frozen({"n": 5, "knobs": {"script": "solve"}}, {"n": 3, "stage": "second", "conditions": ["c"]}, **STAGED)
    name, _ = go(store, made)
    outputs = store.stage_outputs(1)
    digest, counts = outputs["first"]
    assert set(counts) == {"small@1.0/none"}
    assert sum(counts["small@1.0/none"].values()) == 5
    for position in range(8):
        read = [event for event in store.events(1, position) if isinstance(event, StageRead)]
        assert read == ([StageRead("first", digest)] if position >= 5 else [])
    assert set(outputs["second"][1]) == {"small@1.0/c"}
    assert result_of(store, name, label_of).complete


def test_a_run_interrupted_between_stages_has_the_same_root(store: Store) -> None:
    made = frozen({"n": 30}, {"n": 30, "stage": "second", "conditions": ["c"]}, **STAGED)
    name, _ = go(store, made, after=10)
    go(store, made, resume=True)
    other, _ = go(store, made)
    assert store.run(name).root == store.run(other).root


def test_a_stage_without_lifetimes_does_no_harm(store: Store) -> None:
    made = frozen({"n": 3}, stages=[{"id": "first"}, {"id": "second", "freeze": "answers"}])
    name, _ = go(store, made)
    assert store.run(name).status == "complete"


# What is left behind.


def test_every_head_is_that_of_its_trace_and_the_inputs_are_stored(store: Store, tmp_path: Path) -> None:
    made = frozen({"n": 10, "regimes": ["baseline", "severe-adversarial"]}, {"n": 2, "program": [{"episodes": 3}]})
    go(store, made)
    for row in store.rows(1):
        assert replay(made.config_hash, row.position, store.trace(1, row.position)) == row.head
    import sqlite3

    with sqlite3.connect(store.path) as connection:
        (inputs,) = connection.execute("SELECT inputs FROM runs").fetchone()
    assert json.loads(inputs) == json.loads(json.dumps(made.inputs()))
    assert store.frozen(1) == made


def test_a_run_that_breaks_nothing_but_itself_is_infrastructure(tmp_path: Path) -> None:
    result = run_small(tmp_path / "s.db", {"n": 4, "program": [{}, {"knobs": {"script": "no_instance"}}]})
    assert result.outcomes["infrastructure"] == 4
    assert result.outcomes["success"] == 4


def told_by(store: Store, agent: str, recorded: object) -> str:
    """The label of a run whose agent and recorded label a stranger wrote."""
    from sqlalchemy import text

    name, _ = go(store, frozen({"n": 2}))
    execution = json.dumps({**store.run(name).execution, "label": recorded})
    store.connection.execute(text("UPDATE runs SET agent = :a, execution = :e"), {"a": agent, "e": execution})
    store.connection.commit()
    return result_of(store, name, label_of).label


def test_a_run_records_the_label_of_its_agent(store: Store) -> None:
    name, _ = go(store, frozen({"n": 2}))
    assert store.run(name).recorded_label == "oracle, not a result"
    assert result_of(store, name, label_of).label == "oracle, not a result"


@pytest.mark.parametrize("recorded", ["", None, 7, {"a": 1}])
def test_a_run_from_elsewhere_can_be_read_without_its_agent(store: Store, recorded: object) -> None:
    assert told_by(store, "their-own:thing", recorded) == "agents of kind 'their-own' are not installed here"


def test_what_a_run_recorded_is_shown_where_its_agent_is_not_installed(store: Store) -> None:
    label = told_by(store, "their-own:thing", "planted, not a result")
    assert label == "agents of kind 'their-own' are not installed here, recorded as: planted, not a result"


def test_a_recorded_label_that_drives_a_terminal_is_none_of_ours(store: Store) -> None:
    with pytest.raises(IntegrityError, match="is none that Proctor writes"):
        told_by(store, "their-own:thing", "planted\x1b[2J\n, not a result")


@pytest.mark.parametrize("recorded", ["", "fine, a result", None, "x" * 10_000])
def test_a_stranger_cannot_hide_a_label(store: Store, recorded: object) -> None:
    label = told_by(store, "oracle", recorded)
    assert label.startswith("oracle, not a result")
    assert len(label) < 300


def test_a_stranger_cannot_hide_that_an_agent_ran_unconfined(store: Store) -> None:
    assert told_by(store, "python:a.py:make,unconfined=yes", "") == "unconfined"


def test_a_hidden_seed_makes_other_instances(tmp_path: Path) -> None:
    roots = {run_small(tmp_path / "s.db", {"n": 2}, running={"seed": seed}).root for seed in (7, "07" * 32, "08" * 32)}
    assert len(roots) == 3
