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
_CHOICES: Final = ("n", "best_of")
"""How many replies a request asks for."""


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
    choices = max(_whole(body.get(name)) or 1 for name in _CHOICES)
    longest = min(wanted, default=USUAL_REPLY)
    held = session.reserve(
        prompt_tokens=estimated_tokens(raw.decode(errors="replace")), completion_tokens=longest * choices, price=price
    )
    # Never 0, which some servers read as no limit at all.
    each = max(1, held.completion_tokens // choices)
    named = [name for name in interface.reply_limits if name in body] or [interface.reply_limits[0]]
    return Granted(held, {**body, **dict.fromkeys(named, each)}, each)


def uncountable(body: dict[str, Any]) -> str | None:
    """Why a request does not say how many replies it wants; None where it does. Servers read `"5"` and `5.0` as 5."""
    for name in _CHOICES:
        value = body.get(name)
        if value is not None and not 1 <= (_whole(value) or 0) <= _MOST_CHOICES:
            return f"`{name}` is a whole number from 1 to {_MOST_CHOICES}"
    return None


def _whole(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None
