"""Degraded tools: a world whose calls come late, fail, or find their source down, in real time and with receipts.

Draws come from a stream keyed by suite, seed, scenario and item, and by tool, number of the call or source: never by
the run, so the same degradation meets every system. Whatever is delivered is receipted with its time since the
intended arrival, and from that follows which sources could not be read within the budget, whatever the agent tried.
"""

from __future__ import annotations

import asyncio
from typing import Any

from proctor.core.canonical import chainable, encode
from proctor.core.errors import ToolError
from proctor.core.seeds import Stream
from proctor.evidence.load_record import Receipt
from proctor.spec.performance import Degradation
from proctor.spec.task import ToolResult
from proctor.worlds.forwarding import ForwardingWorld
from proctor.worlds.tool import Tool
from proctor.worlds.world import World

ESCALATE = "escalate"
"""The tool by which an agent hands a decision to a human, wherever a world has one."""


class _Source:
    """What became of the attempts to read one source."""

    __slots__ = ("down", "held_up", "read_in_time")

    def __init__(self) -> None:
        self.down = False
        self.held_up = False
        """The last attempt ended after the budget, and would not have without what was delivered."""
        self.read_in_time = False


class Toll:
    """The degradation of one request: draws, receipts, and what could not be read.

    A source counts as unreadable when none of the attempts on it was answered within the budget and the receipts are
    why: it was down, or the last attempt ended after the budget and without the delays delivered would not have. A
    failure that could have been tried again is not enough, nor an agent that was late by itself.
    """

    def __init__(self, degradation: Degradation, stream: Stream, *, intended: float, budget: float) -> None:
        self._degradation = degradation
        self._stream = stream
        self._intended = intended
        self._until = intended + budget
        self._per_tool: dict[str, int] = {}
        self._sources: dict[bytes, _Source] = {}
        self.receipts: list[Receipt] = []
        self.escalated = False
        self._held = 0.0
        """Seconds that calls were held up; those that overlap count once."""
        self._held_until = intended

    @property
    def unreadable(self) -> int:
        """Sources that could not be read within the budget."""
        return sum(not source.read_in_time and (source.down or source.held_up) for source in self._sources.values())

    async def carry(self, world: World, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        """The call, as it comes through."""
        reads = tool.spec.effect == "read"
        source: _Source | None = None
        key = b""
        if reads and self._degradation.kinds:
            key = encode([tool.spec.name, chainable(arguments)])
            source = self._sources.setdefault(key, _Source())
        answered = False
        try:
            await self._hold_up(tool, source, key)
            answered = True
            return await world.apply(tool, arguments)
        finally:
            if source is not None:
                now = asyncio.get_running_loop().time()
                source.held_up = now - self._held <= self._until < now
                source.read_in_time = source.read_in_time or (answered and now <= self._until)

    async def _hold_up(self, tool: Tool, source: _Source | None, key: bytes) -> None:
        """Deliver what is drawn for this call; raises `ToolError` where it does not come through."""
        degradation, name = self._degradation, tool.spec.name
        nth = self._per_tool.get(name, 0)
        self._per_tool[name] = nth + 1
        held = 0
        if degradation.delays and self._stream.child("delay", name, nth).chance(degradation.delays):
            held = degradation.delay_milliseconds
            # Receipted before it is served: a request that is given up meanwhile was held up all the same.
            self._deliver("delay", name, held)
            self._count_hold(held / 1000)
            await asyncio.sleep(held / 1000)
        if source is None:
            return
        if degradation.outages and self._stream.child("outage", name, key.hex()).chance(degradation.outages):
            source.down = True
            self._deliver("outage", name, held)
            message = f"'{name}': the source is down (503); it is not expected back soon"
            raise ToolError(message)
        if degradation.failures and self._stream.child("failure", name, nth).chance(degradation.failures):
            self._deliver("failure", name, held)
            message = f"'{name}': service unavailable (503), try again"
            raise ToolError(message)

    def _count_hold(self, seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        self._held += max(0.0, now + seconds - max(now, self._held_until))
        self._held_until = max(self._held_until, now + seconds)

    def _deliver(self, kind: Any, tool: str, milliseconds: int) -> None:
        at = asyncio.get_running_loop().time() - self._intended
        self.receipts.append(Receipt(kind, tool, milliseconds, round(at * 1e6)))


class DegradedWorld(ForwardingWorld):
    """A world behind a toll; everything but its calls is as it was."""

    __slots__ = ("_toll",)

    def __init__(self, world: World, toll: Toll) -> None:
        super().__init__(world)
        self._toll = toll

    async def apply(self, tool: Tool, arguments: dict[str, Any]) -> ToolResult:
        result = await self._toll.carry(self._world, tool, arguments)
        if tool.spec.name == ESCALATE and result.ok:
            self._toll.escalated = True
        return result
