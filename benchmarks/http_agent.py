"""An agent behind HTTP that takes a fixed time: the server (a process of its own), and the client the bench drives.

`python -m benchmarks.http_agent SECONDS` serves on a free port of 127.0.0.1, prints the port, and ends with its input.
As little HTTP/1.1 as keeps a connection alive: what is measured is the generator, not a library.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from proctor.agents.contract import Session
from proctor.spec.task import Submission, TaskView

_BACKLOG = 4096
_ROOT = Path(__file__).resolve().parent.parent


class Server:
    """Answers `POST /` with the number it was sent, after its time; `GET /counts` says what it has seen."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.served = 0
        self.in_flight = 0
        self.peak = 0

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                method, body = await read_message(reader)
                if method == "GET":
                    answer: Any = {"served": self.served, "peak": self.peak}
                else:
                    self.in_flight += 1
                    self.peak = max(self.peak, self.in_flight)
                    await asyncio.sleep(self._seconds)
                    self.in_flight -= 1
                    self.served += 1
                    answer = {"answer": body["number"]}
                writer.write(message("HTTP/1.1 200 OK", answer))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


def message(first: str, value: Any) -> bytes:
    """One HTTP message with a JSON body."""
    body = json.dumps(value).encode()
    return f"{first}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


async def read_message(reader: asyncio.StreamReader) -> tuple[str, Any]:
    """The first word of an HTTP message, and its JSON body."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = int(head.lower().partition("content-length:")[2].partition("\r\n")[0])
    return head.partition(" ")[0], json.loads(await reader.readexactly(length))


class HttpAgent:
    """Asks the server for the answer, over one connection of its own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def run(self, task: TaskView, session: Session) -> Submission:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(message("POST / HTTP/1.1\r\nHost: 127.0.0.1", session.observations[0].fields))
        _, answer = await read_message(reader)
        return Submission(answer["answer"])

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()
            self._streams = None


class SleepingAgent:
    """Does nothing but wait as long as the server would: what is measured beyond that is the generator."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def run(self, task: TaskView, session: Session) -> Submission:
        await asyncio.sleep(self._seconds)
        return Submission(session.observations[0].fields["number"])


@contextmanager
def serving(seconds: float) -> Iterator[int]:
    """The port of a server that takes so long for an answer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.http_agent", str(seconds)],
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.stdin.close()
        process.stdout.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def counts(port: int) -> dict[str, int]:
    """How many requests a server has answered, and how many it had at once at most."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(message("GET /counts HTTP/1.1\r\nHost: 127.0.0.1", None))
        _, counted = await read_message(reader)
        return dict(counted)
    finally:
        writer.close()
        await writer.wait_closed()


async def _serve(seconds: float) -> None:
    server = await asyncio.start_server(Server(seconds).connected, "127.0.0.1", 0, backlog=_BACKLOG)
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = asyncio.Event()
    # Whoever started it is gone when its input ends.
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), ended.set)
    await ended.wait()


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
