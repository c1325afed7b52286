"""What counts as one field of a value, where it is, and how some fields are changed without touching the original.

A field is a leaf of the JSON value: a text, a number or a boolean. A text of several lines is as many fields as it has
lines, so that a file read under 20 % noise has about 20 % of its lines altered. Null, blank text, blank lines and the
bench's own "withheld" markers hold nothing that could be altered and are no fields. Keys are never fields.

Paths are JSON Pointers (RFC 6901), except that the whole value is `/`; a line is `#` and its number, from 1:
`/rows/3/total`, `/report#12`, `/#2`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from proctor.core.canonical import jsonable

_MARK_START = "[… "
_MARK_END = " withheld]"


def withheld_marker(count: int, unit: str) -> str:
    """The marker that stands where something was left out: `[… 1,204 characters withheld]`."""
    return f"{_MARK_START}{count:,} {unit}{'' if count == 1 else 's'}{_MARK_END}"


def is_marker(text: str) -> bool:
    """Whether this text is such a marker."""
    return text.startswith(_MARK_START) and text.endswith(_MARK_END)


def is_field(line: str) -> bool:
    """Whether a text without line breaks is a field: it says something, and the bench did not put it there."""
    return bool(line) and not line.isspace() and not is_marker(line)


def json_pointer(trail: Sequence[str | int]) -> str:
    """The path of the place that these keys and positions lead to."""
    return "/" + "/".join([_token(part) for part in trail])


def _token(part: str | int) -> str:
    text = str(part).replace("~", "~0").replace("/", "~1")
    # A lone surrogate in a key must not keep the receipt from being written.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class Rewriter:
    """Walks the fields of a value in order, asks `decide` for each, and puts what `change` gives in its place.

    `run` returns the value itself when nothing was changed; otherwise a new one that shares all that did not change.
    """

    __slots__ = ("_booleans", "_change", "_decide", "_trail")

    def __init__(self, decide: Callable[[], bool], change: Callable[[Any, str], Any], *, booleans: bool = True) -> None:
        self._decide = decide
        self._change = change
        self._booleans = booleans
        self._trail: list[str | int] = []

    def run(self, value: Any) -> Any:
        """The value with the chosen fields changed."""
        kind = type(value)
        if kind is str:
            return self._text(value)
        if kind is int or kind is float or (kind is bool and self._booleans):
            return self._change(value, json_pointer(self._trail)) if self._decide() else value
        if kind is dict:
            return self._inside(value, value.items())
        if kind is list or kind is tuple:
            return self._inside(value, enumerate(value))
        if value is None or kind is bool:
            return value
        return self.run(jsonable(value))

    def _inside(self, value: Any, items: Any) -> Any:
        changed: Any = None
        trail = self._trail
        for key, item in items:
            trail.append(key)
            new = self.run(item)
            trail.pop()
            if new is not item:
                if changed is None:
                    changed = dict(value) if type(value) is dict else list(value)
                changed[key] = new
        return value if changed is None else changed

    def _text(self, text: str) -> str:
        if "\n" in text:
            return self._lines(text)
        if not is_field(text) or not self._decide():
            return text
        new: str = self._change(text, json_pointer(self._trail))
        return new

    def _lines(self, text: str) -> str:
        lines = text.split("\n")
        changed = False
        for number, line in enumerate(lines, 1):
            if is_field(line) and self._decide():
                lines[number - 1] = self._change(line, f"{json_pointer(self._trail)}#{number}")
                changed = True
        return "\n".join(lines) if changed else text


def count_fields(value: Any) -> int:
    """How many fields a value has."""
    count = 0

    def decide() -> bool:
        nonlocal count
        count += 1
        return False

    Rewriter(decide, lambda field, _: field).run(value)
    return count


def change_one(value: Any, index: int, change: Callable[[Any, str], Any]) -> Any:
    """The value with its field of this number changed."""
    left = index

    def decide() -> bool:
        nonlocal left
        left -= 1
        return left == -1

    return Rewriter(decide, change).run(value)
