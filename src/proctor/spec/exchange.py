"""One exchange with a chat model, as it is put on record: what was asked, what came back, what cannot be reproduced."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field


class Exchange(Struct, frozen=True):
    """A request and its reply. Holds no key, header or address: those belong to the connection."""

    model: str
    """As it was asked for."""
    request: dict[str, Any]
    """Messages and sampling, all that determines what the model sees; JSON."""
    reply: str | None
    """The text that came back; None when nothing did."""
    error: str | None = None
    """Why nothing came back, from the closed set of interface errors."""
    details: dict[str, Any] = field(default_factory=dict)
    """What differs between two runs of the same: returned model id, tokens, latency, attempts. Enters `seal` only."""
    calls: tuple[dict[str, Any], ...] = ()
    """What the reply calls for, in order: `id`, `name` and `arguments` as the model wrote them."""
