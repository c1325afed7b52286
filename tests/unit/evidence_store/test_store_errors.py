"""What can go wrong below the store: one sentence, exit code 2, and nothing that was committed is lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.unit.engine.small import frozen, run_small
from tests.without_root import as_nobody

from proctor.core.errors import InputError, ProctorError, StoreError
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.plan import Plan
from proctor.engine.run import start_run
from proctor.evidence.row import LATER_COLUMNS
from proctor.evidence.store import opening, schema
from proctor.evidence.store.store import Store


@contextmanager
def one_sentence(saying: str, kind: type[ProctorError] = StoreError) -> Iterator[None]:
    with pytest.raises(kind) as caught:
        yield
    message = str(caught.value)
    assert saying in message
    assert "\n" not in message
    assert "(Background on this error" not in message
    assert caught.value.exit_code == 2


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with one finished run."""
    path = tmp_path / "store.db"
    run_small(path, {"n": 5})
    return path


def test_a_store_of_a_newer_proctor(place: Path) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE meta SET value = '99'")
    with one_sentence("written by a newer version of Proctor (schema 99, this one knows 3); upgrade Proctor"):
        Store(str(place))
    with sqlite3.connect(place) as connection:
        assert connection.execute("SELECT count(*) FROM episodes").fetchone() == (5,)


@pytest.mark.parametrize(
    ("version", "lacking"), [(1, ("retries", "measures", *LATER_COLUMNS)), (2, LATER_COLUMNS)], ids=["1", "2"]
)
def test_a_store_of_an_older_proctor_is_brought_up_to_date(place: Path, version: int, lacking: tuple[str, ...]) -> None:
    with sqlite3.connect(place) as connection:
        connection.execute(f"UPDATE meta SET value = '{version}'")
        for column in lacking:
            connection.execute(f"ALTER TABLE episodes DROP COLUMN {column}")
        connection.execute("DROP TABLE attachments")
    for _ in range(2):
        with Store(str(place)) as store:
            rows = list(store.rows(store.runs()[0].number))
            assert [row.retries for row in rows] == [0] * 5
            assert {getattr(row, name) for row in rows for name in LATER_COLUMNS} == {None}, "not measured, never 0"
    with sqlite3.connect(place) as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == ("3",)
    run_small(place, {"n": 5})
    with Store(str(place)) as store:
        newest = store.runs()[-1].number
        assert [row.out_of_range for row in store.rows(newest)] == [0] * 5, "and takes runs of today"


