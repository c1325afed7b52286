"""Statements: what a text says, one thing at a time, whatever its form.

A line of prose is a statement, and so is an object of a JSON document, a row of a table and a cell of a table whose
columns all count something; each carries the heading it stands under, and its number or clock time where it has one.
`in_order` puts them in the order of these, and turns them round where the text says that the newest comes first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

_RULE = re.compile(r"^\W*-{2,}[\s|:+-]*$")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?![\d:])")
_SEQUENCE = ("seq", "n", "no", "nr", "number", "id", "step", "order", "rank")
_NEWEST_FIRST = re.compile(
    r"\b(?:newest|latest|last|most recent)\b[^.;\n]{0,20}\b(?:first|on top|at the top)\b", re.IGNORECASE
)


class Statement(Struct, frozen=True):
    """One thing said; `place` is its number or time among the others, None where nothing tells when it was."""

    text: str
    heading: str = ""
    place: int | None = None


def statements(text: str, known: re.Pattern[str] | None = None) -> list[Statement]:
    """Everything a text states, in the order of writing. A line with something `known` in it is never a heading."""
    data = _as_json(text)
    return list(_told(data, "") if data is not None else _written(text.splitlines(), known))


def in_order(statements: list[Statement], text: str) -> list[Statement]:
    """The statements of a text in the order in which things happened, as far as that is told."""
    if _NEWEST_FIRST.search(text):
        statements = statements[::-1]
    placed = iter(sorted((said for said in statements if said.place is not None), key=lambda said: said.place or 0))
    return [said if said.place is None else next(placed) for said in statements]


def _as_json(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _told(value: Any, heading: str) -> Iterator[Statement]:
    """Objects of plain values are statements; what holds others is a heading."""
    if isinstance(value, list):
        for item in value:
            yield from _told(item, heading)
    elif isinstance(value, dict) and any(isinstance(item, (dict, list)) for item in value.values()):
        for name, item in value.items():
            yield from _told(item, f"{heading} {name}" if isinstance(item, (dict, list)) else heading)
    elif isinstance(value, dict):
        if all(isinstance(item, int) for item in value.values()):
            for name, item in value.items():
                yield Statement(f"{name} = {item}", heading)
        else:
            counter = next((name for name in _SEQUENCE if isinstance(value.get(name), int)), None)
            rest = {name: item for name, item in value.items() if name != counter}
            yield Statement(pairs_of(rest), heading, None if counter is None else value[counter])
    else:
        yield Statement(str(value), heading)


def pairs_of(record: dict[str, Any]) -> str:
    """A record as one line of `name=value`."""
    return " ".join(f"{name}={value}" for name, value in record.items() if value is not None)


def _written(lines: list[str], known: re.Pattern[str] | None) -> Iterator[Statement]:
    heading, columns = "", []
    for number, line in enumerate(lines):
        cells = cells_of(line)
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if len(cells) > 1 and _RULE.match(following) and len(cells_of(following)) == len(cells):
            columns = cells
        elif _RULE.match(line):
            continue
        elif columns and len(cells) == len(columns):
            yield from _row(columns, cells)
        else:
            columns = []
            if is_heading(line) and not (known and known.search(line)):
                heading = line.strip()
            else:
                yield replace(_timed(line), heading=heading)


def is_rule(line: str) -> bool:
    """Whether a line only separates the names of columns from what is below them."""
    return bool(_RULE.match(line))


def cells_of(line: str) -> list[str]:
    """The cells of a line of a table; one cell where it is no such line."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(columns: list[str], cells: list[str]) -> Iterator[Statement]:
    """A row: one statement, unless several of its columns count something, which then each say so of the first cell."""
    counted = [number for number, cell in enumerate(cells) if number and re.match(r"-$|\d", cell)]
    if len(counted) > 1 and len(counted) == len(cells) - 1:
        for number in counted:
            for figure in re.findall(r"\d+", cells[number]):
                yield Statement(f"{figure} {cells[0]}", columns[number])
    else:
        yield _timed(pairs_of(dict(zip(columns, cells, strict=True))))


def _timed(line: str) -> Statement:
    """A line with its clock time taken out and kept as its place."""
    clock = _CLOCK.search(line)
    if clock is None:
        return Statement(line)
    return Statement(_CLOCK.sub(" ", line), place=60 * int(clock.group(1)) + int(clock.group(2)))


def is_heading(line: str) -> bool:
    """A few words alone on a line, without figures, that end in nothing or in a colon."""
    plain = line.strip()
    return bool(plain) and len(plain.split()) <= 6 and not re.search(r"\d|[.;,=!?]$|: ", plain)
