"""Connections to services, and what goes wrong with them, classified.

Before a lifetime's first task the service is greeted. One that cannot be reached then was told nothing yet: that is
infrastructure (`ServiceFailure`), and the fifth time in a row the run stops. Once it has answered, whatever goes wrong
is the agent's failure, or a service could turn tasks that it does not like into exclusions. A service that refuses the
key, has nothing at this address, or sends the bench elsewhere in answer to its first task is given a fixed task that is
nobody's: where it takes that, it refused the task, which is its failure; where it does not, the run stops.

Lifetimes that are lived at once in one event loop share its connections; cookies are each lifetime's own.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from http import HTTPStatus
from typing import Final
from weakref import WeakKeyDictionary

import httpx

from proctor.agents.contract import AgentFailure, ServiceFailure
from proctor.agents.http_service.address import Address
from proctor.agents.http_service.protocol import ACCEPTED, turn_document
from proctor.agents.process.scrub import Scrub
from proctor.agents.process.wire import MAX_EPISODE_BYTES, MiB, Ready, decode, observation_message, task_message
from proctor.spec.condition import Sampling
from proctor.spec.task import NO_LIMITS, Observation, TaskView

_GREETING_SECONDS: Final = 10.0
_GREETING_BYTES: Final = 64 * 1024
_CONNECT_SECONDS: Final = 10.0
_IDLE_SECONDS: Final = 1.0
"""Connections idle for longer are not used again: many servers close theirs after two to five seconds, and a task that
is sent at that moment would be lost."""
_MISSES: Final = 5
_MISCONFIGURED: Final = frozenset({401, 403, 404, 405, 410, 415})


class ServiceGone(AgentFailure):
    """It was there and does not serve this episode any longer. Where a limit was reached before, that ended it."""


class _Pool:
    """The connections of one event loop, closed with the last lifetime that uses them."""

    def __init__(self, tls: bool) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100, keepalive_expiry=_IDLE_SECONDS)
        self.transport = httpx.AsyncHTTPTransport(verify=_context(tls), limits=limits)
        self.leases = 0


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[bool, _Pool]] = WeakKeyDictionary()
"""By event loop, and whether they are for TLS."""
_misses: dict[str, int] = {}


def forget_misses(address: Address) -> None:
    """Count anew how often in a row the service could not be reached."""
    _misses.pop(address.url, None)


class ServiceClient:
    """One lifetime's way to its service."""

    def __init__(self, address: Address, scrub: Scrub) -> None:
        self._address = address
        self._scrub = scrub
        self._headers = {**address.headers(), "Accept-Encoding": "identity", "User-Agent": "proctor"}
        self._tls = address.url.startswith("https:")
        self._pool: _Pool | None = None
        self._client: httpx.AsyncClient | None = None
        self._accepted = False
        """It took a task of this lifetime."""

    async def greet(self) -> bool:
        """Ask whether the service is there; whether it says that it remembers. Raises `ServiceFailure`."""
        try:
            async with asyncio.timeout(_GREETING_SECONDS):
                async with self._at_hand().stream("GET", self._address.url, headers=_asking()) as response:
                    body = await _beginning(response)
        except (httpx.HTTPError, OSError, TimeoutError) as error:
            raise self._unreachable(error) from None
        return self._greeted(response, body)

    def greet_now(self) -> bool:
        """The same without an event loop: blocks."""
        try:
            with (
                self._blocking(_GREETING_SECONDS) as client,
                client.stream("GET", self._address.url, headers=_asking()) as response,
            ):
                body = b""
                for piece in response.iter_raw():
                    body += piece
                    if len(body) > _GREETING_BYTES:
                        break
        except (httpx.HTTPError, OSError) as error:
            raise self._unreachable(error) from None
        return self._greeted(response, body)

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncIterator[httpx.Response]:
        """Post a turn and give the reply, whose body is still to be read. Raises `AgentFailure`, `ServiceFailure`."""
        headers = {"Accept": ACCEPTED, "Content-Type": "application/json"}
        try:
            async with self._at_hand().stream("POST", self._address.url, content=body, headers=headers) as response:
                if self._may_be_misconfigured(response) and await self._takes_tasks():
                    # It is there, and knows the key: it refuses this task, and that is its own doing.
                    self._accepted = True
                self._judge(response)
                yield response
        except httpx.HTTPError as error:
            raise _gone(error) from None

    async def _takes_tasks(self) -> bool:
        """Whether the service takes a fixed task that is nobody's, in a lifetime of its own."""
        headers = {"Accept": ACCEPTED, "Content-Type": "application/json"}
        try:
            async with (
                asyncio.timeout(_GREETING_SECONDS),
                self._at_hand().stream("POST", self._address.url, content=_canary(), headers=headers) as response,
            ):
                return 200 <= response.status_code < 300
        except (httpx.HTTPError, OSError, TimeoutError):
            return False

    def _may_be_misconfigured(self, response: httpx.Response) -> bool:
        status = response.status_code
        return not self._accepted and (status in _MISCONFIGURED or 300 <= status < 400)

    def post_now(self, body: bytes, seconds: float) -> bytes:
        """Post a document between episodes and give the reply. Blocks. Raises `AgentFailure`."""
        headers = {**_asking(), "Content-Type": "application/json"}
        reply = bytearray()
        try:
            with (
                self._blocking(seconds) as client,
                client.stream("POST", self._address.url, content=body, headers=headers) as response,
            ):
                self._judge(response)
                for piece in response.iter_raw():
                    reply += piece
                    if len(reply) > MAX_EPISODE_BYTES:
                        message = f"the service's memory is larger than {MAX_EPISODE_BYTES // MiB} MiB"
                        raise AgentFailure("agent_protocol", message)
        except httpx.HTTPError as error:
            raise _gone(error) from None
        return bytes(reply)

    async def close(self) -> None:
        """Let go of the connections; the last one closes them."""
        pool, self._pool, self._client = self._pool, None, None
        if pool is not None:
            pool.leases -= 1
            if pool.leases == 0:
                _pools[asyncio.get_running_loop()].pop(self._tls, None)
                await pool.transport.aclose()

    def _at_hand(self) -> httpx.AsyncClient:
        if self._client is None:
            pools = _pools.setdefault(asyncio.get_running_loop(), {})
            self._pool = pools.get(self._tls) or pools.setdefault(self._tls, _Pool(self._tls))
            self._pool.leases += 1
            # Seconds for a reply are counted as a whole elsewhere: a drop now and then would start this count anew.
            timeout = httpx.Timeout(None, connect=_CONNECT_SECONDS)
            self._client = httpx.AsyncClient(
                transport=self._pool.transport,
                headers=self._headers,
                timeout=timeout,
                trust_env=False,
            )
        return self._client

    def _blocking(self, seconds: float) -> httpx.Client:
        cookies = None if self._client is None else self._client.cookies
        return httpx.Client(
            headers=self._headers, cookies=cookies, timeout=seconds, verify=_context(self._tls), trust_env=False
        )

    def _greeted(self, response: httpx.Response, body: bytes) -> bool:
        status = response.status_code
        # Not implemented, not found or not allowed: somebody is there, who has nothing to say to a GET.
        if status >= 500 and status != HTTPStatus.NOT_IMPLEMENTED:
            raise self._missed(f"the service at {self._address.url} answers {_status(status)}")
        if status in (401, 403) or 300 <= status < 400:
            raise self._misconfigured(response)
        _misses.pop(self._address.url, None)
        if status != HTTPStatus.OK:
            return False
        try:
            message = decode(body)
        except AgentFailure:
            return False
        return isinstance(message, Ready) and message.remembers

    def _judge(self, response: httpx.Response) -> None:
        status = response.status_code
        if 200 <= status < 300:
            self._accepted = True
            return
        if self._may_be_misconfigured(response):
            raise self._misconfigured(response)
        said = "a redirect, which is not followed" if 300 <= status < 400 else _status(status)
        raise ServiceGone("agent_crashed", f"the service answered {said}")

    def _misconfigured(self, response: httpx.Response) -> ServiceFailure:
        status, url = response.status_code, self._address.url
        variable = self._address.key_variable
        if 300 <= status < 400:
            advice = "redirects, and a key is not sent on; name the address that it redirects to"
        elif status in (401, 403):
            named = (
                "wants a key: name its environment variable with key_env" if variable is None else f"refuses {variable}"
            )
            advice = f"answers {_status(status)}: it {named}"
        else:
            advice = f"answers {_status(status)}; correct the address: tasks are posted to exactly this one"
        return ServiceFailure("server_unavailable", f"the service at {url} {advice}", final=True)

    def _unreachable(self, error: Exception) -> ServiceFailure:
        url = self._address.url
        if _about_certificates(error):
            message = f"the certificate of {url} is not accepted; have SSL_CERT_FILE name the authority that signed it"
            return ServiceFailure("server_unavailable", message, final=True)
        return self._missed(f"no service answers at {url} ({_what(error)}); start it, or correct the address")

    def _missed(self, message: str) -> ServiceFailure:
        url = self._address.url
        _misses[url] = _misses.get(url, 0) + 1
        return ServiceFailure("server_unavailable", self._scrub(message), final=_misses[url] >= _MISSES)


