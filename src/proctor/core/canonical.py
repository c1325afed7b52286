"""Canonical JSON: one value, one sequence of bytes (RFC 8785).

Two doors. `canonical` takes any JSON value and follows RFC 8785 to the letter, floats included; declarations get
their identity from it. `encode` is the fast door for chained events: it requires values that are *chainable* (no
floats, integers below 2**53, ASCII keys), for which sorted msgspec bytes are RFC 8785 bytes; a property test says so.
`chainable` turns any JSON value into such a value, reversibly, and `unchain` turns it back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

import msgspec

from proctor.core.errors import InputError

_ENCODER = msgspec.json.Encoder(order="sorted")
_SAFE_INTEGER = 2**53 - 1

encode = _ENCODER.encode
"""Bytes of a chainable value or event struct, keys sorted. Never give it floats or non-ASCII keys."""

decode = msgspec.json.decode
"""The JSON value of some bytes."""

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding bytes of a stranger's raises."""


def canonical(value: Any) -> bytes:
    """The RFC 8785 bytes of any JSON value (msgspec structs and pydantic models are lowered first).

    What JSON cannot carry exactly (NaN, infinities, integers beyond 2**53, lone surrogates) is refused.
    """
    import rfc8785

    try:
        return rfc8785.dumps(jsonable(value))
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        message = f"a value has no canonical JSON ({error}); write such a number as text, and text without surrogates"
        raise InputError(message) from None


def inexact(value: Any) -> tuple[str, str] | None:
    """Where the first thing in a value stands that JSON cannot carry exactly, as `.name.0`, and in words what it is."""
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list | tuple):
        parts = list(enumerate(value))
    else:
        why = _inexact(value)
        return None if why is None else ("", why)
    for name, item in parts:
        found = _inexact(name) if isinstance(value, dict) else None
        if found is not None:
            return "", f"a name that is {found}"
        within = inexact(item)
        if within is not None:
            return f".{name}{within[0]}", within[1]
    return None


def _inexact(value: Any) -> str | None:
    if isinstance(value, int) and not -_SAFE_INTEGER <= value <= _SAFE_INTEGER:
        return "a whole number of 2^53 or beyond, which JSON does not carry exactly (write it as text)"
    if isinstance(value, float) and not math.isfinite(value):
        return "a number that JSON does not have (infinite, or none)"
    if isinstance(value, str) and _text(value) != value:
        return "text with a lone surrogate, which is no character"
    return None


def jsonable(value: Any) -> Any:
    """Plain dicts, lists and scalars for a JSON-like value; structs, models, tuples, sets and enums are lowered."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    return msgspec.to_builtins(value, order="sorted", enc_hook=_lower)


def _lower(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return dict(value)
    message = f"not a JSON value: {type(value).__name__}"
    raise TypeError(message)


def chainable(value: Any) -> Any:
    """The same JSON value without floats, large integers or non-ASCII keys.

    A float or large integer becomes `{"$num": "1.5"}`; an object with a key that is not plain ASCII, or that starts
    with `$`, becomes `{"$pairs": [[key, value], …]}`; a lone surrogate in text becomes U+FFFD. `unchain` reverses the
    first two. Values that need no change are returned as they are.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _text(value)
    if kind is int:
        return value if -_SAFE_INTEGER <= value <= _SAFE_INTEGER else {"$num": str(value)}
    if value is None or kind is bool:
        return value
    if kind is float:
        return {"$num": _decimal(value)}
    if kind is dict:
        return _chainable_object(value)
    if kind is list or kind is tuple:
        return [chainable(item) for item in value]
    return chainable(jsonable(value))


def _chainable_object(value: dict[Any, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, item in value.items():
        if type(key) is not str or not key.isascii() or key[:1] == "$":
            # By key alone: two keys may read alike once made encodable, and values have no order.
            pairs = sorted(((_text(str(name)), chainable(inner)) for name, inner in value.items()), key=itemgetter(0))
            return {"$pairs": [list(pair) for pair in pairs]}
        plain[key] = chainable(item)
    return plain


def unchain(value: Any) -> Any:
    """The JSON value that `chainable` was given."""
    if isinstance(value, dict):
        if len(value) == 1:
            if "$num" in value:
                return _number(value["$num"])
            if "$pairs" in value:
                return {key: unchain(item) for key, item in value["$pairs"]}
        return {key: unchain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [unchain(item) for item in value]
    return value


def _decimal(value: float) -> str:
    # Shortest text that reads back as the same double; NaN and infinities keep their names, JSON has none for them.
    return repr(value)


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value
