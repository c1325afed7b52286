"""The pieces that a document is made of, and free JSON as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Heading(Struct, frozen=True, tag="heading"):
    """A heading; level 1 has an entry in the list of contents."""

    level: int
    text: str
    anchor: str = ""


class Paragraph(Struct, frozen=True, tag="paragraph"):
    """Text; `kind` says how it stands out: lead, notice, strong, tuple, or not at all."""

    text: str
    kind: str = ""


class Facts(Struct, frozen=True, tag="facts"):
    """Names and what belongs to them."""

    rows: tuple[tuple[str, str], ...]


class Table(Struct, frozen=True, tag="table"):
    """A table; `weights` share out the width."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    weights: tuple[float, ...]
    digests: tuple[int, ...] = ()
    """Columns that hold digests and code."""


class Code(Struct, frozen=True, tag="code"):
    """Text that is shown letter by letter."""

    caption: str
    text: str


Block = Heading | Paragraph | Facts | Table | Code


def leaves(value: Any, path: str = "") -> list[tuple[str, str]]:
    """The leaves of nested objects by their dotted names."""
    if isinstance(value, Mapping) and value:
        return [leaf for name, item in value.items() for leaf in leaves(item, f"{path}.{name}" if path else str(name))]
    if isinstance(value, list | tuple):
        simple = all(not isinstance(item, list | tuple | Mapping) for item in value)
        return [(path, ", ".join(map(_text, value)) or "none" if simple else as_line(value))]
    return [(path, _text(value))]


def as_line(value: Any) -> str:
    """Nested values in a line: `action.cap: 25; compute.milliseconds: 300000`."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {text}" for name, text in leaves(value) if name)
    return json.dumps(value, ensure_ascii=False)


def as_counts(counts: Mapping[str, int]) -> str:
    """`98 success, 2 failure`."""
    return ", ".join(f"{times:,} {name}" for name, times in counts.items())


def as_json(value: Any) -> str:
    """A value as JSON in a line."""
    return json.dumps(value, ensure_ascii=False)


def as_text(value: Any) -> str:
    """A value as indented JSON."""
    return json.dumps(value, indent=1, ensure_ascii=False)


def _text(value: Any) -> str:
    if value is None:
        return "none"
    return json.dumps(value) if isinstance(value, bool) else str(value)
