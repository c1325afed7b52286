"""Boards: what is on offer, each with a code and a value for every field that the goal lists, in whatever notation.

Lines are read one after the other: one that names a code is about it, one that names a group opens it, and one that
names neither goes on with the last. Of two values for the same field the later one holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from proctor.agents.clerk.numerals import in_digits
from proctor.agents.clerk.statements import cells_of

_LEGEND = re.compile(r"^- (\w+): ", re.MULTILINE)
_CODE = re.compile(r"\b([A-Za-z])-(\d{3})\b")
_LIMIT = re.compile(r"available\W*(\d+)|(\d+) = \w+ available|(\d+) \w+ to spend")


class Offer(Struct):
    """One thing on offer."""

    code: str
    group: str
    values: dict[str, str] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """A value as a number; 0 where it is none."""
        value = self.values.get(name, "")
        return int(value) if value.isdigit() else 0


class Board(Struct):
    """Everything on offer, and how much each group may take."""

    fields: list[str]
    offers: dict[str, Offer] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)

    def complete(self) -> bool:
        """Whether every offer has a value for every field."""
        return bool(self.offers) and all(
            self.fields and offer.values.keys() >= set(self.fields) for offer in self.offers.values()
        )


def legend(goal: str) -> list[str]:
    """The fields that a goal lists."""
    return _LEGEND.findall(goal)


def read_board(text: str, fields: list[str], groups: list[str]) -> Board:
    """The board that a text describes."""
    return Reader(Board(fields), groups).read(text)


class Reader:
    """Goes through a text line by line, and remembers what it is about."""

    def __init__(self, board: Board, groups: list[str]) -> None:
        self._board = board
        self._groups = {group.lower(): group for group in groups}
        self._group = ""
        self._current: list[Offer] = []
        self._before: Offer | None = None
        self._columns: list[str] = []

    def read(self, text: str) -> Board:
        """Every line."""
        for line in in_digits(text).splitlines():
            cells = cells_of(line)
            if "code" in cells and len(cells) > 1:
                self._columns = cells
                continue
            self._turn_to(line)
            named = dict(zip(self._columns, cells, strict=True)) if len(cells) == len(self._columns) else {}
            for name in self._board.fields:
                self._note(name, [named[name]] if name in named else list(_values(name, line)))
        return self._board

    def _turn_to(self, line: str) -> None:
        """What a line is about, where it says so."""
        codes = [f"{letter.upper()}-{digits}" for letter, digits in _CODE.findall(line)]
        group = next((group for name, group in self._groups.items() if re.search(rf"\b{name}\b", line.lower())), None)
        limit = _LIMIT.search(line)
        if group:
            self._group = group
        if limit:
            self._board.limits[self._group] = int(next(filter(None, limit.groups())))
        if codes:
            if self._current and [offer.code for offer in self._current] != codes:
                self._before = self._current[-1]
            self._current = [self._board.offers.setdefault(code, Offer(code, self._group)) for code in codes]
        elif group or limit:
            self._current = []

    def _note(self, name: str, values: list[str]) -> None:
        """Values for what the line is about: one each, or one and by how much it differs from the offer before."""
        if len(self._current) > 1 and len(values) >= len(self._current):
            for offer, value in zip(self._current, values, strict=False):
                offer.values[name] = value
        elif len(self._current) == 1 and values:
            old = self._before.values.get(name, "") if self._before else ""
            self._current[0].values[name] = _compared(values, old)


def _compared(values: list[str], old: str) -> str:
    if values[0] == "same":
        return old
    if len(values) > 1 and values[1] in ("more", "less") and old.isdigit() and values[0].isdigit():
        change = int(values[0])
        return str(int(old) + (change if values[1] == "more" else -change))
    return values[0]


def _values(name: str, line: str) -> Iterator[str]:
    """What a line says of a field: a value, a value and `more` or `less`, or a value for each of several."""
    listed = re.match(rf"^\s*{name}: (\w+(?:, \w+)+)\s*$", line)
    if listed:
        yield from listed.group(1).split(", ")
        return
    for pattern in (
        rf'"?\b{name}"?\s*[=:]\s*"?(\w+)',
        rf"\b(\w+) = {name}\b",
        rf"(?<!\w)(\d+) {name}\b",
        rf"\b{name} (\w+)(?: (more|less)\b)?",
    ):
        match = re.search(pattern, line)
        if match and match.group(1) != "available":
            yield from filter(None, match.groups())
            return
