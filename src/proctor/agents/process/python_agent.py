"""Agents written in Python: `python:my_agent:make`, `python:agents/mine.py:Agent`.

The module is never imported by the bench. It is loaded in a confined process of its own, where `proctor` is only the
agent contract. What is named (after the colon) may be a class or a factory without arguments that gives an agent, an
agent object, or a function of task and session. Agents have `run(task, session)`, awaited or not, or
`act(observation)`.
"""

from __future__ import annotations

import importlib.util
import marshal
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.model_proxy.opening import check_models
from proctor.agents.process.agent import ProcessAgent
from proctor.agents.process.availability import availability
from proctor.agents.process.exposure import AGENT, ExposedPath, expose
from proctor.agents.process.hidden import hidden_packages, site_folders
from proctor.agents.process.opening import named_files, open_agent
from proctor.agents.process.options import Options, read_options, require_sandbox
from proctor.agents.process.process_host import Program, View, files_of, source_of
from proctor.core.errors import InputError
from proctor.core.hashing import content_hash

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
    _program(agent, options)
    require_sandbox(agent, options)
    check_models(context.system)
    availability(agent.text, anew=True)


def python_source(agent: AgentString, context: AgentContext) -> str | None:
    """SHA-256 over the files and the interpreter that the agent string names; None where it names none."""
    options = read_options(agent, context)
    files = source_of(_program(agent, options))
    return files if options.interpreter is None else content_hash([files, options.interpreter.identity()])


def python_files(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    """The files that the agent string names, one by one."""
    return files_of(_program(agent, read_options(agent, context)))


def python_runtime(agent: AgentString, context: AgentContext) -> str | None:
    """The interpreter that the agent string names, with its packages; None where it names none."""
    interpreter = read_options(agent, context).interpreter
    return None if interpreter is None else interpreter.identity()


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

    boot = boot_files(None if options.interpreter is None else options.interpreter.magic)
    shown = (module, *further) if isinstance(module, ExposedPath) else further
    return Program(command, shown, boot, says_ready=True, warm=options.interpreter is None)


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
    interpreter = options.interpreter
    if top in hidden_packages(None if interpreter is None else interpreter.shown):
        message = (
            f"agent '{agent.text}': package '{top}' also brings families, suites or instruments, which an agent must "
            "not see; put the agent into a package or file of its own"
        )
        raise InputError(message)
    if interpreter is not None:
        if interpreter.has(top) or top in sys.stdlib_module_names:
            return None
        message = (
            f"agent '{agent.text}': there is no module '{top}' in {options.root}, and none is installed in "
            f"python={interpreter.named} ({interpreter.words}); install it there, or give another python=PATH"
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
def boot_files(magic: bytes | None = None) -> dict[str, bytes]:
    """The files of `inside`, compiled once per bench process, so that no agent's process compiles them again.

    A Python whose compiled files begin with another `magic` is given the sources.
    """
    compiled = magic in (None, importlib.util.MAGIC_NUMBER)
    write, suffix = (_compiled, "pyc") if compiled else (_as_written, "py")
    files = {f"proctor/__init__.{suffix}": write(_INSIDE / "exported.py", "proctor/__init__.py")}
    for source in sorted(_INSIDE.glob("*.py")):
        files[f"{_PLACE}/{source.stem}.{suffix}"] = write(source, f"{_PLACE}/{source.name}")
    return files


def _compiled(source: Path, shown_as: str) -> bytes:
    code = compile(source.read_bytes(), shown_as, "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


def _as_written(source: Path, shown_as: str) -> bytes:
    return source.read_bytes()
