"""A chat completions server on loopback that does as its test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep
from typing import Any

from msgspec import Struct

Answer = tuple[int, Any]
"""(status, body): a body that is text or bytes is sent as it is, everything else as JSON."""


class Served(Struct):
    """A running server, and what was sent to it."""

    base_url: str
    bodies: list[dict[str, Any]]
    keys: list[str]


def completion(text: str | None, **more: Any) -> Answer:
    """A well-formed answer."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "served-1", "choices": [choice]}
    return 200, {**body, "usage": usage, **more}


@contextmanager
def serving(
    answer: Callable[[int, dict[str, Any]], Answer],
    *,
    delay: float = 0.0,
    headers: dict[str, str] | None = None,
    drip: float = 0.0,
) -> Iterator[Served]:
    """A server that answers the n-th request (from 0) with `answer(n, body)`; with `drip`, byte by byte."""
    served = Served("", [], [])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            number = len(served.bodies)
            served.bodies.append(body)
            served.keys.append(self.headers.get("Authorization", ""))
            sleep(delay)
            status, said = answer(number, body)
            data = said if isinstance(said, bytes) else (said if isinstance(said, str) else json.dumps(said)).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                for piece in [data[place : place + 1] for place in range(len(data))] if drip else [data]:
                    self.wfile.write(piece)
                    sleep(drip)
            except (BrokenPipeError, ConnectionResetError):
                pass  # The client gave up, as its test wanted.

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    served.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
