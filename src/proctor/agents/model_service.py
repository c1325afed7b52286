"""When a model is a service that failed, for every agent that asks one.

A reply is the agent's, however useless: text that nobody can read, an empty message. A request that brought back no
reply says nothing about the agent: the episode is infrastructure, whatever the suite, and its row says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from proctor.agents.contract import ServiceFailure
from proctor.models.contract import INTERFACE_ERRORS, InterfaceError, Reply, refusal

MAX_REFUSALS: Final = 5
"""So many refusals in a row, and nobody is asked any more: a wrong key must not knock at a provider for hours."""

REPLIED: Final = frozenset(("empty", "declined", "too_long"))
"""The interface errors that are the model's own doing: it answered with nothing, declined what it was asked, or was
asked more than it takes. Whoever builds on a model answers for them."""
_OF_EVERYTHING: Final = (401, 404)
"""Said of a key, or of a model's name: the next request fares no better."""
_ADVICE: Final[dict[InterfaceError, str]] = {
    "connection": "; see that its server runs and that base_url is right",
    "timeout": "; see that its server is not overloaded, or give it longer with timeout=SECONDS",
    "rate_limit": "; lower --concurrency, or wait until the provider's limit allows more",
}


OWED: ContextVar[list[str] | None] = ContextVar("OWED", default=None)
"""The models that owe the episode of this context a reply, for whoever has to say why its time ran out."""


@contextmanager
def owing(name: str) -> Iterator[None]:
    """While a model is asked. Where that is cut off by time, it stands in `OWED` that it owed a reply."""
    owed = OWED.get()
    if owed is None:
        yield
        return
    owed.append(name)
    try:
        yield
    except Exception:
        owed.remove(name)
        raise
    owed.remove(name)


class ModelService:
    """What is known of one model as a service, in one process."""

    def __init__(self, name: str) -> None:
        self.name = name
        """As it goes on record: without address, options or key."""
        self.answered = False
        """It has replied to something."""
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
            final = (reply.status in _OF_EVERYTHING and not self.answered) or self._refusals >= MAX_REFUSALS
            raise ServiceFailure("model_refused", refused, final=final)
        if reply.error is None or reply.error in REPLIED:
            self.answered = True
            return
        reason = "model_refused" if reply.error == "http_4xx" else "model_unavailable"
        status = f" (HTTP {reply.status})" if reply.status else ""
        message = f"{self.name}: {INTERFACE_ERRORS[reply.error]}{status}{_ADVICE.get(reply.error, '')}"
        raise ServiceFailure(reason, message)
