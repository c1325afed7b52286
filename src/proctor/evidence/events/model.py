"""A chat model was asked: the whole request and the whole reply, so that a run can be read again without the model."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class ModelAsked(Struct, frozen=True, tag_field="event", tag="model", omit_defaults=True):
    """One exchange. Keys and addresses are no part of it."""

    model: str
    request: Any
    reply: str | None = None
    error: str | None = None
