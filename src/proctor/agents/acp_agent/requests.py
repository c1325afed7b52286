"""What an agent may ask of its client during an episode: permissions, files and terminals.

Files and terminals are those of the task's world, reached by the task's own tools: a read is a call of `read_file`, a
terminal a call of the tool that runs commands, so each is recorded, counted and limited like any other call. Where a
task has no such tool, the agent is not told that it could ask. (Its own disk, inside its sandbox, it can use by
itself.)
"""

from __future__ import annotations

import shlex
from typing import Any, Final

from msgspec import Struct

from proctor.agents.acp_agent.connection import INVALID_PARAMS, METHOD_NOT_FOUND, Params, RpcError
from proctor.agents.contract import Session
from proctor.agents.mcp_client.episode import McpEpisode
from proctor.spec.task import TaskView, ToolSpec

_ALLOWED: Final = ("allow_once", "allow_always")
_REJECTED: Final = ("reject_once", "reject_always")
_MOST_TERMINALS: Final = 100
_MOST_TEXT: Final = 200
_CODES: Final = ("exit_code", "status", "code", "exit")


class WorldTools(Struct, frozen=True):
    """The tools of a task that files and terminals are served by; None where it has none."""

    read: str | None
    write: str | None
    run: str | None

    @classmethod
    def of(cls, task: TaskView) -> WorldTools:
        """Those of a task."""
        tools = {tool.name: tool for tool in task.tools}
        return cls(
            _taking(tools, ("read_file",), {"path"}),
            _taking(tools, ("write_file",), {"path", "text"}),
            _taking(tools, ("run", "run_command", "shell", "execute"), {"command"}),
        )

    @property
    def capabilities(self) -> Params:
        """What the agent is told that it can ask for."""
        return {
            "fs": {"readTextFile": self.read is not None, "writeTextFile": self.write is not None},
            "terminal": self.run is not None,
        }


def _taking(tools: dict[str, ToolSpec], names: tuple[str, ...], arguments: set[str]) -> str | None:
    """The first of these tools that takes these arguments and needs no others."""
    for name in names:
        if name in tools:
            schema = tools[name].parameters
            if arguments <= set(schema.get("properties", {})) and set(schema.get("required", ())) <= arguments:
                return name
    return None


class Requests:
    """Serves one episode."""

    def __init__(self, task: TaskView, session: Session, episode: McpEpisode, *, allows: bool) -> None:
        self._session = session
        self._episode = episode
        self._allows = allows
        self._tools = WorldTools.of(task)
        self._terminals: dict[str, Params] = {}

    async def serve(self, method: str, params: Params) -> Any:
        """The answer to a request; raises `RpcError` for what cannot be done."""
        match method:
            case "session/request_permission":
                return self._permission(params)
            case "fs/read_text_file":
                return {
                    "content": _lines(await self._call(self._tools.read, method, path=_text(params, "path")), params)
                }
            case "fs/write_text_file":
                await self._call(self._tools.write, method, path=_text(params, "path"), text=_text(params, "content"))
                return {}
            case "terminal/create":
                return await self._create(method, params)
            case "terminal/output":
                return self._terminal(params)
            case "terminal/wait_for_exit":
                return self._terminal(params)["exitStatus"]
            case "terminal/kill":
                self._terminal(params)
                return {}
            case "terminal/release":
                self._terminals.pop(_text(params, "terminalId"), None)
                return {}
        raise RpcError(METHOD_NOT_FOUND, f"{method[:_MOST_TEXT]} is not served here")

    def _permission(self, params: Params) -> Params:
        wanted = _ALLOWED if self._allows else _REJECTED
        options = [option for option in params.get("options", ()) if isinstance(option, dict)]
        chosen = next((o for kind in wanted for o in options if o.get("kind") == kind), None)
        call = params.get("toolCall")
        title = str(call.get("title") or call.get("kind") or "")[:_MOST_TEXT] if isinstance(call, dict) else ""
        answer = "granted" if chosen is not None and self._allows else "refused"
        self._session.say(f"permission {answer} by the declared policy: {title or 'an unnamed act'}")
        if chosen is None:
            return {"outcome": {"outcome": "cancelled"}}
        return {"outcome": {"outcome": "selected", "optionId": chosen.get("optionId")}}

    async def _call(self, tool: str | None, method: str, **arguments: Any) -> Any:
        if tool is None:
            raise RpcError(METHOD_NOT_FOUND, f"{method} is not served for this task; use its tools")
        answer = await self._episode.call(tool, arguments)
        if not answer.ok:
            raise RpcError(INVALID_PARAMS, answer.text)
        return answer.fields.get("value")

    async def _create(self, method: str, params: Params) -> Params:
        if len(self._terminals) >= _MOST_TERMINALS:
            raise RpcError(INVALID_PARAMS, f"more than {_MOST_TERMINALS} terminals are open; release some")
        arguments = [str(word) for word in params.get("args") or ()]
        command = " ".join([_text(params, "command"), *(shlex.quote(word) for word in arguments)])
        given = await self._call(self._tools.run, method, command=command)
        name = f"terminal-{len(self._terminals) + 1}"
        self._terminals[name] = _ended(given, params.get("outputByteLimit"))
        return {"terminalId": name}

    def _terminal(self, params: Params) -> Params:
        name = _text(params, "terminalId")
        if name not in self._terminals:
            raise RpcError(INVALID_PARAMS, f"there is no terminal '{name[:_MOST_TEXT]}'")
        return self._terminals[name]


def _ended(given: Any, most: Any) -> Params:
    """What a command left, as a terminal that has ended."""
    fields = given if isinstance(given, dict) else {"output": given}
    output = "".join(str(fields[name]) for name in ("output", "stdout", "stderr") if fields.get(name))
    code = next(
        (fields[name] for name in ("exit_code", "status", "code", "exit") if type(fields.get(name)) is int), None
    )
    limit = most if type(most) is int and most >= 0 else None
    data = output.encode()
    cut = limit is not None and len(data) > limit
    # The end of the output is what is kept, as the protocol asks.
    text = data[len(data) - limit :].decode(errors="ignore") if cut and limit is not None else output
    return {"output": text, "truncated": cut, "exitStatus": {"exitCode": code, "signal": None}}


def _text(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"'{name}' is a text")
    return value


def _lines(value: Any, params: Params) -> str:
    """The lines asked for, of a text read from the world."""
    text = value if isinstance(value, str) else str(value.get("text", value)) if isinstance(value, dict) else str(value)
    first, limit = params.get("line"), params.get("limit")
    if type(first) is not int and type(limit) is not int:
        return text
    lines = text.splitlines(keepends=True)
    start = max(0, first - 1) if type(first) is int else 0
    return "".join(lines[start : start + limit] if type(limit) is int and limit >= 0 else lines[start:])
