"""Sending a request and reading its answer: one pool of connections per event loop, shared by every model in it.

Certificates and proxies are those of the environment. Redirects are not followed: a key goes to the address that was
named and to no other. An attempt ends after its time however slowly bytes drip in, and no answer grows beyond its
limit, packed or not.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final
from weakref import WeakKeyDictionary

from proctor.core.errors import InputError
from proctor.models.http.answer import Answer, asked_to_wait, unpacked

LONGEST_BODY: Final = 16_000_000
"""Bytes read of an answer; beyond that it is none."""

_HEADERS: Final = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}

_ENVIRONMENT: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")


class _Pool:
    """The connections of one loop, and how many models use them."""

    def __init__(self) -> None:
        self.client = _new_client()
        self.users = 0


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, _Pool] = WeakKeyDictionary()


class HttpClient:
    """One model's way to the connections of the loop it is asked in."""

    def __init__(self) -> None:
        self._pool: _Pool | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def post(self, url: str, body: bytes, headers: dict[str, str], *, seconds: float) -> Answer:
        """One attempt. Never raises for what happens on the way."""
        import httpx

        client = self._connected().client
        try:
            async with (
                asyncio.timeout(seconds),
                client.stream("POST", url, content=body, headers={**_HEADERS, **headers}) as response,
            ):
                found = await _body(response)
        except (TimeoutError, httpx.TimeoutException):
            return Answer(trouble="timeout")
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError):
            return Answer(trouble="connection")
        wait = asked_to_wait(response.headers.get("retry-after", "")) if response.status_code >= 400 else None
        if found is None:
            return Answer(response.status_code, b"", wait, None if response.status_code >= 400 else "unreadable")
        return Answer(response.status_code, found, wait)

    def connections(self) -> Any:
        """The connections of the running loop, for replies that are passed on as they come. Not to be closed."""
        return self._connected().client

    def _connected(self) -> _Pool:
        loop = asyncio.get_running_loop()
        if self._pool is None or self._loop is not loop:
            # Connections belong to the loop they were made in.
            self._pool = _pools.get(loop) or _pools.setdefault(loop, _Pool())
            self._pool.users += 1
            self._loop = loop
        return self._pool

    async def close(self) -> None:
        """Let go of the connections; the last model of a loop closes them."""
        pool, loop = self._pool, self._loop
        self._pool = self._loop = None
        if pool is None or loop is not asyncio.get_running_loop():
            return
        pool.users -= 1
        if pool.users == 0:
            _pools.pop(loop, None)
            await pool.client.aclose()


async def _body(response: Any) -> bytes | None:
    """The whole body, unpacked; None where it is longer than an answer may be."""
    pieces: list[bytes] = []
    size = 0
    async for piece in response.aiter_raw():
        size += len(piece)
        if size > LONGEST_BODY:
            return None
        pieces.append(piece)
    encoding = response.headers.get("content-encoding", "").strip().lower()
    return unpacked(b"".join(pieces), encoding, LONGEST_BODY)


def _new_client() -> Any:
    import httpx

    try:
        return httpx.AsyncClient(
            # An attempt is timed as a whole; how many are under way at once is decided before they get here.
            timeout=None,  # noqa: S113
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=30.0),
            follow_redirects=False,
        )
    except (ImportError, ValueError, OSError):
        message = (
            "no connection can be made with the proxies and certificates the environment names; "
            "see HTTPS_PROXY, ALL_PROXY and SSL_CERT_FILE"
        )
        raise InputError(message) from None


def require_environment() -> None:
    """Refuse proxies and certificates of the environment with which no client can be made. Contacts nobody."""
    if any(os.environ.get(name) or os.environ.get(name.lower()) for name in _ENVIRONMENT):
        _new_client()
