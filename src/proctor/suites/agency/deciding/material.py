"""What a family knows, before it is written down: rows of named values in sections, and the family's words for them.

A row's kind picks the sentence by which a letter, a chat or minutes tell it; its cells are what tables and data files
show. Both say the same. Nothing here draws or decides.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """One statement."""

    kind: str
    cells: dict[str, str]
    """Column and value, in the order in which they are shown."""


class Section(NamedTuple):
    """Statements of one sort; all rows have the same columns."""

    name: str
    rows: list[Row]


class Wording(NamedTuple):
    """How one family words its material."""

    headings: dict[str, str]
    """Section and what people call it."""
    labels: dict[str, str]
    """Column and what people call it."""
    letter: dict[str, str]
    """Kind of row and the sentence for it, with the cells in braces."""
    chat: dict[str, str]
    minutes: dict[str, str]
    idle: frozenset[str] = frozenset()
    """Columns that never decide anything."""


class Frame(NamedTuple):
    """What stands around the material: who writes to whom about what."""

    title: str
    writer: str
    reader: str
    number: int
    """Of the document; clock times of messages follow from it."""
