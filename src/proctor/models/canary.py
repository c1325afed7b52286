"""Whose refusal it is: after a refusal a fixed innocuous question is asked once.

A provider that refuses the key refuses everything; a model that declines one content answers the next. If the canary
brings back a reply, the refusal was the model's own answer and counts against the agent; if not, nothing was measured
and going on is pointless.

However many requests are refused at once, one canary is under way for them all, and its verdict holds for the next
refusals too: a model that declines often does not double what a run costs.
"""

from __future__ import annotations

import asyncio
from typing import Final, Literal
from weakref import WeakKeyDictionary

from msgspec import Struct

from proctor.models.contract import ChatModel, Message, Reply, Request

CANARY: Final = Request((Message("user", "What is 2 + 3? Answer with the number alone."),), max_tokens=64)
"""Nothing that anybody would decline."""
HOLDS_FOR: Final = 50
"""Refusals that one verdict answers for."""
REFUSALS: Final = ("http_4xx", "declined", "no_tools", "quota", "payload_not_object")
"""The interface errors of a provider that was reached and would not, nonsense in place of a reply included. What passes
(408, 429, 5xx, a broken connection) is none of them."""

Verdict = Literal["answer", "service"]
"""`answer`: the refusal is the model's own. `service`: the provider refuses everything."""


class Judged(Struct, frozen=True):
    """A verdict on one refusal."""

    verdict: Verdict
    reply: Reply
    """What the canary brought back."""
    asked: bool
    """The canary was asked for this refusal, and its exchange is to be put on record; else the verdict is an earlier
    one's."""


def is_refusal(reply: Reply) -> bool:
    """Whether it takes a canary to say what a reply means: a request that was refused, whatever the status, or content
    that was declined."""
    return reply.error in REFUSALS


class Canary:
    """The canary of one model, for one loop."""

    def __init__(self) -> None:
        self._reply: Reply | None = None
        self._left = 0
        self._asking = asyncio.Lock()

    async def judge(self, model: ChatModel) -> Judged:
        """The verdict on a refusal of this model. Raises what the model raises: nothing."""
        async with self._asking:
            fresh = self._reply is None or self._left == 0
            if fresh:
                self._reply = await model.ask(CANARY)
                self._left = HOLDS_FOR
            assert self._reply is not None
            self._left -= 1
            return Judged("answer" if self._reply.error is None else "service", self._reply, fresh)


_canaries: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Canary]] = WeakKeyDictionary()


def canary_of(model: ChatModel) -> Canary:
    """The canary of a model in the running loop: one for all who ask a model of this name."""
    here = _canaries.setdefault(asyncio.get_running_loop(), {})
    return here.setdefault(model.name, Canary())
