"""An agent under the clock: given up after its timeout, its times taken, and shown nothing of it.

Under load an agent sees what it sees without: a clock in its task would tell it that this is the load test, and one
that then hands everything to a human would look fast and careful. Nothing stops it at the budget, since late is not the
same as never; the timeout does.
"""

from __future__ import annotations

import asyncio

from proctor.agents.contract import Agent, AgentFailure, Session
from proctor.spec.task import Submission, TaskView


class Deadline:
    """When a request arrives and is given up: moments of the event loop's time, in seconds."""

    __slots__ = ("intended", "timeout")

    def __init__(self, intended: float, *, timeout_ms: int) -> None:
        self.intended = intended
        self.timeout = intended + timeout_ms / 1000


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
        timer = asyncio.timeout_at(self._deadline.timeout)
        self._desk.leave(times)
        try:
            async with timer:
                submission = await self._agent.run(task, session)
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
