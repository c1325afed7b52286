"""Free text the agent offered along the way."""

from __future__ import annotations

from msgspec import Struct


class Said(Struct, frozen=True, tag_field="event", tag="say"):
    """Kept for readers; never scored."""

    text: str
