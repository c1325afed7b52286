"""A model behind HTTP: one request until an answer counts.

Only the way is tried again, never the content: what a provider answered is its answer. Time-outs, lost connections and
failures of the server (408, 5xx) are tried again a few times with growing pauses; being turned away for asking too much
(429, 529) is waited out together with all others who ask the same endpoint. Every attempt is counted.
"""

from __future__ import annotations

import asyncio
from time import monotonic, perf_counter_ns
from typing import Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from proctor.models.connection import Connection
from proctor.models.contract import InterfaceError, Reply, Request
from proctor.models.http.answer import Answer
from proctor.models.http.capacity import Capacity, OutOfPatienceError, Permit, capacity_of
from proctor.models.http.client import HttpClient
from proctor.models.http.refusing import refused

_LONGEST_PAUSE: Final = 20.0
_SHARE: Final = 0.5
"""Of the patience: how long what one request was answered may hold others."""
_TOO_MUCH: Final = (429, 529)
_PASSING: Final = ("timeout", "connection", "http_5xx")


class Interface(Protocol):
    """How one provider words requests and replies. Holds no connection and no key."""

    path: str

    def headers(self, key: str | None) -> dict[str, str]:
        """What authenticates a request."""
        ...

    def body(self, request: Request, connection: Connection) -> dict[str, Any]:
        """The request as this interface words it."""
        ...

    def read(self, answer: Any) -> Reply:
        """A reply from decoded JSON of any shape, or the interface error that it is."""
        ...


class Endpoint:
    """A chat model at the other end of a connection."""

    def __init__(self, interface: Interface, connection: Connection, *, name: str) -> None:
        self.name = name
        self._interface = interface
        self._connection = connection
        self._http = HttpClient()
        self._url = connection.base_url.rstrip("/") + interface.path

    async def ask(self, request: Request) -> Reply:
        connection = self._connection
        body = msgspec.json.encode(self._interface.body(request, connection))
        capacity = capacity_of(
            f"{self.name} at {connection.base_url}", most=connection.at_once, first_pause=connection.first_pause
        )
        pause, attempts, failures, waited = connection.first_pause, 0, 0, 0
        patience = connection.patience
        turned_away: float | None = None
        limited = Reply(None, error="rate_limit")
        slept, began = 0.0, monotonic()
        while True:
            try:
                permit = await capacity.acquire(again=turned_away is not None, patience=patience)
            except OutOfPatienceError:
                return replace(limited, attempts=attempts, waited_ms=_ms_since(began), **capacity.details())
            waited += permit.waited_ms
            attempts += 1
            reply, wait = await self._attempt(request, body, capacity, permit)
            if reply.error == "rate_limit":
                # Known since when: the first time it was turned away.
                turned_away, limited = turned_away or monotonic(), reply
                patience = connection.patience - (monotonic() - turned_away)
                if max(capacity.pause, wait or 0.0) < patience:
                    continue
            elif reply.error in _PASSING and failures < connection.retries:
                failures += 1
                # The pause is ours, and what a server asks for beyond it ends with the patience.
                asked = min(wait or 0.0, connection.patience - slept)
                slept += max(pause, asked)
                await asyncio.sleep(max(pause, asked))
                pause = min(_LONGEST_PAUSE, 2 * pause)
                continue
            return replace(reply, attempts=attempts, waited_ms=waited or None, **capacity.details())

    async def _attempt(
        self, request: Request, body: bytes, capacity: Capacity, permit: Permit
    ) -> tuple[Reply, float | None]:
        """One attempt, and how long the server asks to wait before the next."""
        key = self._connection.key
        began = perf_counter_ns()
        answer: Answer | None = None
        try:
            answer = await self._http.post(
                self._url, body, self._interface.headers(key), seconds=self._connection.timeout
            )
        finally:
            if answer is None or answer.trouble is not None:
                capacity.abandoned(permit)
        latency_ms = (perf_counter_ns() - began) // 1_000_000
        if answer.trouble is None:
            reply = self._read(request, answer)
            if reply.error == "rate_limit":
                # All who ask here are held by it: a part of their patience, so that each still gets to ask.
                capacity.rejected(permit, min(answer.wait or 0.0, _SHARE * self._connection.patience))
            else:
                capacity.succeeded(permit)
        else:
            reply = _troubled(answer)
        return replace(reply, latency_ms=latency_ms), answer.wait

    def _read(self, request: Request, answer: Answer) -> Reply:
        status = answer.status
        if 200 <= status < 300:
            return self._connection.secret.out_of(self._interface.read(answer.json()))
        # Only a name and the number: a provider's words may repeat the key.
        named = refused(request, status, answer.json())
        if named is not None:
            return named
        return Reply(None, error="rate_limit" if status in _TOO_MUCH else _kind_of(status), status=status)

    def tokens(self, text: str) -> int | None:
        """Nobody can say: the interface has no tokeniser."""
        return None

    async def close(self) -> None:
        await self._http.close()


def _troubled(answer: Answer) -> Reply:
    error: InterfaceError = "payload_not_object" if answer.trouble == "unreadable" else answer.trouble or "connection"
    return Reply(None, error=error)


def _ms_since(began: float) -> int:
    return int(1000 * (monotonic() - began))


def _kind_of(status: int) -> InterfaceError:
    if status == 408:
        return "timeout"
    return "http_5xx" if status >= 500 else "http_4xx"
