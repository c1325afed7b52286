"""Rows to the bytes of a Parquet file and back; what is no Parquet file is None, never an exception."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

Row = dict[str, Any]


@cache
def _library() -> tuple[Any, Any]:
    """pyarrow and its Parquet module, imported on first use: no other family needs them."""
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet


def written(rows: list[Row]) -> bytes:
    """A file with one column for each key; a column of whole numbers is int64, any other is text."""
    arrow, files = _library()
    arrays = {}
    for column in rows[0] if rows else ():
        values = [row.get(column) for row in rows]
        whole = all(type(value) is int for value in values)
        arrays[column] = arrow.array(values, arrow.int64()) if whole else arrow.array([str(value) for value in values])
    buffer = io.BytesIO()
    files.write_table(arrow.table(arrays), buffer)
    return buffer.getvalue()


def read(data: bytes) -> dict[str, Any] | None:
    """Types by column name under `schema`, and all rows as lists under `rows`."""
    arrow, files = _library()
    try:
        table = files.read_table(io.BytesIO(data), use_threads=False)
    except (arrow.ArrowException, OSError):
        return None
    columns = [column.to_pylist() for column in table.columns]
    types = {name: str(kind) for name, kind in zip(table.schema.names, table.schema.types, strict=True)}
    return {"schema": types, "rows": [list(row) for row in zip(*columns, strict=True)]}
