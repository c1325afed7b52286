"""Agents written in Python: `python:my_agent:make`, `python:agents/mine.py:Agent`.

The module is never imported by the bench. It is loaded in a confined process of its own, where `proctor` is only the
agent contract. What is named (after the colon) may be a class or a factory without arguments that gives an agent, an
agent object, or a function of task and session. Agents have `run(task, session)`, awaited or not, or
`act(observation)`.
"""

from __future__ import annotations

import importlib.util
import marshal
from functools import cache
from pathlib import Path
from typing import Final

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.process.agent import ProcessAgent
from proctor.agents.process.exposure import AGENT, ExposedPath, expose
from proctor.agents.process.hidden import hidden_packages, site_folders
from proctor.agents.process.opening import named_files, open_agent, try_start
from proctor.agents.process.options import Options, read_options, require_sandbox
from proctor.agents.process.process_host import Program, View, source_of
from proctor.core.errors import InputError

_INSIDE: Final = Path(__file__).parent / "inside"
_PLACE: Final = "proctor/agents/process/inside"
_STUB: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); from proctor.agents.process.inside.serve import main; "
    "main(sys.argv[2], sys.argv[3], sys.argv[4].split(':'), sys.argv[5:])"
)


def open_python(agent: AgentString, context: AgentContext) -> ProcessAgent:
    """The agent for one lifetime, in a process of its own."""
    options = read_options(agent, context)
    return open_agent(agent, context, _program(agent, options), options)


def check_python(agent: AgentString, context: AgentContext) -> None:
    """Refuse, before the run, an agent that cannot be started here."""
    options = read_options(agent, context)
    program = _program(agent, options)
    require_sandbox(agent, options)
    try_start(agent, context, program, options)


def python_source(agent: AgentString, context: AgentContext) -> str | None:
    """SHA-256 over the files that the agent string names; None where it names none."""
    return source_of(_program(agent, read_options(agent, context)))


def _program(agent: AgentString, options: Options) -> Program:
    target, _, factory = agent.detail.rpartition(":")
    if not target or not all(part.isidentifier() for part in factory.split(".")):
        message = f"agent '{agent.text}' names no factory; write python:my_agent:make or python:path/to/file.py:Agent"
        raise InputError(message)
    module = _file(target, options) if target.endswith(".py") else _module(agent, target, options)
    further = named_files(options)

    def command(view: View) -> list[str]:
        place = target
        folders = [AGENT if view.confined else str(options.root)]
        if isinstance(module, ExposedPath):
            where = view.path(module)
            if target.endswith(".py"):
                place = where
            folders.insert(0, str(Path(where).parent))
        parts = ":".join(dict.fromkeys(folders))
        return [view.python, "-I", "-S", "-B", "-c", _STUB, view.boot, place, factory, parts, *view.packages]

    return Program(command, (module, *further) if isinstance(module, ExposedPath) else further, boot_files(), warm=True)


def _file(target: str, options: Options) -> ExposedPath:
    exposed = expose(Path(target), options.root, options.project)
    if not exposed.host.is_file():
        message = f"'{target}' is a folder; name the file that holds the agent"
        raise InputError(message)
    return exposed


def _module(agent: AgentString, target: str, options: Options) -> ExposedPath | None:
    """The file or package folder of a module outside of what is installed; None for one that is installed."""
    top, *_ = target.split(".")
    if not all(part.isidentifier() for part in target.split(".")):
        message = f"agent '{agent.text}': '{target}' is neither the name of a module nor a .py file"
        raise InputError(message)
    for candidate in (options.root / f"{top}.py", options.root / top):
        if candidate.exists():
            return expose(candidate, options.root, options.project)
    if top in hidden_packages():
        message = (
            f"agent '{agent.text}': package '{top}' also brings families, suites or instruments, which an agent must "
            "not see; put the agent into a package or file of its own"
        )
        raise InputError(message)
    # Looks for the top-level name only: looking deeper would import the package here, in the bench.
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        message = f"agent '{agent.text}': there is no module '{top}' in {options.root}, and none is installed"
        raise InputError(message)
    if spec.origin in (None, "built-in", "frozen"):
        return None
    origin = Path(str(spec.origin))
    installed = any(origin.is_relative_to(folder) for folder in site_folders())
    stdlib = importlib.util.__file__ is not None and origin.is_relative_to(Path(importlib.util.__file__).parents[1])
    if installed or stdlib:
        return None
    return expose(origin.parent if origin.name == "__init__.py" else origin, options.root, options.project)


@cache
def boot_files() -> dict[str, bytes]:
    """The files of `inside`, compiled once per bench process, so that no agent's process compiles them again."""
    files = {"proctor/__init__.pyc": _compiled(_INSIDE / "exported.py", "proctor/__init__.py")}
    for source in sorted(_INSIDE.glob("*.py")):
        files[f"{_PLACE}/{source.stem}.pyc"] = _compiled(source, f"{_PLACE}/{source.name}")
    return files


def _compiled(source: Path, shown_as: str) -> bytes:
    code = compile(source.read_bytes(), shown_as, "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)