@pytest.mark.parametrize(
    "content", [b"this is not a database, not at all " * 50, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    for create in (True, False):
        with one_sentence("not a Proctor store, or it is damaged"):
            Store(str(path), create=create)
    assert path.read_bytes() == content, "and it is left as it was"


@pytest.mark.parametrize(
    "table", ["customers (id INTEGER PRIMARY KEY AUTOINCREMENT)", "customers (id)", "meta (x)", "meta (key, value)"]
)
def test_somebody_elses_database_is_refused_and_left_alone(tmp_path: Path, table: str) -> None:
    path = tmp_path / "theirs.db"
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE {table}")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    for create in (True, False):
        with one_sentence("not a Proctor store"):
            Store(str(path), create=create)
    assert path.read_bytes() == before, "neither tables nor journal mode changed"


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    with one_sentence("there is no such file; run `proctor run` first", InputError):
        Store(str(tmp_path / "none.db"), create=False)
    assert not (tmp_path / "none.db").exists()


def test_places_that_cannot_hold_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with one_sentence("it cannot be opened; check that the folder exists and may be written"):
        Store(str(tmp_path))
    (tmp_path / "file").touch()
    with one_sentence("its folder cannot be created"):
        Store(str(tmp_path / "file" / "store.db"))
    for url in ("://x", "postgresql://localhost/x", "sqlite+nonsense:///x.db"):
        with pytest.raises(ProctorError) as caught:
            Store(url)
        assert caught.value.exit_code == 2
        assert "\n" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["file"], "nothing is left behind"


def test_a_store_that_may_not_be_written(place: Path) -> None:
    folder = Path(tempfile.mkdtemp(prefix="proctor-read-only-"))
    try:
        shutil.copy(place, folder / "store.db")
        (folder / "store.db").chmod(0o444)
        folder.chmod(0o555)
        # Frozen beforehand: somebody else may not even read the family, where only its owner can enter the clone.
        made = frozen({"n": 5})
        with as_nobody(), one_sentence("store"), Store(str(folder / "store.db")) as opened:
            start_run(opened, made, Plan(made), executor=InlineExecutor(1))
        with as_nobody(), one_sentence("cannot be"):
            Store(str(folder / "deeper" / "store.db"))
        folder.chmod(0o755)
        with Store(str(folder / "store.db"), create=False) as opened:
            assert opened.count(1) == 5
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_store_that_somebody_else_is_writing_to(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "BUSY_MILLISECONDS", 40)
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with one_sentence("another process is writing to it; wait for that to finish"):
            run_small(place, {"n": 5})
        with Store(str(place), create=False) as opened:
            assert opened.count(1) == 5, "it can still be read"
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert run_small(place, {"n": 5}).complete


def test_a_database_that_may_not_grow(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlite3.connect(place) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    prepare = opening._prepare

    def small(connection: sqlite3.Connection, record: object) -> None:
        prepare(connection, record)
        connection.execute(f"PRAGMA max_page_count = {pages + 4}")

    with monkeypatch.context() as patch:
        patch.setattr(opening, "_prepare", small)
        with one_sentence("the disk is full; free some space and continue with --resume"):
            run_small(place, {"n": 400, "knobs": {"script": "long"}})
    with Store(str(place), create=False) as opened:
        assert opened.count(1) == 5, "the run that was finished is untouched"
        assert [run.status for run in opened.runs()] == ["complete", "interrupted"]


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = shutil.which("mount") and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(folder)], capture_output=True, check=False
    )
    if not mounted or mounted.returncode != 0:
        pytest.skip("a file system can be mounted by root only")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True, capture_output=True)


def test_a_full_disk_loses_nothing_and_resume_completes(tiny_disk: Path, tmp_path: Path) -> None:
    entry = {"n": 60, "regimes": ["baseline", "moderate-standard"]}
    path, filler = tiny_disk / "store.db", tiny_disk / "filler"
    with path.open("wb"):
        pass
    with Store(str(path)):
        pass
    free = os.statvfs(tiny_disk)
    filler.write_bytes(b"x" * max(0, free.f_bavail * free.f_frsize - 250_000))
    with pytest.raises(StoreError, match=r"the disk is full|the disk reports an error") as caught:
        run_small(path, entry)
    assert "--resume" in str(caught.value)
    with Store(str(path), create=False) as opened:
        kept = opened.count(1)
    filler.unlink()
    result = run_small(path, entry, running={"resume": True})
    assert result.complete
    assert result.episodes == 120
    assert kept < 120
    assert result.root == run_small(tmp_path / "roomy.db", entry).root


def test_an_episode_that_is_not_there(place: Path) -> None:
    run_small(place, {"n": 3})
    with Store(str(place), create=False) as opened:
        for position in (5, -1, 1 << schema.RUN_SHIFT):
            with one_sentence(f"episode {position} is not in this run; it has 5 episodes", InputError):
                opened.trace(1, position)


def test_runs_are_found_by_name_beginning_and_latest(place: Path) -> None:
    second = run_small(place, {"n": 3})
    with Store(str(place), create=False) as opened:
        first = opened.runs()[0].name
        assert opened.run(first).number == opened.run(first[:-1]).number == 1
        assert opened.run("latest").name == second.run
        with one_sentence("could be", InputError):
            opened.run("small-")
        with one_sentence(f"no run called 'x' in {place}; the newest is '{second.run}'", InputError):
            opened.run("x")


def test_an_empty_store_says_so(tmp_path: Path) -> None:
    with Store(str(tmp_path / "s.db")) as opened, one_sentence("the store is empty", InputError):
        opened.run("latest")
