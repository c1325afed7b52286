"""What the steps of a pipeline do to staged tables: plain functions on rows, which refuse instead of guessing."""

from __future__ import annotations

from typing import Any

from proctor.core.errors import ToolError
from proctor.worlds.bounds import MAX_INTEGER

Row = dict[str, Any]

MAX_ROWS = 2_000


def normalised(rows: list[Row], column: str) -> list[Row]:
    """Texts of a column without space around them, in capitals."""
    return [{**row, column: str(row[column]).strip().upper()} for row in rows]


def without(rows: list[Row], column: str, value: str) -> list[Row]:
    """The rows whose column does not hold this value."""
    return [row for row in rows if str(row[column]) != value]


def filled(rows: list[Row], column: str, value: int) -> list[Row]:
    """The rows with a number where the column was empty."""
    return [{**row, column: value} if row[column] == "" else row for row in rows]


def latest(rows: list[Row], key: str, by: str) -> list[Row]:
    """Of the rows with the same key the one with the highest number in `by`; the earlier of equals."""
    newest: dict[Any, Row] = {}
    for row in rows:
        kept = newest.get(row[key])
        if kept is None or number(row, by) > number(kept, by):
            newest[row[key]] = row
    return list(newest.values())


def joined(left: list[Row], right: list[Row], column: str) -> list[Row]:
    """Each row of the left with each of the right that has the same value in the column."""
    by_value: dict[Any, list[Row]] = {}
    for row in right:
        by_value.setdefault(row[column], []).append(row)
    # Counted before anything is made: two tables of this size could make four million rows.
    if sum(len(by_value.get(row[column], ())) for row in left) > MAX_ROWS:
        message = f"the joined table would have more than {MAX_ROWS} rows; nothing was done"
        raise ToolError(message)
    return [{**row, **other} for row in left for other in by_value.get(row[column], ())]


def multiplied(rows: list[Row], column: str, by: str, target: str) -> list[Row]:
    """The rows with the product of two columns in a third."""
    return [{**row, target: _kept(target, number(row, column) * number(row, by))} for row in rows]


def aggregated(rows: list[Row], group: str, column: str, how: str, target: str) -> list[Row]:
    """One row for each value of `group`, in their order."""
    groups: dict[str, list[int]] = {}
    for row in rows:
        groups.setdefault(str(row[group]), []).append(number(row, column))
    return [
        {group: name, target: _kept(target, sum(values) if how == "sum" else sum(values) // len(values))}
        for name, values in sorted(groups.items())
    ]


def number(row: Row, column: str) -> int:
    """The whole number in a column; refused where there is none."""
    value = row[column]
    if not isinstance(value, int):
        message = (
            f"column '{column}' has {'a missing value' if value == '' else f'the text {value!r}'}; nothing was done"
        )
        raise ToolError(message)
    return value


def _kept(column: str, value: int) -> int:
    """A number that a table can hold."""
    if not -MAX_INTEGER <= value <= MAX_INTEGER:
        message = f"column '{column}' would have numbers beyond {MAX_INTEGER}; nothing was done"
        raise ToolError(message)
    return value
