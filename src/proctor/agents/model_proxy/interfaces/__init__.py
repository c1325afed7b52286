"""The three interfaces that clients of models speak: what a request asks for, what a reply says, how an error looks."""

from __future__ import annotations

from typing import Final

from proctor.agents.model_proxy.interfaces import chat, messages, responses
from proctor.agents.model_proxy.interfaces.interface import Heard, Interface

__all__ = ["INTERFACES", "Heard", "Interface"]

INTERFACES: Final[dict[str, Interface]] = {
    "/v1/chat/completions": chat.INTERFACE,
    "/v1/responses": responses.INTERFACE,
    "/v1/messages": messages.INTERFACE,
}
"""By the path that a client asks for."""
