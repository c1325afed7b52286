"""Pairs: the labels and values that a text writes down, in whatever notation, and whom each is about.

Knows `Label: value`, `LABEL ..... value`, `key=value`, lines of JSON, tags with attributes, tables with a row of names,
and sentences, which label whatever they say. Where a text is about several numbered things (`K-17`, `K-18`), a line is
about the number in it, or else about the last one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from proctor.agents.clerk.statements import cells_of, is_rule

_QUOTE_MARKS = re.compile(r"^\s*(?:[>*•]\s*)+")
_JSON = re.compile(r'^\s*"([^"]+)"\s*:\s*"?(.*?)"?,?\s*$')
_TAG = re.compile(r'<([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"]*")*)\s*/?>(?:([^<]+)</\1>)?')
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_DOTTED = re.compile(r"^\s*([^.]{2,40}?)\s*\.{3,}\s*(\S.*)$")
_EQUALS = re.compile(r"([A-Za-z][\w-]*)=(\"[^\"]*\"|'[^']*'|\S+)")
_COLON = re.compile(r"^\s*([A-Za-z][\w -]{0,30}?)\s*:\s+(\S.*)$")
_CODE = re.compile(r"\b([A-Z]{1,4}-?)\d{2,}\b")


class Pair(Struct, frozen=True):
    """A value and its label; a sentence is its own label."""

    label: str
    value: str
    sentence: bool = False


def about(goal: str, text: str) -> str:
    """The code (`K-17`) that the goal names and the text has; empty where there is none."""
    return next((code.group() for code in _CODE.finditer(goal) if code.group() in text), "")


def pairs(text: str, code: str = "") -> list[Pair]:
    """Everything labelled in a text; with a code, only what is about the thing with this code."""
    pairs_read: list[Pair] = []
    columns: list[str] = []
    start = _CODE.match(code)
    owner = ""
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        cells = cells_of(line)
        if len(cells) > 1 and is_rule(following):
            columns = cells
            continue
        codes = [one.group() for one in _CODE.finditer(line) if start and one.group(1) == start.group(1)]
        owner = code if code in codes else codes[0] if codes else owner
        if code and owner != code:
            continue
        if columns and len(cells) == len(columns):
            pairs_read.extend(Pair(*pair) for pair in zip(columns, cells, strict=True))
        else:
            pairs_read.extend(_of_line(_QUOTE_MARKS.sub("", line)))
    return pairs_read


def _of_line(line: str) -> Iterator[Pair]:
    if line.lstrip().startswith("<"):
        yield from _of_tags(line)
        return
    for pattern in (_JSON, _DOTTED):
        match = pattern.match(line)
        if match:
            yield Pair(match.group(1), match.group(2))
            return
    equals = _EQUALS.findall(line)
    colon = _COLON.match(line)
    if equals:
        yield from (Pair(label, value.strip("\"'")) for label, value in equals)
    elif colon:
        yield Pair(colon.group(1), colon.group(2))
    elif line.strip():
        yield Pair(line, line, sentence=True)


def _of_tags(line: str) -> Iterator[Pair]:
    for tag, attributes, content in _TAG.findall(line):
        named = _ATTRIBUTE.findall(attributes)
        yield from (Pair(f"{tag} {name}", value) for name, value in named)
        if content:
            # An attribute beside a content says what sort of content it is: <person role="author">.
            yield Pair(" ".join(value for _, value in named) or tag, content)
