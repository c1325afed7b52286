"""Reading a stranger's SQLite file: base tables only, as committed, on a read-only connection.

A view put in a table's place is not a table, triggers never fire, generated columns are not computed, and functions
that the schema names are not trusted. What cannot be read within the limits is None, never an exception: the file is
the agent's work, and so is its state.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from proctor.core.canonical import chainable, encode

Row = dict[str, Any]

READING: Final = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE))
_STEPS_PER_LOOK: Final = 1000
_MAX_STEPS: Final = 50_000_000
_MAX_SECONDS: Final = 60.0
_HEAP_BYTES: Final = 128 << 20
"""Of all of SQLite in one process. Hundreds of worlds at once need less; one statement of a kilobyte can ask for more
than any machine has, before its first step."""
_PRAGMAS: Final = frozenset(("table_xinfo",))


def read_table(path: Path, table: str) -> list[Row] | None:
    """The stored rows of a base table, in a fixed order; None where that cannot be had."""
    if path.is_symlink() or not path.is_file():
        return None
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.text_factory = text
        limit_memory(connection)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA query_only = ON")
        connection.set_authorizer(_read_only)
        cap(connection, _MAX_STEPS, _MAX_SECONDS)
        return rows_of(connection, table) if table in base_tables(connection) else None
    except (sqlite3.Error, MemoryError):
        return None
    finally:
        connection.close()


def _read_only(action: int, first: str | None, second: str | None, database: str | None, inner: str | None) -> int:
    # `inner` names the view or trigger on whose behalf something is read: there is no call for that.
    looking = action == sqlite3.SQLITE_PRAGMA and (first or "").lower() in _PRAGMAS
    return sqlite3.SQLITE_OK if (action in READING or looking) and inner is None else sqlite3.SQLITE_DENY


def base_tables(connection: sqlite3.Connection) -> list[str]:
    """The names of the tables that hold rows of their own, sorted."""
    # Not `PRAGMA table_list`: it works out the columns of every view, and a short view can have a billion terms.
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    return sorted(name for (name,) in found if not name.startswith("sqlite_"))


def rows_of(connection: sqlite3.Connection, table: str) -> list[Row]:
    """The stored values of a table, generated columns left out, sorted by their canonical bytes."""
    columns = _columns(connection, table)
    rows = [dict(zip(columns, row, strict=True)) for row in connection.execute(_selection(table, columns))]
    return sorted(rows, key=lambda row: encode(chainable([plain(value) for value in row.values()])))


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    info = connection.execute(f"PRAGMA table_xinfo({_quoted(table)})").fetchall()
    return [name for _, name, _, _, _, _, hidden in info if hidden == 0]


def _selection(table: str, columns: list[str]) -> str:
    return f"SELECT {', '.join(map(_quoted, columns))} FROM {_quoted(table)} NOT INDEXED"  # noqa: S608


class Marker:
    """Says of one connection whether the rows of its base tables are still the same, at a third of the cost of them.

    Which tables there are is looked up again only when the schema's version is another one. Marks have to be taken
    after every statement: two changes of the schema, one of them rolled back in between, may share a version.
    """

    def __init__(self) -> None:
        self._version: int | None = None
        self._tables: list[tuple[str, list[str], str]] = []

    def mark(self, connection: sqlite3.Connection) -> object:
        """Equal where `rows_of` gives the same for every base table."""
        version = connection.execute("PRAGMA schema_version").fetchone()[0]
        if version != self._version:
            found = [(name, _columns(connection, name)) for name in base_tables(connection)]
            self._tables = [(name, columns, _selection(name, columns)) for name, columns in found]
            self._version = version
        rows = [(name, columns, sorted(map(repr, connection.execute(sql)))) for name, columns, sql in self._tables]
        # What an empty table calls its columns is in no row.
        return [(name, columns if held else [], held) for name, columns, held in rows]


def limit_memory(connection: sqlite3.Connection) -> None:
    """From now on SQLite answers what would take too much memory, anywhere in this process, with a MemoryError.

    Nothing can raise the limit again, and steps are not counted while a statement is prepared.
    """
    connection.execute(f"PRAGMA hard_heap_limit = {_HEAP_BYTES}")


def cap(connection: sqlite3.Connection, steps: int, seconds: float) -> None:
    """Interrupt what is executed next once it has taken too many steps, or far too much of the processor.

    Steps are the same everywhere, seconds are not; those of the processor depend at least on no neighbour.
    """
    left = steps // _STEPS_PER_LOOK
    deadline = time.thread_time() + seconds

    def look() -> int:
        nonlocal left
        left -= 1
        return int(left < 0 or time.thread_time() > deadline)

    connection.set_progress_handler(look, _STEPS_PER_LOOK)


def plain(value: Any) -> Any:
    """A JSON value for an SQL value; blobs as SQL writes them."""
    return f"x'{value.hex()}'" if isinstance(value, bytes) else value


def text(data: bytes) -> str:
    """Text as stored, with what is not UTF-8 replaced."""
    return data.decode(errors="replace")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
