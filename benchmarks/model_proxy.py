"""What the model proxy costs: own processor time of a call through it, against the same call made directly.

    python -m benchmarks.model_proxy [CALLS]

A provider in a process of its own answers at once. Requests are those of a short conversation (1 kB) and of one with
100,000 tokens (400 kB, 200 messages). Time is that of this process, which holds client and proxy; the client's own
share is what the direct call takes.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import httpx
import msgspec
from benchmarks.http_agent import read_message

from proctor.agents.contract import State
from proctor.agents.model_proxy.proxy import ModelProxy
from proctor.agents.process.ports.handover import OwnPorts
from proctor.core.errors import LimitReached
from proctor.spec.condition import Sampling
from proctor.spec.exchange import Exchange
from proctor.spec.system import System
from proctor.spec.task import Budget, TaskView, ToolResult

SIZES = {"1 kB": (2, 400), "400 kB, 100k tokens": (200, 1980)}
_REPLY = {
    "model": "m",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "yes"}}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 1},
}
_TASK = {"id": "t", "goal": "", "answer_format": "", "tools": [], "budget": {}, "phase": "", "nonce": "", "canary": ""}
_WARM = 5
_ROUNDS = 5


class _Desk:
    """A session that keeps nothing but the last exchange."""

    observations: tuple[()] = ()
    sampling = Sampling()
    scaffold = None
    state = cast(State, None)
    budget = Budget()

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        raise NotImplementedError

    def say(self, text: str) -> None: ...

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None: ...

    def record_exchange(self, exchange: Exchange) -> None:
        self.last = exchange

    def ready(self) -> bool:
        return True

    def refuse(self, limit: LimitReached) -> None: ...


async def _provide() -> None:
    body = msgspec.json.encode(_REPLY)
    answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await read_message(reader)
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


@contextmanager
def _provider() -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.model_proxy", "provide"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        process.stdin.close()


async def _milliseconds(base: str, body: bytes, calls: int) -> float:
    """Own processor time of a call, in a connection that is open already."""
    async with httpx.AsyncClient(timeout=60) as client:
        began = 0.0
        for number in range(calls + _WARM):
            if number == _WARM:
                began = time.process_time()
            reply = await client.post(f"{base}/chat/completions", content=body)
            assert reply.status_code == 200, reply.text
        return 1000 * (time.process_time() - began) / calls


async def _measured(base: str, calls: int) -> dict[str, tuple[float, float]]:
    declared = {"provider": "openai", "name": "m", "base_url": base, "key_env": "none"}
    proxy = ModelProxy(System.parse({"name": "s", "models": [declared]}, source="benchmark"), confined=True)
    ports = OwnPorts((proxy.port,))
    listening = ports.sockets["models"]
    through = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    await proxy.serve(listening)
    desk = _Desk()
    found = {}
    for name, (messages, size) in SIZES.items():
        said = [{"role": "user", "content": "word " * (size // 5)} for _ in range(messages)]
        body = msgspec.json.encode({"model": "m", "messages": said})
        rounds = []
        for _ in range(_ROUNDS):
            # In turns, so that whatever else the machine does falls on both; and each round is an episode.
            proxy.begin(msgspec.convert(_TASK, TaskView), cast(Any, desk), desk)
            rounds.append((await _milliseconds(base, body, calls), await _milliseconds(through, body, calls)))
            await proxy.end(at_once=True)
        found[name] = min(direct for direct, _ in rounds), min(proxied for _, proxied in rounds)
    await proxy.release()
    ports.close()
    return found


def main(calls: int) -> None:
    """Print the table."""
    with _provider() as base:
        found = asyncio.run(_measured(base, calls))
    print(f"{'request':<22}{'direct':>10}{'proxied':>10}{'proxy':>10}   ms of own processor time a call")
    for name, (direct, proxied) in found.items():
        print(f"{name:<22}{direct:>10.2f}{proxied:>10.2f}{proxied - direct:>10.2f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["provide"]:
        asyncio.run(_provide())
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
