"""Whether a file has the tables of a Proctor store and nothing besides; looked at before anything is read or written.

SQLite carries out what a file declares: a trigger rewrites what another process inserts, a generated column or a view
shows what nobody stored. A store can come from a stranger, with a clone or a cache, so its schema has to be one that
Proctor makes: the same objects, each of the same parts, or those of an earlier version. What each object is made of
follows from `schema.py`. Columns may stand in any order, since they are only ever asked for by name, and stores that
were brought up to date have theirs in another one.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Column, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy.dialects import sqlite

from proctor.evidence.store import schema

ADDED_COLUMNS = {
    2: ("retries INTEGER NOT NULL DEFAULT 0", "measures TEXT"),
    3: (
        "confidence FLOAT",
        "transitions INTEGER",
        "claims TEXT",
        "out_of_range INTEGER",
        "undeclared_actions INTEGER",
    ),
}
"""Columns of episodes by the version of the schema that has them first."""
ADDED_TABLES = {3: ("attachments",)}
"""Tables by the version that has them first. A store of an earlier version may have them already."""
_ALSO_WRITTEN = {
    "retries INTEGER NOT NULL DEFAULT 0": "retries INTEGER DEFAULT '0' NOT NULL",
    "instance BLOB NOT NULL": "instance TEXT NOT NULL",
}
"""How earlier versions wrote a column, and how it is written now."""
_QUERY = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master ORDER BY rowid"
_TOKEN = re.compile(r"""\s*(?:(\w+|[(),]|'[^']*')|"(key)")""", re.ASCII)
_DIALECT = sqlite.dialect()
_SHOWN = 40
"""Characters shown of a name that anybody may have chosen."""


class Object(NamedTuple):
    """One entry of a file's schema."""

    kind: object
    name: object
    table: object
    root: object
    sql: object


class Unfit(Exception):
    """The file is not laid out as a store; says what of it is not."""


class Found(NamedTuple):
    """What a file declares, read at one moment."""

    objects: list[Object]
    version: str | None
    """What it says of its own version; None where it says nothing."""


def read_layout(connection: sqlite3.Connection) -> Found:
    """What a file declares; `Unfit` where what says its version is not a table of ours."""
    cursor = connection.cursor()
    cursor.execute("BEGIN")
    try:
        objects = [Object(*row) for row in cursor.execute(_QUERY)]
        version = None
        for one in objects:
            if (one.kind, one.name) == ("table", "meta"):
                # Read before all else, so it must be a plain table first: a view could compute without end.
                _require_form(one, _META)
                row = cursor.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
                version = None if row is None else str(row[0])
        (encoding,) = cursor.execute("PRAGMA encoding").fetchone()
    finally:
        connection.rollback()
        cursor.close()
    if objects and encoding != "UTF-8":
        raise Unfit(f"its text is {encoding}")
    return Found(objects, version)


def require_layout(objects: list[Object], version: int) -> None:
    """Refuse, by `Unfit`, anything that a store of this version does not have, and anything that it lacks."""
    expected, optional = _expected(version)
    roots: set[object] = set()
    for one in objects:
        form = expected.pop((one.kind, one.name), None)
        if form is None:
            raise Unfit(f"{_shown(one)} does not belong in one")
        _require_form(one, form)
        if type(one.root) is not int or one.root < 2 or one.root in roots:
            raise Unfit(f"{_shown(one)} lies where another one does")
        roots.add(one.root)
    for kind, name in expected:
        if (kind, name) not in optional:
            raise Unfit(f"{kind} {name} is missing")


class _Form(NamedTuple):
    """What an object has to be: the table it belongs to, and the parts of its text; None for an index without one."""

    table: str
    parts: tuple[str, ...] | None


def _require_form(found: Object, form: _Form) -> None:
    parts = None if found.sql is None else _parts(found)
    if found.table != form.table or parts != form.parts:
        raise Unfit(f"{_shown(found)} is not as Proctor makes it")


def _expected(version: int) -> tuple[dict[tuple[object, object], _Form], set[tuple[object, object]]]:
    """Every object of a store of this version, and those that may be missing."""
    later = {name.partition(" ")[0] for since, names in ADDED_COLUMNS.items() if version < since for name in names}
    early = {name for since, names in ADDED_TABLES.items() if version < since for name in names}
    expected: dict[tuple[object, object], _Form] = {}
    optional: set[tuple[object, object]] = set()
    for table in schema.metadata.tables.values():
        objects = dict(_objects(table, later if table is schema.episodes else set()))
        expected |= objects
        if table.name in early:
            optional |= objects.keys()
    return expected, optional


def _objects(table: Table, without: set[str]) -> Iterator[tuple[tuple[object, object], _Form]]:
    """A table and its indexes, by kind and name."""
    parts = [_column(column) for column in table.columns if column.name not in without]
    keys = 0
    for constraint in table.constraints:
        if isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint):
            columns = list(constraint.columns)
            primary = isinstance(constraint, PrimaryKeyConstraint)
            parts.append(f"{'PRIMARY KEY' if primary else 'UNIQUE'} {_names(columns)}")
            # A primary key that is one integer is the key of the table itself, and has no index.
            keys += not (primary and len(columns) == 1 and _type(columns[0]) == "INTEGER")
    for key in table.foreign_key_constraints:
        referred = [element.column for element in key.elements]
        where = f"REFERENCES {key.referred_table.name} {_names(referred)}"
        parts.append(f"FOREIGN KEY {_names(list(key.columns))} {where}")
    yield ("table", table.name), _Form(table.name, (f"CREATE TABLE {table.name}", *sorted(parts)))
    for number in range(1, keys + 1):
        yield ("index", f"sqlite_autoindex_{table.name}_{number}"), _Form(table.name, None)
    for index in table.indexes:
        columns = [table.columns[column.name] for column in index.columns]
        head = f"CREATE INDEX {index.name} ON {table.name}"
        yield ("index", str(index.name)), _Form(table.name, (head, *sorted(column.name for column in columns)))


