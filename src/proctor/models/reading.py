"""Reading what providers send: nothing is taken on trust. What has not the type or the size of a reply is none."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from proctor.models.contract import ModelCall, Reply

LONGEST_TEXT: Final = 8_000_000
LONGEST_WORD: Final = 200
MOST_CALLS: Final = 256
_MAX_TOKENS: Final = 10**9

NOT_AN_ANSWER: Final = Reply(None, error="payload_not_object")


def count(value: Any) -> int | None:
    """A number of tokens; None where it is none, or beyond belief."""
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MAX_TOKENS
    return value if known else None


def word(said: Any) -> str:
    """A short text a server sent, the name of its model say; empty where it is none."""
    return said[:LONGEST_WORD] if isinstance(said, str) else ""


def field(value: Any, *names: str) -> Any:
    """What is found on the way of these names through objects; None where the way ends."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def call(number: int, given: Any, name: Any, arguments: Any) -> ModelCall | None:
    """The `number`th call of a reply; None where it names no tool or is longer than anybody means.

    Arguments that come as an object are written as JSON; none at all are an empty object. An id that is missing is made
    up from the call's place, so that its answer can refer to it.
    """
    if not isinstance(name, str) or not name.strip():
        return None
    if isinstance(arguments, str):
        text = arguments if arguments.strip() else "{}"
    else:
        text = "{}" if arguments is None else msgspec.json.encode(arguments).decode()
    if len(text) > LONGEST_TEXT:
        return None
    return ModelCall(word(given) or f"call_{number}", name.strip()[:LONGEST_WORD], text)


def apart(calls: list[ModelCall]) -> tuple[ModelCall, ...]:
    """The calls with ids that differ: some servers give all the same one."""
    seen: set[str] = set()
    found = []
    for number, one in enumerate(calls):
        name = one.id if one.id not in seen else f"{one.id[: LONGEST_WORD - 8]}_{number}"
        seen.add(name)
        found.append(one if name == one.id else ModelCall(name, one.name, one.arguments))
    return tuple(found)


def as_object(arguments: str) -> dict[str, Any] | None:
    """A call's arguments as the object they should be; None where they are none."""
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def wrapped(arguments: str) -> str:
    """Arguments that are no object, as one that holds them."""
    return msgspec.json.encode({"arguments": arguments}).decode()
