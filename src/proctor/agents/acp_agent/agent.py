"""One lifetime of an agent that speaks the Agent Client Protocol.

One process lives the lifetime; each episode is a new session of it, which finds the task's tools on an MCP server of
its own, by HTTP where the agent can, else by the stdio shim. The turn's prompt is the task. The episode is over when
the answer was handed in with the tool `submit`. A turn that ends without that is followed by one reminder; what the
agent then says is its answer. An agent that does not come to rest afterwards is ended, and the next episode starts it
anew.

An agent that never answered `initialize` did not start, which is nobody's failure at the beginning of a lifetime. From
the first session on it may know its task, and whatever goes wrong is its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from proctor.agents.acp_agent.connection import AUTH_REQUIRED, Connection, Params, RpcError
from proctor.agents.acp_agent.program import CodingProgram, read_program
from proctor.agents.acp_agent.requests import Requests, WorldTools
from proctor.agents.contract import AgentFailure, ServiceFailure, Session
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.mcp_client.agent import LOOK, McpAgent
from proctor.agents.mcp_client.episode import McpEpisode
from proctor.agents.mcp_client.hosting import Hosting
from proctor.agents.mcp_client.program import HTTP, LINES, require_sdk
from proctor.agents.mcp_client.server import TaskServer
from proctor.agents.model_proxy.opening import model_keys
from proctor.agents.process.child import Child
from proctor.agents.process.opening import make_host, port_services, with_ports
from proctor.agents.process.ports.service import PortService
from proctor.agents.process.process_host import ProcessHost, limit_text
from proctor.agents.process.scrub import Scrub
from proctor.core.errors import LimitReached
from proctor.spec.task import Submission, TaskView
from proctor.worlds.bubblewrap import WORK

_VERSION: Final = 1
_REST_SECONDS: Final = 5.0
"""How long an agent that handed in may take to end its turn."""
_MOST_TEXT: Final = 100_000
_REMINDER: Final = (
    "Nothing was handed in yet. Call the tool `{submit}` of the server `proctor` with your answer now; if you cannot, "
    "reply with the answer alone, in the format that the task asks for."
)


class AcpAgent(McpAgent):
    """One lifetime."""

    def __init__(
        self,
        name: str,
        read: CodingProgram,
        host: ProcessHost,
        scrub: Scrub,
        services: tuple[PortService, ...] = (),
    ) -> None:
        super().__init__(name, read, host, scrub, services)
        self._coding = read
        self._connection: Connection | None = None
        self._turn: _Turn | None = None
        self._takes_http = False

    async def _live(self, task: TaskView, session: Session) -> Submission:
        if self._child is not None and self._child.ended:
            await self._end(0.0)
        child = self._at_hand()
        episode = McpEpisode(task, session, stays=False, changed=child.wake)
        turn = _Turn(Requests(task, session, episode, allows=self._coding.allows))
        self._turn = turn
        kept = False
        try:
            child.begin()
            connection = await self._introduced(child, task, episode)
            server = TaskServer(stays=False)
            hosting = Hosting(server, self._coding.token)
            await hosting.open(child.sockets)
            try:
                server.begin(episode)
                living = partial(self._episode, child, connection, episode, session, turn)
                submission = await self._with_services(living, episode, task, session)
            finally:
                await hosting.close()
            child.episodes += 1
            kept = turn.rests
        finally:
            self._turn = None
            episode.close()
            if not kept:
                await self._end(0.0)
        return submission

    async def _introduced(self, child: Child, task: TaskView, episode: McpEpisode) -> Connection:
        """The connection to a process that answered `initialize`."""
        if self._connection is not None:
            return self._connection
        deadline = child.started + self._coding.options.start_seconds
        connection = Connection(child.send, self._serve, self._note)
        self._connection = connection
        await self._until(child, connection, lambda: not child.ports_pending and self._host.settled(), deadline, None)
        for service in self._services:
            await service.serve(child.sockets[service.port.name])
        hello = connection.request(
            "initialize",
            {
                "protocolVersion": _VERSION,
                "clientCapabilities": WorldTools.of(task).capabilities,
                "clientInfo": {"name": "proctor", "title": "Proctor", "version": "1"},
            },
        )
        await self._until(child, connection, hello.done, deadline, None)
        try:
            told = hello.result()
        except RpcError as error:
            raise self._not_started(f"it refused to be initialised: {self._scrub(str(error))}") from None
        if told.get("protocolVersion") != _VERSION:
            message = f"it speaks version {told.get('protocolVersion')!r} of the protocol, not {_VERSION}"
            raise self._not_started(message)
        self._takes_http = _capability(told, "agentCapabilities", "mcpCapabilities", "http")
        self._meet()
        return connection

    async def _episode(
        self, child: Child, connection: Connection, episode: McpEpisode, session: Session, turn: _Turn
    ) -> Submission:
        made = connection.request("session/new", {"cwd": WORK, "mcpServers": [self._task_server(child)]})
        await self._until(child, connection, made.done, None, episode)
        try:
            identity = str(made.result().get("sessionId", ""))
        except RpcError as error:
            raise _refused(error, self._scrub) from None
        turn.session = identity
        await self._prompt(child, connection, episode, session, turn, episode.text)
        if not episode.over:
            turn.text.clear()
            reminder = _REMINDER.format(submit=episode.own.submit)
            await self._prompt(child, connection, episode, session, turn, reminder)
        if not episode.over:
            # Its own words, as a person would have read them.
            await episode.call(episode.own.submit, {"answer": "".join(turn.text).strip()})
            await self._until(child, connection, lambda: episode.over, None, episode)
        return episode.result()

    async def _prompt(
        self, child: Child, connection: Connection, episode: McpEpisode, session: Session, turn: _Turn, text: str
    ) -> None:
        """One turn of the agent, until it ends or the episode does."""
        turn.rests = False
        asked = connection.request(
            "session/prompt", {"sessionId": turn.session, "prompt": [{"type": "text", "text": text}]}
        )
        await self._until(child, connection, lambda: asked.done() or episode.over, None, episode)
        if not asked.done():
            connection.notify("session/cancel", {"sessionId": turn.session})
            with suppress(TimeoutError):
                await self._until(child, connection, asked.done, time.monotonic() + _REST_SECONDS, episode, rest=True)
        if not asked.done():
            return
        turn.rests = True
        try:
            ended = asked.result()
        except RpcError as error:
            if not episode.over:
                # It has read the task: whatever it wants now, it could have wanted before.
                raise _failed(error, self._scrub) from None
            return
        self._report(session, episode, ended)

    def _report(self, session: Session, episode: McpEpisode, ended: Params) -> None:
        """Tokens that the agent says it used, where the bench does not count them itself; else they are not counted."""
        if self._services:
            return
        usage = ended.get("usage")
        total = usage.get("totalTokens") if isinstance(usage, dict) else None
        if type(total) is int and total >= 0:
            try:
                session.spend(tokens=total)
            except LimitReached as limit:
                if not episode.over:
                    raise limit from None
            except ValueError:
                pass  # A number that no model used.

    def _task_server(self, child: Child) -> Params:
        port = child.sockets[HTTP if self._takes_http else LINES].getsockname()[1]
        return self._coding.http_server(port) if self._takes_http else self._coding.stdio_server(port)

    async def _until(
        self,
        child: Child,
        connection: Connection,
        holds: Callable[[], bool],
        deadline: float | None,
        episode: McpEpisode | None,
        *,
        rest: bool = False,
    ) -> None:
        """Take what the agent says until a condition holds. Before its task it did not start; after, it failed."""
        while not holds():
            while (line := child.lines.take()) is not None:
                connection.take(line)
            if holds():
                return
            if child.lines.problem is not None:
                raise AgentFailure("agent_protocol", child.lines.problem)
            if child.output_closed or child.ended:
                await child.wait(LOOK)
                self._explain(child, episode)
            if (excess := limit_text(child.limit_exceeded(), self._coding.options.limits)) is not None:
                message = f"the agent was stopped: it used more than {excess}"
                raise AgentFailure("agent_crashed", message)
            if deadline is not None and time.monotonic() > deadline:
                if rest:
                    raise TimeoutError
                seconds = f"{self._coding.options.start_seconds:g}"
                raise self._not_started(
                    f"it did not answer `initialize` within {seconds} s; give it longer with ,start_seconds=N"
                )
            if episode is not None:
                self._look_at_services()
            await child.wait(LOOK)

    def _explain(self, child: Child, episode: McpEpisode | None) -> None:
        if episode is None:
            self._explain_unstarted(child)
            said = self._scrub.last_lines(child.stderr)
            ended = f"it ended with status {child.status} before it answered `initialize`"
            raise self._not_started(ended + (f": {said}" if said else ""))
        if episode.limit is not None:
            raise episode.limit
        said = self._scrub.last_lines(child.stderr)
        ended = f"the agent ended with status {child.status} before it handed in" + (f": {said}" if said else "")
        raise AgentFailure("agent_crashed", ended)

    async def _serve(self, method: str, params: Params) -> Any:
        if self._turn is None:
            raise RpcError(AUTH_REQUIRED, "there is no task now")
        return await self._turn.requests.serve(method, params)

    def _note(self, method: str, params: Params) -> None:
        if method == "session/update" and self._turn is not None and params.get("sessionId") == self._turn.session:
            self._turn.hear(params.get("update"))

    async def _end(self, grace: float) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        await super()._end(grace)

    def _end_now(self, grace: float) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        super()._end_now(grace)


class _Turn:
    """What is known of the current session."""

    __slots__ = ("requests", "rests", "session", "text")

    def __init__(self, requests: Requests) -> None:
        self.requests = requests
        self.session = ""
        self.text: list[str] = []
        self.rests = False
        """The last turn has ended: the agent waits."""

    def hear(self, update: Any) -> None:
        """Keep what it says to its user."""
        if not isinstance(update, dict) or update.get("sessionUpdate") != "agent_message_chunk":
            return
        content = update.get("content")
        text = content.get("text") if isinstance(content, dict) else None
        if isinstance(text, str) and sum(map(len, self.text)) + len(text) <= _MOST_TEXT:
            self.text.append(text)


def _capability(told: Params, *path: str) -> bool:
    value: Any = told
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value is True


def _refused(error: RpcError, scrub: Scrub) -> AgentFailure | ServiceFailure:
    """What to raise where an agent refuses before it was shown the task."""
    if error.code == AUTH_REQUIRED:
        said = scrub(str(error)) or "no reason given"
        message = f"the agent wants to be signed in ({said}); give it its key by system.env or the model proxy"
        return ServiceFailure("agent_not_started", message, final=True)
    return _failed(error, scrub)


def _failed(error: RpcError, scrub: Scrub) -> AgentFailure:
    said = scrub(str(error)) or "no reason given"
    return AgentFailure("agent_protocol", f"the agent answered with an error ({error.code}): {said}")


def open_coding_agent(agent: AgentString, context: AgentContext) -> AcpAgent:
    """The agent for one lifetime; its process starts with its first episode."""
    require_sdk()
    read = read_program(agent, context)
    services = port_services(context, read.options)
    host = make_host(agent, with_ports(read.program, services), read.options)
    scrub = Scrub({**read.options.env, **model_keys(context.system)}, context.folder)
    return AcpAgent(agent.text, read, host, scrub, services)
