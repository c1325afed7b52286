"""Options of agents in a process of their own: `,include=prompts|data.json,memory=2048,unconfined=yes`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.process.interpreter import Interpreter, find_interpreter
from proctor.agents.process.memory import declared_folder
from proctor.core.errors import InputError, NotEvaluable
from proctor.core.numbers import whole_number
from proctor.core.texts import shortened
from proctor.spec.system import Network
from proctor.worlds.sandbox import Limits, available
from proctor.worlds.watch import MiB

START_SECONDS: Final = 20
"""How long a process has, from its start to its first message, where nothing is declared: importing a framework for
agents takes one to three seconds on an idle machine, and several times that on a busy one."""
_MOST_START_SECONDS: Final = 600
_DAY: Final = 86_400.0
_KNOWN: Final = {
    "include": "further files or folders to show, separated by |",
    "folder": "a folder to show as a whole, and from which paths start",
    "memory": "MiB of memory",
    "disk": "MiB of files",
    "processes": "processes and threads",
    "start_seconds": "seconds from its start to its first message",
    "unconfined": "yes, to run without a sandbox",
    "prefork": "yes, to load a Python agent's module once and fork its lifetimes from it",
}
_OF_PYTHON: Final = {"python": "the interpreter, virtual environment or uv project to run it with"}
"""Options of `python:` agents alone; a command names its interpreter itself."""
_MOST: Final = 1 << 20


class Options(Struct, frozen=True):
    """What an agent string and its system say about the process."""

    root: Path
    """Where relative paths start."""
    project: Path
    whole: bool
    """Show all of `root`."""
    include: tuple[Path, ...]
    unconfined: bool
    limits: Limits
    network: bool
    env: dict[str, str]
    memory_folder: str | None
    start_seconds: float = START_SECONDS
    interpreter: Interpreter | None = None
    """The Python that runs it; None: the one that runs the bench."""
    prefork: bool = False
    """Load the agent's module once, and fork lifetimes from the process that has it."""


def read_options(agent: AgentString, context: AgentContext) -> Options:
    """The options, or one sentence on what is wrong with them."""
    given = agent.options
    options = _KNOWN | _OF_PYTHON if agent.kind == "python" else _KNOWN
    for name in given:
        if name not in options:
            from difflib import get_close_matches

            close = get_close_matches(name, options, n=1)
            known = "; ".join(f"{option}: {meaning}" for option, meaning in options.items())
            hint = f"did you mean '{close[0]}'?" if close else f"{agent.kind}: agents have {known}"
            message = f"agent '{agent.text}' has no option '{name}'; {hint}"
            raise InputError(message)
    project = Path(os.path.abspath(context.folder))
    root = project / given["folder"] if "folder" in given else project
    if not root.is_dir():
        message = f"agent '{agent.text}': there is no folder '{given['folder']}' in {project}"
        raise InputError(message)
    unconfined = _yes(agent, "unconfined")
    return Options(
        root=Path(os.path.normpath(root)),
        project=project,
        whole="folder" in given,
        include=tuple(Path(path) for path in given.get("include", "").split("|") if path),
        unconfined=unconfined,
        limits=_limits(agent),
        network=context.system.network is Network.FULL,
        env=_environment(context.system.env),
        memory_folder=declared_folder(context.system),
        start_seconds=_number(agent, "start_seconds", START_SECONDS, most=_MOST_START_SECONDS),
        interpreter=find_interpreter(agent, project, unconfined=unconfined) if "python" in given else None,
        prefork=_prefork(agent),
    )


def require_sandbox(agent: AgentString, options: Options) -> None:
    """Raise `NotEvaluable` where the agent is to be confined and this machine cannot."""
    reason = None if options.unconfined else available()
    if reason is not None:
        message = (
            f"agent '{agent.text}' would run confined, and cannot here: {reason}; add ,unconfined=yes to run it as an "
            "ordinary process that can read your files and use the network, which every report will say"
        )
        raise NotEvaluable(message)


def _limits(agent: AgentString) -> Limits:
    memory = _number(agent, "memory", 1024) * MiB
    disk = _number(agent, "disk", 64) * MiB
    return Limits(
        seconds=None,
        cpu=_DAY,
        memory=memory,
        # Interpreters and their libraries reserve far more than they use.
        address_space=8 * memory,
        disk=disk,
        file=disk,
        processes=_number(agent, "processes", 64),
        open_files=1024,
    )


def _number(agent: AgentString, name: str, default: int, most: int = _MOST) -> int:
    text = agent.options.get(name, str(default))
    value = whole_number(text, 1, most)
    if value is None:
        message = (
            f"agent '{shortened(agent.text)}': {name}={shortened(text)} is no whole number of {_KNOWN[name]} from 1 to "
            f"{most:,}"
        )
        raise InputError(message)
    return value


def _yes(agent: AgentString, name: str) -> bool:
    text = agent.options.get(name, "no")
    if text not in ("yes", "no"):
        message = f"agent '{agent.text}': {name} is yes or no, not '{text}'"
        raise InputError(message)
    return text == "yes"


def _prefork(agent: AgentString) -> bool:
    if not _yes(agent, "prefork"):
        return False
    if agent.kind != "python":
        message = f"agent '{agent.text}': prefork=yes loads a Python module, and is for python: agents"
        raise InputError(message)
    if _yes(agent, "unconfined"):
        message = f"agent '{agent.text}': prefork=yes needs a sandbox; leave out prefork=yes or unconfined=yes"
        raise InputError(message)
    return True


def _environment(names: tuple[str, ...]) -> dict[str, str]:
    """The declared variables that are set; a missing one is the agent's to complain about."""
    unsafe = [name for name in names if name.startswith("LD_") or name in ("GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH")]
    if unsafe:
        message = f"system.env names {unsafe[0]}, which would reach the sandbox itself; set it inside the agent"
        raise InputError(message)
    return {name: os.environ[name] for name in names if name in os.environ}
