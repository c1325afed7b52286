"""The kind of agents that are MCP clients. Only its declaration: no SDK and no sandbox is loaded for it."""

from __future__ import annotations

from typing import Any, Final

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString


def _open(agent: AgentString, context: AgentContext) -> Agent:
    from proctor.agents.mcp_client import agent as client

    return client.open_client(agent, context)


def _check(agent: AgentString, context: AgentContext) -> None:
    from proctor.agents.mcp_client import program

    program.check_client(agent, context)


def _files(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    from proctor.agents.mcp_client import program

    return program.client_files(agent, context)


def _source(agent: AgentString, context: AgentContext) -> str | None:
    from proctor.agents.mcp_client import program

    return program.client_source(agent, context)


kind: Final = AgentKind(
    name="mcp",
    description="Your agent as an MCP client, confined: the task's tools are an MCP server: mcp:python client.py.",
    open=_open,
    check=_check,
    source=_source,
    files=_files,
)
