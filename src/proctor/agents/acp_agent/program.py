"""The command of an agent string, and the ports on which it finds the tools of its task.

    acp:./my_coding_agent --acp,permissions=reject

`permissions` is the declared policy: `allow` grants what the agent asks permission for (it runs in a sandbox), `reject`
refuses it. It belongs to the agent string, so it is on record and in every report.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

import msgspec
from msgspec import Struct

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.mcp_client.program import HTTP, LINES, require_sdk, shim_source
from proctor.agents.model_proxy.opening import check_models
from proctor.agents.process.command import command_program
from proctor.agents.process.options import Options, read_options, require_sandbox
from proctor.agents.process.ports.port import HOST, Port
from proctor.agents.process.process_host import Program, View, files_of, source_of
from proctor.core.errors import InputError

_SHIM: Final = "mcp/shim.py"
_POLICY: Final = "permissions"


class CodingProgram(Struct, frozen=True):
    """What is to be run for one lifetime."""

    program: Program
    options: Options
    token: str
    allows: bool
    """Whether permissions are granted."""
    seen: list[View]
    """The machine as the process sees it, once it was started."""

    stays: bool = False

    def http_server(self, port: int) -> dict[str, object]:
        """The server of the task for an agent that can reach it by HTTP."""
        url = f"http://{HOST}:{port}/{self.token}/mcp"
        return {"type": "http", "name": "proctor", "url": url, "headers": []}

    def stdio_server(self, port: int) -> dict[str, object]:
        """The same for an agent that starts its servers itself."""
        view = self.seen[-1]
        arguments = ["-I", "-S", "-B", f"{view.boot}/{_SHIM}", f"{HOST}:{port}/{self.token}"]
        return {"name": "proctor", "command": view.python, "args": arguments, "env": []}


def read_program(agent: AgentString, context: AgentContext) -> CodingProgram:
    """The program of an agent string, or one sentence on what is wrong with it."""
    policy = agent.options.get(_POLICY, "allow")
    if policy not in ("allow", "reject"):
        message = f"agent '{agent.text}': {_POLICY} is allow or reject, not '{policy}'"
        raise InputError(message)
    rest = {name: value for name, value in agent.options.items() if name != _POLICY}
    options = read_options(msgspec.structs.replace(agent, options=rest), context)
    plain = command_program(agent, options)
    seen: list[View] = []

    def command(view: View) -> list[str]:
        seen[:] = [view]
        return plain.command(view)

    program = Program(command, plain.shown, {**plain.boot, _SHIM: shim_source()}, (Port(HTTP), Port(LINES)))
    return CodingProgram(program, options, secrets.token_urlsafe(16), policy == "allow", seen)


def check_program(agent: AgentString, context: AgentContext) -> None:
    """Refuse, before the run, an agent that cannot be started here."""
    require_sdk()
    read = read_program(agent, context)
    check_models(context.system)
    require_sandbox(agent, read.options)


def program_files(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    """The files that the agent string names, one by one."""
    return files_of(read_program(agent, context).program)


def program_source(agent: AgentString, context: AgentContext) -> str | None:
    """SHA-256 over the files that the agent string names; None where it names none."""
    return source_of(read_program(agent, context).program)
