"""A world with a real SQLite database: read with `query`, change with `execute`, look with `schema`.

The database is a file; the agent's statements run on one connection whose authoriser lets through reading, writing,
tables, indexes, views, triggers and transactions, and nothing that reaches files, other databases, settings or code.
Work per statement is capped in steps of SQLite's machine, which are the same everywhere; a cap in seconds stands
behind it. Memory is capped for all statements together.

Deterministic: `now` and CURRENT_TIMESTAMP are the episode's logical time in UTC, for which local time is taken too;
`random()`, `randomblob()` and what tells SQLite versions apart are refused.

Verifiers use `rows`: a second, read-only connection that reads base tables only, as committed. A view put in a
table's place is not a table, a trigger never fires there, and functions of the schema are not trusted.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, ClassVar, Final

from proctor.core.canonical import chainable
from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.worlds.sqltime import SqlClock
from proctor.worlds.tables import READING, Marker, Row, base_tables, cap, limit_memory, plain, read_table, rows_of, text
from proctor.worlds.tool import tool
from proctor.worlds.world import BaseWorld, Place

_WRITING: Final = READING | {
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_UPDATE,
    sqlite3.SQLITE_DELETE,
    sqlite3.SQLITE_TRANSACTION,
    sqlite3.SQLITE_SAVEPOINT,
    sqlite3.SQLITE_CREATE_TABLE,
    sqlite3.SQLITE_CREATE_INDEX,
    sqlite3.SQLITE_CREATE_VIEW,
    sqlite3.SQLITE_CREATE_TRIGGER,
    sqlite3.SQLITE_DROP_TABLE,
    sqlite3.SQLITE_DROP_INDEX,
    sqlite3.SQLITE_DROP_VIEW,
    sqlite3.SQLITE_DROP_TRIGGER,
    sqlite3.SQLITE_ALTER_TABLE,
    sqlite3.SQLITE_REINDEX,
    sqlite3.SQLITE_ANALYZE,
}
_LOOKING: Final = frozenset(
    ("table_info", "table_xinfo", "table_list", "index_list", "index_info", "foreign_key_list", "foreign_key_check")
)
_REFUSED_FUNCTIONS: Final = frozenset(
    (
        "load_extension",
        "readfile",
        "writefile",
        "edit",
        "fts3_tokenizer",
        "random",
        "randomblob",
        "sqlite_version",
        "sqlite_source_id",
        "sqlite_compileoption_get",
        "sqlite_compileoption_used",
        "sqlite_log",
    )
)
_OPEN_TABLES: Final = frozenset(
    (
        "sqlite_schema",
        "sqlite_master",
        "sqlite_sequence",
        "sqlite_stat1",
        "sqlite_stat4",
        # Renaming looks into these; nothing temporary can be made, so they stay empty.
        "sqlite_temp_schema",
        "sqlite_temp_master",
    )
)
_TABLE_FUNCTIONS: Final = ("json_each", "json_tree", *(f"pragma_{name}" for name in sorted(_LOOKING)))
_ENGINE_TABLES: Final = frozenset(("dbstat", "bytecode", "tables_used"))
# What the host's trouble can look like, beside what a statement does.
_HOST_ERRORS: Final = frozenset(
    (
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_INTERNAL,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_FULL,
    )
)
_ERRNO: Final = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_NOMEM: errno.ENOMEM,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_READONLY: errno.EROFS,
}


class SqlWorld(BaseWorld):
    """A database; a family fills it with `lay` and reads the outcome with `rows`."""

    max_rows: ClassVar[int] = 200
    max_value_bytes: ClassVar[int] = 64 * 1024
    """Of one text or blob."""
    max_result_bytes: ClassVar[int] = 256 * 1024
    max_database_bytes: ClassVar[int] = 4 * 1024 * 1024
    max_steps: ClassVar[int] = 5_000_000
    max_seconds: ClassVar[float] = 10.0
    """Of processor, for one statement."""
    processor_seconds: ClassVar[float] = 15.0

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._path = place.directory / "database.sqlite"
        self._connection: sqlite3.Connection | None = None
        self._clock = SqlClock(place.clock)
        self._refused = ""
        self._marker = Marker()

    def populate(self, script: str) -> None:
        """Run the statements that make the starting database, as one transaction; nothing is refused here."""
        with closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            # A private file that is gone after the episode: nothing is gained by waiting for the disk.
            connection.execute("PRAGMA journal_mode = MEMORY")
            connection.execute("PRAGMA synchronous = OFF")
            self._clock.install(connection)
            connection.executescript(f"BEGIN;\n{script}\n;COMMIT;")

    @tool(effect="read")
    def query(self, sql: str) -> dict[str, Any]:
        """Read the database with one SELECT statement; answers columns and rows, at most 200 of them."""
        with self._session(READING) as connection:
            cursor = self._run(connection, sql)
            if cursor.description is None:
                message = "this is not a query; use execute for statements that change the database"
                raise ToolError(message)
            return self._shown(cursor)

    @tool(effect="write")
    def execute(self, sql: str) -> dict[str, Any]:
        """Change the database with one statement (INSERT, UPDATE, DELETE, CREATE …); answers how many rows changed.

        BEGIN, COMMIT and ROLLBACK work across calls; outside a transaction every statement is final at once. What is
        not committed at the end is lost.
        """
        with self._session(_WRITING) as connection:
            cursor = self._run(connection, sql)
            answer = self._shown(cursor) if cursor.description is not None else {}
            return {"changed": max(cursor.rowcount, 0), "in_transaction": connection.in_transaction, **answer}

    @tool(effect="read")
    def schema(self) -> list[dict[str, Any]]:
        """The tables, views, indexes and triggers, with the SQL that made them."""
        with self._session(READING) as connection:
            objects = connection.execute(
                "SELECT type, name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' ORDER BY type, name"
            )
            return [{"type": kind, "name": name, "sql": sql or ""} for kind, name, sql in objects]

    def rows(self, table: str) -> list[Row] | None:
        """For verifiers: the committed rows of a base table, in a fixed order; None where there is no such table.

        Ends what the agent left uncommitted. None also for a view or virtual table in its place and for a table that
        cannot be read within the limits.
        """
        self._disconnect()
        return read_table(self._path, table)

    def canary(self) -> None:
        """Room on the disk for the whole database, its file still there, and SQLite able to keep a row of its own."""
        self.place.probe(self.max_database_bytes)
        os.stat(self._path)
        try:
            # An empty name is a private file that SQLite makes in its own temporary folder and removes.
            with closing(sqlite3.connect("", isolation_level=None)) as connection:
                connection.execute("CREATE TABLE canary AS SELECT 1 AS one")
                connection.execute("SELECT one FROM canary").fetchone()
        except MemoryError as error:
            raise OSError(errno.ENOMEM, "SQLite has no memory left") from error
        except sqlite3.Error as error:
            raise OSError(_ERRNO.get(_code(error), errno.EIO), f"SQLite: {error}") from error

    def state(self) -> Any:
        """Rows of every base table, sorted; a transaction that is still open is included."""
        connection = self._opened()
        connection.set_authorizer(None)
        # Written as the chain writes it: canonical JSON has no room for SQL's large integers.
        return {
            name: [chainable({key: plain(value) for key, value in row.items()}) for row in rows_of(connection, name)]
            for name in base_tables(connection)
        }

    def state_mark(self) -> object:
        connection = self._opened()
        connection.set_authorizer(None)
        return self._marker.mark(connection)

    def close(self) -> None:
        """Close everything; an open transaction is rolled back, as after a crash."""
        self._disconnect()
        self._clock.close()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, cached_statements=0)
            connection.text_factory = text
            limit_memory(connection)
            connection.execute("PRAGMA journal_mode = MEMORY")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            page = connection.execute("PRAGMA page_size").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {self.max_database_bytes // page}")
            _limit(connection, self.max_value_bytes)
            self._clock.install(connection)
            for name in _TABLE_FUNCTIONS:
                # Their first use declares a table, which the authoriser could not tell from making one.
                connection.execute(f"SELECT 1 FROM {name} LIMIT 0")  # noqa: S608
            self._connection = connection
        return self._connection

    @contextmanager
    def _session(self, allowed: frozenset[int]) -> Iterator[sqlite3.Connection]:
        """The connection with the rights of one call; SQLite's complaints become refusals."""
        connection = self._opened()
        self._refused = ""
        connection.set_authorizer(self._authoriser(allowed))
        cap(connection, self.max_steps, self.max_seconds)
        try:
            yield connection
        except (sqlite3.Error, sqlite3.Warning) as error:
            if not self._refused and _code(error) in _HOST_ERRORS:
                # A statement can lead here as well as a full disk: which of the two it is, the host is asked.
                self.canary()
            raise _refusal(error, self._refused) from None
        except MemoryError:
            self.canary()
            message = "the statement needs too much memory; make it simpler or narrower"
            raise ToolError(message) from None
        finally:
            # Where a statement is given up while it is prepared, the connection may be closed before this.
            with suppress(sqlite3.ProgrammingError):
                connection.set_progress_handler(None, 0)

    def _run(self, connection: sqlite3.Connection, sql: str) -> sqlite3.Cursor:
        try:
            return connection.execute(sql)
        except (ValueError, UnicodeEncodeError):
            message = "the statement has characters that SQL cannot take"
            raise ToolError(message) from None

    def _authoriser(self, allowed: frozenset[int]) -> Callable[..., int]:
        def decide(action: int, first: str | None, second: str | None, database: str | None, inner: str | None) -> int:
            if action in allowed and not _of_the_engine(first):
                return sqlite3.SQLITE_OK
            if action == sqlite3.SQLITE_FUNCTION:
                name = (second or "").lower()
                if name not in _REFUSED_FUNCTIONS:
                    return sqlite3.SQLITE_OK
                self._refused = f"the function {name}() is not available"
            elif action == sqlite3.SQLITE_PRAGMA:
                if (first or "").lower() in _LOOKING:
                    return sqlite3.SQLITE_OK
                self._refused = f"PRAGMA {first} is not available"
            elif action in _WRITING - allowed:
                self._refused = "query only reads; use execute for statements that change the database"
            else:
                self._refused = "statements that reach beyond the tables of this database are not available"
            return sqlite3.SQLITE_DENY

        return decide

    def _shown(self, cursor: sqlite3.Cursor) -> dict[str, Any]:
        columns = [column[0] for column in cursor.description]
        rows: list[list[Any]] = []
        size = 0
        for row in cursor:
            values = [plain(value) for value in row]
            size += sum(len(str(value)) for value in values)
            if len(rows) == self.max_rows or size > self.max_result_bytes:
                cursor.close()
                notice = f"only the first {len(rows)} rows are shown"
                return {"columns": columns, "rows": rows, "notice": notice}
            rows.append(values)
        return {"columns": columns, "rows": rows}


