"""Markup that cannot be forged: whatever is not `Markup` is escaped, and what cannot be seen is made visible.

Agents are strangers: names, texts and reasons may hold tags, control characters, or marks that turn the direction of
writing around. There is one way to make a tag, `tag`, and it escapes every other string given to it.
"""

from __future__ import annotations

from html import escape
from typing import Any

from proctor.reports.characters import visible

VOID = frozenset({"meta", "br", "hr", "col"})


class Markup(str):
    """Text that is HTML already. Only this module makes it from other text."""

    __slots__ = ()


Child = str | int | None
"""Strings are escaped unless they are `Markup`; None is nothing."""


def text(value: Any) -> Markup:
    """Any value as text."""
    return value if isinstance(value, Markup) else Markup(escape(visible(str(value)), quote=True))


def join(*children: Child, by: str = "") -> Markup:
    """Several pieces one after the other."""
    return Markup(text(by).join(text(child) for child in children if child is not None))


def lines_of(*children: Child) -> Markup:
    """Several pieces, each on a line of its own in the source."""
    return join(*children, by="\n")


def tag(name: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Markup:
    """An element. `class_` is class, `aria_label` is aria-label; None and False leave an attribute out."""
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(*children)}</{name}>")


def _attribute(key: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'
