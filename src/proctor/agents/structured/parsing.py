"""Reading a reply: the JSON object in it, or the raw text with the reason why there is none.

Nothing is mended and nothing is filled in: a missing key stays missing, a cut-off object is text.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from proctor.spec.reporting import FINAL

Status = Literal["ok", "text", "not_json", "not_object", "empty", "none"]
MOST_OBJECTS: Final = 32
"""A text with more opening braces than this is no reply but noise; the rest is not looked at."""


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
    """Take a reply apart. Two objects that name different actions are no answer, and stay text."""
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
        return Parsed("ok", value) if isinstance(value, dict) else Parsed("not_object", text)
    if "{" not in stripped:
        return Parsed("text", text)
    found = _objects(stripped)
    acting = [one for one in found if FINAL in one]
    if acting and all(one[FINAL] == acting[0][FINAL] for one in acting):
        return Parsed("ok", acting[0])
    if found and not acting:
        return Parsed("ok", found[0])
    return Parsed("not_json", text)


def _refuse(name: str) -> None:
    message = f"{name} is no JSON"
    raise ValueError(message)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)


def _objects(text: str) -> list[dict[str, Any]]:
    """Whole objects in a text, outermost only. After a brace that begins none, only objects with an action count:
    others may be pieces of one that was cut off."""
    found: list[dict[str, Any]] = []
    broken = False
    place = text.find("{")
    for _ in range(MOST_OBJECTS):
        if place < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            broken = True
            end = place + 1
        else:
            if isinstance(value, dict) and (FINAL in value or not broken):
                found.append(value)
        place = text.find("{", end)
    return found