def _of_the_engine(table: str | None) -> bool:
    """Whether a name stands for SQLite's inside (raw pages, statistics of its machine) rather than for data."""
    name = (table or "").lower()
    hidden = name.startswith("sqlite_") and not name.startswith("sqlite_autoindex_")
    return name in _ENGINE_TABLES or (hidden and name not in _OPEN_TABLES)


def _limit(connection: sqlite3.Connection, value_bytes: int) -> None:
    for category, limit in (
        (sqlite3.SQLITE_LIMIT_LENGTH, value_bytes),
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, value_bytes),
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        (sqlite3.SQLITE_LIMIT_COLUMN, 200),
        (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 50),
        (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 200),
        (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500),
        (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 20),
        (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
    ):
        connection.setlimit(category, limit)


def _code(error: sqlite3.Error | sqlite3.Warning) -> int:
    """SQLite's primary result code."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _refusal(error: sqlite3.Error | sqlite3.Warning, refused: str) -> ToolError:
    """SQLite's complaint as a refusal."""
    if refused:
        return ToolError(refused)
    if _code(error) == sqlite3.SQLITE_INTERRUPT:
        return ToolError("the statement takes too long; make it simpler or narrower")
    if "one statement at a time" in str(error):
        return ToolError("give one statement at a time")
    return ToolError(f"SQL error: {error}")
