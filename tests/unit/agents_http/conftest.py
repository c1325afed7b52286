"""A real service on loopback that does what a test tells it, and a user's project folder to examine it from."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
from tests.unit.agents_process.conftest import Lived, Project

from proctor.engine.build import Bench
from proctor.engine.lifetime import live

Turn = dict[str, Any]


class Handler(BaseHTTPRequestHandler):
    """Hands every request to the test's service."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    service: Service

    def do_GET(self) -> None:
        self.service.greeted += 1
        self.service.headers.append(dict(self.headers))
        self.service.greet(self)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        turn = json.loads(body)
        self.service.turns.append(turn)
        self.service.headers.append(dict(self.headers))
        self.service.reply(self, turn)

    def send(self, document: object, status: int = 200, **headers: str) -> None:
        """A whole JSON document, or bytes as they are."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def start_stream(self, kind: str) -> None:
        """The head of a reply that goes on until the connection is closed."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def drop(self) -> None:
        """Break the connection without a word."""
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *args: object) -> None:
        """Tests are quiet."""


class Service:
    """`reply` is called with the request and the turn that was posted, `greet` with a GET."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.headers: list[dict[str, str]] = []
        self.greeted = 0
        self.stop = threading.Event()
        """Set when the test is over: whoever waits goes home."""
        self.reply: Callable[[Handler, Turn], None] = lambda request, turn: request.send({"type": "submit"})
        self.greet: Callable[[Handler], None] = lambda request: request.send({"type": "ready"})
        handler = cast(Any, type("BoundHandler", (Handler,), {"service": self}))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/agent"

    def close(self) -> None:
        if self.stop.is_set():
            return
        self.stop.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.close()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder)


def of_type(turn: Turn, kind: str) -> list[dict[str, Any]]:
    """The messages of one type in a turn."""
    return [message for message in turn["messages"] if message["type"] == kind]


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """A message that calls a tool."""
    return {"type": "tool_call", "tool": tool, "arguments": arguments}


def adding(request: Handler, turn: Turn) -> None:
    """A service that solves the family `sums`: three calls at once, then the sum."""
    if turn["turn"] == 0:
        request.send({"messages": [call("number", index=index) for index in range(3)]})
    else:
        request.send({"type": "submit", "answer": sum(result["value"] for result in of_type(turn, "result"))})


def live_all(bench: Bench) -> list[Lived]:
    """Live every lifetime of a built run, one after another."""

    async def all_of_them() -> list[Lived]:
        return [
            Lived(record)
            for index in range(bench.plan.lifetimes)
            for record in await live(bench, bench.plan.lifetime(index))
        ]

    return asyncio.run(all_of_them())
