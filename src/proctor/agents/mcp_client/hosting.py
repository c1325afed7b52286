"""The server of a client on the sockets of its process: streamable HTTP on one, JSON lines for the shim on the other.

Clients are strangers: connections are counted, requests and lines have a size, and nothing is said to anybody who does
not name the token of this process. Everything here belongs to one event loop and is let go of with `close`.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import socket
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import anyio
import mcp.types as types
import uvicorn
from mcp.shared.message import SessionMessage
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from proctor.agents.mcp_client.program import HTTP, LINES
from proctor.agents.mcp_client.server import TaskServer
from proctor.agents.process.wire import MAX_LINE_BYTES

MAX_CONNECTIONS: Final = 64
"""More are closed at once: each costs the bench a descriptor, and one agent must not use up those of all."""
_MAX_SESSIONS: Final = 16
_KEEP_ALIVE: Final = 3600
_TOKEN_SECONDS: Final = 10.0

for _name in ("uvicorn", "mcp"):
    # What goes wrong is the client's doing and is answered to it; the bench's own output is not for it to fill.
    logging.getLogger(_name).addHandler(logging.NullHandler())


class _Bounded(H11Protocol):
    """HTTP for a stranger: a connection too many is closed."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()


class Hosting:
    """One server on the sockets of one process."""

    def __init__(self, server: TaskServer, token: str) -> None:
        self._server = server
        self._token = token.encode()
        self._app = server.protocol.streamable_http_app(
            streamable_http_path=f"/{token}/mcp",
            json_response=True,
            max_request_body_size=MAX_LINE_BYTES,
            max_sessions=_MAX_SESSIONS,
        )
        self._manager = server.protocol.session_manager
        self._state = ServerState()
        self._listening: list[asyncio.AbstractServer] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines = 0

    async def open(self, sockets: Mapping[str, socket.socket]) -> None:
        """Accept connections from now on."""
        loop = asyncio.get_running_loop()
        ready = loop.create_future()
        self._start(self._manage(ready))
        await ready
        config = uvicorn.Config(
            self._app,
            lifespan="off",
            http=_Bounded,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=_KEEP_ALIVE,
        )
        config.load()
        self._listening = [
            await loop.create_server(lambda: _Bounded(config, self._state, {}), sock=sockets[HTTP].dup()),
            await asyncio.start_server(self._accept, sock=sockets[LINES].dup(), limit=MAX_LINE_BYTES),
        ]

    async def close(self) -> None:
        """Let go of every connection."""
        self.stop()
        tasks = [*self._tasks, *self._state.tasks]
        if tasks:
            await asyncio.gather(*tasks, return_exceptions=True)
        for listening in self._listening:
            with suppress(OSError):
                await listening.wait_closed()

    def stop(self) -> None:
        """The same without waiting: what is cancelled ends with the event loop's next steps."""
        for listening in self._listening:
            listening.close()
        for connection in list(self._state.connections):
            if connection.transport is not None:
                connection.transport.abort()
        for task in (*self._tasks, *self._state.tasks):
            task.cancel()

    def _start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _manage(self, ready: asyncio.Future[None]) -> None:
        """Hold the session manager open. It has to be closed by the task that opened it."""
        async with self._manager.run():
            ready.set_result(None)
            await asyncio.Event().wait()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
        self._lines += 1
        try:
            if self._lines <= _MAX_SESSIONS and await self._is_ours(reader):
                await self._speak(reader, writer)
        except (ConnectionError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            # It went away, or wrote a line without an end.
            pass
        finally:
            self._lines -= 1
            if task is not None:
                self._tasks.discard(task)
            writer.transport.abort()

    async def _is_ours(self, reader: asyncio.StreamReader) -> bool:
        async with asyncio.timeout(_TOKEN_SECONDS):
            line = await reader.readline()
        return hmac.compare_digest(line.strip(), self._token)

    async def _speak(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, answers = anyio.create_memory_object_stream[SessionMessage](0)
        protocol = self._server.protocol
        async with anyio.create_task_group() as group, said, incoming, outgoing, answers:
            group.start_soon(_write_lines, answers, writer)
            group.start_soon(_read_lines, reader, said)
            await protocol.run(incoming, outgoing, protocol.create_initialization_options())
            group.cancel_scope.cancel()


async def _read_lines(reader: asyncio.StreamReader, said: Any) -> None:
    async with said:
        while line := await reader.readline():
            message: SessionMessage | Exception
            try:
                message = SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
            except Exception as error:
                message = error
            await said.send(message)


async def _write_lines(answers: Any, writer: asyncio.StreamWriter) -> None:
    async for answer in answers:
        writer.write(answer.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
        await writer.drain()
