"""The database world: what works, what is refused, and what a verifier believes."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.worlds.sql import SqlWorld
from proctor.worlds.tables import read_table
from proctor.worlds.world import Place

_START = """
CREATE TABLE accounts (id INTEGER PRIMARY KEY, owner TEXT NOT NULL UNIQUE, cents INTEGER CHECK (cents >= 0));
INSERT INTO accounts VALUES (1, 'ann', 1000), (2, 'bob', 500);
CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, made TEXT DEFAULT CURRENT_TIMESTAMP);
"""


class SmallWorld(SqlWorld):
    max_database_bytes = 64 * 1024
    max_steps = 200_000


@pytest.fixture
def world(instance: Instance, place: Place) -> Any:
    world = SqlWorld(instance, place)
    world.populate(_START)
    yield world
    world.close()


def call(world: SqlWorld, name: str, **arguments: Any) -> Any:
    tool = world.tools[name]
    result = asyncio.run(world.apply(tool, tool.check(arguments)))
    assert result.ok
    return result.value


def test_reading(world: SqlWorld) -> None:
    answer = call(world, "query", sql="SELECT owner, cents / 100.0 AS euros FROM accounts ORDER BY id")
    assert answer == {"columns": ["owner", "euros"], "rows": [["ann", 10.0], ["bob", 5.0]]}
    assert call(world, "query", sql="PRAGMA table_info(notes)")["rows"][1][1] == "text"
    assert call(world, "query", sql="SELECT count(*) FROM pragma_table_info('notes')")["rows"] == [[3]]
    assert call(world, "query", sql="SELECT value FROM json_each('[7]')")["rows"] == [[7]]
    assert call(world, "query", sql="SELECT x'00ff', NULL")["rows"] == [["x'00ff'", None]]
    assert [entry["name"] for entry in call(world, "schema")] == ["accounts", "notes"]


def test_a_transaction_across_calls(world: SqlWorld) -> None:
    assert call(world, "execute", sql="BEGIN") == {"changed": 0, "in_transaction": True}
    assert call(world, "execute", sql="UPDATE accounts SET cents = cents - 100 WHERE id = 1")["changed"] == 1
    call(world, "execute", sql="UPDATE accounts SET cents = cents + 100 WHERE id = 2")
    assert call(world, "query", sql="SELECT sum(cents) FROM accounts")["rows"] == [[1500]]
    assert call(world, "execute", sql="COMMIT")["in_transaction"] is False
    assert world.rows("accounts") == [{"id": 1, "owner": "ann", "cents": 900}, {"id": 2, "owner": "bob", "cents": 600}]


def test_what_is_not_committed_does_not_count(world: SqlWorld) -> None:
    call(world, "execute", sql="BEGIN")
    call(world, "execute", sql="DELETE FROM accounts")
    assert world.state()["accounts"] == []
    rows = world.rows("accounts")
    assert rows is not None and len(rows) == 2
    call(world, "execute", sql="BEGIN")
    call(world, "execute", sql="DELETE FROM accounts")
    call(world, "execute", sql="ROLLBACK")
    assert len(call(world, "query", sql="SELECT * FROM accounts")["rows"]) == 2


def test_tables_indexes_views_and_returning(world: SqlWorld) -> None:
    for sql in (
        "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT UNIQUE)",
        "CREATE INDEX i ON t (b)",
        "CREATE VIEW v AS SELECT * FROM t",
        "ALTER TABLE t ADD COLUMN c REAL DEFAULT 1.5",
        "ALTER TABLE t RENAME COLUMN b TO d",
        "CREATE TABLE u AS SELECT * FROM accounts",
        "DROP TABLE u",
    ):
        call(world, "execute", sql=sql)
    answer = call(world, "execute", sql="INSERT INTO t (d) VALUES ('x'), ('y') RETURNING a, d, c")
    assert answer["rows"] == [[1, "x", 1.5], [2, "y", 1.5]]
    assert call(world, "query", sql="SELECT count(*) FROM v")["rows"] == [[2]]


@pytest.mark.parametrize(
    "sql",
    [
        "ATTACH DATABASE '/tmp/x.db' AS other",
        "ATTACH DATABASE ':memory:' AS other",
        "DETACH DATABASE main",
        "VACUUM",
        "VACUUM INTO '/tmp/proctor-stolen.db'",
        "SELECT load_extension('/tmp/x.so')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('/tmp/proctor-written', 'x')",
        "SELECT random()",
        "SELECT hex(randomblob(4))",
        "SELECT sqlite_version()",
        "SELECT * FROM accounts ORDER BY random()",
        "PRAGMA writable_schema = ON",
        "PRAGMA journal_mode = WAL",
        "PRAGMA max_page_count = 100000000",
        "PRAGMA trusted_schema = ON",
        "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA user_version = 3",
        "CREATE TEMP TABLE t (a)",
        "CREATE TEMP VIEW t AS SELECT 1",
        "CREATE TEMP TRIGGER g AFTER INSERT ON accounts BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE t USING fts5(a)",
        "CREATE VIRTUAL TABLE t USING csv(filename='/etc/passwd')",
        "UPDATE sqlite_master SET sql = 'x'",
        "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 2, 'x')",
        "SELECT * FROM sqlite_dbpage",
        "UPDATE sqlite_dbpage SET data = x'00' WHERE pgno = 1",
        "SELECT * FROM dbstat",
        "SELECT 1; DELETE FROM accounts",
        "SELECT \0",
        "SELECT '\ud800'",
        "INSERT INTO accounts VALUES (3, 'ann', 1)",
        "INSERT INTO accounts VALUES (3, 'eve', -1)",
        "SELEC 1",
        "",
    ],
)
@pytest.mark.parametrize("tool", ["query", "execute"])
def test_refused(world: SqlWorld, tool: str, sql: str) -> None:
    before = world.state_hash()
    if sql == "" and tool == "execute":
        assert call(world, tool, sql=sql)["changed"] == 0
        return
    with pytest.raises(ToolError) as caught:
        call(world, tool, sql=sql)
    assert str(world.place.directory) not in str(caught.value)
    assert world.state_hash() == before
    assert not Path("/tmp/proctor-stolen.db").exists()
    assert not Path("/tmp/proctor-written").exists()


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM accounts",
        "UPDATE accounts SET cents = 0",
        "INSERT INTO notes (text) VALUES ('x') RETURNING id",
        "WITH x AS (SELECT 1) DELETE FROM accounts",
        "CREATE TABLE t (a)",
        "DROP TABLE accounts",
        "BEGIN",
        "EXPLAIN QUERY PLAN DELETE FROM accounts",
    ],
)
def test_query_only_reads(world: SqlWorld, sql: str) -> None:
    before = world.state_hash()
    with pytest.raises(ToolError, match="use execute"):
        call(world, "query", sql=sql)
    assert world.state_hash() == before


def test_time_is_logical(world: SqlWorld) -> None:
    world.place.clock.advance(90_061_000)
    moment = "2026-01-02 01:01:01"
    for expression, value in {
        "CURRENT_TIMESTAMP": moment,
        "CURRENT_DATE": moment[:10],
        "CURRENT_TIME": moment[11:],
        "datetime('now')": moment,
        "datetime(' NOW ')": moment,
        "datetime()": moment,
        "datetime('now', 'localtime')": moment,
        "date('now', '+1 day')": "2026-01-03",
        "strftime('%Y', 'now')": "2026",
        "strftime('%H')": "01",
        "time()": moment[11:],
        "date('2020-02-29', '+1 year')": "2021-03-01",
        "unixepoch('now')": 1767315661,
        "date(NULL)": None,
    }.items():
        assert call(world, "query", sql=f"SELECT {expression}")["rows"] == [[value]], expression
    call(world, "execute", sql="INSERT INTO notes (text) VALUES ('x')")
    assert world.rows("notes") == [{"id": 1, "text": "x", "made": moment}]


def test_results_are_cut_with_a_notice(world: SqlWorld) -> None:
    series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
    answer = call(world, "query", sql=f"{series} SELECT i FROM n")
    assert len(answer["rows"]) == 200
    assert answer["notice"] == "only the first 200 rows are shown"
    wide = call(world, "query", sql=f"{series} SELECT hex(zeroblob(10000)) FROM n")
    assert 0 < len(wide["rows"]) < 20
    with pytest.raises(ToolError, match="too big"):
        call(world, "query", sql="SELECT zeroblob(100000000)")


def test_endless_statements_are_stopped(instance: Instance, place: Place) -> None:
    world = SmallWorld(instance, place)
    world.populate(_START)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    with pytest.raises(ToolError, match="too long"):
        call(world, "query", sql=endless + "SELECT count(*) FROM n")
    with pytest.raises(ToolError, match=r"too long|full"):
        call(world, "execute", sql="INSERT INTO notes (text) " + endless + "SELECT i FROM n")
    assert world.rows("notes") == []
    fill = "INSERT INTO notes (text) SELECT hex(zeroblob(5000)) FROM json_each('[1,2,3,4,5,6,7,8,9]')"
    with pytest.raises(ToolError, match="full"):
        call(world, "execute", sql=fill)
    size = sum(path.stat().st_size for path in place.directory.iterdir())
    assert size <= 2 * SmallWorld.max_database_bytes
    world.close()


_DEEP = 40
_NAMED_AGAIN = ", ".join(["v0(x) AS (SELECT 1)", *(
    f"v{at}(x) AS (SELECT (SELECT x FROM v{at - 1}) + (SELECT x FROM v{at - 1}))" for at in range(1, _DEEP)
)])  # fmt: skip
_COMPUTED = ", ".join(["c0", *(f"c{at} AS (c{at - 1} + c{at - 1})" for at in range(1, _DEEP))])


@pytest.mark.parametrize(
    "statements",
    [
        [("query", f"WITH {_NAMED_AGAIN} SELECT * FROM v{_DEEP - 1}")],
        [
            ("execute", f"CREATE TABLE g ({_COMPUTED})"),
            ("execute", "INSERT INTO g VALUES (1)"),
            ("query", f"SELECT c{_DEEP - 1} FROM g"),
        ],
        [
            *(("execute", f"CREATE TABLE t{at} (x)") for at in range(_DEEP + 1)),
            *(
                ("execute", f"CREATE TRIGGER r{at}{on} INSERT ON t{at} BEGIN INSERT INTO t{at + 1} VALUES (1); END")
                for at in range(_DEEP)
                for on in "ab"
            ),
            ("execute", "INSERT INTO t0 VALUES (1)"),
        ],
    ],
    ids=["named again", "computed", "triggers"],
)  # fmt: skip
def test_a_short_statement_cannot_take_all_memory(world: SqlWorld, statements: list[tuple[str, str]]) -> None:
    *before, (tool, last) = statements
    for name, sql in before:
        call(world, name, sql=sql)
    with pytest.raises(ToolError, match=r"too much memory|trigger recursion"):
        call(world, tool, sql=last)
    assert call(world, "query", sql="SELECT count(*) FROM accounts")["rows"] == [[2]]
    world.state_hash()
    assert world.rows("accounts") is not None


def test_a_view_that_nobody_can_read_is_in_nobodys_way(world: SqlWorld) -> None:
    joined = ", ".join(
        ["v0(x) AS (SELECT 1)", *(f"v{at}(x) AS (SELECT a.x FROM v{at - 1} a, v{at - 1} b)" for at in range(1, _DEEP))]
    )
    call(world, "execute", sql=f"CREATE VIEW deep AS WITH {joined} SELECT * FROM v{_DEEP - 1}")
    world.state_hash()
    world.state_mark()
    assert world.rows("accounts") is not None
    with pytest.raises(ToolError, match="too much memory"):
        call(world, "query", sql="SELECT * FROM deep")


def test_the_state_is_the_rows(world: SqlWorld) -> None:
    before = world.state_hash()
    call(world, "execute", sql="UPDATE accounts SET cents = 1001 WHERE id = 1")
    assert world.state_hash() != before
    call(world, "execute", sql="UPDATE accounts SET cents = 1000 WHERE id = 1")
    assert world.state_hash() == before
    call(world, "execute", sql="INSERT INTO notes VALUES (9007199254740993, 1.5, x'ff')")
    assert world.state()["notes"] == [{"id": {"$num": "9007199254740993"}, "text": "1.5", "made": "x'ff'"}]
    world.state_hash()


def test_a_view_in_a_tables_place_is_not_a_table(world: SqlWorld) -> None:
    call(world, "execute", sql="ALTER TABLE accounts RENAME TO hidden")
    call(world, "execute", sql="CREATE VIEW accounts AS SELECT id, owner, 999999 AS cents FROM hidden")
    assert call(world, "query", sql="SELECT cents FROM accounts")["rows"] == [[999999], [999999]]
    assert world.rows("accounts") is None
    assert world.rows("missing") is None
    assert world.rows('hid"den') is None


def test_computed_columns_are_not_believed(world: SqlWorld) -> None:
    call(world, "execute", sql="DROP TABLE accounts")
    call(world, "execute", sql="CREATE TABLE accounts (id INTEGER, cents INTEGER AS (999999))")
    call(world, "execute", sql="INSERT INTO accounts (id) VALUES (1)")
    assert world.rows("accounts") == [{"id": 1}]


def test_triggers_do_not_fire_when_verifying(world: SqlWorld) -> None:
    call(world, "execute", sql="CREATE TRIGGER g AFTER UPDATE ON accounts BEGIN DELETE FROM notes; END")
    before = world.rows("accounts")
    assert world.rows("accounts") == before
    call(world, "execute", sql="CREATE TRIGGER h AFTER INSERT ON notes BEGIN SELECT load_extension('x'); END")
    with pytest.raises(ToolError, match="load_extension"):
        call(world, "execute", sql="INSERT INTO notes (text) VALUES ('x')")
    call(world, "execute", sql="CREATE VIEW w AS SELECT readfile('/etc/passwd') AS stolen, random() AS r")
    with pytest.raises(ToolError, match=r"readfile|random"):
        call(world, "query", sql="SELECT * FROM w")


def test_verifiers_survive_any_file(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    assert read_table(path, "t") is None
    path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)
    assert read_table(path, "t") is None
    path.unlink()
    path.symlink_to("/etc/passwd")
    assert read_table(path, "t") is None


def test_verifying_changes_nothing(world: SqlWorld) -> None:
    path = world.place.directory / "database.sqlite"
    before = path.read_bytes()
    world.rows("accounts")
    assert path.read_bytes() == before
    assert [entry.name for entry in world.place.directory.iterdir()] == ["database.sqlite"]


def test_the_hosts_trouble_is_not_the_agents(world: SqlWorld) -> None:
    (world.place.directory / "database.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        call(world, "query", sql="SELECT * FROM accounts")
