"""A store is read and written only if its schema is one that Proctor makes: a file can act on whoever opens it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.engine.small import run_small

from proctor.core.errors import StoreError
from proctor.evidence.store import layout, schema
from proctor.evidence.store.store import Store


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("honest") / "store.db"
    run_small(path, {"n": 3})
    return path


@pytest.fixture
def place(honest: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(honest, tmp_path / "store.db"))


def change(place: Path, *statements: str, by_hand: bool = False) -> None:
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        if by_hand:
            connection.execute("PRAGMA writable_schema=ON")
        for statement in statements:
            connection.execute(statement)


def refused(place: Path) -> str:
    """The sentence, the same for readers and writers; the file and what lies beside it stay as they are."""
    before, beside = place.read_bytes(), sorted(place.parent.iterdir())
    said = set()
    for create in (False, True):
        with pytest.raises(StoreError) as caught:
            Store(str(place), create=create)
        said.add(str(caught.value))
        assert caught.value.exit_code == 2
    assert place.read_bytes() == before
    assert sorted(place.parent.iterdir()) == beside
    (sentence,) = said
    assert "\n" not in sentence
    return sentence


RENUMBER = "UPDATE runs SET number = number + 1 WHERE name = 'prepared';"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (f"CREATE TRIGGER renumber AFTER INSERT ON runs BEGIN {RENUMBER} END", "trigger renumber does not belong"),
        ("CREATE TRIGGER stop BEFORE INSERT ON runs BEGIN SELECT raise(abort, 'x'); END", "trigger stop does not"),
        ("CREATE VIEW shown AS SELECT * FROM runs", "view shown does not belong"),
        ("CREATE TABLE more (a)", "table more does not belong"),
        ('CREATE TABLE "a\nb" (a)', r"table 'a\nb' does not belong"),
        (f'CREATE TABLE "{"x" * 5000}" (a)', f"table '{'x' * 40}' does not belong"),
        ("CREATE VIRTUAL TABLE found USING fts5(a)", "table found does not belong"),
        ("CREATE INDEX other ON runs (suite)", "index other does not belong"),
        ("CREATE INDEX other ON runs (suite) WHERE abs(number) > 1", "index other does not belong"),
        ("CREATE UNIQUE INDEX one ON runs (lower(agent))", "index one does not belong"),
        ("ANALYZE", "table sqlite_stat1 does not belong"),
        ("DROP INDEX ix_runs_config_hash", "index ix_runs_config_hash is missing"),
        ("DROP TABLE segments", "table segments is missing"),
        ("ALTER TABLE runs ADD COLUMN more TEXT", "table runs is not as Proctor makes it"),
        ("ALTER TABLE runs ADD COLUMN more TEXT AS (agent) VIRTUAL", "table runs is not as Proctor makes it"),
        ("ALTER TABLE episodes DROP COLUMN claims", "table episodes is not as Proctor makes it"),
        ("ALTER TABLE episodes RENAME COLUMN answer TO answers", "table episodes is not as Proctor makes it"),
        ("ALTER TABLE meta ADD COLUMN more TEXT", "table meta is not as Proctor makes it"),
    ],
)
def test_whatever_proctor_does_not_make_is_refused_and_named(place: Path, statement: str, named: str) -> None:
    change(place, statement)
    sentence = refused(place)
    assert named in sentence
    assert "this file is not a Proctor store, or somebody changed it" in sentence


def rewritten(old: str, new: str, where: str = "name = 'runs'") -> str:
    return f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') WHERE {where}"


@pytest.mark.parametrize(
    "statement",
    [
        rewritten("suite TEXT NOT NULL", "suite TEXT COLLATE NOCASE NOT NULL"),
        rewritten("suite TEXT NOT NULL", "suite TEXT DEFAULT (random()) NOT NULL"),
        rewritten("suite TEXT NOT NULL", "suite TEXT NOT NULL CHECK (length(suite) < 9)"),
        rewritten("suite TEXT NOT NULL", "suite TEXT AS (agent) STORED NOT NULL"),
        rewritten("suite TEXT NOT NULL", 'suite TEXT "NOT" NULL'),
        rewritten("suite TEXT NOT NULL", "suite TEXT /* */ NOT NULL"),
        rewritten("suite TEXT NOT NULL", "suite TEXT NOT NULL ON CONFLICT REPLACE"),
        rewritten("suite TEXT NOT NULL", "suite BLOB NOT NULL"),
        rewritten("agent TEXT NOT NULL", "agent TEXT"),
        rewritten("UNIQUE (name)", "UNIQUE (name) ON CONFLICT REPLACE"),
        rewritten("FOREIGN KEY(run)", "UNIQUE (stage), FOREIGN KEY(run)", "name = 'arms'"),
        rewritten("(number)\n)", "(number) ON DELETE CASCADE\n)", "name = 'arms'"),
        rewritten("PRIMARY KEY (id)\n)", "PRIMARY KEY (id)\n) STRICT", "name = 'episodes'"),
        rewritten("stage)", "stage DESC)", "name = 'stages'"),
        rewritten("(config_hash)", "(config_hash DESC)", "name = 'ix_runs_config_hash'"),
        rewritten("INDEX", "UNIQUE INDEX", "name = 'ix_runs_config_hash'"),
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'arms') "
        "WHERE name = 'stages'",
        "UPDATE sqlite_master SET tbl_name = 'arms' WHERE name = 'ix_runs_config_hash'",
        "UPDATE sqlite_master SET name = 'stages2' WHERE name = 'stages'",
        "UPDATE sqlite_master SET sql = CAST(x'c328' AS TEXT) WHERE name = 'stages'",
        "UPDATE sqlite_master SET sql = NULL WHERE name = 'stages'",
        "UPDATE sqlite_master SET name = NULL WHERE name = 'stages'",
        "DELETE FROM sqlite_master WHERE name = 'sqlite_autoindex_runs_1'",
        "INSERT INTO sqlite_master VALUES ('table', 'segments', 'segments', 0, "
        "'CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM arms; END')",
    ],
)
def test_a_schema_that_was_edited_by_hand_is_refused(place: Path, statement: str) -> None:
    change(place, statement, by_hand=True)
    assert "not a Proctor store" in refused(place)


def test_text_of_another_encoding_is_refused(tmp_path: Path, honest: Path) -> None:
    place = tmp_path / "store.db"
    with closing(sqlite3.connect(honest)) as source, closing(sqlite3.connect(place)) as copy:
        copy.execute("PRAGMA encoding='UTF-16le'")
        copy.executescript("\n".join(source.iterdump()))
    assert "its text is UTF-16le" in refused(place)


def test_a_view_in_the_place_of_the_version_is_not_computed(tmp_path: Path) -> None:
    place = tmp_path / "store.db"
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'schema' AS key, i AS value FROM n"
    )
    change(place, f"CREATE VIEW meta AS {endless}", "CREATE TABLE runs (a)", "CREATE TABLE episodes (a)")
    assert "not a Proctor store" in refused(place)


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_a_link_beside_a_store_is_not_followed(place: Path, suffix: str) -> None:
    precious = place.parent / "precious"
    precious.write_bytes(b"mine")
    os.symlink(precious, f"{place}{suffix}")
    assert f"store.db{suffix} beside it is none that Proctor leaves" in refused(place)
    assert precious.read_bytes() == b"mine"


def test_a_journal_that_names_another_file_does_not_have_it_deleted(place: Path) -> None:
    precious = place.parent / "precious"
    precious.write_bytes(b"mine")
    magic, name = bytes.fromhex("d9d505f920a163d7"), os.fsencode(precious)
    header = magic + struct.pack(">IIIII", 0, 0, 1, 512, 16384)
    end = struct.pack(">I", 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    Path(f"{place}-journal").write_bytes(header.ljust(512, b"\x00") + end)
    assert "store.db-journal beside it is none that Proctor leaves" in refused(place)
    assert precious.exists()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "store.db")
    with pytest.raises(StoreError, match="it is no ordinary file"):
        Store(str(tmp_path / "store.db"), create=False)


def test_the_log_of_a_crashed_writer_is_read(place: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(place)) as writer:
        writer.execute("UPDATE runs SET status = 'interrupted'")
        writer.commit()
        for path in (place, Path(f"{place}-wal")):
            shutil.copy(path, tmp_path / path.name.replace("store", "copy"))
    with Store(str(tmp_path / "copy.db"), create=False) as store:
        assert [run.status for run in store.runs()] == ["interrupted"]


def test_a_trigger_that_comes_while_a_store_is_open_carries_out_nothing(place: Path) -> None:
    with Store(str(place)) as store:
        change(place, "CREATE TRIGGER later AFTER UPDATE ON runs BEGIN UPDATE runs SET agent = 'other'; END")
        with pytest.raises(StoreError):
            store.update_run(1, status="interrupted")
        store.connection.rollback()
        assert {(run.agent, run.status) for run in store.runs()} == {("oracle", "complete")}


def test_a_store_that_was_compacted_or_copied_is_opened(place: Path, tmp_path: Path) -> None:
    change(place, "VACUUM", f"VACUUM INTO '{tmp_path / 'copy.db'}'")
    for path in (place, tmp_path / "copy.db"):
        with Store(str(path), create=False) as store:
            assert [run.status for run in store.runs()] == ["complete"]


def test_the_layout_is_that_of_a_new_store(place: Path) -> None:
    with closing(sqlite3.connect(place)) as connection:
        found = layout.read_layout(connection)
    assert found.version == str(schema.SCHEMA_VERSION)
    layout.require_layout(found.objects, schema.SCHEMA_VERSION)
    for version in range(1, schema.SCHEMA_VERSION):
        with pytest.raises(layout.Unfit, match="table episodes is not as Proctor makes it"):
            layout.require_layout(found.objects, version)


def test_looking_costs_less_than_two_milliseconds(place: Path) -> None:
    taken = []
    with closing(sqlite3.connect(place)) as connection:
        for _ in range(20):
            began = time.process_time()
            layout.require_layout(layout.read_layout(connection).objects, schema.SCHEMA_VERSION)
            taken.append(time.process_time() - began)
    assert min(taken) < 0.002


def test_pages_that_contradict_each_other_are_found_by_verifying(place: Path) -> None:
    """One reader looks a run up, another goes through all of them: the two have to see the same rows."""
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_arms_1'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    pages = bytearray(place.read_bytes())
    at = (root - 1) * size
    assert pages[at] == 10, "a leaf of an index"
    pages[at + 3 : at + 5] = bytes(2)  # It has no cells.
    place.write_bytes(pages)
    with Store(str(place), create=False) as store, pytest.raises(StoreError, match="the file is damaged"):
        list(store.episodes(1))
