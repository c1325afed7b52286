"""A proxy with a session, without a sandbox: clients of the test's own talk to it over loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, ClassVar, NoReturn, cast

import msgspec
import pytest

from proctor.agents.contract import State
from proctor.agents.model_proxy.proxy import ModelProxy
from proctor.agents.process.ports.handover import OwnPorts
from proctor.core.errors import LimitReached
from proctor.spec.condition import Sampling, Scaffold
from proctor.spec.exchange import Exchange
from proctor.spec.system import System
from proctor.spec.task import Budget, Observation, TaskView, ToolResult

KEY = "sk-planted-0123456789abcdefghijklmnopqrstuvwx+/="
TASK = msgspec.convert(
    {
        "id": "t",
        "goal": "g",
        "answer_format": "",
        "tools": [],
        "budget": {},
        "phase": "test",
        "nonce": "n" * 32,
        "canary": "",
    },
    TaskView,
)


class Desk:
    """A session that only takes what the proxy gives it."""

    observations: ClassVar[list[Observation]] = []
    sampling = Sampling()
    scaffold: Scaffold | None = None
    state = cast(State, None)
    limits_models = False

    def __init__(self, tokens: int | None = None) -> None:
        self.exchanges: list[Exchange] = []
        self.tokens = 0
        self.cost: list[str] = []
        self.limit = tokens
        self.refused: list[str] = []
        self.loaded = True

    @property
    def budget(self) -> Budget:
        return Budget(tokens=None if self.limit is None else max(0, self.limit - self.tokens))

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        raise NotImplementedError

    def say(self, text: str) -> None:
        raise NotImplementedError

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        self.tokens += tokens
        if cost is not None:
            self.cost.append(cost)
        if self.limit is not None and self.tokens > self.limit:
            raise LimitReached("tokens")

    def record_exchange(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)

    def reserve(self, *, prompt_tokens: int, completion_tokens: int, price: Any = None) -> Any:
        raise NotImplementedError

    def stop(self, limit: str) -> NoReturn:
        raise LimitReached(limit)

    def call_unreadable(self, tool: str, arguments: str, why: str) -> ToolResult:
        raise NotImplementedError

    def ready(self) -> bool:
        return self.loaded

    def refuse(self, limit: LimitReached) -> None:
        self.refused.append(limit.limit)


class Line:
    """A proxy in service."""

    def __init__(self, proxy: ModelProxy, desk: Desk, number: int) -> None:
        self.proxy = proxy
        self.desk = desk
        self.number = number

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.number}"

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    async def raw(self, data: bytes) -> bytes:
        """What comes back on a connection of its own, until the proxy closes it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.number)
        writer.write(data)
        writer.write_eof()
        try:
            return await reader.read()
        finally:
            writer.close()


def system(address: str, **more: Any) -> System:
    """One model of each interface, both at the fake server."""
    base = f"{address}/v1"
    return System.parse(
        {
            "name": "tested",
            "models": [
                {"provider": "openai", "name": "gpt-x", "base_url": base, "timeout": 2, **more},
                {"provider": "anthropic", "name": "claude-x", "base_url": base, "timeout": 2, **more},
            ],
        },
        source="test",
    )


Proxied = Callable[..., Any]


@asynccontextmanager
async def serving_proxy(declared: System, desk: Desk | None = None, *, confined: bool = True) -> AsyncIterator[Line]:
    """A proxy whose episode is under way."""
    desk = desk or Desk()
    proxy = ModelProxy(declared, confined=confined)
    ports = OwnPorts((proxy.port,))
    listening = ports.sockets["models"]
    number = listening.getsockname()[1]
    await proxy.serve(listening)
    proxy.begin(TASK, desk, desk)
    try:
        yield Line(proxy, desk, number)
    finally:
        await proxy.end(at_once=True)
        await proxy.release()
        ports.close()
        # A connection is closed in the turns of the loop that follow, and this loop may have none left.
        for _ in range(3):
            await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried again is tried again at once."""
    monkeypatch.setattr("proctor.agents.model_proxy.forwarding.PAUSES", (0.0, 0.0, 0.0))
