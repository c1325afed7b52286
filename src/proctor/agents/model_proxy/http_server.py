"""As much of an HTTP/1.1 server as clients of models need, for one agent's connections, with every size bounded.

Whatever a client sends, one connection is all that can come to harm. A client that goes away does not end the handling
of its request: what was asked of a provider is to be counted to its end.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import h11
import msgspec
from msgspec import Struct

MiB: Final = 1 << 20
MAX_HEAD: Final = 64 * 1024
MAX_BODY: Final = 32 * MiB
MAX_HELD: Final = 128 * MiB
"""Of all requests of one agent together."""
MAX_CONNECTIONS: Final = 64
REQUEST_SECONDS: Final = 60.0
"""From the first byte of a request to its last."""
WRITE_SECONDS: Final = 60.0
"""For the client to take what was sent to it."""
_PIECE: Final = 1 << 16


class HttpRequest(Struct, frozen=True):
    """One request, whole."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes


class Answering:
    """The way back to a client. Nothing here raises because it has gone away; `gone` then says so."""

    def __init__(self, connection: h11.Connection, writer: asyncio.StreamWriter) -> None:
        self._connection = connection
        self._writer = writer
        self.gone = False
        self.started = False

    async def whole(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """A whole answer."""
        await self.start(status, {"content-length": str(len(body)), **(headers or {})})
        await self.send(body)
        await self.end()

    async def json(self, status: int, value: Any, headers: Mapping[str, str] | None = None) -> None:
        """A whole answer in JSON."""
        told = {"content-type": "application/json", **(headers or {})}
        await self.whole(status, msgspec.json.encode(value), told)

    async def start(self, status: int, headers: Mapping[str, str]) -> None:
        """The head of an answer that comes in pieces; without a length it goes out in chunks."""
        self.started = True
        head = h11.Response(status_code=status, headers=list(headers.items()))
        await self._write(head)

    async def send(self, piece: bytes) -> None:
        """A piece of it."""
        if piece:
            await self._write(h11.Data(data=piece))

    async def end(self) -> None:
        """The end of it."""
        await self._write(h11.EndOfMessage())

    def break_off(self) -> None:
        """Close the connection in the middle, so that the client knows that something is missing."""
        self.gone = True
        self._writer.close()

    async def _write(self, event: h11.Event) -> None:
        if self.gone:
            return
        try:
            data = self._connection.send(event)
            if data:
                self._writer.write(data)
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._writer.drain()
        except (OSError, TimeoutError, h11.LocalProtocolError):
            self.break_off()


Handle = Callable[[HttpRequest, Answering], Awaitable[None]]
Refuse = Callable[[int, str, Answering], Awaitable[None]]


class HttpServer:
    """Serves the connections that one listening socket brings."""

    def __init__(self, handle: Handle, refuse: Refuse) -> None:
        """`refuse` answers what is no request that could be handled: it gets a status and one sentence."""
        self._handle = handle
        self._refuse = refuse
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._held = 0

    async def open(self, listening: socket.socket) -> None:
        """Serve from now on; the socket is closed together with this."""
        self._server = await asyncio.start_server(self._connected, sock=listening, limit=MAX_HEAD)

    def close(self) -> None:
        """Serve nobody any more. What is under way ends as soon as the loop goes on."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._tasks:
            task.cancel()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._live(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        # Not left to the task: one that is cancelled before it has begun closes nothing.
        task.add_done_callback(lambda _: _let_go(writer))

    async def _live(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if len(self._tasks) <= MAX_CONNECTIONS:
                await self._converse(reader, writer)
        except (OSError, TimeoutError):
            pass  # It went away, or did not get to the end of its request.
        except asyncio.CancelledError:
            # The end of the agent's life, or of an episode: ordinary, and nobody waits for this task.
            pass

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)
        while True:
            answering = Answering(connection, writer)
            body = bytearray()
            try:
                request = await self._read(connection, reader, writer, body)
                if request is None:
                    return
                await self._handle(request, answering)
            except _TooLarge as refused:
                await self._refuse(413, str(refused), answering)
                return
            except h11.RemoteProtocolError as error:
                with suppress(h11.LocalProtocolError):
                    await self._refuse(error.error_status_hint, f"this is no HTTP request: {error}", answering)
                return
            finally:
                self._held -= len(body)
            if answering.gone or connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                return
            connection.start_next_cycle()

    async def _read(
        self, connection: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytearray
    ) -> HttpRequest | None:
        """The next request; None when there are no more."""
        head: h11.Request | None = None
        if connection.trailing_data[0] == b"":
            # Between two requests a connection may rest as long as it likes.
            connection.receive_data(await reader.read(_PIECE))
        async with asyncio.timeout(REQUEST_SECONDS):
            while True:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    if connection.they_are_waiting_for_100_continue:
                        writer.write(connection.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
                    connection.receive_data(await reader.read(_PIECE))
                elif isinstance(event, h11.Request):
                    head = event
                elif isinstance(event, h11.Data):
                    self._hold(body, event.data)
                elif isinstance(event, h11.EndOfMessage) and head is not None:
                    break
                else:
                    return None
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
        target = head.target.decode("latin-1").partition("?")[0]
        return HttpRequest(head.method.decode("latin-1"), target, headers, bytes(body))

    def _hold(self, body: bytearray, piece: bytes | bytearray) -> None:
        if len(body) + len(piece) > MAX_BODY or self._held + len(piece) > MAX_HELD:
            most = MAX_BODY if len(body) + len(piece) > MAX_BODY else MAX_HELD
            message = f"the request is larger than {most // MiB} MiB"
            raise _TooLarge(message)
        body += piece
        self._held += len(piece)


class _TooLarge(Exception):
    """A request that is not read to its end."""


def _let_go(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, RuntimeError):
        writer.close()
