"""An agent under the clock: told its latency budget, given up after its timeout, its times taken.

The agent sees the real milliseconds that are left of its budget, from the intended arrival of the request. Nothing
stops it at the budget, since late is not the same as never; the timeout does.
"""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec.structs import replace

from proctor.agents.contract import Agent, AgentFailure, Session, State
from proctor.spec.condition import Sampling
from proctor.spec.task import Budget, Observation, Submission, TaskView, ToolResult


class Deadline:
    """When a request arrives, should be answered, and is given up: moments of the event loop's time, in seconds."""

    __slots__ = ("budget", "intended", "timeout")

    def __init__(self, intended: float, *, budget_ms: int, timeout_ms: int) -> None:
        self.intended = intended
        self.budget = intended + budget_ms / 1000
        self.timeout = intended + timeout_ms / 1000

    def shown(self, budget: Budget, now: float) -> Budget:
        """A budget with the milliseconds that are left."""
        return replace(budget, milliseconds=max(0, round((self.budget - now) * 1000)))


class TimedSession:
    """The session as it is, but for the time that is left."""

    __slots__ = ("_deadline", "_session")

    def __init__(self, session: Session, deadline: Deadline) -> None:
        self._session = session
        self._deadline = deadline

    @property
    def observations(self) -> list[Observation]:
        return self._session.observations

    @property
    def budget(self) -> Budget:
        return self._deadline.shown(self._session.budget, asyncio.get_running_loop().time())

    @property
    def state(self) -> State:
        return self._session.state

    @property
    def sampling(self) -> Sampling:
        return self._session.sampling

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        return await self._session.call(tool, **arguments)

    def say(self, text: str) -> None:
        self._session.say(text)

    def spend(self, *, tokens: int = 0, cost: str | None = None) -> None:
        self._session.spend(tokens=tokens, cost=cost)


class BenchTurn:
    """Where the bench does its own work on answers (verdict, record, next task), one request at a time.

    When many answers come at once, each is first given its time, and then they queue here: an answer that comes
    meanwhile is noticed after one such piece of work, not after all of them.
    """

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def enter(self, times: Times) -> None:
        """Wait for a turn. Does not suspend where nobody is at the desk."""
        await self._lock.acquire()
        times.at_desk = True

    def leave(self, times: Times) -> None:
        """Let the next one come; nothing where this one was not at the desk."""
        if times.at_desk:
            times.at_desk = False
            self._lock.release()


class Times:
    """What was seen of one request, whoever served it."""

    __slots__ = ("answered", "at_desk", "ended", "started", "timed_out")

    def __init__(self) -> None:
        self.started: float | None = None
        """When the first agent was given it."""
        self.ended: float | None = None
        """When the last one was done with it."""
        self.answered = False
        """Whether that one handed something in."""
        self.timed_out = False
        self.at_desk = False


class TimedAgent:
    """One agent's part in one request. Where a task is handed on, both agents write into the same times."""

    __slots__ = ("_agent", "_deadline", "_desk", "_times")

    def __init__(self, agent: Agent, deadline: Deadline, times: Times, desk: BenchTurn) -> None:
        self._agent = agent
        self._deadline = deadline
        self._times = times
        self._desk = desk

    async def run(self, task: TaskView, session: Session) -> Submission:
        loop = asyncio.get_running_loop()
        times, now = self._times, loop.time()
        times.answered = False
        if times.started is None:
            times.started = now
        view = replace(task, budget=self._deadline.shown(task.budget, now))
        timer = asyncio.timeout_at(self._deadline.timeout)
        self._desk.leave(times)
        try:
            async with timer:
                submission = await self._agent.run(view, TimedSession(session, self._deadline))
            times.answered = True
        except TimeoutError as error:
            if not timer.expired():
                raise
            times.timed_out = True
            raise AgentFailure("agent_unavailable", "no answer before the request's timeout") from error
        finally:
            # Before the verifier looks at anything: its time is not the agent's.
            times.ended = loop.time()
        await self._desk.enter(times)
        return submission
