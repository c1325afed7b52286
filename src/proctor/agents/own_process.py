"""The kinds of agents that live in a process of their own: a user's Python code, or any command.

Only their declarations. What confines an agent and talks to it is imported when one is checked or opened, so that the
result of such an agent can be read, and its label looked up, without a sandbox being loaded.
"""

from __future__ import annotations

from typing import Any

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentKind, AgentString


def _open_python(agent: AgentString, context: AgentContext) -> Agent:
    from proctor.agents.process import python_agent

    return python_agent.open_python(agent, context)


def _check_python(agent: AgentString, context: AgentContext) -> None:
    from proctor.agents.process import python_agent

    python_agent.check_python(agent, context)


def _source_python(agent: AgentString, context: AgentContext) -> str | None:
    from proctor.agents.process import python_agent

    return python_agent.python_source(agent, context)


def _files_python(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    from proctor.agents.process import python_agent

    return python_agent.python_files(agent, context)


def _release_python() -> None:
    import sys

    # Only what was used can hold anything.
    if "proctor.agents.process.pool.pool" in sys.modules:
        from proctor.agents.process.pool.pool import pool

        pool.release()


def _runtime_python(agent: AgentString, context: AgentContext) -> str | None:
    from proctor.agents.process import python_agent

    return python_agent.python_runtime(agent, context)


def _open_command(agent: AgentString, context: AgentContext) -> Agent:
    from proctor.agents.process import command

    return command.open_command(agent, context)


def _check_command(agent: AgentString, context: AgentContext) -> None:
    from proctor.agents.process import command

    command.check_command(agent, context)


def _source_command(agent: AgentString, context: AgentContext) -> str | None:
    from proctor.agents.process import command

    return command.command_source(agent, context)


def _files_command(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    from proctor.agents.process import command

    return command.command_files(agent, context)


def _advice(agent: AgentString, context: AgentContext, said: str) -> str:
    from proctor.agents.process.advice import advice

    return advice(agent, context, said)


python = AgentKind(
    name="python",
    description="Your agent in Python, confined in its own process: python:my_agent:make, python:mine.py:Agent.",
    open=_open_python,
    check=_check_python,
    source=_source_python,
    files=_files_python,
    release=_release_python,
    runtime=_runtime_python,
    advice=_advice,
    baselines=frozenset({"model-free"}),
    baselines_by_shape=True,
)
cmd = AgentKind(
    name="cmd",
    description="Your agent as a command that exchanges JSON lines, confined in its own process: cmd:./my_agent.",
    open=_open_command,
    check=_check_command,
    source=_source_command,
    files=_files_command,
    advice=_advice,
)
