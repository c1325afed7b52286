"""One attempt at a provider: a status and the bytes of the reply as they come, or why there are none."""

from __future__ import annotations

import os
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Literal

from proctor.agents.model_proxy.interfaces import Interface
from proctor.models.http.answer import asked_to_wait
from proctor.spec.own_models import OwnModel

if TYPE_CHECKING:
    import httpx

MAX_REPLY: Final = 64 << 20
"""Bytes of a reply, unpacked; what is longer breaks off there."""
_PIECE: Final = 1 << 16
_CONNECT_SECONDS: Final = 15.0
_HEADERS: Final = {"content-type": "application/json", "accept-encoding": "identity", "user-agent": "proctor"}
_MAX_HEADER: Final = 1000

Trouble = Literal["timeout", "connection"]


class BrokenOff(Exception):
    """The reply did not get to its end."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


class Reply:
    """A reply that has begun. To be closed."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.wait = asked_to_wait(response.headers.get("retry-after", "")) if self.status >= 400 else None
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        self.events = kind == "text/event-stream"

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body, unpacked. Raises `BrokenOff` where it ends too early, or does not end."""
        import httpx

        total = packed = 0
        unpack = _unpacking(self._response.headers.get("content-encoding", "").strip().lower())
        try:
            async for piece in self._response.aiter_raw():
                # What follows the end of a packed body unpacks to nothing, and must not go on for ever either.
                packed += len(piece)
                if packed > MAX_REPLY:
                    raise BrokenOff("connection")
                for plain in unpack(piece):
                    total += len(plain)
                    if total > MAX_REPLY:
                        raise BrokenOff("connection")
                    yield plain
        except httpx.TimeoutException:
            raise BrokenOff("timeout") from None
        except (httpx.HTTPError, httpx.StreamError, OSError, zlib.error):
            raise BrokenOff("connection") from None

    async def beginning(self, most: int) -> bytes:
        """The first bytes of the body, for an error; empty where nothing can be read."""
        found = bytearray()
        with suppress(BrokenOff):
            async for piece in self.pieces():
                found += piece
                if len(found) >= most:
                    break
        return bytes(found[:most])

    async def close(self) -> None:
        """Let go of the connection."""
        await self._response.aclose()


async def attempt(
    client: httpx.AsyncClient, model: OwnModel, interface: Interface, body: bytes, headers: dict[str, str]
) -> Reply | Trouble:
    """Send a request once."""
    import httpx

    told = {**_HEADERS, **_passed_on(interface, headers), **_key(model)}
    patience = httpx.Timeout(model.timeout, connect=min(_CONNECT_SECONDS, model.timeout), pool=None)
    try:
        request = client.build_request("POST", model.address + interface.path, content=body, headers=told)
        request.extensions["timeout"] = patience.as_dict()
        return Reply(await client.send(request, stream=True))
    except httpx.TimeoutException:
        return "timeout"
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
        return "connection"


def key_of(model: OwnModel) -> str | None:
    """The key of a model, read anew each time."""
    variable = model.key_variable
    return None if variable is None else os.environ.get(variable, "").strip() or None


def _key(model: OwnModel) -> dict[str, str]:
    key = key_of(model)
    if key is None:
        return {}
    return {"x-api-key": key} if model.provider == "anthropic" else {"authorization": f"Bearer {key}"}


def _passed_on(interface: Interface, headers: dict[str, str]) -> dict[str, str]:
    found = {name: headers[name] for name in interface.headers if name in headers}
    found = {name: value for name, value in found.items() if len(value) <= _MAX_HEADER and value.isprintable()}
    return found if interface.provider != "anthropic" else {"anthropic-version": "2023-06-01", **found}


def _unpacking(encoding: str) -> Any:
    """A function that gives the plain pieces of a packed one, none of them large however far it unpacks."""
    if encoding in ("", "identity"):
        return lambda piece: (piece,)
    # Nothing compressed was asked for. Some gateways compress all the same.
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)

    def unpack(piece: bytes) -> Any:
        while piece and not unpacker.eof:
            yield unpacker.decompress(piece, _PIECE)
            piece = unpacker.unconsumed_tail

    return unpack
