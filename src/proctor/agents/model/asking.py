"""One request of an episode: set aside, asked (or found on record), recorded, settled; and what it means if it failed.

What comes back from a model is either a reply, which is the model's own doing whatever is in it, or it is nothing: the
service failed, and no episode is scored by that. Where a provider refuses a request, a fixed prompt tells whether it
refuses this request, which is the agent's failure, or every one, which ends the run.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from proctor.agents.contract import AgentFailure, ScaffoldSession, ServiceFailure
from proctor.agents.model_service import REPLIED, owing
from proctor.agents.structured.asking import Source
from proctor.models.canary import CANARY, canary_of, is_refusal
from proctor.models.charging import Usage, charged, estimated_prompt, usage_of
from proctor.models.contract import (
    Message,
    ModelCall,
    ModelTool,
    Reply,
    Request,
    refusal_of,
    request_digest,
)
from proctor.spec.exchange import Exchange
from proctor.spec.task import TaskView

_REJECTED: Final = (400, 413, 422)
"""Answers of providers to a request they will not take: too long in words that nobody knows, or against their rules."""
_LENGTHS: Final = ("max_tokens", "max_completion_tokens")
_TOOL_CANARY: Final = msgspec.structs.replace(
    CANARY, tools=(ModelTool("ready", "Say that you are ready.", {"type": "object", "properties": {}}),)
)
_SMALLEST_ROOM: Final = 256


class Sampled(Struct, frozen=True):
    """How an episode's replies are sampled."""

    temperature: float | None
    top_p: float | None
    tokens: int


