"""Reading a reply: the JSON object in it, or the raw text with the reason why there is none.

Nothing is mended and nothing is filled in: a missing key stays missing, a cut-off object is text. What a model marks as
its thoughts is not looked at.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from proctor.core.thoughts import outside_thoughts
from proctor.spec.reporting import FINAL

Status = Literal["ok", "text", "not_json", "not_object", "empty", "none"]
MAX_OBJECTS: Final = 32
"""A text with more opening braces than this is no reply but noise; the rest is not looked at."""
MAX_DEPTH: Final = 64
"""An object nested deeper than this is no report of anything, and stays text."""
_KEY: Final = f'"{FINAL}"'


class Parsed(Struct, frozen=True):
    """What a reply holds."""

    status: Status
    answer: Any
    """The object, where there is one; else the text as it came; None where nothing came."""

    @property
    def report(self) -> dict[str, Any] | None:
        """The object, or None."""
        return self.answer if self.status == "ok" else None


def parse(text: str | None) -> Parsed:
    """Take a reply apart. Two objects that name different actions are no answer, and stay text; so is one that names
    two."""
    if text is None:
        return Parsed("none", None)
    stripped = text.strip()
    if not stripped:
        return Parsed("empty", text)
    try:
        value = msgspec.json.decode(stripped)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        pass
    else:
        if _deep(stripped, value) or not _clear(stripped):
            return Parsed("not_json", text)
        return Parsed("ok", value) if isinstance(value, dict) else Parsed("not_object", text)
    stripped = outside_thoughts(stripped).strip()
    if not stripped:
        return Parsed("empty", text)
    if "{" not in stripped:
        return Parsed("text", text)
    objects = _objects(stripped)
    acting = [one for one in objects if FINAL in one]
    if acting and all(one[FINAL] == acting[0][FINAL] for one in acting) and not _deep(stripped, acting[0]):
        return Parsed("ok", acting[0])
    if objects and not acting and not _deep(stripped, objects[0]):
        return Parsed("ok", objects[0])
    return Parsed("not_json", text)


def _clear(text: str) -> bool:
    """Whether no object in this JSON names its action twice; a decoder would keep the last, which is a guess."""
    if text.count(_KEY) < 2:
        return True
    try:
        _DECODER.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _deep(text: str, value: Any) -> bool:
    """Whether a decoded value is nested beyond reason; most texts have too few brackets to be."""
    if text.count("{") + text.count("[") <= MAX_DEPTH or not isinstance(value, dict | list):
        return False
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def _refuse(name: str) -> None:
    message = f"{name} is no JSON"
    raise ValueError(message)


def _one_action(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if any(name == FINAL and value != fields[FINAL] for name, value in pairs):
        message = "two actions in one object"
        raise ValueError(message)
    return fields


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_one_action)


def _objects(text: str) -> list[dict[str, Any]]:
    """Whole objects in a text, outermost only. After a brace that begins none, only objects with an action count:
    others may be pieces of one that was cut off."""
    objects: list[dict[str, Any]] = []
    broken = False
    start = text.find("{")
    for _ in range(MAX_OBJECTS):
        if start < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            broken = True
            end = start + 1
        else:
            if isinstance(value, dict) and (FINAL in value or not broken):
                objects.append(value)
        start = text.find("{", end)
    return objects
