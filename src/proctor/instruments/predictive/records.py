"""A table of records: one row each, named columns, missing values kept as missing."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from proctor.core.errors import InputError

_MISSING = frozenset({"", "na", "nan", "none", "null"})


class Records:
    """Columns of equal length. A value is a number, a text, or None where it is missing."""

    def __init__(self, columns: Mapping[str, Sequence[Any]], source: str = "table") -> None:
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            message = f"{source}: its columns have different lengths"
            raise InputError(message)
        self.source = source
        self.columns = {name: list(column) for name, column in columns.items()}
        self.count = lengths.pop() if lengths else 0

    def __getitem__(self, name: str) -> list[Any]:
        if name not in self.columns:
            message = f"{self.source}: there is no column '{name}'; there are {', '.join(self.columns) or 'none'}"
            raise InputError(message)
        return self.columns[name]

    def is_number(self, name: str) -> bool:
        """Whether every value that is there is a number."""
        present = [value for value in self[name] if value is not None]
        return bool(present) and all(isinstance(value, int | float) for value in present)

    def complete(self, names: Sequence[str]) -> list[int]:
        """The rows in which none of these columns is missing."""
        columns = [self[name] for name in names]
        return [row for row in range(self.count) if all(column[row] is not None for column in columns)]

    def take(self, rows: Sequence[int]) -> Records:
        """Some of the rows."""
        return Records({name: [column[row] for row in rows] for name, column in self.columns.items()}, self.source)

    def replaced(self, name: str, column: Sequence[Any]) -> Records:
        """The same with one column changed or added."""
        return Records({**self.columns, name: list(column)}, self.source)


def read_records(path: Path) -> Records:
    """Records from CSV, TSV, JSON lines or Parquet."""
    if not path.is_file():
        message = f"{path}: there is no such file; give a CSV, TSV, JSONL or Parquet table"
        raise InputError(message)
    kind = path.suffix.lower()
    try:
        if kind in (".csv", ".tsv"):
            rows = _delimited(path, "\t" if kind == ".tsv" else ",")
        elif kind in (".jsonl", ".ndjson"):
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        elif kind == ".parquet":
            rows = _parquet(path)
        else:
            message = f"{path}: tables are read from .csv, .tsv, .jsonl and .parquet"
            raise InputError(message)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, csv.Error) as error:
        message = f"{path}: cannot be read as a table ({error})"
        raise InputError(message) from None
    if not rows or not all(isinstance(row, dict) for row in rows):
        message = f"{path}: holds no records; each has to be one row with named columns"
        raise InputError(message)
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Records({name: [_value(row.get(name)) for row in rows] for name in names}, str(path))


def _parquet(path: Path) -> list[dict[str, Any]]:
    from pyarrow import parquet

    reader: Any = parquet
    rows: list[dict[str, Any]] = reader.read_table(path).to_pylist()
    return rows


def _delimited(path: Path, separator: str) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as lines:
        reader = csv.DictReader(lines, delimiter=separator)
        rows: list[dict[str, Any]] = []
        for row in reader:
            if None in row or None in row.values():
                message = f"{path}, line {reader.line_num}: has another number of cells than the header"
                raise InputError(message)
            rows.append(dict(row))
        return rows


def _value(raw: Any) -> Any:
    """A number where it reads as one, a text otherwise; None for what stands for nothing."""
    if raw is None or (isinstance(raw, float) and not math.isfinite(raw)):
        return None
    if isinstance(raw, bool):
        return int(raw)
    if isinstance(raw, int | float):
        return raw
    text = str(raw).strip()
    if text.lower() in _MISSING:
        return None
    if text.lower() in ("true", "false"):
        return int(text.lower() == "true")
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text
