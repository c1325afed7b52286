"""Stores with odd values in them: a real one, a value of which is another type, too large, empty, or nothing.

The schema stays as Proctor makes it, since a store with another one is not even read; what SQLite itself would not take
is written as whoever edits a file would, with the constraints taken away and put back.
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Text

from proctor.agents.lookup import label_of
from proctor.cli.selection import Filters, selection_of
from proctor.cli.summary import summary_text
from proctor.cli.trace import trace_text
from proctor.core.errors import ProctorError
from proctor.core.hashing import sha256_hex
from proctor.engine.plan import Plan
from proctor.evidence.attachments import RATINGS
from proctor.evidence.bundle import export_bundle, verify_run
from proctor.evidence.codec import Compressor
from proctor.evidence.evidence import evidence_of
from proctor.evidence.listing import list_runs
from proctor.evidence.result import result_of
from proctor.evidence.store import schema
from proctor.evidence.store.contract import RunRecord
from proctor.evidence.store.store import Store
from proctor.pipeline.comparison import compared_scenarios
from proctor.pipeline.other_runs import to_other_runs
from proctor.pipeline.reading import readings_of
from proctor.pipeline.reruns import run_meant
from proctor.reports.build import build_report
from proctor.reports.data import to_json
from tests.adversarial.attackers.tampering.originals import live

TABLES: dict[str, tuple[str, ...]] = {
    name: tuple(column.name for column in table.columns) for name, table in schema.metadata.tables.items()
}
COLUMNS = tuple((table, column) for table, columns in TABLES.items() for column in columns)
ODD: tuple[Any, ...] = (
    *(None, 0, 1, -1, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63), 0.5, -1e308, float("inf")),
    *("", "x", "0", "-1", "1e999999", "9" * 400, "NaN", "ä\u202e", "\x00", "a\nb", "{}", "[]", "null", "[" * 9000),
    *('{"a":1}', '{"kind":"decision"}', "[[1,2],3]", "latest", "complete", "ab" * 32, "x" * 5000, "../../x"),
    *(b"", b"\x00", b"\xff" * 32, b"(\xb5/\xfd", b"x" * 5000),
)
SAMPLED = 4
"""Functions that are asked of one store where not all are."""
NOT_TEXT = "CAST(x'c3287fff' AS TEXT)"
"""Text that is none in any encoding."""


@cache
def store_bytes() -> bytes:
    """A store with finished runs of two suites, every table of which has rows."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "store.db"
        with Store(str(path)) as store:
            for suite in ("hello", "quality"):
                number = live(suite, store, Path(name)).number
                store.attach(number, RATINGS, b"rater,question,subject,answer\nanna,1,subject,yes\n")
            store.freeze_stage(number, "later", {"a": 1})
            _divided(store, number)
        return path.read_bytes()


def _divided(store: Store, number: int) -> None:
    """Have the first trace of a run in two parts, the second of them packed with a dictionary."""
    lines = store.trace(number, 0).split(b"\n")
    data, packer = b"".join(lines)[:2000], Compressor()
    first = packer.pack(b"\n".join(lines[:2]))
    packer.use(1, data)
    key = number << schema.RUN_SHIFT
    run = store.connection.exec_driver_sql
    run("INSERT INTO segments VALUES (?, 0, ?)", (key, first))
    run("INSERT INTO dictionaries VALUES (?, 1, ?, ?)", (number, sha256_hex(data), data))
    run("UPDATE episodes SET dictionary = 1, trace = ? WHERE id = ?", (packer.pack(b"\n".join(lines[2:])), key))
    store.connection.commit()


def edited(path: Path, table: str, column: str, draw: random.Random, value: Any = ...) -> object:
    """Put an odd value in one row of a column, or in all of them; the value."""
    value = draw.choice((*ODD, NOT_TEXT)) if value is ... else value
    place, given = (NOT_TEXT, ()) if value == NOT_TEXT else ("?", (value,))
    with _Unconstrained(path) as connection:
        rows = [row for (row,) in connection.execute(f"SELECT rowid FROM {table}")]
        chosen = rows if draw.random() < 0.2 else [draw.choice(rows)]
        query = f"UPDATE OR IGNORE {table} SET {column} = {place} WHERE rowid = ?"
        for row in chosen:
            try:
                connection.execute(query, (*given, row))
            except sqlite3.IntegrityError:
                # The key of a table is a whole number in any file.
                return None
    return value


TEXTS = tuple(
    (name, column.name)
    for name, table in schema.metadata.tables.items()
    for column in table.columns
    if isinstance(column.type, Text)
)
"""Every column of text there is."""
ESCAPE = "\x1b]0;pwned\x07\n::error::pwned"
"""Renames a terminal's window, and begins a line that a CI system obeys."""


