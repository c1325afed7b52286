"""The model traffic of one episode: in the order in which it was asked, within the episode's limits."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from proctor.agents.contract import AgentFailure, ScaffoldSession, ServiceFailure, Session, SetAside
from proctor.agents.model_proxy.interfaces import Heard, Interface
from proctor.agents.model_proxy.limits import Granted, grant
from proctor.agents.process.ports.service import Opened
from proctor.core.errors import BenchError, LimitReached
from proctor.core.hashing import sha256_hex
from proctor.models.charging import Usage, amount_text, cost_of
from proctor.models.contract import request_digest
from proctor.models.prices import price_of
from proctor.spec.exchange import Exchange
from proctor.spec.own_models import OwnModel
from proctor.spec.system import System
from proctor.spec.task import TaskView

MAX_REQUESTS: Final = 10_000
MAX_REFUSED: Final = 1_000
MAX_WHOLE: Final = 4 << 20
"""A longer request goes on record by its hash."""
MAX_RECORDED: Final = 256 << 20
"""Bytes of requests of one episode on record; after that each goes by its hash."""
_END_SECONDS: Final = 10.0
"""For replies that have begun when the agent hands in, so that they are counted."""


class Slot:
    """The place of one exchange on record."""

    __slots__ = ("exchange",)

    def __init__(self) -> None:
        self.exchange: Exchange | None = None


class Traffic:
    """What one episode asks of models."""

    def __init__(self, task: TaskView, session: Session, opened: Opened, system: System) -> None:
        self.nonce = task.nonce
        self._session = session
        self._recorder = session if isinstance(session, ScaffoldSession) else None
        self._opened = opened
        self._system = system
        self._slots: deque[Slot] = deque()
        self._asked: dict[str, int] = {}
        self._requests = 0
        self._refused = 0
        self._recorded = 0
        self._under_way: set[asyncio.Task[Any]] = set()
        self.begun: set[asyncio.Task[Any]] = set()
        """Requests whose reply has begun."""
        self.limit: LimitReached | None = None
        self.trouble: BenchError | AgentFailure | LimitReached | None = None
        """What ends the episode, whatever the agent makes of it."""

    @property
    def open(self) -> bool:
        """Whether the agent may ask: it is at work on the task, not still being loaded."""
        return self._opened.ready()

    def enter(self) -> asyncio.Task[Any]:
        """A request begins to be served, by the running task."""
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        self._requests += 1
        if self._requests > MAX_REQUESTS:
            message = f"the agent made more than {MAX_REQUESTS:,} requests to models in one episode"
            self.trouble = self.trouble or AgentFailure("agent_protocol", message)
        return task

    def leave(self, task: asyncio.Task[Any]) -> None:
        """It has been served."""
        self._under_way.discard(task)
        self.begun.discard(task)

    def slot(self) -> Slot:
        """A place on record, after those taken before."""
        made = Slot()
        self._slots.append(made)
        return made

    def fill(self, slot: Slot, exchange: Exchange) -> None:
        """Put an exchange in its place; it goes on record when those before it have."""
        slot.exchange = exchange
        while self._slots and self._slots[0].exchange is not None:
            self._record(self._slots.popleft().exchange)

    def refused(self, request: dict[str, Any], status: int) -> None:
        """Record a request that was not passed on."""
        self._refused += 1
        if self._refused > MAX_REFUSED:
            message = f"the agent made more than {MAX_REFUSED:,} requests to models that were refused"
            self.trouble = self.trouble or AgentFailure("agent_protocol", message)
            return
        details = {"status": status, "refused_by": "proctor"}
        self.fill(self.slot(), Exchange("", request, None, "http_4xx", details))

    def on_record(self, interface: Interface, body: dict[str, Any], raw: bytes) -> dict[str, Any]:
        """A request as it goes on record."""
        self._recorded += len(raw)
        if len(raw) > MAX_WHOLE or self._recorded > MAX_RECORDED:
            model = body.get("model")
            return {
                "interface": interface.name,
                "model": model[:200] if isinstance(model, str) else None,
                "sha256": sha256_hex(raw),
                "bytes": len(raw),
            }
        return {**body, "interface": interface.name}

    def ordinal(self, request: dict[str, Any]) -> int:
        """How often the same was asked before."""
        digest = request_digest(request)
        self._asked[digest] = self._asked.get(digest, -1) + 1
        return self._asked[digest]

    def grant(self, model: OwnModel, interface: Interface, body: dict[str, Any], raw: bytes) -> Granted | None:
        """What a request may use at most, set aside; None where nothing limits it.

        Raises `LimitReached` where the episode has too little left for it, and `BenchError` where the run has.
        """
        if self._recorder is None:
            return None
        try:
            return grant(self._recorder, interface, body, raw, price_of(model.label, self._system))
        except LimitReached as limit:
            self.reached(limit)
            raise
        except BenchError as over:
            self.trouble = self.trouble or over
            raise

    def spend(self, model: OwnModel, heard: Heard, held: SetAside | None, *, complete: bool) -> None:
        """Count what a reply used."""
        counted = [count for count in (heard.prompt_tokens, heard.completion_tokens) if count is not None]
        if not counted:
            if complete and self._session.budget.tokens is not None:
                message = (
                    f"{model.label} does not say how many tokens it uses, which the limit on tokens needs; "
                    "use a server that does, or a suite without that limit"
                )
                self.trouble = self.trouble or ServiceFailure("model_refused", message, final=True)
            return
        usage = Usage(heard.prompt_tokens or 0, heard.completion_tokens or 0, heard.cached_tokens or 0)
        price = price_of(model.label, self._system)
        try:
            if held is not None:
                held.settle(usage)
            else:
                self._session.spend(
                    tokens=usage.tokens, cost=None if price is None else amount_text(cost_of(usage, price))
                )
        except LimitReached as limit:
            self.reached(limit)

    def reached(self, limit: LimitReached) -> None:
        """A limit was reached: the agent is told, and asks no more."""
        self.limit = self.limit or limit
        try:
            self._opened.refuse(limit)
        except LimitReached as last:
            self.trouble = self.trouble or last

    async def end(self, *, at_once: bool) -> None:
        """The episode is over: what has begun is counted to its end if that is soon, everything else is dropped."""
        if self._under_way:
            if not at_once and self.trouble is None and self.begun:
                await asyncio.wait(self.begun, timeout=_END_SECONDS)
            self.drop()
            await asyncio.wait(self._under_way, timeout=1.0)
        for slot in self._slots:
            self._record(slot.exchange)
        self._slots.clear()

    def drop(self) -> None:
        """End what is under way."""
        for task in self._under_way:
            task.cancel()

    def _record(self, exchange: Exchange | None) -> None:
        if exchange is not None and self._recorder is not None:
            self._recorder.record_exchange(exchange)
