"""Words that offices use for the same thing. Ordinary English, one line a meaning."""

from __future__ import annotations

_GROUPS = (
    ("from", "sender", "author", "writer", "written"),
    ("to", "recipient", "reader", "addressee"),
    ("subject", "title", "about", "called", "heading", "headline"),
    ("priority", "importance", "urgency", "class", "marked"),
    ("timestamp", "date", "time", "day", "at", "when"),
    ("earlier", "before", "previous", "former"),
    ("thread", "conversation", "topic"),
    ("answer", "reply"),
    ("received", "arrived", "arrival"),
    ("amount", "sum", "total"),
    ("quantity", "count", "number"),
)


def same_meaning(words: set[str]) -> set[str]:
    """These words and those that mean the same."""
    return words.union(*(group for group in _GROUPS if words.intersection(group)))
