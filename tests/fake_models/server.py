"""The server: as little HTTP/1.1 as keeps a connection alive, in a thread and loop of its own."""

from __future__ import annotations

import asyncio
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from threading import Thread
from typing import Any

import msgspec
from msgspec import Struct, field

from tests.fake_models import chat, messages, responses
from tests.fake_models.reading import PATHS, asked
from tests.fake_models.script import Answer, Asked, Bomb, Drip, Drop, Hang, Raw, Refuse, Say, Script

_INTERFACES = {"chat": chat, "responses": responses, "messages": messages}
_BACKLOG = 1024
_HEAD_LIMIT = 1 << 16
_BOMB_PIECE = 1 << 20


class Fake(Struct):
    """A running server, and what was sent to it."""

    address: str
    """`http://127.0.0.1:PORT`: what the anthropic client takes."""
    requests: list[Asked] = field(default_factory=list)
    in_flight: int = 0
    peak: int = 0
    """How many requests it had at once at most."""
    connections: int = 0
    count: int = 0
    """How many requests came in."""
    keep: bool = True
    """Whether requests are kept in `requests`; turn off in benchmarks."""

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:PORT/v1`: what the openai client takes."""
        return f"{self.address}/v1"


@contextmanager
def serving(script: Script, *, port: int = 0, keep: bool = True) -> Iterator[Fake]:
    """A server that answers as the script says, until the block ends; then nothing of it is left."""
    loop = asyncio.new_event_loop()
    fake = Fake("", keep=keep)
    started: asyncio.Event = asyncio.Event()
    thread = Thread(
        target=loop.run_until_complete, args=(_serve(fake, script, port, started, ended := asyncio.Event()),)
    )
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(started.wait(), loop).result(timeout=300)
        yield fake
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()
        loop.close()


async def _serve(fake: Fake, script: Script, port: int, started: asyncio.Event, ended: asyncio.Event) -> None:
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(_Connection(fake, script, reader, writer).live())
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        # Not left to the task: one that is cancelled before it has begun closes nothing.
        task.add_done_callback(lambda _: writer.transport.abort() if ended.is_set() else writer.close())

    server = await asyncio.start_server(connected, "127.0.0.1", port, backlog=_BACKLOG, limit=_HEAD_LIMIT)
    fake.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    started.set()
    await ended.wait()
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await server.wait_closed()
    await asyncio.sleep(0)  # A transport lets go of its socket at the loop's next turn.


class _Connection:
    """One connection, request after request."""

    def __init__(self, fake: Fake, script: Script, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._fake, self._script = fake, script
        self._reader, self._writer = reader, writer

    async def live(self) -> None:
        self._fake.connections += 1
        try:
            while await self._one():
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
            pass  # The client went away.

    async def _one(self) -> bool:
        """Serve one request; whether the connection goes on."""
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head[:-4].split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await self._reader.readexactly(int(headers.get("content-length", "0")))
        path = target.partition("?")[0]
        if method != "POST" or path not in PATHS:
            await self._send(404, {}, msgspec.json.encode(chat.error(404, "no such address")))
            return True
        fake = self._fake
        fake.in_flight += 1
        fake.peak = max(fake.peak, fake.in_flight)
        try:
            decoded = msgspec.json.decode(body)
            request = asked(fake.count, PATHS[path], path, headers, decoded, fake.in_flight)
            fake.count += 1
            if fake.keep:
                fake.requests.append(request)
            return await self._answer(request, self._script(request))
        finally:
            fake.in_flight -= 1

    async def _answer(self, request: Asked, answer: Answer) -> bool:
        interface = _INTERFACES[request.interface]
        match answer:
            case Say():
                await asyncio.sleep(answer.delay)
                if request.stream:
                    await self._stream(interface.events(request, answer))
                else:
                    await self._send(200, {}, msgspec.json.encode(interface.plain(request, answer)))
            case Refuse():
                await asyncio.sleep(answer.delay)
                said = msgspec.json.encode(interface.error(answer.status, answer.message))
                await self._send(answer.status, answer.headers, said)
            case Raw():
                await asyncio.sleep(answer.delay)
                await self._send(answer.status, answer.headers, answer.body)
            case Hang():
                await self._reader.read(1)
                return False
            case Drop():
                if answer.after:
                    head = self._head(200, {"content-length": str(answer.after + 100)})
                    self._writer.write(head + b"x" * answer.after)
                    await self._writer.drain()
                return False
            case Drip():
                body = msgspec.json.encode(interface.plain(request, answer.say))
                self._writer.write(self._head(200, {"content-length": str(len(body))}))
                for place in range(len(body)):
                    self._writer.write(body[place : place + 1])
                    await self._writer.drain()
                    await asyncio.sleep(answer.pause)
            case Bomb():
                await self._send(200, {"content-encoding": answer.encoding}, packed(answer.size, answer.encoding))
        return True

    async def _stream(self, events: list[tuple[str, Any]]) -> None:
        headers = {"content-type": "text/event-stream", "transfer-encoding": "chunked"}
        self._writer.write(self._head(200, headers))
        for name, data in events:
            text = data.encode() if isinstance(data, str) else msgspec.json.encode(data)
            event = (f"event: {name}\n".encode() if name else b"") + b"data: " + text + b"\n\n"
            self._writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            await self._writer.drain()
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    async def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        told = {"content-type": "application/json", **headers, "content-length": str(len(body))}
        self._writer.write(self._head(status, told) + body)
        await self._writer.drain()

    def _head(self, status: int, headers: dict[str, str]) -> bytes:
        try:
            phrase = HTTPStatus(status).phrase
        except ValueError:
            phrase = "Unknown"
        lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")


@cache
def packed(size: int, encoding: str) -> bytes:
    """So many zeros, compressed."""
    if encoding == "deflate":
        packer = zlib.compressobj(9)
        parts = [packer.compress(bytes(_BOMB_PIECE)) for _ in range(size // _BOMB_PIECE)]
        return b"".join(parts) + packer.flush()
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as file:
        for _ in range(size // _BOMB_PIECE):
            file.write(bytes(_BOMB_PIECE))
    return buffer.getvalue()
