"""A table of records: one row each, named columns, missing values kept as missing."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from proctor.core.errors import InputError
from proctor.core.reading import open_lines
from proctor.evidence.tables import parquet_rows

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


def read_records(path: Path, names: Collection[str] = ()) -> Records:
    """Records from CSV, TSV, JSON lines or Parquet.

    Columns listed in `names` hold names and not quantities: their values stay text, so that `007` and `7` are two.
    """
    if not path.is_file():
        message = f"{path}: there is no such file; give a CSV, TSV, JSONL or Parquet table"
        raise InputError(message)
    kind = path.suffix.lower()
    try:
        if kind in (".csv", ".tsv"):
            columns = _delimited(path, "\t" if kind == ".tsv" else ",", names)
        elif kind in (".jsonl", ".ndjson"):
            with open_lines(path) as lines:
                columns = _columns(_objects(lines), path, names)
        elif kind == ".parquet":
            columns = _columns(parquet_rows(path), path, names)
        else:
            message = f"{path}: tables are read from .csv, .tsv, .jsonl and .parquet"
            raise InputError(message)
    except InputError:
        raise
    except (OSError, ValueError, RecursionError, csv.Error) as error:
        problem = " ".join(str(error).split())[:200]
        message = f"{path}: cannot be read as a table ({problem})"
        raise InputError(message) from None
    if not any(columns.values()):
        message = f"{path}: holds no records; each has to be one row with named columns"
        raise InputError(message)
    return Records(columns, str(path))


def _columns(rows: Iterable[Any], path: Path, names: Collection[str]) -> dict[str, list[Any]]:
    """Columns from rows that may lack some."""
    columns: dict[str, list[Any]] = {}
    count = 0
    for row in rows:
        if not isinstance(row, dict):
            message = f"{path}: record {count + 1} has no named columns; write one object with its columns a line"
            raise InputError(message)
        for name, raw in row.items():
            column = columns.setdefault(name, [])
            column += [None] * (count - len(column))
            column.append(_name(raw) if name in names else _value(raw))
        count += 1
    for column in columns.values():
        column += [None] * (count - len(column))
    return columns


def _objects(lines: Iterable[str]) -> Iterator[Any]:
    return (json.loads(line) for line in lines if line.strip())


def _delimited(path: Path, separator: str, names: Collection[str]) -> dict[str, list[Any]]:
    # Spreadsheets begin a file with a mark of its encoding, and people write a space after a comma.
    with open_lines(path, newline="") as lines:
        reader = csv.reader(lines, delimiter=separator)
        header = [cell.strip() for cell in next(reader, [])]
        twice = [name for name, count in Counter(header).items() if count > 1]
        if twice:
            message = f"{path}: column '{twice[0]}' is there twice; give every column a name of its own"
            raise InputError(message)
        columns: list[list[Any]] = [[] for _ in header]
        readers = [_name if name in names else _value for name in header]
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                message = f"{path}, line {reader.line_num}: has another number of cells than the header"
                raise InputError(message)
            for column, read, cell in zip(columns, readers, row, strict=True):
                column.append(read(cell))
    return dict(zip(header, columns, strict=True))


def _name(raw: Any) -> str | None:
    """A name as it is written; None for what stands for nothing."""
    text = "" if raw is None else str(raw).strip()
    return None if text.lower() in _MISSING else text


def _value(raw: Any) -> Any:
    """A number where it reads as one, a text otherwise; None for what stands for nothing or is not finite."""
    if raw is None:
        return None
    if isinstance(raw, bool):
        return int(raw)
    if isinstance(raw, int | float):
        return _finite(raw)
    text = str(raw).strip()
    if text.lower() in _MISSING:
        return None
    if text.lower() in ("true", "false"):
        return int(text.lower() == "true")
    try:
        return _finite(float(text))
    except ValueError:
        return text


def _finite(number: float) -> float | None:
    """The number; None where no arithmetic can be done with it."""
    try:
        return number if math.isfinite(number) else None
    except OverflowError:
        return None
