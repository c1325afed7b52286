"""A user's events, from CSV, TSV or JSON lines.

`event_id`, `text` and `dataset` are required; `task`, `condition`, `run`, `episode`, `subject` and `onset` are optional
and order the events; other columns are not read. An id may occur more than once in its dataset, with the same text:
later rows are planned and marked as duplicates.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from proctor.core.canonical import UNREADABLE
from proctor.core.errors import InputError

REQUIRED = ("event_id", "text", "dataset")
OPTIONAL = ("task", "condition", "run", "episode", "subject", "onset")
LONGEST_TEXT, LONGEST_NAME = 20_000, 200
"""Characters of an event's text, which stands in every prompt about it, and of an id or a dataset's name."""
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), " ")
"""Control characters, of which some end a text for whoever reads it later."""
_WANTED = f"an event file needs {', '.join(REQUIRED)} (optional: {', '.join(OPTIONAL)})"


class UserEvent(Struct, frozen=True):
    """One row of an event file."""

    event_id: str
    text: str
    dataset: str
    columns: dict[str, str]
    """The optional columns that have a value."""


def read_events(path: Path) -> tuple[UserEvent, ...]:
    """Every event of a file, in its order; what is wrong with it is one sentence."""
    rows = list(_rows(path))
    if not rows:
        message = f"{path.name} holds no event; {_WANTED}"
        raise InputError(message)
    events = tuple(_event(path.name, line, row) for line, row in rows)
    texts: dict[tuple[str, str], str] = {}
    for event in events:
        if texts.setdefault((event.dataset, event.event_id), event.text) != event.text:
            message = (
                f"{path.name}: event '{event.event_id}' of dataset '{event.dataset}' stands there with two different "
                "texts; give each event an id of its own"
            )
            raise InputError(message)
    return events


def in_order(events: tuple[UserEvent, ...]) -> tuple[UserEvent, ...]:
    """By episode, subject, onset, run and id, as far as these are known; numbers count as numbers."""
    names = ("episode", "subject", "onset", "run")
    return tuple(sorted(events, key=lambda one: (*(_place(one.columns.get(name)) for name in names), one.event_id)))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    kind = path.suffix.lower()
    if kind not in (*_SEPARATORS, ".jsonl"):
        message = f"{path.name} is no event file; give a .csv, .tsv or .jsonl file with {', '.join(REQUIRED)}"
        raise InputError(message)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        message = f"{path.name} cannot be read ({error.strerror}); give the path of a .csv, .tsv or .jsonl file"
        raise InputError(message) from None
    except UnicodeDecodeError:
        message = f"{path.name} is not UTF-8 text; save it as UTF-8"
        raise InputError(message) from None
    return _json_lines(path.name, text) if kind == ".jsonl" else _table(path.name, text, _SEPARATORS[kind])


def _table(name: str, text: str, separator: str) -> Iterator[tuple[int, dict[str, Any]]]:
    whole = text.lstrip("\r\n")
    skipped = text[: len(text) - len(whole)].count("\n")
    reader = csv.DictReader(io.StringIO(whole, newline=""), delimiter=separator, strict=True)
    try:
        columns = [str(column).strip() for column in reader.fieldnames or ()]
        if not columns:
            return
        _require(name, columns)
        for column in (*REQUIRED, *OPTIONAL):
            if columns.count(column) > 1:
                message = f"{name} has {columns.count(column)} columns {column}; leave one of them"
                raise InputError(message)
        for row in reader:
            line = skipped + reader.line_num
            if None in row:
                message = f"{name}, line {line}: more values than columns; quote texts that hold the separator"
                raise InputError(message)
            yield line, {str(column).strip(): value for column, value in row.items()}
    except csv.Error as error:
        message = (
            f"{name}, line {skipped + reader.line_num}: {error}; close every quote, double those within a text, and "
            f"keep texts below {LONGEST_TEXT:,} characters"
        )
        raise InputError(message) from None


def _json_lines(name: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    # Nothing else ends a line: a text may hold other marks that Python would take for one.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except UNREADABLE as error:
            message = f"{name}, line {number}: no JSON ({error}); write one object a line"
            raise InputError(message) from None
        if not isinstance(row, dict):
            message = f"{name}, line {number}: not an object; {_WANTED}"
            raise InputError(message)
        _require(f"{name}, line {number},", list(row))
        yield number, row


def _require(name: str, columns: list[str]) -> None:
    lacking = [column for column in REQUIRED if column not in columns]
    if lacking:
        there = _plain(", ".join(columns))
        has = f" (it has: {there if len(there) <= LONGEST_NAME else there[:LONGEST_NAME] + '…'})" if there else ""
        message = f"{name} has no {' and no '.join(lacking)}{has}; {_WANTED}"
        raise InputError(message)


def _event(name: str, line: int, row: dict[str, Any]) -> UserEvent:
    for column in (*REQUIRED, *OPTIONAL):
        if isinstance(row.get(column), bool | list | dict):
            message = f"{name}, line {line}: the {column} is neither text nor number; write it as text"
            raise InputError(message)
    given = {column: _plain(row.get(column)) for column in (*REQUIRED, *OPTIONAL)}
    for column in REQUIRED:
        # What only holds characters that nobody sees is as good as empty.
        if not any(one.isprintable() and not one.isspace() for one in given[column]):
            message = f"{name}, line {line}: the {column} is empty; {_WANTED}"
            raise InputError(message)
        most = LONGEST_TEXT if column == "text" else LONGEST_NAME
        if len(given[column]) > most:
            message = (
                f"{name}, line {line}: the {column} has {len(given[column]):,} characters; give it at most {most:,}"
            )
            raise InputError(message)
    columns = {column: given[column] for column in OPTIONAL if given[column]}
    return UserEvent(given["event_id"], given["text"], given["dataset"], columns)


def _plain(value: Any) -> str:
    """A value as one line of text."""
    return "" if value is None else " ".join(str(value).translate(_CONTROLS).split())


def _place(value: str | None) -> tuple[int, float, str]:
    """Unknown first, then numbers, then texts."""
    if value is None:
        return 0, 0.0, ""
    try:
        return 1, float(value), ""
    except ValueError:
        return 2, 0.0, value
