"""Staged tables in memory, a real Parquet file as the result, and steps that break off half-way by themselves.

Which first calls break off is part of the instance: an ingest that stores a part of the rows, an export that leaves an
incomplete file. Both are answered with an error that says so; the bench's own failures come on top.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from proctor.core.canonical import encode
from proctor.core.errors import ToolError
from proctor.core.hashing import sha256_hex
from proctor.spec.task import Instance, Submission, Verification
from proctor.suites.agency.acting.data_pipeline import parquet, staging
from proctor.suites.agency.acting.data_pipeline.staging import MAX_ROWS, Row
from proctor.suites.kit.text_world import MaterialWorld
from proctor.worlds.files import FileWorld
from proctor.worlds.tool import tool
from proctor.worlds.world import Place

REASONS = (
    "correct",
    "no_file",
    "wrong_file_name",
    "unreadable_file",
    "wrong_schema",
    "duplicate_rows",
    "wrong_row_count",
    "wrong_total",
    "wrong_values",
    "missing_artifact",
)
MAX_TABLES, MAX_COLUMNS, MAX_FILES = 12, 40, 40
Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_]+$")]


class DataPipelineWorld(MaterialWorld, FileWorld):
    """Sources, staged tables, exported files."""

    offered = (
        *("ingest", "normalise", "drop_rows", "fill_missing", "keep_latest", "join", "multiply", "aggregate"),
        *("export", "remove", "tables", "preview", "show_material"),
    )

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._sources: dict[str, list[Row]] = instance.hidden["sources"]
        self._breaks: dict[str, int] = dict(instance.hidden["breaks"])
        self._staged: dict[str, list[Row]] = {}
        self._exported: dict[str, list[Row]] = {}
        self._rows: bytes = b""

    @tool(effect="write")
    def ingest(
        self,
        source: Name,
        first_row: Annotated[int, Meta(ge=1, description="The number of the first row to read, from 1.")] = 1,
    ) -> dict[str, Any]:
        """Append the rows of a source, from first_row to its end, to the staged table of the source's name.

        Rows that are staged already are staged again.
        """
        if source not in self._sources:
            message = f"there is no source '{source}'; there are {', '.join(self._sources)}"
            raise ToolError(message)
        rows = self._sources[source][first_row - 1 :]
        kept = self._staged.get(source, [])
        stop = self._breaks.pop(f"ingest {source}", None)
        self._put(source, kept + (rows if stop is None else rows[:stop]))
        if stop is not None:
            message = "the source closed the connection while rows were arriving; some of them may be staged"
            raise ToolError(message)
        return self._about(source)

    @tool(effect="write")
    def normalise(self, table: Name, column: Name) -> dict[str, Any]:
        """In a staged table, strip the spaces around the texts of a column and write them in capitals."""
        self._put(table, staging.normalised(self._with(table, column), column))
        return self._about(table)

    @tool(effect="write")
    def drop_rows(
        self,
        table: Name,
        column: Name,
        value: Annotated[str, Meta(max_length=60, description="The value; the empty text for a missing one.")],
    ) -> dict[str, Any]:
        """Remove the rows of a staged table whose column holds a value."""
        self._put(table, staging.without(self._with(table, column), column, value))
        return self._about(table)

    @tool(effect="write")
    def fill_missing(self, table: Name, column: Name, value: int) -> dict[str, Any]:
        """In a staged table, put a number wherever the column is empty."""
        self._put(table, staging.filled(self._with(table, column), column, value))
        return self._about(table)

    @tool(effect="write")
    def keep_latest(
        self, table: Name, key: Name, by: Annotated[str, Meta(max_length=60, description="A column of numbers.")]
    ) -> dict[str, Any]:
        """Of the rows of a staged table with the same key keep only the one with the highest number in `by`."""
        self._put(table, staging.latest(self._with(table, key, by), key, by))
        return self._about(table)

    @tool(effect="write")
    def join(self, left: Name, right: Name, column: Name, target: Name) -> dict[str, Any]:
        """Stage a new table: each row of the left with each row of the right that has the same value in the column."""
        self._put(target, staging.joined(self._with(left, column), self._with(right, column), column))
        return self._about(target)

    @tool(effect="write")
    def multiply(self, table: Name, column: Name, by: Name, target: Name) -> dict[str, Any]:
        """In a staged table, put the product of two columns of whole numbers into the column `target`."""
        self._put(table, staging.multiplied(self._with(table, column, by), column, by, target))
        return self._about(table)

    @tool(effect="write")
    def aggregate(
        self,
        table: Name,
        group_by: Name,
        column: Name,
        how: Literal["sum", "mean"],
        column_name: Annotated[
            str, Meta(max_length=60, pattern=r"^[A-Za-z0-9_]+$", description="Name of the new column.")
        ],
        target: Name,
    ) -> dict[str, Any]:
        """Stage a new table: one row for each value of group_by, with the sum or mean (rounded down) of a column."""
        rows = self._with(table, group_by, column)
        self._put(target, staging.aggregated(rows, group_by, column, how, column_name))
        return self._about(target)

    @tool(effect="write")
    def export(
        self,
        table: Name,
        file_name: Annotated[
            str, Meta(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_]+$", description="Without .parquet.")
        ],
    ) -> dict[str, Any]:
        """Write a staged table to the Parquet file /task/out/FILE_NAME.parquet, replacing what was there."""
        rows = self._with(table)
        stop = self._breaks.pop("export", None)
        self._write(file_name, rows if stop is None else rows[:stop])
        if stop is not None:
            message = "the disk was busy while the file was written; it may be incomplete"
            raise ToolError(message)
        return {"file": f"/task/out/{file_name}.parquet", "rows": len(rows)}

    @tool(effect="write")
    def remove(self, table: Name) -> str:
        """Remove a staged table."""
        self._with(table)
        del self._staged[table]
        return f"removed {table}"

    @tool(effect="read")
    def tables(self) -> dict[str, Any]:
        """The staged tables with their columns, the exported files, and how many rows each of them has."""
        return {
            "staged": [self._about(name) for name in self._staged],
            "files": [{"file": name, "rows": len(rows)} for name, rows in self._exported.items()],
        }

    @tool(effect="read")
    def preview(
        self,
        table: Name,
        first_row: Annotated[int, Meta(ge=1)] = 1,
        rows: Annotated[int, Meta(ge=1, le=50)] = 10,
    ) -> list[Row]:
        """Some rows of a staged table: ten from its first one, if not said otherwise."""
        return self._with(table)[first_row - 1 : first_row - 1 + rows]

    def _with(self, table: str, *columns: str) -> list[Row]:
        if table not in self._staged:
            message = f"there is no staged table '{table}'"
            raise ToolError(message)
        rows = self._staged[table]
        for column in columns:
            if any(column not in row for row in rows):
                message = f"table '{table}' has no column '{column}'"
                raise ToolError(message)
        return rows

    def _put(self, table: str, rows: list[Row]) -> None:
        if len(rows) > MAX_ROWS or (table not in self._staged and len(self._staged) >= MAX_TABLES):
            message = f"at most {MAX_TABLES} tables of {MAX_ROWS} rows can be staged; nothing was done"
            raise ToolError(message)
        if rows and len(rows[0]) > MAX_COLUMNS:
            message = f"a table may have at most {MAX_COLUMNS} columns; nothing was done"
            raise ToolError(message)
        self._staged[table] = rows

    def _about(self, table: str) -> dict[str, Any]:
        rows = self._staged[table]
        return {"table": table, "rows": len(rows), "columns": list(rows[0]) if rows else []}

    def _write(self, name: str, rows: list[Row]) -> None:
        path = f"/task/out/{name}.parquet"
        if path not in self._exported and len(self._exported) >= MAX_FILES:
            message = f"at most {MAX_FILES} files can be exported; nothing was done"
            raise ToolError(message)
        data = parquet.written(rows)
        self._check_room(path, len(data), replaces=True)
        self.files.write(path, data)
        self._exported[path] = rows

    def state(self) -> Any:
        return {"staged": self._staged, "files": self._exported, "breaks": sorted(self._breaks)}

    def verify(self, submission: Submission) -> Verification:
        paths = self._paths()
        if not paths:
            return Verification(False, "no_file")
        expected = self.instance.hidden["expected"]
        path = f"/task/out/{expected['file']}.parquet"
        if path not in paths:
            return Verification(False, "wrong_file_name")
        rows = parquet.read(self.safe_read(path) or b"")
        if rows is None:
            return Verification(False, "unreadable_file")
        self._rows = encode(rows)
        reason = _quality(rows, expected)
        name = f"{path}: rows"
        return Verification(reason == "correct", reason, artifacts=((name, sha256_hex(self._rows)),))

    def artifact(self, name: str) -> bytes | None:
        """What the file holds, as JSON: the bytes of a Parquet file depend on the library's version."""
        return self._rows


def _quality(table: dict[str, Any], expected: dict[str, Any]) -> str:
    """The data-quality verdict: schema, duplicates, row count, total, values."""
    rows, wanted = table["rows"], expected["rows"]
    if table["schema"] != {expected["group"]: "string", expected["column"]: "int64"}:
        return "wrong_schema"
    by_group = [
        [row[list(table["schema"]).index(name)] for name in (expected["group"], expected["column"])] for row in rows
    ]
    if len({row[0] for row in by_group}) < len(by_group):
        return "duplicate_rows"
    if len(by_group) != len(wanted):
        return "wrong_row_count"
    if sum(row[1] for row in by_group) != sum(row[1] for row in wanted):
        return "wrong_total"
    return "correct" if sorted(by_group) == wanted else "wrong_values"
