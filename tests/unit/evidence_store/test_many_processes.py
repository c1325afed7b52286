"""A store that several processes open, lock, delete or want to read: one sentence each, and nobody's run is spoilt."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from tests.unit.engine.small import FOLDER, frozen, run_small

from proctor.core.atomic_write import atomic_write
from proctor.core.errors import InputError, StoreError, StoreLost
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.plan import Plan
from proctor.engine.run import execute, start_run
from proctor.evidence.store import errors
from proctor.evidence.store.store import Store


class Silent:
    def start(self, total: int, done: int) -> None:
        pass

    def advance(self, records: list[Any]) -> None:
        pass

    def stop(self) -> None:
        pass


def open_and_say(location: str, gate: Any, said: Any) -> None:
    gate.wait()
    try:
        with Store(location) as store:
            said.put(f"open {len(store.runs())}")
    except Exception as error:
        said.put(f"{type(error).__name__}: {error}")


def test_many_who_make_the_same_new_store_at_once_all_get_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    gate, said = context.Barrier(4), context.Queue()
    several = [
        context.Process(target=open_and_say, args=(str(tmp_path / "s.db"), gate, said), daemon=True) for _ in range(4)
    ]
    for one in several:
        one.start()
    answers = [said.get(timeout=300) for _ in several]
    for one in several:
        one.join()
    said.close()
    said.join_thread()
    assert answers == ["open 0"] * 4


def test_a_store_in_the_making_is_waited_for(tmp_path: Path) -> None:
    """What another process has begun is not 'not a Proctor store': its tables appear all at once."""
    path = tmp_path / "s.db"
    Store(str(path)).close()
    path.unlink()
    path.touch()
    with Store(str(path)) as store:
        assert store.runs() == []


@pytest.mark.parametrize("umask", [0, 0o022, 0o077])
def test_what_holds_evidence_is_its_owners_alone(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        with Store(str(tmp_path / "s.db")) as store, atomic_write(tmp_path / "bundle", private=True) as file:
            store.connection.exec_driver_sql("CREATE TABLE x (y)")
            store.connection.commit()
            file.write(b"x")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("s.db*")}
    finally:
        os.umask(before)
    assert modes == {"s.db": 0o600, "s.db-wal": 0o600, "s.db-shm": 0o600}
    assert stat.S_IMODE((tmp_path / "bundle").stat().st_mode) == 0o600


@pytest.mark.parametrize("replaced", [False, True])
def test_a_store_that_is_deleted_in_the_middle_ends_the_run_with_a_sentence(
    replaced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.db"
    after = Store.add_run

    def add_and_lose(self: Store, *arguments: Any) -> int:
        number = after(self, *arguments)
        path.rename(tmp_path / "elsewhere.db")
        if replaced:
            path.write_bytes(b"")
        return number

    monkeypatch.setattr(Store, "add_run", add_and_lose)
    with pytest.raises(StoreLost, match="the file was deleted or replaced while it was in use") as caught:
        run_small(path, {"n": 2})
    assert caught.value.exit_code == 1


def test_a_run_is_executed_by_one_process_at_a_time(tmp_path: Path) -> None:
    made = frozen({"n": 2})
    plan, executor = Plan(made), InlineExecutor()
    facts: dict[str, Any] = {"folder": FOLDER, "executor": executor, "progress": Silent()}
    with Store(str(tmp_path / "s.db")) as one, Store(str(tmp_path / "s.db")) as two:
        record, _ = start_run(one, made, plan, executor=executor)
        with one.claim(record.number, record.name):
            with pytest.raises(StoreError, match="is being run already by another process") as caught:
                execute(two, record, made, plan, **facts)
            assert record.name in str(caught.value)
        assert execute(two, record, made, plan, **facts).root is not None
        with pytest.raises(InputError, match="was finished by another process meanwhile"):
            execute(one, record, made, plan, **facts)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.db"], "no lock is left"


def test_a_lock_left_by_a_killed_process_holds_nobody_up(tmp_path: Path) -> None:
    with Store(str(tmp_path / "s.db")) as store:
        (tmp_path / "s.db-run1").touch()
        with store.claim(1, "x"):
            pass
        (tmp_path / "s.db-run1").symlink_to(tmp_path / "s.db")
        with pytest.raises(StoreError, match=r"s\.db-run1 cannot be written"), store.claim(1, "x"):
            pass


def raised(code: int, words: str) -> OperationalError:
    error = sqlite3.OperationalError(words)
    error.sqlite_errorcode = code
    return OperationalError("INSERT", {}, error)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full"),
        (sqlite3.SQLITE_IOERR_WRITE, "the disk reports an error"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "it is read-only"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "another process is writing to it"),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, "another process has written the same"),
        (sqlite3.SQLITE_CORRUPT, "it is damaged"),
    ],
)
def test_trouble_is_known_by_its_code_and_not_by_its_words(code: int, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence), errors.plain_errors("s.db"):
        raise raised(code, "words that somebody chose")
    with pytest.raises(StoreError) as caught, errors.plain_errors("s.db"):
        raise raised(sqlite3.SQLITE_TOOBIG, "the disk is full")
    assert "free some space" not in str(caught.value)
