"""Asking a model during an episode: what was asked and what came back go on record, tokens are reported as spent.

Where the process replays a run, nobody is asked: the reply is the one on record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from proctor.agents.contract import AgentFailure, ServiceFailure, Session, SetAside
from proctor.agents.model_service import REPLIED, ModelService, owing
from proctor.agents.structured.parsing import Parsed, parse
from proctor.core.errors import BenchError
from proctor.models.canary import CANARY, canary_of, is_refusal
from proctor.models.charging import amount_text, charged, cost_of, estimated_prompt, usage_of
from proctor.models.contract import ChatModel, Message, Reply, Request, refusal_of, request_digest
from proctor.models.filler import units_to_fill, with_filler
from proctor.models.prices import Price
from proctor.models.recorded import Recording
from proctor.spec.exchange import Exchange
from proctor.spec.task import TaskView


class Source:
    """Where replies come from, for one process: a model, opened when it is first asked, or a recording."""

    def __init__(
        self,
        name: str,
        open_model: Callable[[], ChatModel],
        recording: Recording | None = None,
        price: Price | None = None,
        thoughts: int = 0,
    ) -> None:
        self.name = name
        self.recording = recording
        self.price = price
        """None: nobody said what it costs."""
        self.thoughts = thoughts
        """Completion tokens on top of an answer's, where nobody says how many there are."""
        self._open = open_model
        self._model: ChatModel | None = None
        self.service = ModelService(name)

    @property
    def model(self) -> ChatModel:
        if self._model is None:
            self._model = self._open()
        return self._model

    async def release(self) -> None:
        """Let go of the model; it is opened anew if it is asked again."""
        model, self._model = self._model, None
        if model is not None:
            await model.close()


class SamplingSettings(Struct, frozen=True):
    """How one conversation is sampled."""

    temperature: float | None
    top_p: float | None
    tokens: int
    exact: bool = False
    prompt_tokens: int = 1024
    """With `exact`: how many tokens a prompt is filled up to."""
    form: dict[str, Any] | None = None
    """The schema that replies are held to."""


class Turns:
    """The exchanges of one episode."""

    __slots__ = ("_asked", "_number", "_session", "_source", "_task")

    def __init__(self, source: Source, task: TaskView, session: Session) -> None:
        self._source = source
        self._task = task
        self._session = session
        self._number = 0
        self._asked: dict[str, int] = {}

    @property
    def thoughts(self) -> int:
        """Completion tokens to be added to an answer's room."""
        return self._source.thoughts

    async def ask(self, messages: tuple[Message, ...], how: SamplingSettings) -> Parsed:
        """One reply, taken apart. Raises `ServiceFailure` where none came."""
        request = Request(
            messages,
            how.temperature,
            how.top_p,
            how.tokens,
            self._seed(),
            how.exact,
            how.form,
            replicate=self._task.nonce,
        )
        self._source.service.require_hope()
        if how.exact:
            request = self._filled(request, how.prompt_tokens)
        held = self._set_aside(request)
        if held is not None and held.completion_tokens < how.tokens:
            request = msgspec.structs.replace(request, max_tokens=held.completion_tokens)
        plain = request.plain()
        try:
            reply = await self._reply(request, plain)
        except BaseException:
            if held is not None:
                held.release()
            raise
        parsed = parse(reply.text)
        self._record(plain, reply, parsed)
        self._charge(reply, held)
        if is_refusal(reply) and (reply.error not in REPLIED or (reply.status or 0) >= 400):
            await self._require_service()
            said = "the provider refuses this request and takes others"
            raise AgentFailure("request_refused", said)
        self._source.service.require_reply(reply)
        return parsed

    async def _require_service(self) -> None:
        """Return where the model answers a fixed prompt: what was refused is this request, which is the agent's doing.
        Else raises `ServiceFailure`, which ends the run where that is refused as well."""
        plain = CANARY.plain()
        if self._source.recording is not None:
            reply = await self._reply(CANARY, plain)
        else:
            reply = (await canary_of(self._source.model).judge(self._source.model)).reply
        self._record(plain, reply, parse(reply.text))
        if is_refusal(reply):
            said = refusal_of(self._source.name, reply) or (
                f"{self._source.name}: the provider refuses even the simplest request (HTTP {reply.status}); see the "
                "model's name, its options and what the server supports"
            )
            raise ServiceFailure("model_refused", said, final=True)
        self._source.service.require_reply(reply)

    def _set_aside(self, request: Request) -> SetAside | None:
        """What the request may use at most, where anything limits that; it costs as much as a short episode."""
        session: Any = self._session
        if not session.limits_models:
            return None
        prompt = estimated_prompt(request.messages)
        held: SetAside = session.reserve(
            prompt_tokens=prompt, completion_tokens=request.max_tokens, price=self._source.price
        )
        return held

    def _charge(self, reply: Reply, held: SetAside | None) -> None:
        usage = usage_of(reply)
        if held is not None:
            if usage is None and reply.error is not None:
                held.release()
            else:
                held.settle(usage, free=reply.cached)
        elif usage is not None:
            price = None if reply.cached else self._source.price
            cost = None if price is None else amount_text(cost_of(usage, price))
            self._session.spend(tokens=usage.tokens, cost=cost)

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

    def _filled(self, request: Request, target: int) -> Request:
        recording = self._source.recording
        if recording is not None:
            units = recording.filler(self._task.nonce, request.plain())
        else:
            units = units_to_fill(request.messages, self._count, target)
        messages = with_filler(request.messages, units)
        return msgspec.structs.replace(request, messages=messages)

    def _count(self, text: str) -> int:
        number = self._source.model.tokens(text)
        if number is None:
            message = (
                f"{self._source.name} cannot count its tokens, which exact budgets need; use a local or simulated model"
            )
            raise BenchError(message)
        return number

    def _record(self, plain: dict[str, Any], reply: Reply, parsed: Parsed) -> None:
        details = reply.details() | charged(usage_of(reply), None if reply.cached else self._source.price)
        details["parse"] = parsed.status
        if reply.error is not None:
            details["error"] = reply.error
        for name in ("temperature", "top_p"):
            if name in plain:
                details[name] = repr(plain[name])
        if plain.get("exact"):
            # It ended where it was told to: nothing was cut off.
            details["exact"] = True
        if self._source.recording is not None:
            details["replayed"] = True
        records: Any = self._session
        records.record_exchange(Exchange(self._source.name, plain, reply.text, reply.error, details))
