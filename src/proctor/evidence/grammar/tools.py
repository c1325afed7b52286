"""The tools of an episode as they were shown, from the bytes that its first event names."""

from __future__ import annotations

import msgspec

from proctor.core.canonical import chainable, decode, encode, unchain
from proctor.spec.task import ToolSpec

MOST_BYTES = 2**20
"""No list of tools is longer."""
_BEGINS = (b'[{"description":', b"[]")


def may_be_tools(data: bytes | memoryview) -> bool:
    """Whether some content can be a list of tools, by its first bytes."""
    return len(data) <= MOST_BYTES and bytes(data[:16]).startswith(_BEGINS)


def effects_of(data: bytes) -> dict[str, str] | None:
    """Read or write, by the name of the tool; None where these are no tools as the bench encodes them."""
    try:
        specs = msgspec.convert(unchain(decode(data)), list[ToolSpec])
        if encode(chainable(msgspec.to_builtins(specs))) != data:
            return None
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        return None
    effects: dict[str, str] = {spec.name: spec.effect for spec in specs}
    return effects if len(effects) == len(specs) else None
