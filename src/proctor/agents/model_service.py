"""When a model is a service that failed, for every agent that asks one.

A reply is the agent's, however useless: text that nobody can read, an empty message. A request that brought back no
reply says nothing about the agent: the episode is infrastructure, whatever the suite, and its row says why.
"""

from __future__ import annotations

from typing import Final

from proctor.agents.contract import ServiceFailure
from proctor.models.contract import INTERFACE_ERRORS, InterfaceError, Reply, refusal

MAX_REFUSALS: Final = 5
"""So many refusals in a row, and nobody is asked any more: a wrong key must not knock at a provider for hours."""

REPLIED: Final = frozenset(("empty",))
"""The interface errors that are the model's own reply: it answered, with nothing."""
_OF_EVERYTHING: Final = (401, 404)
"""Said of a key, or of a model's name: the next request fares no better."""
_ADVICE: Final[dict[InterfaceError, str]] = {
    "connection": "; see that its server runs and that base_url is right",
    "timeout": "; see that its server is not overloaded, or give it longer with timeout=SECONDS",
    "rate_limit": "; lower --concurrency, or wait until the provider's limit allows more",
}


class ModelService:
    """What is known of one model as a service, in one process."""

    def __init__(self, name: str) -> None:
        self.name = name
        """As it goes on record: without address, options or key."""
        self._answered = False
        self._refusals = 0
        self._refused = ""

    def require_hope(self) -> None:
        """Ask no more where a provider refused again and again. Raises `ServiceFailure`, which ends the run."""
        if self._refusals >= MAX_REFUSALS:
            raise ServiceFailure("model_refused", self._refused, final=True)

    def require_reply(self, reply: Reply) -> None:
        """Take note of what came back; raises `ServiceFailure` where that is no reply."""
        refused = refusal(self.name, reply.status) if reply.error is not None else ""
        self._refusals = self._refusals + 1 if refused else 0
        self._refused = refused
        if refused:
            # Whoever never answered refuses the key or the name, not this request; 403 is said of requests, too.
            final = (reply.status in _OF_EVERYTHING and not self._answered) or self._refusals >= MAX_REFUSALS
            raise ServiceFailure("model_refused", refused, final=final)
        if reply.error is None or reply.error in REPLIED:
            self._answered = True
            return
        reason = "model_refused" if reply.error == "http_4xx" else "model_unavailable"
        status = f" (HTTP {reply.status})" if reply.status else ""
        message = f"{self.name}: {INTERFACE_ERRORS[reply.error]}{status}{_ADVICE.get(reply.error, '')}"
        raise ServiceFailure(reason, message)