@cache
def _canary() -> bytes:
    """A first turn that asks nothing anybody would decline."""
    task = TaskView("canary", "What is 2 + 3?", "The number alone.", (), NO_LIMITS, "canary", "")
    messages = [task_message(task, Sampling()), observation_message(Observation(0, {}))]
    return turn_document("canary", "canary.0", 0, messages)


@cache
def _context(tls: bool) -> ssl.SSLContext:
    """Reading the certificates of all authorities takes longer than an episode: done once, and not without TLS."""
    return httpx.create_ssl_context() if tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _asking() -> dict[str, str]:
    return {"Accept": "application/json"}


async def _beginning(response: httpx.Response) -> bytes:
    body = b""
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > _GREETING_BYTES:
            break
    return body


def _status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _gone(error: httpx.HTTPError) -> ServiceGone:
    return ServiceGone("agent_unavailable", f"the service stopped answering: {_what(error)}")


def _what(error: Exception) -> str:
    """The kind of trouble, in words that do not change between runs and say nothing of the host."""
    match error:
        case httpx.TimeoutException() | TimeoutError():
            return "it did not answer in time"
        case httpx.ConnectError():
            return "the connection was refused or could not be made"
        case httpx.RemoteProtocolError():
            return "it closed the connection in the middle, or does not speak HTTP"
        case httpx.NetworkError():
            return "the connection broke"
        case httpx.ProtocolError():
            return "it does not speak HTTP"
        case _:
            return type(error).__name__


def _about_certificates(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
