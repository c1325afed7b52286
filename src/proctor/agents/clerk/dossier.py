"""Dossiers: who or what has which property, read off letters, chats, tables, JSON, logs, minutes, calls and cards.

A property has a part (`the order`, `job 1`), a label (`quantity`) and a value. Where a text corrects itself, the value
that holds is kept: what is said later, what stands beside a void entry, what was put on record instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from proctor.agents.clerk.statements import cells_of, is_rule

Dossier = dict[str, dict[str, str]]
"""Values by part and label, both in lower case and plain words."""
Property = tuple[str, str, str]
"""(part, label, value)"""

_LETTER = re.compile(r"^As (?:to|for) (.+?), (.+)\.$")
_IS = re.compile(r"^(?:and )?the (.+) is (.+?)(?: \(and not .*\))?$")
_CHAT = re.compile(r"^(?:\[[\d:]+\]\s+)?\w+: (.+) as (.+) for (.+)$")
_CHAT_PUT_RIGHT = re.compile(r"^(?:\[[\d:]+\]\s+)?\w+: (?:\w+\. )?(.+?) needs (.+) as (.+?), .*\bforget\b")
_LOG = re.compile(r'\bpart="([^"]+)"\s+(\w+)="([^"]*)"')
_ITEM = re.compile(r"^\d+\. (.+)$")
_REPORTED = re.compile(r"^\s+\d+\.\d+ On the (.+?): (?:.*, (.+?) was put on record instead|.*?\breported (.+?))\.$")
_SPEECH = re.compile(r"^[A-Z]{2,}: (.+)$")
_TOPIC = re.compile(r"^Let us go on to (.+)\.$")
_QUESTION = re.compile(r"^(?:What about the|And the|Which|Tell me the) (.+?)[?.]$")
_WRONG = re.compile(r"^.*\b(?:wrong|sorry|mistake)\b[^:]*: ")
_HESITATION = re.compile(r"^(?:Well|Um|Er|Here|Oh), ")
_HEAD = re.compile(r"^\[(.+)\]$")
_DOTTED = re.compile(r"^\s+(.+?) \.{3,} (.+?)(?: \(struck out: .*\))?$")


def read_dossier(text: str) -> Dossier:
    """Every property that a text tells, the values that hold."""
    dossier: Dossier = {}
    for part, label, value in _properties(text):
        dossier.setdefault(plain(part), {})[plain(label)] = value.strip()
    return dossier


def plain(name: str) -> str:
    """A part or label in lower case, with spaces between its words."""
    return re.sub(r"[_-]", " ", name).lower().strip()


def _properties(text: str) -> Iterator[Property]:
    if text.lstrip().startswith("{"):
        with suppress(ValueError, RecursionError):
            yield from _of_data(json.loads(text))
        return
    lines = text.splitlines()
    yield from _of_table(lines)
    yield from _of_talk(lines)
    part = ""
    for line in lines:
        head, item, reported, dotted = (pattern.match(line) for pattern in (_HEAD, _ITEM, _REPORTED, _DOTTED))
        if topic := head or item:
            part = topic.group(1)
        elif reported:
            yield part, reported.group(1), reported.group(2) or reported.group(3)
        elif dotted:
            yield part, dotted.group(1), dotted.group(2)
        else:
            yield from _of_line(line)


def _of_line(line: str) -> Iterator[Property]:
    """A line that names the part itself."""
    if letter := _LETTER.match(line):
        for told in filter(None, map(_IS.match, letter.group(2).split("; "))):
            yield letter.group(1), told.group(1), told.group(2)
    elif right := _CHAT_PUT_RIGHT.match(line):
        yield right.group(1), right.group(3), right.group(2)
    elif chat := _CHAT.match(line):
        yield chat.group(3), chat.group(2), chat.group(1)
    else:
        yield from _LOG.findall(line)


def _of_data(value: Any) -> Iterator[Property]:
    """Objects with a `part`; where a value was withdrawn, the valid one."""
    if isinstance(value, list):
        for item in value:
            yield from _of_data(item)
    elif isinstance(value, dict) and "part" in value:
        for label, item in value.items():
            if label != "part":
                yield str(value["part"]), label, str(item.get("valid", "") if isinstance(item, dict) else item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _of_data(item)


def _of_table(lines: list[str]) -> Iterator[Property]:
    """A table of properties: of what, which, and what is entered."""
    columns: list[str] = []
    for line in lines:
        cells = cells_of(line)
        if {"of", "what", "entry"} <= set(cells):
            columns = cells
        elif columns and len(cells) == len(columns) and not is_rule(line):
            row = dict(zip(columns, cells, strict=True))
            yield row["of"], row["what"], row["entry"]


def _of_talk(lines: list[str]) -> Iterator[Property]:
    """Questions and answers on one topic after the other."""
    part = label = ""
    for said in (match.group(1) for match in map(_SPEECH.match, lines) if match):
        topic, question = _TOPIC.match(said), _QUESTION.match(said)
        if topic:
            part = topic.group(1)
        elif question:
            label = question.group(1)
        elif part and label:
            yield part, label, _HESITATION.sub("", _WRONG.sub("", said)).rstrip(".")
            label = ""
