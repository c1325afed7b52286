"""A chat model was asked: what was sent and what came back, so that a run can be read again without the model."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field


class ModelAsked(Struct, frozen=True, tag_field="event", tag="model", omit_defaults=True):
    """One exchange. Keys and addresses are no part of it.

    A small request without tools stands here whole. Of any other (`shared` is a number) only what is new does:
    `evidence/exchanges.py` puts it together again.
    """

    model: str
    request: Any
    """Messages, sampling and tools. Where `shared` is a number: without what `follows` and `kept` stand for, and a
    message that is a text is the SHA-256 of one stored by content."""
    reply: str | None = None
    error: str | None = None
    calls: tuple[Any, ...] = ()
    """What the reply calls for, in order: `id`, `name` and `arguments` as the model wrote them."""
    shared: int | None = None
    """With how many messages of an earlier request this one begins; None where the request is whole."""
    follows: int | None = None
    """Which exchange of the episode, counted from 0, these messages are from; None where none are shared."""
    kept: dict[str, str] = field(default_factory=dict)
    """Further parts of the request, `tools` say, that are stored by content: the SHA-256 of each."""