def escaped(path: Path, table: str, column: str) -> bool:
    """Put an escape and a line of its own into every value of a column of text, inside JSON where it is JSON; whether
    there was one."""
    with _Unconstrained(path) as connection:
        rows = connection.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall()
        for row, value in rows:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (_with_escape(str(value)), row))
    return bool(rows)


def _with_escape(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return text + ESCAPE
    return json.dumps(_leaves(value)) if isinstance(value, dict | list) else text + ESCAPE


def _leaves(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _leaves(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_leaves(one) for one in value]
    return value + ESCAPE if isinstance(value, str) else value


def exchanged(path: Path, table: str, column: str, draw: random.Random) -> None:
    """Give a row the value that another one has there."""
    with _Unconstrained(path) as connection:
        rows = [row for (row,) in connection.execute(f"SELECT rowid FROM {table}")]
        query = (
            f"UPDATE OR IGNORE {table} SET {column} = (SELECT {column} FROM {table} WHERE rowid = ?) WHERE rowid = ?"
        )
        connection.execute(query, (draw.choice(rows), draw.choice(rows)))


class _Unconstrained:
    """A connection to a file that takes anything in any column; the schema is as before when it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def _schema(self, change: str, *values: Any) -> None:
        with closing(sqlite3.connect(self._path)) as connection, connection:
            connection.execute("PRAGMA writable_schema=ON")
            connection.execute(change, values)

    def __enter__(self) -> sqlite3.Connection:
        with closing(sqlite3.connect(self._path)) as connection:
            self._texts = connection.execute("SELECT sql, name FROM sqlite_master WHERE type = 'table'").fetchall()
        self._schema("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
        self._connection = sqlite3.connect(self._path)
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.commit()
        self._connection.execute("PRAGMA writable_schema=ON")
        self._connection.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", self._texts)
        self._connection.commit()
        self._connection.close()


def damage_store(path: Path, draw: random.Random) -> str:
    """Odd values in a copy of the store, now and then several; what was done."""
    path.write_bytes(store_bytes())
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    done = []
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        table, column = draw.choice(COLUMNS)
        if draw.random() < 0.2:
            exchanged(path, table, column, draw)
            done.append(f"{table}.{column} exchanged")
        else:
            done.append(f"{table}.{column} = {edited(path, table, column, draw)!r:.60}")
    return ", ".join(done)


def read_store(path: Path, draw: random.Random | None = None) -> dict[str, object]:
    """What the commands read of a store, or some of it by lot; the first refusal is raised when all have been asked."""
    found: dict[str, object] = {}
    refusals: list[ProctorError] = []
    folder = Path(tempfile.mkdtemp(dir=path.parent))
    try:
        with Store(str(path), create=False) as store:
            functions = list(_functions(store, folder))
            for what, function in functions if draw is None else draw.sample(functions, min(SAMPLED, len(functions))):
                try:
                    found[what] = function()
                except ProctorError as error:
                    if "\n" in str(error).strip():
                        raise AssertionError(f"{what}: more than a sentence: {error}") from error
                    refusals.append(error)
    finally:
        shutil.rmtree(folder)
    if refusals:
        raise refusals[0]
    return found


def _functions(store: Store, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "runs", lambda: list_runs(store, label_of)
    yield "latest", lambda: run_meant(store, folder, "latest").name
    try:
        records = store.runs()
    except ProctorError:
        # Then no command finds any; what is in them is not reached.
        return
    for record in records:
        name, number = record.name, record.number

        def shown(name: str = name) -> object:
            evidence = evidence_of(store, name)
            selection_of(evidence, Filters(True, None, None, None, None, None))
            return summary_text(result_of(store, name, label_of), evidence, shown=True)

        def scored(name: str = name) -> object:
            evidence = evidence_of(store, name)
            readings = readings_of(evidence, store=str(store.path), project=folder)
            return to_json(build_report(store, evidence, readings.values()))

        def gated(name: str = name, number: int = number) -> object:
            compared = compared_scenarios(evidence_of(store, name))
            return compared, to_other_runs(store, folder, store.frozen(number), name, [])

        def traced(name: str = name, number: int = number) -> object:
            return [trace_text(name, at, store.events(number, at), store.content) for at, _ in store.positions(number)]

        def resumed(number: int = number) -> object:
            return store.stage_outputs(number), store.attachments(number), list(store.heads(number))

        def verified(number: int = number) -> object:
            return verify_run(store, number, plan=Plan).ok

        def digested(record: RunRecord = record) -> object:
            return store.digests(record.number, record.config_hash, stop=record.cut)

        def exported(number: int = number) -> object:
            return export_bundle(store, number, folder / "run.proctor").root

        yield f"show {name}", shown
        yield f"trace {name}", traced
        yield f"score {name}", scored
        yield f"gate {name}", gated
        yield f"verify {name}", verified
        yield f"export {name}", exported
        yield f"resume {name}", resumed
        yield f"digests {name}", digested
