"""Ten forms in which a board is written down: what is one line in one of them is a column or several lines in another.

Always: every value of every record can be read from the text alone; lines that carry values are facts; none of those is
longer than a passage, so that a context cut leaves each of them readable.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from proctor.suites.agency.prioritising.board import Board, Column, Record, Value, spelled
from proctor.suites.kit.draws import Dice
from proctor.suites.kit.sheet import Sheet
from proctor.suites.kit.words import GIVEN

_SLIPS = 2
"""Entries of a log that a later one replaces."""


class _Page(Sheet):
    """Lines in the making; the asides of a board find their places at the end."""

    __slots__ = ("_dice",)

    def __init__(self, dice: Dice) -> None:
        super().__init__()
        self._dice = dice

    def sheet(self, asides: list[str]) -> Sheet:
        """The text, with each aside somewhere after the first line."""
        for line in asides:
            place = self._dice.integer(1, len(self.lines))
            self.lines.insert(place, line)
            self.facts = [fact + (fact >= place) for fact in self.facts]
        return self


def table(board: Board, dice: Dice) -> Sheet:
    """Rows and columns."""
    page = _Page(dice)
    page.add(board.title)
    page.fact(" | ".join(("code", "name", *(column.label for column in board.columns))))
    for group in board.groups:
        if board.limit is not None:
            page.fact(f"== {group.label} == {board.limit.label}: {group.limit}")
        for record in group.records:
            page.fact(" | ".join((record.code, record.name, *map(str, record.values))))
    return page.sheet([f"(margin: {line})" for line in board.asides])


def lines_of_json(board: Board, dice: Dice) -> Sheet:
    """One JSON object to a line."""
    page = _Page(dice)
    page.add(_json({"title": board.title}))
    for group in board.groups:
        if board.limit is not None:
            page.fact(_json({"group": group.label, board.limit.label: group.limit}))
        for record in group.records:
            values = dict(zip((column.label for column in board.columns), record.values, strict=True))
            page.fact(_json({"code": record.code, "name": record.name, **values}))
    return page.sheet([_json({"remark": line}) for line in board.asides])


def letter(board: Board, dice: Dice) -> Sheet:
    """Sentences in a letter."""
    page = _Page(dice)
    page.add(f"Re: {board.title}")
    page.add(f"Dear {dice.choice(GIVEN)},")
    page.add("here is where we stand.")
    for group in board.groups:
        if board.limit is not None:
            page.fact(f"As for {group.label}, {board.limit.says.format(group.limit)}.")
        for record in group.records:
            *most, last = _clauses(board, record)
            page.fact(f"{record.name} ({record.code}) {', '.join(most)} and {last}.")
    page.add(f"Yours, {dice.choice(GIVEN)}")
    return page.sheet([f"By the way: {line}" for line in board.asides])


def chat(board: Board, dice: Dice) -> Sheet:
    """One asks, another answers."""
    one, two = dice.sample(GIVEN, 2)
    minute = dice.integer(0, 9)
    page = _Page(dice)
    page.add(f"#{board.title.replace(' ', '-')}")
    for group in board.groups:
        if board.limit is not None:
            page.fact(f"[09:{minute:02d}] {two}: now {group.label}, {board.limit.label} {group.limit}")
        for record in group.records:
            minute = min(59, minute + 1)
            page.fact(f"[09:{minute:02d}] {one}: {dice.choice(('and', 'next,', 'what about'))} {record.code}?")
            page.fact(f"[09:{minute:02d}] {two}: {record.name}. {_labelled(board, record, ' ')}")
    return page.sheet([f"(in another window) {line}" for line in board.asides])


def minutes(board: Board, dice: Dice) -> Sheet:
    """Numbered items of a meeting; the number comes before what it counts."""
    item = dice.integer(2, 6)
    page = _Page(dice)
    page.add(f"Minutes. Present: {', '.join(dice.sample(GIVEN, 3))}. Subject: {board.title}.")
    for number, group in enumerate(board.groups, item):
        heading = f"{number}. {group.label or 'Items'}"
        if board.limit is not None:
            page.fact(f"{heading} ({group.limit} = {board.limit.label})")
        else:
            page.add(heading)
        for index, record in enumerate(group.records, 1):
            values = zip(record.values, board.columns, strict=True)
            told = "; ".join(f"{value} = {column.label}" for value, column in values)
            page.fact(f"{number}.{index} {record.name}, file {record.code}: {told}")
    return page.sheet([f"Remark: {line}" for line in board.asides])


def log(board: Board, dice: Dice) -> Sheet:
    """One entry for each value, in no order; a few were entered wrongly before."""
    entries: list[tuple[str, Column, Value]] = []
    for group in board.groups:
        where = f"{group.label}/" if group.label else ""
        for record in group.records:
            pairs = zip(board.columns, record.values, strict=True)
            entries += [(f"{where}{record.code}", column, value) for column, value in pairs]
    entries = dice.shuffled(entries)
    slips: dict[int, list[tuple[str, Column, int]]] = {}
    counted = [(place, entry) for place, entry in enumerate(entries) if isinstance(entry[2], int)]
    for place, (key, column, value) in dice.sample(counted, _SLIPS):
        assert isinstance(value, int)
        slips.setdefault(dice.below(place + 1), []).append((key, column, value + dice.integer(1, 4)))
    page = _Page(dice)
    page.add(f"log of {board.title}; of two entries for the same field the later one holds")
    number = dice.integer(100, 400)
    for group in board.groups:
        if board.limit is not None:
            page.fact(f"{number} {group.label} {board.limit.label}={group.limit}")
            number += dice.integer(1, 3)
    for place, (key, column, value) in enumerate(entries):
        for wrong_key, wrong_column, wrong in slips.get(place, ()):
            page.add(f"{number} {wrong_key} {wrong_column.label}={wrong}")
            number += dice.integer(1, 3)
        page.fact(f"{number} {key} {column.label}={value}")
        number += dice.integer(1, 3)
    return page.sheet([f"--- note: {line}" for line in board.asides])


def spoken(board: Board, dice: Dice) -> Sheet:
    """A transcript: no capitals, no stops, numbers in words."""
    page = _Page(dice)
    page.add(f"transcript, {board.title}")
    for group in board.groups:
        if board.limit is not None:
            page.fact(f"… so {group.label.lower()} {board.limit.says.format(spelled(group.limit))}")
        for record in group.records:
            clauses = [
                column.says.format(spelled(value)) for column, value in zip(board.columns, record.values, strict=True)
            ]
            told = " and ".join(clauses)
            start = dice.choice(("then", "well", "next", "right"))
            page.fact(f"… {start} {record.code.lower()} {record.name.lower()} that one {told}")
    return page.sheet([f"… somebody in the room says {line.lower()}" for line in board.asides])


def matrix(board: Board, dice: Dice) -> Sheet:
    """A line for each property, a place in it for each record."""
    page = _Page(dice)
    page.add(f"{board.title} (values stand in the order of the codes above them)")
    for group in board.groups:
        if board.limit is not None:
            page.fact(f"{group.label} -> {board.limit.label} {group.limit}")
        page.fact("codes: " + ", ".join(record.code for record in group.records))
        for index, column in enumerate(board.columns):
            page.fact(f"{column.label}: " + ", ".join(str(record.values[index]) for record in group.records))
    return page.sheet([f"* {line}" for line in board.asides])


def relative(board: Board, dice: Dice) -> Sheet:
    """Each record by how it differs from the one before."""
    page = _Page(dice)
    page.add(f"{board.title}; 'more', 'less' and 'same' compare with the entry before")
    for group in board.groups:
        if board.limit is not None:
            page.fact(f"<{group.label}: {board.limit.label} {group.limit}>")
        before: Record | None = None
        for record in group.records:
            told = _labelled(board, record, " ") if before is None else _differences(board, before, record)
            page.fact(f"{record.code} {record.name} > {told}")
            before = record
    return page.sheet([f"[{line}]" for line in board.asides])


def blocks(board: Board, dice: Dice) -> Sheet:
    """A settings file: a section for each record, a key for each value."""
    page = _Page(dice)
    page.add(f"# {board.title}" + ("; sections belong to the group above them" if board.limit is not None else ""))
    for number, group in enumerate(board.groups, 1):
        if board.limit is not None:
            page.fact(f"[group {number}]")
            page.fact(f"label = {group.label}")
            page.fact(f"{_key(board.limit)} = {group.limit}")
        for record in group.records:
            page.fact(f"[{record.code}]")
            for column, value in dice.shuffled(list(zip(board.columns, record.values, strict=True))):
                page.fact(f"{_key(column)} = {value}")
    return page.sheet([f"# {line}" for line in board.asides])


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _clauses(board: Board, record: Record) -> list[str]:
    return [column.says.format(value) for column, value in zip(board.columns, record.values, strict=True)]


def _labelled(board: Board, record: Record, sign: str) -> str:
    pairs = zip(board.columns, record.values, strict=True)
    return ", ".join(f"{column.label}{sign}{value}" for column, value in pairs)


def _differences(board: Board, before: Record, record: Record) -> str:
    parts: list[str] = []
    for column, old, new in zip(board.columns, before.values, record.values, strict=True):
        if old == new:
            parts.append(f"{column.label} same")
        elif isinstance(old, int) and isinstance(new, int):
            parts.append(f"{column.label} {abs(new - old)} {'more' if new > old else 'less'}")
        else:
            parts.append(f"{column.label} {new}")
    return ", ".join(parts)


def _key(column: Column) -> str:
    return column.label.replace(" ", "_")


Form = Callable[[Board, Dice], Sheet]
FORMS: dict[str, Form] = {
    "table": table,
    "json": lines_of_json,
    "letter": letter,
    "chat": chat,
    "minutes": minutes,
    "log": log,
    "spoken": spoken,
    "matrix": matrix,
    "relative": relative,
    "blocks": blocks,
}
TEMPLATES = tuple(FORMS)
