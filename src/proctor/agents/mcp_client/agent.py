"""One lifetime of an agent that is an MCP client.

Each episode is a process of its own, which finds its task on the server and ends once it has handed in: clients are
programs that do one job. What is to be remembered lies in the declared folder. With `stays=yes` one process lives the
whole lifetime and asks for each task with the tool `next_task`; its memory is then its own as well, and a new process
forgets it.

A process that asked the server for nothing was told nothing. If that is how a lifetime begins, the agent did not start,
which is nobody's failure, and the fifth time in a row the run stops. Later in a lifetime it is the agent's.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from proctor.agents.contract import AgentFailure, ServiceFailure, Session
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.mcp_client.episode import McpEpisode
from proctor.agents.mcp_client.hosting import Hosting
from proctor.agents.mcp_client.program import ClientProgram, read_program, require_sdk
from proctor.agents.mcp_client.server import TaskServer
from proctor.agents.process.child import Child
from proctor.agents.process.conversation import StaleChild
from proctor.agents.process.memory import NOTHING
from proctor.agents.process.opening import make_host
from proctor.agents.process.process_host import ProcessHost, limit_text
from proctor.agents.process.scrub import Scrub
from proctor.core.errors import BenchError
from proctor.spec.task import Submission, TaskView

_LOOK: Final = 0.1
"""Seconds between two looks at what the sandbox uses."""
_SETTLE_STEP: Final = 0.002
_GRACE: Final = 5.0
"""Seconds a process that handed in has to put its memory in order and end by itself."""
_LAST_GRACE: Final = 0.3
"""The same when nothing of it is kept."""
_MISSES: Final = 5

_misses: dict[str, int] = {}


class McpAgent:
    """One lifetime."""

    def __init__(self, name: str, read: ClientProgram, host: ProcessHost, scrub: Scrub) -> None:
        self._name = name
        self._read = read
        self._host = host
        self._scrub = scrub
        self._child: Child | None = None
        self._server: TaskServer | None = None
        self._hosting: Hosting | None = None
        self._memory = NOTHING
        self._met = False
        """A process of this lifetime asked for its task."""

    async def run(self, task: TaskView, session: Session) -> Submission:
        try:
            return await self._live(task, session)
        except StaleChild:
            # It stayed for the last episode and left without asking for this one, so nothing is repeated.
            return await self._live(task, session)

    async def _live(self, task: TaskView, session: Session) -> Submission:
        if self._child is not None and self._child.ended:
            await self._end(0.0)
        child = self._at_hand()
        episode = McpEpisode(task, session, stays=self._read.stays, changed=child.wake)
        kept = False
        try:
            server = await self._served(child)
            server.begin(episode)
            child.begin()
            submission = await self._follow(child, server, episode)
            child.episodes += 1
            kept = True
        finally:
            episode.close()
            if not (kept and self._read.stays):
                await self._end(self._grace if kept else 0.0)
        return submission

    async def close(self) -> None:
        """End the process and remove what it had."""
        try:
            await self._end(_LAST_GRACE)
        finally:
            self._host.close()

    def remembers(self) -> bool:
        """Whether there is a declared folder. A process's own memory cannot be saved, and is forgotten with it."""
        return self._read.options.memory_folder is not None

    def snapshot(self) -> bytes:
        """The folder as it is when the process has ended."""
        self._end_now(_GRACE)
        return self._memory

    def restore(self, memory: bytes) -> None:
        """The next process finds the folder as saved."""
        self._end_now(0.0)
        self._memory = memory

    def clear(self) -> None:
        """The next process finds an empty folder."""
        self.restore(NOTHING)

    @property
    def _grace(self) -> float:
        return _LAST_GRACE if self._read.options.memory_folder is None else _GRACE

    def _at_hand(self) -> Child:
        if self._child is None:
            self._child = self._host.start(self._memory)
            self._server = None
        return self._child

    async def _served(self, child: Child) -> TaskServer:
        """The server of this process, listening."""
        if self._server is not None:
            return self._server
        while (child.ports_pending or not self._host.settled()) and not child.ended:
            if time.monotonic() - child.started > self._read.options.start_seconds:
                raise self._not_started(f"its sandbox was not up within {self._read.options.start_seconds:g} s")
            await child.wait(_SETTLE_STEP)
        self._server = TaskServer(stays=self._read.stays)
        if child.sockets:
            self._hosting = Hosting(self._server, self._read.token)
            await self._hosting.open(child.sockets)
        return self._server

    async def _follow(self, child: Child, server: TaskServer, episode: McpEpisode) -> Submission:
        while not episode.over:
            while child.lines.take() is not None:
                pass  # What it prints is for its author; the protocol is elsewhere.
            if child.lines.problem is not None:
                raise AgentFailure("agent_protocol", child.lines.problem)
            if child.ended:
                self._explain_end(child, server, episode)
            if not server.heard and time.monotonic() - child.started > self._read.options.start_seconds:
                seconds = f"{self._read.options.start_seconds:g}"
                raise self._not_started(
                    f"it asked its MCP server for nothing within {seconds} s; give it longer with ,start_seconds=N"
                )
            if (excess := limit_text(child.limit_exceeded(), self._read.options.limits)) is not None:
                message = f"the agent was stopped: it used more than {excess}"
                raise AgentFailure("agent_crashed", message)
            await child.wait(_LOOK)
        self._meet()
        return episode.result()

    def _explain_end(self, child: Child, server: TaskServer, episode: McpEpisode) -> None:
        if child.never_ran():
            message = f"the sandbox could not be started: {self._scrub.last_line(child.stderr) or 'no reason given'}"
            raise BenchError(message)
        if child.episodes > 0 and not server.asked:
            raise StaleChild
        said = self._scrub.last_lines(child.stderr)
        ended = f"ended with status {child.status} before it submitted" + (f": {said}" if said else "")
        if not server.heard:
            raise self._not_started(f"it {ended}")
        self._meet()
        if episode.limit is not None:
            raise episode.limit
        raise AgentFailure("agent_crashed", f"the agent {ended}")

    def _meet(self) -> None:
        self._met = True
        _misses.pop(self._name, None)

    def _not_started(self, why: str) -> AgentFailure | ServiceFailure:
        if self._met:
            return AgentFailure("agent_unavailable", f"the agent did not come back: {why}")
        _misses[self._name] = _misses.get(self._name, 0) + 1
        final = _misses[self._name] >= _MISSES
        return ServiceFailure("agent_not_started", f"the agent did not start: {why}", final=final)

    async def _end(self, grace: float) -> None:
        """End the process, then its server, and keep what was remembered."""
        child, self._child = self._child, None
        hosting, self._hosting = self._hosting, None
        self._server = None
        try:
            if child is not None:
                try:
                    await child.release(grace)
                except asyncio.CancelledError:
                    child.release_now()
                    raise
                finally:
                    self._keep(self._host.leave())
        finally:
            if hosting is not None:
                await hosting.close()

    def _end_now(self, grace: float) -> None:
        """The same where nothing can be awaited."""
        child, self._child = self._child, None
        hosting, self._hosting = self._hosting, None
        self._server = None
        if child is not None:
            child.release_now(grace)
            self._keep(self._host.leave())
        if hosting is not None:
            hosting.stop()

    def _keep(self, left: bytes | None) -> None:
        if left is not None:
            self._memory = left


def open_client(agent: AgentString, context: AgentContext) -> McpAgent:
    """The agent for one lifetime; its process starts with its first episode."""
    require_sdk()
    read = read_program(agent, context)
    host = make_host(agent, read.program, read.options)
    return McpAgent(agent.text, read, host, Scrub(read.options.env, context.folder))
