"""From a request of the agent's to the provider and back: tried again where that may help, and blamed where it must be.

What fails for a passing reason (408, 429, 5xx, a lost connection) is sent again, as often and as late as the provider
bears, while nothing has come back yet. What is left is the agent's own affair and is passed on, unless the provider
answers nobody: that is asked with a small fixed question of the bench's own. So an agent whose request is refused for
what it says cannot have its episode excluded.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

import httpx
import msgspec
from msgspec import Struct

from proctor.agents.contract import ServiceFailure
from proctor.agents.model_proxy.interfaces import Interface
from proctor.agents.model_proxy.upstream import BrokenOff, Reply, Trouble, attempt
from proctor.models.http.capacity import Capacity, Permit, capacity_of
from proctor.spec.own_models import OwnModel

_ATTEMPTS: Final = 4
_SILENT_ATTEMPTS: Final = 2
"""A model that keeps silent is waited for twice: each time takes as long as the whole patience."""
_PATIENCE: Final = 300.0
"""Seconds for which a request that is turned away is sent again."""
PAUSES: Final = (0.5, 2.0, 8.0)
_TURNED_AWAY: Final = (429, 503, 529)
_REFUSED: Final = (401, 403, 404)
_CANARIES: Final = 3
_CANARY_SECONDS: Final = 60
_MAX_ERROR: Final = 1 << 16


class Failure(Struct, frozen=True):
    """The last attempt at a request that brought no reply."""

    status: int | None
    """None: there was no answer at all."""
    body: bytes = b""
    wait: float | None = None
    trouble: Trouble | None = None
    attempts: int = 1

    @property
    def passing(self) -> bool:
        """Whether it may go well next time."""
        return self.status is None or self.status == 408 or self.status in _TURNED_AWAY or self.status >= 500

    @property
    def doubtful(self) -> bool:
        """Whether it may be the provider's or the key's fault rather than the request's."""
        return self.passing or self.status in _REFUSED

    @property
    def words(self) -> str:
        """What happened, in a few words that say nothing of the provider's own."""
        if self.status is None:
            return "it did not answer in time" if self.trouble == "timeout" else "it cannot be reached"
        return f"HTTP {self.status}"


class Begun(Struct, frozen=True):
    """A reply that has begun, and at which attempt."""

    reply: Reply
    attempts: int


class Forwarding:
    """Sends requests to the models of one agent."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._asking = asyncio.Lock()
        self._free = asyncio.Event()
        self._free.set()
        self._verdicts: dict[str, tuple[float, ServiceFailure | None]] = {}

    @asynccontextmanager
    async def send(
        self, model: OwnModel, interface: Interface, body: bytes, headers: dict[str, str]
    ) -> AsyncIterator[Begun | Failure]:
        """The reply of the attempt that went well, or how the last one failed."""
        capacity = capacity_of(model.address)
        await self._free.wait()
        began, number = monotonic(), 0
        while True:
            number += 1
            permit = await capacity.acquire(again=number > 1)
            outcome = await self._attempt(capacity, permit, model, interface, body, headers)
            if isinstance(outcome, Reply):
                try:
                    yield Begun(outcome, number)
                finally:
                    capacity.succeeded(permit)
                    await outcome.close()
                return
            if not self._again(outcome, number, began):
                yield msgspec.structs.replace(outcome, attempts=number)
                return
            if outcome.status not in _TURNED_AWAY:
                await asyncio.sleep(PAUSES[min(number, len(PAUSES)) - 1])

    async def verdict(
        self, model: OwnModel, interface: Interface, failure: Failure, since: float
    ) -> ServiceFailure | None:
        """Whose fault a doubtful failure is: None where the provider answers a fixed question, so that it is the
        request's own. `since` is when the request was made; an answer that came later holds for it too."""
        async with self._asking:
            known = self._verdicts.get(model.label)
            if known is not None and known[0] >= since:
                return known[1]
            self._free.clear()
            try:
                found = await self._ask_canary(model, interface, failure)
            finally:
                self._free.set()
            self._verdicts[model.label] = (monotonic(), found)
            return found

    async def _ask_canary(self, model: OwnModel, interface: Interface, failure: Failure) -> ServiceFailure | None:
        body = msgspec.json.encode(interface.canary(model.name))
        patient = model.model_copy(update={"timeout": min(model.timeout, _CANARY_SECONDS)})
        last = failure
        for number in range(_CANARIES):
            outcome = await attempt(self._client, patient, interface, body, {})
            if isinstance(outcome, Reply):
                whole = outcome.status < 400 and await _gets_to_its_end(outcome)
                status, wait = outcome.status, outcome.wait
                await outcome.close()
                # A server that only minds how it is asked is there, and knows the key.
                if whole or status in (400, 413, 422):
                    return None
                last = Failure(status if status >= 400 else None, wait=wait, trouble="connection")
            else:
                last = Failure(None, trouble=outcome)
            if last.status in _REFUSED:
                break
            if number + 1 < _CANARIES:
                # An agent that used up a provider's rate limit by itself must not profit: a minute later it is there.
                pause = PAUSES[min(number + 1, len(PAUSES) - 1)]
                await asyncio.sleep(max(pause, last.wait or 0.0))
        if last.status in _REFUSED:
            why = {401: "refuses the key", 403: "forbids this key to use the model", 404: "knows no such model"}
            message = f"{model.label}: the provider {why[last.status or 0]} ({last.words}); see system.models"
            return ServiceFailure("model_refused", message, final=True)
        return ServiceFailure("model_unavailable", f"{model.label}: {last.words}")

    async def _attempt(
        self,
        capacity: Capacity,
        permit: Permit,
        model: OwnModel,
        interface: Interface,
        body: bytes,
        headers: dict[str, str],
    ) -> Reply | Failure:
        """One attempt; where it is a reply, the permit is still held."""
        try:
            outcome = await attempt(self._client, model, interface, body, headers)
            if not isinstance(outcome, Reply):
                failure = Failure(None, trouble=outcome)
            elif outcome.status < 400:
                return outcome
            else:
                said = await outcome.beginning(_MAX_ERROR)
                await outcome.close()
                failure = Failure(outcome.status, said, outcome.wait)
        except BaseException:
            capacity.abandoned(permit)
            raise
        if failure.status in _TURNED_AWAY:
            capacity.rejected(permit, failure.wait)
        elif failure.status is None:
            capacity.abandoned(permit)
        else:
            capacity.succeeded(permit)
        return failure

    def _again(self, failure: Failure, number: int, began: float) -> bool:
        if not failure.passing:
            return False
        if failure.trouble == "timeout":
            return number < _SILENT_ATTEMPTS
        if failure.status in _TURNED_AWAY:
            return monotonic() - began < _PATIENCE and (number < _ATTEMPTS or failure.status == 429)
        return number < _ATTEMPTS


async def _gets_to_its_end(reply: Reply) -> bool:
    try:
        async for _ in reply.pieces():
            pass
    except BrokenOff:
        return False
    return True
