"""Characters that cannot be seen: a stranger's text must not say one thing and show another."""

from __future__ import annotations

import unicodedata


def visible(value: str) -> str:
    """The text with control, formatting and unassigned characters written as their code points: ⟨U+202E⟩."""
    if value.isascii() and value.isprintable():
        return value
    return "".join(c if c in "\n\t" or c.isprintable() or unicodedata.category(c) == "Zs" else _named(c) for c in value)


def _named(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"
