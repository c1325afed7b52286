"""Querying: turns a simply worded question into one SQL statement.

Reads the schema, takes the table and column whose names the question uses, an aggregate from words like "total" or
"how many", and filters from values of text columns that the question quotes. It knows one join (over a column named
`<table>_id`) and one grouping ("which … has the most …"). It does not know dates, ranges or nested conditions.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from proctor.agents.clerk.desk import Desk, Finding
from proctor.agents.clerk.reading import name_words, singular
from proctor.spec.task import ToolSpec

_SQL_PARAMETERS = ("sql", "query", "statement")
_TABLE = re.compile(r"CREATE TABLE (?:IF NOT EXISTS )?[\"`\[]?(\w+)[\"`\]]?\s*\((.*)\)", re.IGNORECASE | re.DOTALL)
_COLUMN = re.compile(r"^\s*[\"`\[]?(\w+)[\"`\]]?\s+([A-Za-z]+)")
_NO_COLUMN = {"primary", "foreign", "unique", "check", "constraint"}
_AGGREGATES = (
    ("COUNT", re.compile(r"\bhow many\b|\bnumber of\b|\bcount\b", re.IGNORECASE)),
    ("AVG", re.compile(r"\baverage\b|\bmean\b", re.IGNORECASE)),
    ("SUM", re.compile(r"\btotal\b|\bsum\b|\bhow much\b|\baltogether\b|\bcombined\b", re.IGNORECASE)),
    ("MAX", re.compile(r"\bhighest\b|\blargest\b|\bmaximum\b|\bmost\b|\bgreatest\b|\blatest\b", re.IGNORECASE)),
    ("MIN", re.compile(r"\blowest\b|\bsmallest\b|\bminimum\b|\bleast\b|\bearliest\b", re.IGNORECASE)),
)
_WHICH = re.compile(r"\b(?:which|what|name the|find the) (\w+)\b", re.IGNORECASE)
_FEWEST = re.compile(r"\bleast\b|\blowest\b|\bsmallest\b|\bfewest\b", re.IGNORECASE)


class Table(Struct, frozen=True):
    """A table and its columns with their types, lower case."""

    name: str
    columns: dict[str, str]

    def of_type(self, *kinds: str) -> list[str]:
        """The columns whose type starts with one of these."""
        return [name for name, kind in self.columns.items() if kind.startswith(kinds)]


class Filter(Struct, frozen=True):
    """A value that the question quotes, and where it was found."""

    table: str
    column: str
    value: str


def read_tables(texts: list[str]) -> list[Table]:
    """The tables whose CREATE statements are among these texts."""
    tables = {}
    for text in texts:
        for statement in re.split(r";\s*(?=CREATE)", text):
            match = _TABLE.search(statement)
            if match:
                tables[match.group(1)] = Table(match.group(1), _columns(match.group(2)))
    return list(tables.values())


def _columns(body: str) -> dict[str, str]:
    columns = {}
    for part in re.split(r",(?![^()]*\))", body):
        match = _COLUMN.match(part)
        if match and match.group(1).lower() not in _NO_COLUMN:
            columns[match.group(1)] = match.group(2).lower()
    return columns


def sql_tool(desk: Desk) -> tuple[ToolSpec, str] | None:
    """The reading tool that takes SQL, and its parameter."""
    for tool in desk.task.tools:
        for name in desk.parameters(tool, "string"):
            if tool.effect == "read" and name in _SQL_PARAMETERS:
                return tool, name
    return None


def fits(desk: Desk) -> bool:
    """There is a tool that takes SQL, and the goal asks for a figure."""
    return sql_tool(desk) is not None and any(pattern.search(desk.task.goal) for _, pattern in _AGGREGATES)


async def work(desk: Desk) -> Finding | None:
    """Read the schema, write one statement, answer with its first value."""
    access = sql_tool(desk)
    if access is None:
        return None
    tables = await _learn_tables(desk, access)
    main = _best_table(tables, desk.task.goal)
    if main is None:
        return None
    filters = await _quoted_values(desk, access, tables)
    statement = write_statement(desk.task.goal, main, tables, filters)
    rows = await _ask(desk, access, statement)
    if not rows:
        return None
    return Finding(_answer(desk, rows[0]), 0.7 if len(tables) == 1 else 0.5)


async def _ask(desk: Desk, access: tuple[ToolSpec, str], statement: str) -> list[list[Any]]:
    tool, parameter = access
    result = await desk.settle(tool, **{parameter: statement})
    return _rows(result.value) if result.ok else []


def _rows(value: Any) -> list[list[Any]]:
    if isinstance(value, dict):
        value = value.get("rows", [])
    rows = value if isinstance(value, list) else []
    return [list(row.values()) if isinstance(row, dict) else list(row) for row in rows if isinstance(row, (dict, list))]


async def _learn_tables(desk: Desk, access: tuple[ToolSpec, str]) -> list[Table]:
    tables = read_tables(desk.texts())
    shower = desk.tool("schema", "tables", "describe", effect="read")
    if not tables and shower is not None and not shower.parameters.get("required"):
        await desk.read(shower)
        tables = read_tables(desk.texts())
    if not tables:
        rows = await _ask(desk, access, "SELECT sql FROM sqlite_master WHERE type = 'table'")
        tables = read_tables([str(row[0]) for row in rows if row])
    return tables


def _best_table(tables: list[Table], goal: str) -> Table | None:
    """The table whose own name the goal uses, then whose columns it uses most; the first of equals."""
    asked = name_words(goal)

    def score(table: Table) -> float:
        columns = {word for column in table.columns for word in name_words(column)} - {"id", "name"}
        return len(name_words(table.name) & asked) + 0.6 * len(columns & asked)

    return max(tables, key=score, default=None)


async def _quoted_values(desk: Desk, access: tuple[ToolSpec, str], tables: list[Table]) -> list[Filter]:
    """The values of text columns that stand in the goal, word for word; one per column."""
    filters = []
    for table in tables:
        for column in table.of_type("text", "varchar", "char"):
            rows = await _ask(desk, access, f'SELECT DISTINCT "{column}" FROM "{table.name}" LIMIT 100')  # noqa: S608
            values = sorted((str(row[0]) for row in rows if row and row[0]), key=len, reverse=True)
            match = next((value for value in values if _stands_in(value, desk.task.goal)), None)
            if match is not None:
                filters.append(Filter(table.name, column, match))
    return filters


def _stands_in(value: str, goal: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", goal, re.IGNORECASE) is not None


def write_statement(goal: str, main: Table, tables: list[Table], filters: list[Filter]) -> str:
    """The one statement that the question comes to, as far as the rules reach."""
    aggregate = next((name for name, pattern in _AGGREGATES if pattern.search(goal)), "COUNT")
    column = _figure(goal, main)
    measured = "COUNT(*)" if aggregate == "COUNT" or column is None else f'{aggregate}("{main.name}"."{column}")'
    others = {one.table for one in filters} - {main.name}
    group = _group(goal, main, tables)
    if group and group[0] != main.name:
        others.add(group[0])
    source = " ".join([f'"{main.name}"', *(_join(main, table) for table in tables if table.name in others)])
    conditions = [f'"{one.table}"."{one.column}" = {_quoted(one.value)}' for one in filters]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    if group is None:
        return f"SELECT {measured} FROM {source}{where}"  # noqa: S608
    key = f'"{group[0]}"."{group[1]}"'
    if aggregate in ("MAX", "MIN"):
        measured = f'SUM("{main.name}"."{column}")' if column else "COUNT(*)"
    order = "ASC" if _FEWEST.search(goal) else "DESC"
    return f"SELECT {key}, {measured} FROM {source}{where} GROUP BY {key} ORDER BY 2 {order}, 1 LIMIT 1"  # noqa: S608


def _figure(goal: str, table: Table) -> str | None:
    """The number column that the question means: the one it names, else the only one that is no key."""
    asked = name_words(goal)
    numeric = [name for name in table.of_type("int", "real", "num", "dec", "float") if not re.search(r"(^|_)id$", name)]
    best = max(numeric, key=lambda name: len(name_words(name) & asked), default=None)
    if best is not None and not name_words(best) & asked and len(numeric) > 1:
        return None
    return best


def _group(goal: str, main: Table, tables: list[Table]) -> tuple[str, str] | None:
    """(table, column) to group by when the question asks which of them is first."""
    asked = _WHICH.search(goal)
    if asked is None:
        return None
    word = singular(asked.group(1).lower())
    for table in [main, *tables]:
        if word in table.columns:
            return table.name, word
        if word in name_words(table.name) and "name" in table.columns:
            return table.name, "name"
    return None


def _join(main: Table, other: Table) -> str:
    here, there = f"{singular(other.name)}_id", f"{singular(main.name)}_id"
    if here in main.columns:
        return f'JOIN "{other.name}" ON "{main.name}"."{here}" = "{other.name}"."id"'
    return f'JOIN "{other.name}" ON "{other.name}"."{there}" = "{main.name}"."id"'


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _answer(desk: Desk, row: list[Any]) -> Any:
    if desk.shape.kind == "object":
        return dict(zip(desk.shape.keys, row, strict=False))
    return row[0]
