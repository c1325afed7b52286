"""What all interfaces share in wording an answer: ids, arguments, and texts cut into pieces."""

from __future__ import annotations

import msgspec

from tests.fake_models.script import Asked, Call

_PIECE = 7


def call_id(asked: Asked, call: Call, place: int, prefix: str) -> str:
    """The call's own id, or one that no other request of this server has."""
    return call.id or f"{prefix}_{asked.number}_{place}"


def arguments_text(call: Call) -> str:
    """The arguments as text."""
    return call.arguments if isinstance(call.arguments, str) else msgspec.json.encode(call.arguments).decode()


def pieces(text: str) -> list[str]:
    """The text in small pieces, as a stream brings it."""
    return [text[place : place + _PIECE] for place in range(0, len(text), _PIECE)]
