"""JSON and `name: value` pairs inside prose, as a language model or a person writes them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any

from proctor.worlds.answers.shape import FormatError, plain_key

_MAX_STARTS = 40
"""How many opening brackets are tried in one text: an answer needs far fewer."""
_LONGEST_LITERAL = 4000
"""Longer text is not tried as a Python literal, whose parser is slow on hostile input."""


def duplicate_free(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as an object; a name that is given twice with different values is two answers."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields and fields[name] != value:
            message = f"the answer gives '{name[:40]}' two different values"
            raise FormatError(message)
        fields[name] = value
    return fields


_DECODER = json.JSONDecoder(parse_float=Decimal, object_pairs_hook=duplicate_free)


def text_inside(text: str) -> str:
    """The text that a JSON string literal holds; any other text as it is."""
    stripped = text.strip()
    if len(stripped) > 2 and stripped[0] == stripped[-1] == '"':
        try:
            return str(json.loads(stripped))
        except ValueError:
            pass  # Quotes that merely stand around something.
    return text


def objects_in(text: str) -> list[dict[str, Any]]:
    """The JSON objects (or Python dictionaries) that stand in a text, outermost only."""
    return [value for value in _values_in(text, "{", "}") if isinstance(value, dict)]


def arrays_in(text: str) -> list[list[Any]]:
    """The JSON arrays (or Python lists) that stand in a text, outermost only."""
    return [list(value) for value in _values_in(text, "[", "]") if isinstance(value, list)]


def _values_in(text: str, opening: str, closing: str) -> list[Any]:
    values: list[Any] = []
    place = text.find(opening)
    for _ in range(_MAX_STARTS):
        if place < 0:
            break
        value, end = _value_at(text, place, opening, closing)
        if end > place:
            values.append(value)
        place = text.find(opening, max(end, place + 1))
    return values


def _value_at(text: str, place: int, opening: str, closing: str) -> tuple[Any, int]:
    """The value that starts here and where it ends; an end of 0 when there is none."""
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        pass  # Not JSON: single quotes or a trailing comma make it a Python literal, which is as clear.
    end = _closing(text, place, opening, closing)
    if 0 < end - place <= _LONGEST_LITERAL:
        try:
            return _literal(text[place:end]), end
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            pass  # Neither: braces in prose.
    return None, 0


def _literal(text: str) -> Any:
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            duplicate_free((ast.dump(key) if key else "", ast.dump(value)) for key, value in _items(node))
    return ast.literal_eval(tree)


def _items(node: ast.Dict) -> Iterable[tuple[ast.expr | None, ast.expr]]:
    return zip(node.keys, node.values, strict=True)


def _closing(text: str, place: int, opening: str, closing: str) -> int:
    depth = 0
    for position in range(place, len(text)):
        depth += (text[position] == opening) - (text[position] == closing)
        if depth == 0:
            return position + 1
    return 0


def pairs_in(text: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """`name: value` pairs for the declared names, in order: one to a line, or behind one another on a line."""
    by_key = {plain_key(name): name for name in names}
    marks = list(_name_pattern(names).finditer(text))
    pairs: list[tuple[str, str]] = []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    for mark, end in zip(marks, ends, strict=False):
        value = text[mark.end() : end]
        value = value.strip().split("\n", 1)[0]
        pairs.append((by_key[plain_key(mark["name"])], value.strip(" \t,;|{}")))
    return pairs


@lru_cache(maxsize=256)
def _name_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    spelled = [r"[\s_-]*".join(re.escape(part) for part in re.split(r"[_\s-]+", name)) for name in names]
    spelled.sort(key=len, reverse=True)
    return re.compile(
        rf"(?:^|(?<=[\s,;|{{(\"'`*]))(?P<name>{'|'.join(spelled)})[\"'`*_]*\s*(?::|=|\||->|→)\s*", re.IGNORECASE
    )
