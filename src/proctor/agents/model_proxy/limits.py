"""Setting aside what a request may use at most, so that limits end an episode before they are exceeded.

Only where something limits models: then a reply may not become longer than what is left, whether the agent asked for a
longest reply or not. The request on record stays as the agent made it; what was granted stands beside it.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from proctor.agents.contract import ScaffoldSession, SetAside
from proctor.agents.model_proxy.interfaces import Interface
from proctor.models.charging import estimated_tokens
from proctor.models.prices import Price

USUAL_REPLY: Final = 16_384
"""Tokens that are set aside for a reply where the agent names no longest one, if as many are left."""
_MOST_CHOICES: Final = 128


class Granted(Struct, frozen=True):
    """A request as it may be sent, and what was set aside for it."""

    held: SetAside
    body: dict[str, Any]
    reply_tokens: int
    """How long each reply may become."""


def grant(
    session: ScaffoldSession, interface: Interface, body: dict[str, Any], raw: bytes, price: Price | None
) -> Granted | None:
    """What a request may use; None where nothing limits it. Raises what `ScaffoldSession.reserve` raises."""
    if not session.limits_models:
        return None
    wanted = [value for name in interface.reply_limits if (value := _whole(body.get(name))) is not None]
    choices = min(_whole(body.get("n")) or 1, _MOST_CHOICES)
    longest = min(wanted, default=USUAL_REPLY)
    held = session.reserve(
        prompt_tokens=estimated_tokens(raw.decode(errors="replace")), completion_tokens=longest * choices, price=price
    )
    each = held.completion_tokens // choices
    named = [name for name in interface.reply_limits if name in body] or [interface.reply_limits[0]]
    return Granted(held, {**body, **dict.fromkeys(named, each)}, each)


def _whole(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None