class Rejected(Exception):
    """The provider does not take this request; it may be too long."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.too_long = reply.error == "too_long"
        """It said so."""
        self.reply = reply


class Asking:
    """The exchanges of one episode."""

    __slots__ = ("_asked", "_calls", "_known", "_number", "_room", "_sampled", "_session", "_source", "_task")

    def __init__(self, source: Source, task: TaskView, session: ScaffoldSession, sampled: Sampled) -> None:
        self._source = source
        self._task = task
        self._session = session
        self._sampled = sampled
        self._room = sampled.tokens
        self._number = 0
        self._calls = 0
        self._asked: dict[str, int] = {}
        self._known: tuple[int, int] | None = None
        """(how many messages the provider has counted, their tokens); None where it has not."""

    async def ask(self, messages: tuple[Message, ...], tools: tuple[ModelTool, ...]) -> Reply:
        """A reply, perhaps an empty one. Raises `Rejected` where the provider does not take the request as it is, and
        `ServiceFailure` where nothing came back."""
        reply = await self._exchange(messages, tools)
        if reply.parameter and reply.parameter not in _LENGTHS and not self._source.service.answered:
            # Once it has taken the same options, it refuses something else under their name.
            raise self.unusable(reply)
        if reply.error == "too_long" or (reply.error == "http_4xx" and reply.status in _REJECTED):
            raise Rejected(reply)
        if is_refusal(reply):
            await self.require_service(tools if reply.error == "no_tools" else ())
            raise self.refused()
        self._source.service.require_reply(reply)
        self._count(messages, reply)
        return reply

    async def require_service(self, tools: tuple[ModelTool, ...]) -> None:
        """Return where the model answers a fixed prompt, where tools are given with a tool too: it is this request that
        was refused, which is the agent's doing.

        Otherwise raises `ServiceFailure`, which says what to do and, where asking again is pointless, ends the run.
        """
        plain = await self._canary()
        if is_refusal(plain):
            raise self.unusable(plain)
        self._source.service.require_reply(plain)
        if not tools:
            return
        with_tool = await self._exchange(_TOOL_CANARY.messages, _TOOL_CANARY.tools, _TOOL_CANARY.max_tokens)
        if is_refusal(with_tool):
            raise self.unusable(msgspec.structs.replace(with_tool, error="no_tools"))
        self._source.service.require_reply(with_tool)

    @property
    def answered(self) -> bool:
        """Whether the model has answered before, with the same options."""
        return self._source.service.answered

    def unusable(self, reply: Reply) -> ServiceFailure:
        """What to raise where asking this model again is pointless: it ends the run."""
        said = refusal_of(self._source.name, reply) or (
            f"{self._source.name}: the provider refuses even the simplest request (HTTP {reply.status}); see the "
            "model's name, its options and what the server supports"
        )
        return ServiceFailure("model_refused", said, final=True)

    def refused(self) -> AgentFailure:
        """What to raise where a provider that works refuses this one request."""
        said = "the provider refuses this request, for its length or its content, and takes others"
        return AgentFailure("request_refused", said)

    def lower_room(self) -> bool:
        """Ask for shorter replies from now on: some providers count what a reply may have against the window. False
        where they are short already."""
        if self._room <= _SMALLEST_ROOM:
            return False
        self._room = max(_SMALLEST_ROOM, self._room // 2)
        return True

    def forget_count(self) -> None:
        """The messages were changed: what the provider counted of them no longer holds."""
        self._known = None

    async def _exchange(
        self, messages: tuple[Message, ...], tools: tuple[ModelTool, ...], room: int | None = None
    ) -> Reply:
        self._source.service.require_hope()
        prompt = self._prompt_tokens(messages, tools)
        room = self._room if room is None else room
        held = self._session.reserve(prompt_tokens=prompt, completion_tokens=room, price=self._source.price)
        how = self._sampled
        request = Request(
            messages,
            how.temperature,
            how.top_p,
            held.completion_tokens,
            self._seed(),
            tools=tools,
            replicate=self._task.nonce,
        )
        plain = request.plain()
        try:
            reply = await self._reply(request, plain)
        except BaseException:
            held.release()
            raise
        reply = self._with_own_ids(reply)
        usage = usage_of(reply)
        self._record(plain, reply, usage)
        if usage is None and reply.error is not None and reply.error not in REPLIED:
            held.release()
        else:
            held.settle(usage, free=reply.cached)
        return reply

    async def _canary(self) -> Reply:
        """What the fixed prompt brings back. One question serves many refusals, so it is no part of any budget; it goes
        on record wherever it decided."""
        plain = CANARY.plain()
        if self._source.recording is not None:
            reply = await self._reply(CANARY, plain)
        else:
            reply = (await canary_of(self._source.model).judge(self._source.model)).reply
        self._record(plain, reply, None)
        return reply

    def _prompt_tokens(self, messages: tuple[Message, ...], tools: tuple[ModelTool, ...]) -> int:
        """At most so many tokens has the next prompt: as counted, and what came since as estimated."""
        if messages is CANARY.messages or self._known is None:
            return estimated_prompt(messages, tools)
        number, counted = self._known
        return counted + estimated_prompt(messages[number:])

    def _count(self, messages: tuple[Message, ...], reply: Reply) -> None:
        # The reply is the next message: what it had as a completion, it has as part of a prompt.
        if reply.prompt_tokens is not None and reply.completion_tokens is not None:
            self._known = (len(messages) + 1, reply.prompt_tokens + reply.completion_tokens)

    def _seed(self) -> int:
        # From the nonce, which differs between episodes and replicates and says nothing of either; below 2^31.
        seed = (int(self._task.nonce[:6] or "0", 16) << 7) + self._number % 128
        self._number += 1
        return seed

    async def _reply(self, request: Request, plain: dict[str, Any]) -> Reply:
        recording = self._source.recording
        if recording is None:
            with owing(self._source.name):
                return await self._source.model.ask(request)
        digest = request_digest(plain)
        ordinal = self._asked.get(digest, 0)
        self._asked[digest] = ordinal + 1
        return recording.reply(self._task.nonce, plain, ordinal)

    def _with_own_ids(self, reply: Reply) -> Reply:
        """The reply with ids of ours: a provider's are random, sometimes empty or given twice, and would be the only
        thing in which two equal conversations differ. Nine letters and digits is what every interface takes."""
        calls = []
        for call in reply.calls:
            self._calls += 1
            calls.append(ModelCall(f"call{self._calls:05d}", call.name, call.arguments))
        return msgspec.structs.replace(reply, calls=tuple(calls)) if calls else reply

    def _record(self, plain: dict[str, Any], reply: Reply, usage: Usage | None) -> None:
        price = None if reply.cached else self._source.price
        details = reply.details() | charged(usage, price)
        if reply.error is not None:
            details["error"] = reply.error
        if reply.parameter:
            details["parameter"] = reply.parameter
        for name in ("temperature", "top_p"):
            if name in plain:
                details[name] = repr(plain[name])
        if self._source.recording is not None:
            details["replayed"] = True
        calls = tuple(call.plain() for call in reply.calls)
        exchange = Exchange(self._source.name, plain, reply.text, reply.error, details, calls, reply.kept)
        self._session.record_exchange(exchange)
