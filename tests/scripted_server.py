"""A model behind an OpenAI-compatible server on the loopback: it drives vans, by tool calls, and nothing else.

It reads only what a model would see. Every request is kept, so that a test can say what a client sent.
"""

from __future__ import annotations

import json
import re
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKENS = 11
"""What every reply is said to have cost."""


class Asked:
    """What clients asked for so far."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[dict[str, Any]] = []
        self.keys: set[str] = set()


@contextmanager
def van_driver() -> Iterator[Asked]:
    """The server, while the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    asked = server.asked = Asked(f"http://127.0.0.1:{server.server_port}/v1")  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked: Asked = self.server.asked  # type: ignore[attr-defined]
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.requests.append(request)
        asked.keys.add(self.headers.get("authorization", ""))
        body = json.dumps(_completion(request)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def _completion(request: dict[str, Any]) -> dict[str, Any]:
    step = _step(request["messages"])
    if isinstance(step, str) and any(tool["function"]["name"] == "final_answer" for tool in request.get("tools") or ()):
        # Some frameworks take an answer only as a call of a tool of their own.
        step = {"tool": "final_answer", "arguments": {"answer": step}}
    message: dict[str, Any] = {"role": "assistant", "content": step if isinstance(step, str) else None}
    if isinstance(step, dict):
        function = {"name": step["tool"], "arguments": json.dumps(step["arguments"])}
        number = len(request["messages"])
        message["tool_calls"] = [{"id": f"call-{number}", "type": "function", "function": function}]
    reason = "stop" if isinstance(step, str) else "tool_calls"
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": TOKENS - 1, "completion_tokens": 1, "total_tokens": TOKENS},
    }


def _step(messages: list[dict[str, Any]]) -> str | dict[str, Any]:
    """The next move, by what was asked and answered so far; any other task is declined."""
    prompt = next(_text(message) for message in messages if message["role"] == "user")
    found = re.search(r"What you see: (\[.*\])", prompt)
    seen = json.loads(found[1])[0] if found else {}
    if "roads" not in seen:
        return "no idea"
    here, roads = seen["position"], [set(road) for road in seen["roads"]]
    tried = ""
    for message in messages:
        for call in message.get("tool_calls") or ():
            tried = json.loads(call["function"]["arguments"])["to"]
        # Calls and results are messages of their own, or told in words.
        text = _text(message)
        for told in re.findall(r"'arguments': \{'to': '(\w+)'\}", text) if message["role"] == "assistant" else ():
            tried = told
        result = text if message["role"] == "tool" else text.partition("Observation:\n")[2]
        if result.startswith("error"):
            roads = [road for road in roads if road != {here, tried}]
        elif result:
            here = tried
    if here == seen["destination"]:
        return "arrived"
    following = _first_step(roads, here, seen["destination"])
    return "lost" if following is None else {"tool": "move", "arguments": {"to": following}}


def _text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _first_step(roads: list[set[str]], start: str, end: str) -> str | None:
    queue, visited = deque([end]), {end}
    while queue:
        place = queue.popleft()
        for (other,) in [road - {place} for road in roads if place in road and len(road) == 2]:
            if other == start:
                return place
            if other not in visited:
                visited.add(other)
                queue.append(other)
    return None
