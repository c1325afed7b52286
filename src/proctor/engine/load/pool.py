"""The agents that serve a scenario: opened once, used for one request at a time, closed at the end.

A service has its workers before requests come; so an agent object here lives many requests, one after another, and what
it remembers it keeps, as it would in production.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from proctor.agents.contract import Agent, Closes, closes

_CLOSING = 32
"""Agents that are let go of at once: processes take their time to end."""


class Pool:
    """At most `size` agents. Who waits longest for one is served first."""

    def __init__(self, size: int, open_agent: Callable[[int], Agent]) -> None:
        self._free = asyncio.Semaphore(size)
        self._open = open_agent
        self._idle: deque[Agent] = deque()
        self._relief: deque[Agent] = deque()
        self._opened: list[Agent] = []

    @property
    def opened(self) -> int:
        """How many agents there are by now."""
        return len(self._opened)

    async def take(self, *, fresh: bool = False) -> Agent:
        """An agent with nothing to do; a new one while there may be more, or where a `fresh` one is asked for."""
        await self._free.acquire()
        try:
            if self._idle and not fresh:
                return self._idle.popleft()
            agent = self._open(len(self._opened))
        except BaseException:
            self._free.release()
            raise
        self._opened.append(agent)
        return agent

    def give_back(self, agent: Agent) -> None:
        """It has nothing to do any more."""
        self._idle.append(agent)
        self._free.release()

    def relieve(self) -> Agent:
        """A second agent for a task that is handed on: never one of those that serve, so nobody can wait for it.

        There are at most as many as requests in flight.
        """
        if self._relief:
            return self._relief.popleft()
        agent = self._open(len(self._opened))
        self._opened.append(agent)
        return agent

    def relieved(self, agent: Agent) -> None:
        """The second agent is done."""
        self._relief.append(agent)

    async def close(self) -> None:
        """Let every agent let go of processes and connections."""
        gate = asyncio.Semaphore(_CLOSING)

        async def let_go(agent: Closes) -> None:
            async with gate:
                with suppress(Exception):  # Its requests are over and stand, however badly it lets go.
                    await agent.close()

        distinct = {id(agent): agent for agent in self._opened if closes(agent)}
        await asyncio.gather(*(let_go(agent) for agent in distinct.values()))
