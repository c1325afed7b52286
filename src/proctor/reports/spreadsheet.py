"""CSV that people open in a spreadsheet: no cell is taken for a formula, and what comes back is read as meant."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

_FORMULA: Final = ("=", "@", "+", "-", "|", "%", "\uff1d", "\uff20", "\uff0b", "\uff0d")
"""How a cell begins that a spreadsheet would compute, or run; the last four are wide forms of the first."""
_CONTROL: Final = ("\t", "\r", "\n", "\0")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)")
_QUOTE: Final = "'"


def cell(value: object) -> str:
    """The text of a cell: one that would be computed gets an apostrophe in front, which spreadsheets read as text.

    Numbers stay numbers, negative ones too, and floats keep every digit. Nothing is written for None.
    """
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else str(value)
    shown = f"{_QUOTE}{text}" if _computed(text) else text
    # A carriage return of its own would end the row for some readers, quoted or not.
    return shown.replace("\r\n", "\n").replace("\r", "\n")


def _computed(text: str) -> bool:
    bare = text.lstrip()
    begins = text.startswith(_CONTROL) or bare.startswith(_FORMULA)
    return begins and _NUMBER.fullmatch(text) is None


def plain(text: str) -> str:
    """A cell as it was meant: without the apostrophe and the spaces around it."""
    text = text.replace("\u00a0", " ").strip()
    return text[1:].strip() if text.startswith(_QUOTE) and _computed(text[1:]) else text


def sheet(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A CSV document with these columns. It begins with a mark by which spreadsheets know that it is UTF-8."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([cell(column) for column in columns])
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")
