"""Records: what a text writes down one thing at a time, in tables, JSON, tags, cards, logs or plain lines.

A record is a line of plain words in every case (`rank: 1, folder: attic`, or the sentence itself), so that a skill can
read all notations alike. What stands before a line only because of its notation is left out: the clock and the speaker
of a chat, the clock of a log, the numbering of minutes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from proctor.agents.clerk.statements import cells_of, is_rule

_TAG = re.compile(r"<([A-Za-z][\w-]*)((?:\s+[\w-]+=\"[^\"]*\")*)\s*/?>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_CARD = re.compile(r"^\s*={2,}\s*(.*?)\s*={2,}\s*$")
_DOTTED = re.compile(r"^\s*([^.]{1,60}?)\s*\.{3,}\s*(\S.*)$")
_LOGGED = re.compile(r"^\d{2}:\d{2}:\d{2}\s+(\w+)\s+(?=\w+=)")
_EQUALS = re.compile(r"([A-Za-z][\w-]*)=(\"[^\"]*\"|\S+)")
_SPOKEN = re.compile(r"^\[\d{1,2}:\d{2}\]\s+(?:[A-Z][\w'-]*\s+){0,2}[A-Z][\w'-]*:\s+")
_NUMBERED = re.compile(r"^\s*\d+\.\d+\.?\s+")


class Record(Struct, frozen=True):
    """One thing that was written down; a line of plain prose has no values."""

    text: str
    values: dict[str, str]

    @classmethod
    def of(cls, values: dict[str, str]) -> Record:
        """A record of values under labels, which become lower case."""
        plain = {label.lower().replace("_", " "): value for label, value in values.items()}
        return cls(", ".join(f"{label}: {value}" for label, value in plain.items()), plain)


def records(text: str) -> list[Record]:
    """Everything a text writes down, in the order of writing."""
    if text.lstrip().startswith(("{", "[{")):
        try:
            return list(_of_data(json.loads(text)))
        except (ValueError, RecursionError):
            pass
    return list(_of_lines(text.splitlines()))


def _of_data(value: Any) -> Iterator[Record]:
    """The objects that hold no others."""
    if isinstance(value, list):
        for item in value:
            yield from _of_data(item)
    elif isinstance(value, dict):
        inner = [item for item in value.values() if isinstance(item, (dict, list))]
        if not inner:
            yield Record.of({str(label): str(item) for label, item in value.items()})
        for item in inner:
            yield from _of_data(item)


def _of_lines(lines: list[str]) -> Iterator[Record]:
    columns: list[str] = []
    card: dict[str, str] = {}
    for number, line in enumerate(lines):
        dotted = _DOTTED.match(line)
        if dotted:
            card[dotted.group(1)] = dotted.group(2).strip()
            continue
        if card:
            yield Record.of(card)
            card = {}
        cells = cells_of(line)
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if len(cells) > 1 and not columns and (is_rule(following) or len(cells_of(following)) == len(cells)):
            columns = cells
        elif len(cells) == len(columns) and line.strip():
            if not is_rule(line):
                yield Record.of(dict(zip(columns, cells, strict=True)))
        else:
            columns = cells if line.strip().startswith("|") and is_rule(following) else []
            if not columns:
                yield from _of_line(line)
    if card:
        yield Record.of(card)


def _of_line(line: str) -> Iterator[Record]:
    logged = _LOGGED.match(line)
    if line.lstrip().startswith("<"):
        for _, attributes in _TAG.findall(line):
            yield Record.of(dict(_ATTRIBUTE.findall(attributes)))
    elif logged:
        yield Record.of({label: value.strip('"') for label, value in _EQUALS.findall(line[logged.end() :])})
    elif line.strip() and not _CARD.match(line) and not is_rule(line):
        spoken = _SPOKEN.match(line)
        yield Record((line[spoken.end() :] if spoken else _NUMBERED.sub("", line)).strip(), {})
