"""Pieces that several sections share: tables, lists of facts, flags, JSON to fold out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from proctor.reports.data import FlagShown
from proctor.reports.html.markup import Child, Markup, tag


class Cell(Struct, frozen=True):
    """A cell that spans rows or columns, or that does not stand where its column says."""

    child: Child
    head: bool = False
    rows: int = 1
    columns: int = 1
    right: bool = False


def table(
    caption: str,
    header: Sequence[str],
    rows: Iterable[Sequence[Child | Cell]],
    *,
    right: Sequence[int] = (),
    kind: str | None = None,
) -> Markup:
    """A table whose first column heads its rows; where it is too wide it scrolls by itself."""
    head = tag("tr", *(tag("th", name, scope="col", class_=_side(i in right)) for i, name in enumerate(header)))
    body = [tag("tr", *(_cell(cell, i, right) for i, cell in enumerate(row))) for row in rows]
    inner = tag("table", tag("caption", caption), tag("thead", head), tag("tbody", *body), class_=kind)
    return tag("div", inner, class_="scroll", role="region", aria_label=caption, tabindex="0")


def grouped_table(
    caption: str,
    header: Sequence[str],
    groups: Iterable[tuple[Child, Sequence[Sequence[Child | Cell]]]],
    *,
    right: Sequence[int] = (),
    kind: str | None = None,
) -> Markup:
    """A table in groups of rows, each under a line of its own that says what they are about."""
    head = tag("tr", *(tag("th", name, scope="col", class_=_side(i in right)) for i, name in enumerate(header)))
    bodies = [
        tag(
            "tbody",
            tag("tr", tag("th", title, scope="rowgroup", colspan=len(header)), class_="group"),
            *(tag("tr", *(_cell(cell, i, right) for i, cell in enumerate(row))) for row in rows),
        )
        for title, rows in groups
    ]
    inner = tag("table", tag("caption", caption), tag("thead", head), *bodies, class_=kind)
    return tag("div", inner, class_="scroll", role="region", aria_label=caption, tabindex="0")


def _cell(given: Child | Cell, column: int, right: Sequence[int]) -> Markup:
    cell = given if isinstance(given, Cell) else Cell(given, head=column == 0, right=column in right)
    scope = ("rowgroup" if cell.rows > 1 else "row") if cell.head else None
    return tag(
        "th" if cell.head else "td",
        cell.child,
        scope=scope,
        rowspan=cell.rows if cell.rows > 1 else None,
        colspan=cell.columns if cell.columns > 1 else None,
        class_=_side(cell.right),
    )


def _side(right: bool) -> str | None:
    return "right" if right else None


def facts(pairs: Iterable[tuple[str, Child]], kind: str = "facts") -> Markup:
    """Names and what belongs to them; a pair with None is left out."""
    entries = [tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs if value is not None]
    return tag("dl", *entries, class_=kind)


def flag_list(flags: Sequence[FlagShown]) -> Markup | None:
    """Flags with their reasons."""
    if not flags:
        return None
    lines = [
        tag(
            "li",
            tag("span", f"{flag.about}: " if flag.about else "", class_="about") if flag.about else None,
            pill(flag.name),
            " ",
            flag.reason,
        )
        for flag in flags
    ]
    return tag("ul", *lines, class_="flags")


def pill(name: str) -> Markup:
    """The name of a flag or status."""
    kind = name.partition(" ")[0].lower()
    return tag("span", name, class_=f"pill {kind}" if kind.isascii() and kind.isalpha() else "pill")


def fold(summary: Child, *children: Child, **attributes: str | bool) -> Markup:
    """Something to open."""
    return tag("details", tag("summary", summary), tag("div", *children, class_="inside"), **attributes)


def as_json(value: Any) -> Markup:
    """A value as indented JSON."""
    return tag("pre", json.dumps(value, indent=2, ensure_ascii=False), class_="json", tabindex="0")


def flat(value: Any, path: str = "", *, absent: str = "not declared") -> list[tuple[str, str]]:
    """The leaves of nested objects by their dotted names, so that exact parameters read as lines."""
    if isinstance(value, dict) and value:
        names = {name: f"{path}.{name}" if path else str(name) for name in value}
        return [leaf for name, item in value.items() for leaf in flat(item, names[name], absent=absent)]
    if value is None:
        return [(path, absent)]
    if isinstance(value, list | tuple | dict):
        return [(path, ", ".join(str(item) for item in value) or "none")]
    return [(path, json.dumps(value) if isinstance(value, bool) else str(value))]
