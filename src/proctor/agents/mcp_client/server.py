"""The MCP server that a client finds: the tools of its current task, and the task itself wherever it may look.

One server serves all connections of a lifetime, several at once if a client likes; they all act in the same episode.
Names and arguments of tools are checked by the session, which records what does not fit.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from proctor.agents.mcp_client.episode import Answer, McpEpisode, refusal
from proctor.agents.mcp_client.texts import PROMPT, RESOURCE, plain

NAME: Final = "proctor"
_JSON: Final = "application/json"
_NO_TASK: Final = "there is no task now"
_WORDS: Final = "The task: goal, answer format, what is shown, what may be spent."


class TaskServer:
    """Serves one episode after another."""

    def __init__(self, *, stays: bool) -> None:
        self._stays = stays
        self._episode: McpEpisode | None = None
        self._begun = asyncio.Event()
        self._given = False
        """Somebody who waited for the current task was given it."""
        self.heard = False
        """A client has asked for something."""
        self.asked = False
        """The same since the current episode began."""
        self.protocol: Server[Any] = Server(
            NAME,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
            # The session checks arguments, and puts on record what does not fit.
            get_tool_input_schema=lambda name: None,
        )
        self.protocol.middleware.append(self._hear)

    def begin(self, episode: McpEpisode) -> None:
        """Let clients act in this episode from now on."""
        self._episode = episode
        self._given = self.asked = False
        self.protocol.instructions = episode.text
        self._begun.set()

    async def _hear(self, ctx: Any, call_next: Any) -> Any:
        self.heard = self.asked = True
        return await call_next(ctx)

    def _current(self) -> McpEpisode:
        """The episode that a request is about; counted against what a client may ask in one."""
        if self._episode is None:
            raise MCPError(types.INVALID_REQUEST, _NO_TASK)
        self._episode.count_request()
        return self._episode

    async def _list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=tool.parameters,
                    annotations=types.ToolAnnotations(read_only_hint=tool.effect == "read"),
                )
                for tool in self._current().tools
            ]
        )

    async def _call_tool(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        answer = await self._called(params.name, params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=answer.text)], structured_content=answer.fields, is_error=not answer.ok
        )

    async def _called(self, name: str, arguments: dict[str, Any]) -> Answer:
        episode = self._episode
        if episode is None:
            return refusal(_NO_TASK)
        if self._stays and name == episode.own.wait:
            return await self._next()
        return await episode.call(name, arguments)

    async def _next(self) -> Answer:
        """Wait for a task that nobody was given yet. A client that would wait in the middle of one is told."""
        if self._episode is not None and self._given and not self._episode.over:
            return refusal(f"this task is not over; hand in with {self._episode.own.submit} first")
        while self._episode is None or self._given or self._episode.over:
            self._begun.clear()
            await self._begun.wait()
        self._given = True
        return Answer(True, self._episode.text, {"ok": True, "value": self._episode.fields})

    async def _list_prompts(self, context: Any, params: Any) -> types.ListPromptsResult:
        self._current()
        return types.ListPromptsResult(prompts=[types.Prompt(name=PROMPT, description=_WORDS)])

    async def _get_prompt(self, context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != PROMPT:
            raise MCPError(types.INVALID_PARAMS, f"there is no such prompt; there is '{PROMPT}'")
        content = types.TextContent(text=self._current().text)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def _list_resources(self, context: Any, params: Any) -> types.ListResourcesResult:
        self._current()
        listed = types.Resource(uri=RESOURCE, name=PROMPT, description=_WORDS, mime_type=_JSON)
        return types.ListResourcesResult(resources=[listed])

    async def _read_resource(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        if str(params.uri) != RESOURCE:
            raise MCPError(types.INVALID_PARAMS, f"there is no such resource; there is {RESOURCE}")
        text = plain(self._current().fields)
        contents = types.TextResourceContents(uri=RESOURCE, mime_type=_JSON, text=text)
        return types.ReadResourceResult(contents=[contents])
