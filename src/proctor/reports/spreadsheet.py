"""CSV that people open in a spreadsheet: no cell is taken for a formula, and what comes back is read as meant."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

_FORMULA = ("=", "@", "+", "-", "\t", "\r")
"""How a cell begins that a spreadsheet would compute."""
_QUOTE = "'"


def cell(value: object) -> str:
    """The text of a cell: one that would be computed gets an apostrophe in front, which spreadsheets read as text."""
    text = str(value)
    return f"{_QUOTE}{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def plain(text: str) -> str:
    """A cell as it was meant: without the apostrophe and the spaces around it."""
    text = text.replace("\u00a0", " ").strip()
    return text[1:].strip() if text.startswith(_QUOTE) and text[1:].lstrip().startswith(_FORMULA) else text


def sheet(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A CSV document with these columns. It begins with a mark by which spreadsheets know that it is UTF-8."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")
