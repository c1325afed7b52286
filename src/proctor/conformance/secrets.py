"""Hidden values, and how to recognise one in a text.

Only a value that is unlikely to appear by accident counts: a text of six characters, a number of four digits. It is
found as a whole word, whatever its case, and a number also with thousands separators.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

Leaf = str | int | float

MIN_CHARACTERS = 6
MIN_DIGITS = 4


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Leaf]]:
    """Every text and number inside a JSON value with its path; the items of a list share one path."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, f"{path}/{name}")
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item, f"{path}/*")
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield path, value


def groups(value: Any) -> Iterator[set[Leaf]]:
    """Values of one kind: those under the same path in the items of a list, and the names in an object."""
    by_path: dict[str, set[Leaf]] = {}
    for path, leaf in leaves(value):
        if "/*" in path:
            by_path.setdefault(path, set()).add(leaf)
    yield from by_path.values()
    for names in objects(value):
        yield set(names)


def is_distinctive(leaf: Leaf) -> bool:
    """Whether meeting this value in a text can be no accident."""
    if isinstance(leaf, str):
        return len(leaf.strip()) >= MIN_CHARACTERS
    return sum(map(str.isdigit, str(leaf))) >= MIN_DIGITS


def appears_in(leaf: Leaf, text: str) -> bool:
    """Whether a text has this value as a word or number of its own."""
    folded = text.casefold()
    return any(spelling in folded and _pattern(spelling).search(folded) is not None for spelling in _spellings(leaf))


def _spellings(leaf: Leaf) -> Iterable[str]:
    if isinstance(leaf, str):
        return (leaf.strip().casefold(),)
    return (str(leaf), f"{leaf:,}")


@lru_cache(maxsize=4096)
def _pattern(spelling: str) -> re.Pattern[str]:
    start = r"(?<!\d)(?<!\d[.,])" if spelling[0].isdigit() else r"(?<!\w)"
    end = r"(?![.,]?\d)" if spelling[-1].isdigit() else r"(?!\w)"
    return re.compile(start + re.escape(spelling) + end)


def texts(value: Any) -> Iterator[str]:
    """Everything a JSON value says, keys included, as texts."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield str(name)
            yield from texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from texts(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a JSON value, itself included."""
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from objects(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from objects(item)