def _column(column: Column[Any]) -> str:
    default = getattr(column.server_default, "arg", None)
    words = [column.name, _type(column)]
    if default is not None:
        words.append(f"DEFAULT '{default}'")
    if not column.nullable:
        words.append("NOT NULL")
    return " ".join(words)


def _type(column: Column[Any]) -> str:
    return column.type.compile(dialect=_DIALECT)


def _names(columns: list[Column[Any]]) -> str:
    return f"( {' , '.join(column.name for column in columns)} )"


def _parts(found: Object) -> tuple[str, ...]:
    """The text of an object in parts: what it makes, then what stands between the outer brackets, sorted.

    Text that has anything else in it, or after it, gives parts that no object of ours has.
    """
    tokens = _tokens(str(found.sql))
    if "(" not in tokens or tokens[-1] != ")":
        return ("",)
    opening = tokens.index("(")
    depth = 0
    parts: list[list[str]] = [[]]
    for word in tokens[opening + 1 : -1]:
        depth += (word == "(") - (word == ")")
        if depth < 0:
            return ("",)
        if word == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(word)
    if depth:
        return ("",)
    written = [" ".join(part) for part in parts]
    return (" ".join(tokens[:opening]), *sorted(_ALSO_WRITTEN.get(part, part) for part in written))


def _tokens(text: str) -> list[str]:
    """Words, numbers, quoted values and brackets; nothing at all where there is anything else, such as a comment."""
    tokens: list[str] = []
    at = 0
    text = text.rstrip(" \t\r\n")
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return []
        tokens.append(match[1] or match[2])
        at = match.end()
    return tokens


def _shown(found: Object) -> str:
    """What it is called, though anybody may have chosen the words."""
    kind = found.kind if found.kind in ("table", "index", "trigger", "view") else "entry"
    name = str(found.name)
    if not re.fullmatch(r"\w+", name, re.ASCII) or len(name) > _SHOWN:
        name = ascii(name[:_SHOWN])
    return f"{kind} {name}"


_META = next(form for (kind, _), form in _objects(schema.meta, set()) if kind == "table")
