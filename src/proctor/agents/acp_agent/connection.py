"""JSON-RPC 2.0 with a process, a message a line: what the Agent Client Protocol is spoken over.

Lines that are no message (a banner, a log line) are passed over: nothing depends on them, and how many there may be is
bounded where lines are read. An answer to a request that was never made is passed over too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL: Final = -32603
AUTH_REQUIRED: Final = -32000
_MOST_OPEN: Final = 64

Params = dict[str, Any]


class RpcError(Exception):
    """An error answer, received or to be given."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Connection:
    """One side of the conversation. `send` tells the other side something; `serve` answers what it asks."""

    def __init__(
        self,
        send: Callable[[bytes], None],
        serve: Callable[[str, Params], Awaitable[Any]],
        note: Callable[[str, Params], None],
    ) -> None:
        self._send = send
        self._serve = serve
        self._note = note
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Params]] = {}
        self._open: set[asyncio.Task[None]] = set()

    def request(self, method: str, params: Params) -> asyncio.Future[Params]:
        """Ask for something; the answer, or an `RpcError`, is the future's."""
        self._number += 1
        future: asyncio.Future[Params] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = future
        self._write({"id": self._number, "method": method, "params": params})
        return future

    def notify(self, method: str, params: Params) -> None:
        """Say something that wants no answer."""
        self._write({"method": method, "params": params})

    def take(self, line: bytes) -> None:
        """Take one line of the other side."""
        try:
            message = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        if not isinstance(message, dict):
            return
        method, identity = message.get("method"), message.get("id")
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if isinstance(method, str):
            if identity is None:
                self._note(method, params)
            else:
                self._answer(identity, method, params)
        elif isinstance(identity, int) and identity in self._waiting:
            self._answered(self._waiting.pop(identity), message)

    def close(self) -> None:
        """Give up what is open on both sides."""
        for task in self._open:
            task.cancel()
        for future in self._waiting.values():
            future.cancel()
        self._waiting.clear()

    def _answered(self, future: asyncio.Future[Params], message: Params) -> None:
        if future.done():
            return
        error = message.get("error")
        if isinstance(error, dict):
            code = error.get("code")
            text = str(error.get("message", ""))[:500]
            future.set_exception(RpcError(code if isinstance(code, int) else INTERNAL, text))
            # Whoever gave up waiting must not be warned of it.
            future.exception()
            return
        result = message.get("result")
        future.set_result(result if isinstance(result, dict) else {})

    def _answer(self, identity: Any, method: str, params: Params) -> None:
        if len(self._open) >= _MOST_OPEN:
            self._write({"id": identity, "error": {"code": INTERNAL, "message": "too many requests at once"}})
            return
        task = asyncio.create_task(self._served(identity, method, params))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _served(self, identity: Any, method: str, params: Params) -> None:
        try:
            result = await self._serve(method, params)
        except RpcError as error:
            self._write({"id": identity, "error": {"code": error.code, "message": str(error)}})
        else:
            self._write({"id": identity, "result": result})

    def _write(self, message: Params) -> None:
        self._send(msgspec.json.encode({"jsonrpc": "2.0", **message}) + b"\n")
