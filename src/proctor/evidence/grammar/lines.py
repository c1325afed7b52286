"""One line of a trace: an event in the only form in which the bench writes it, or none.

An unknown key would be read over, and a key left out filled in: so an event is written again and compared. Values hold
no floats, no integers beyond 2**53 and no keys but plain ASCII ones (see `core.canonical`).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from proctor.core.canonical import chainable, encode, unchain
from proctor.evidence.events import Event

_LONG_NUMBER = re.compile(rb"[0-9]{16}")


class Unreadable(ValueError):
    """A line that the bench could not have written; the text says why."""


def _no_float(text: str) -> Any:
    message = f"a number with a fraction, {text[:40]}"
    raise Unreadable(message)


_decode = msgspec.json.Decoder(Event, float_hook=_no_float).decode
_decode_any = msgspec.json.Decoder().decode


def read_event(line: bytes) -> Event:
    """The event in a line; `Unreadable` where it is not one of the bench's."""
    try:
        event: Event = _decode(line)
        again = encode(event)
    except Unreadable:
        raise
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError, OverflowError):
        message = "cannot be read"
        raise Unreadable(message) from None
    if again != line:
        message = "has a key that no event has, lacks one, or is not written as the bench writes it"
        raise Unreadable(message)
    # The usual case by far: plain ASCII, short numbers, nothing in the shapes that stand for others.
    if not line.isascii() or b'"$' in line or _LONG_NUMBER.search(line):
        _require_chainable(line)
    return event


def _require_chainable(line: bytes) -> None:
    value = _decode_any(line)
    try:
        fits = all(isinstance(key, str) and key.isascii() for key in value) and all(
            chainable(unchain(part)) == part for part in value.values()
        )
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        fits = False
    if not fits:
        message = "holds a value in a shape that no event has"
        raise Unreadable(message)
