"""A text in lines, with the lines that carry what is asked for, and its division into short passages.

Passages are runs of whole lines that stay below the length from which a context cut applies: whoever cannot be shown
the whole text can still be shown each of its passages.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from msgspec import Struct

from proctor.worlds.adversity.context_cut import MIN_TEXT

LONGEST_PASSAGE = MIN_TEXT - 1
READINGS = 7
"""So many readings of a passage restore it under 40 % noise nearly always."""


class Sheet:
    """Lines as they are written; `facts` are the indexes of those that matter."""

    __slots__ = ("facts", "lines")

    def __init__(self, *lines: str) -> None:
        self.lines: list[str] = list(lines)
        self.facts: list[int] = []

    def add(self, *lines: str) -> None:
        """Lines that nobody has to read."""
        self.lines.extend(lines)

    def fact(self, *lines: str) -> None:
        """Lines without which the task cannot be done."""
        for line in lines:
            self.facts.append(len(self.lines))
            self.lines.append(line)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def passages(lines: list[str]) -> list[tuple[int, int]]:
    """Where each passage begins and ends; a line that is too long for one has a passage of its own."""
    spans: list[tuple[int, int]] = []
    start, size = 0, 0
    for index, line in enumerate(lines):
        length = len(line) + 1
        if index > start and size + length > LONGEST_PASSAGE + 1:
            spans.append((start, index))
            start, size = index, 0
        size += length
    spans.append((start, len(lines)))
    return spans


def needed_passages(sheet: Sheet, spans: list[tuple[int, int]]) -> int:
    """How many of the passages contain a line that matters."""
    ends = [end for _, end in spans]
    return len({bisect_right(ends, index) for index in sheet.facts})


class ShownSheet(Struct, frozen=True):
    """A sheet as the instance of a `TextWorld` needs it."""

    observation: dict[str, Any]
    facts: list[int]
    needed: int
    """How many passages contain a line that matters."""

    @property
    def hidden(self) -> dict[str, Any]:
        """What ceilings need of it."""
        return {"facts": self.facts}

    @property
    def readings(self) -> int:
        """Calls that restore every passage with a fact in it, whatever noise a regime has."""
        return READINGS * self.needed


def show(sheet: Sheet) -> ShownSheet:
    """What is shown of a sheet, and what reading it for certain costs."""
    spans = passages(sheet.lines)
    return ShownSheet({"text": sheet.text, "passages": len(spans)}, sheet.facts, needed_passages(sheet, spans))
