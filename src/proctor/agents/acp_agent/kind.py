"""The kind of agents that speak the Agent Client Protocol. Only its declaration: no SDK and no sandbox is loaded."""

from __future__ import annotations

from typing import Any, Final

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString


def _open(agent: AgentString, context: AgentContext) -> Agent:
    from proctor.agents.acp_agent import agent as coding

    return coding.open_coding_agent(agent, context)


def _check(agent: AgentString, context: AgentContext) -> None:
    from proctor.agents.acp_agent import program

    program.check_program(agent, context)


def _files(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    from proctor.agents.acp_agent import program

    return program.program_files(agent, context)


def _source(agent: AgentString, context: AgentContext) -> str | None:
    from proctor.agents.acp_agent import program

    return program.program_source(agent, context)


kind: Final = AgentKind(
    name="acp",
    description="A coding agent that speaks the Agent Client Protocol, confined: acp:./my_coding_agent --acp.",
    open=_open,
    check=_check,
    source=_source,
    files=_files,
)
