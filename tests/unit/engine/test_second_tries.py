"""Second tries: what was not measured is lived once more, and a machine that stumbled leaves no mark on the root."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.small import frozen, run_small
from tests.unit.engine.test_run import go

from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.executors.processes import ProcessesExecutor
from proctor.evidence import chain
from proctor.evidence.bundle.in_store import verify_run
from proctor.evidence.first_tries import first_try, of_the_second, with_first_try
from proctor.evidence.row import Row
from proctor.evidence.store.store import Store

SOME = {"n": 24, "knobs": {"script": "stumble_some"}}


@pytest.fixture
def stumbles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "stumbles"
    folder.mkdir()
    monkeypatch.setenv("SMALL_STUMBLES", str(folder))
    return folder


def rows_of(place: Path, name: str = "latest") -> list[Row]:
    with Store(str(place), create=False) as store:
        record = store.run(name)
        report = verify_run(store, record.number)
        assert report.ok, report
        return list(store.rows(record.number))


def test_the_root_is_that_of_a_run_without_trouble(
    tmp_path: Path, stumbles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roots = []
    for workers in (None, 2):
        result = run_small(tmp_path / f"{workers}.db", SOME, running={"workers": workers})
        assert (result.status, result.outcomes["success"]) == ("complete", 24)
        roots.append(result.root)
        rows = rows_of(tmp_path / f"{workers}.db")
        tried = [row for row in rows if row.attempts == 2]
        assert 3 < len(tried) < 20
        assert len(tried) == len(list(stumbles.iterdir()))
        for row in tried:
            assert first_try(row.aside) == {"outcome": "infrastructure", "reason": "host"}
        assert all(row.aside is None for row in rows if row.attempts == 1)
        for mark in stumbles.iterdir():
            mark.unlink()
    monkeypatch.setenv("SMALL_STUMBLES_MOST", "0")
    calm = run_small(tmp_path / "calm.db", SOME)
    assert {*roots} == {calm.root}
    assert {row.attempts for row in rows_of(tmp_path / "calm.db")} == {1}


def test_nothing_is_tried_a_third_time(tmp_path: Path, stumbles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALL_STUMBLES_MOST", "99")
    roots = set()
    for workers in (None, 2):
        place = tmp_path / f"{workers}.db"
        result = run_small(place, SOME, running={"workers": workers})
        broken = [row for row in rows_of(place) if row.outcome == "infrastructure"]
        assert result.status == "complete"
        assert len(broken) == result.outcomes["infrastructure"] > 3
        assert {(row.reason, row.attempts) for row in broken} == {("host", 2)}
        assert len(list(stumbles.iterdir())) == 2 * len(broken)
        again = run_small(place, SOME, running={"resume": True})
        assert again.root == result.root
        assert len(list(stumbles.iterdir())) == 2 * len(broken), "a finished run is not tried again"
        roots.add(result.root)
        for mark in stumbles.iterdir():
            mark.unlink()
    assert len(roots) == 1


def test_a_run_that_is_stopped_tries_again_when_it_is_resumed(tmp_path: Path, stumbles: Path) -> None:
    made = frozen({**SOME, "n": 60})
    with Store(str(tmp_path / "s.db")) as store:
        name, _ = go(store, made, after=1)
        assert store.run(name).status == "interrupted"
        assert {row.outcome for row in store.rows(store.run(name).number)} <= {"success"}
        again, _ = go(store, made, resume=True)
        assert again == name
        record = store.run(name)
        assert record.status == "complete"
        rows = list(store.rows(record.number))
        assert {row.outcome for row in rows} == {"success"}
        assert {row.attempts for row in rows} == {1, 2}


def test_where_the_run_ends_the_first_tries_have_to_do(
    tmp_path: Path, stumbles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALL_STUMBLES_MOST", "99")
    result = run_small(tmp_path / "s.db", SOME, rules={"max_infrastructure": 3})
    assert (result.status, result.outcomes["infrastructure"]) == ("failed", 3)
    rows = rows_of(tmp_path / "s.db")
    assert {row.attempts for row in rows} == {1}


PROGRAM: list[dict[str, Any]] = [{"phase": "first", "episodes": 2}, {"phase": "then", "episodes": 2}]


def test_a_lifetime_is_lived_again_for_what_it_did_not_measure(
    tmp_path: Path, stumbles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALL_STUMBLES_MOST", "0")
    made = frozen({**SOME, "n": 6, "program": PROGRAM})
    roots = set()
    for name, most in (("inline", "1"), ("processes", "1"), ("inline", "0")):
        monkeypatch.setenv("SMALL_STUMBLES_MOST", most)
        place = tmp_path / f"{name}{most}.db"
        executor = InlineExecutor() if name == "inline" else ProcessesExecutor(workers=2)
        with Store(str(place)) as store:
            run, _ = go(store, made, executor=executor)
            roots.add(store.run(run).root)
        tried: dict[int, set[int]] = {}
        for row in rows_of(place):
            tried.setdefault(row.lifetime, set()).add(row.attempts)
            told = first_try(row.aside)
            assert row.outcome == "success"
            assert told == (None if row.attempts == 1 else {"outcome": "infrastructure", "reason": "host"})
        assert ({1, 2} in tried.values()) == (most == "1"), "what was measured stands"
        for mark in stumbles.iterdir():
            mark.unlink()
    assert len(roots) == 1


@pytest.mark.parametrize("workers", [None, 2])
def test_losing_the_service_buys_no_second_throw(tmp_path: Path, stumbles: Path, workers: int | None) -> None:
    """An agent that fails all along, then loses its service, and would do better the second time."""
    entry = {"n": 6, "knobs": {"script": "throw_again"}, "program": [{"phase": "only", "episodes": 4}]}
    run_small(tmp_path / "s.db", entry, running={"workers": workers})
    rows = rows_of(tmp_path / "s.db")
    assert len(list(stumbles.iterdir())) == 12, "each lifetime was lived twice to its end"
    assert [row.outcome for row in rows] == ["failure", "failure", "failure", "success"] * 6
    assert [row.attempts for row in rows] == [1, 1, 1, 2] * 6


def test_parts_of_long_traces_are_those_of_the_try_that_counts(
    tmp_path: Path, stumbles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "SEGMENT_BYTES", 20_000)
    entry = {"n": 4, "knobs": {"script": "stumble_late"}, "program": PROGRAM}
    run_small(tmp_path / "s.db", entry)
    rows = rows_of(tmp_path / "s.db")
    assert {row.attempts for row in rows} == {1, 2}
    with Store(str(tmp_path / "s.db"), create=False) as store:
        parts = store.connection.exec_driver_sql("SELECT count(DISTINCT episode) FROM segments").scalar()
    assert parts == len(rows)


def test_what_is_said_of_a_first_try_stands_apart() -> None:
    aside = b'[[3,"x"],["model",{"tokens":1}]]'
    joined = with_first_try(aside, {"outcome": "infrastructure", "reason": "host"})
    assert first_try(joined) == {"outcome": "infrastructure", "reason": "host"}
    assert of_the_second(joined) == aside
    assert of_the_second(with_first_try(None, {})) is None
    for other in (None, aside, b"not json first_try", b'["first_try"]', b'[["first_try"]]', b'[["first_try",7]]'):
        assert first_try(other) is None
        assert of_the_second(other) == other
