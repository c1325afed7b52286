"""From `mcp:COMMAND ARGS` to a process that finds its server.

The command is that of a `cmd:` agent: confined, split like a shell splits, shown the files it names. It finds

- `PROCTOR_MCP_URL`: the server by streamable HTTP, and
- `PROCTOR_MCP_COMMAND`: a command line that starts the same server on stdio, for clients that start their servers.

Both lead to sockets that listen inside the sandbox and are served by the bench, so no network is opened. The token in
them keeps out whoever else is on the machine where an agent runs unconfined or with a network.
"""

from __future__ import annotations

import secrets
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.model_proxy.opening import check_models
from proctor.agents.process.command import command_program
from proctor.agents.process.options import Options, read_options, require_sandbox
from proctor.agents.process.ports.port import HOST, Port
from proctor.agents.process.process_host import Program, View, files_of, source_of
from proctor.core.errors import InputError

HTTP: Final = "mcp"
"""The port for streamable HTTP."""
LINES: Final = "mcp-lines"
"""The port for the shim."""
_SHIM: Final = "mcp/shim.py"
_PLACE: Final = "PROCTOR_MCP_PLACE"
_STAYS: Final = "stays"
# The shim's place is known once the sockets are open; clients start their servers with few variables, so it is an
# argument of the command line.
_ENTER: Final = f'PROCTOR_MCP_COMMAND="$1 ${_PLACE}"; export PROCTOR_MCP_COMMAND; unset {_PLACE}; shift; exec "$@"'


class ClientProgram(Struct, frozen=True):
    """What is to be run for one lifetime."""

    program: Program
    options: Options
    token: str
    stays: bool
    """One process lives all episodes of a lifetime and waits for each."""


def read_program(agent: AgentString, context: AgentContext) -> ClientProgram:
    """The program of an agent string, or one sentence on what is wrong with it."""
    stays = agent.options.get(_STAYS, "no")
    if stays not in ("yes", "no"):
        message = f"agent '{agent.text}': {_STAYS} is yes or no, not '{stays}'"
        raise InputError(message)
    rest = {name: value for name, value in agent.options.items() if name != _STAYS}
    options = read_options(msgspec.structs.replace(agent, options=rest), context)
    plain = command_program(agent, options)
    token = secrets.token_urlsafe(16)

    def command(view: View) -> list[str]:
        shim = f"{view.python} -I -S -B {view.boot}/{_SHIM}"
        return ["/bin/sh", "-c", _ENTER, "mcp", shim, *plain.command(view)]

    ports = (
        Port(HTTP, {"PROCTOR_MCP_URL": f"http://{HOST}:{{port}}/{token}/mcp"}),
        Port(LINES, {_PLACE: f"{HOST}:{{port}}/{token}"}),
    )
    program = Program(command, plain.shown, {**plain.boot, _SHIM: shim_source()}, ports)
    return ClientProgram(program, options, token, stays == "yes")


def check_client(agent: AgentString, context: AgentContext) -> None:
    """Refuse, before the run, an agent that cannot be started here."""
    require_sdk()
    read = read_program(agent, context)
    check_models(context.system)
    require_sandbox(agent, read.options)


def client_files(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    """The files that the agent string names, one by one."""
    return files_of(read_program(agent, context).program)


def client_source(agent: AgentString, context: AgentContext) -> str | None:
    """SHA-256 over the files that the agent string names; None where it names none."""
    return source_of(read_program(agent, context).program)


def require_sdk() -> None:
    """Say what to install where the MCP SDK is missing."""
    if find_spec("mcp") is None or find_spec("uvicorn") is None:
        message = "agents of kind mcp are served by the MCP SDK, which is not installed; pip install 'proctor[agents]'"
        raise InputError(message)


@cache
def shim_source() -> bytes:
    """The program that clients start as their server on stdio."""
    return (Path(__file__).parent / "shim.py").read_bytes()
