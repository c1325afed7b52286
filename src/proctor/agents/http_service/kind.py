"""The kinds of agents that are services somewhere else. Only their declarations: nothing is imported to connect."""

from __future__ import annotations

from typing import Final

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString

LABEL: Final = "remote service"


def _open(agent: AgentString, context: AgentContext) -> Agent:
    from proctor.agents.http_service import agent as service

    return service.open_service(agent, context)


def _check(agent: AgentString, context: AgentContext) -> None:
    from proctor.agents.http_service import agent as service

    service.check_service(agent, context)


def _kind(name: str, description: str) -> AgentKind:
    return AgentKind(name=name, description=description, open=_open, check=_check, label=LABEL, remote=True)


http: Final = _kind("http", "Your agent as a service that answers JSON over HTTP: http://127.0.0.1:8000/agent.")
https: Final = _kind("https", "The same over TLS: https://agent.example.com/v1,key_env=AGENT_KEY.")
