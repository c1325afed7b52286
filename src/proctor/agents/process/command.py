"""Agents in any language: `cmd:./my_agent --flag`, `cmd:python agent.py`, `cmd:sh agent.sh`.

The command speaks the wire protocol (`proctor.agents.process.wire`) on stdin and stdout. It is split like a shell
splits, and run without one. The agent sees the program, if it is a file of the user's, and files that are named in the
command with a slash or a suffix; everything else of the user's has to be shown with `,include=PATH`. Its working
directory is private and empty, so named files are given to it by their full path.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, Final

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.model_proxy.opening import check_models
from proctor.agents.process.agent import ProcessAgent
from proctor.agents.process.availability import availability
from proctor.agents.process.exposure import ExposedPath, expose, expose_covered
from proctor.agents.process.hidden import views
from proctor.agents.process.opening import named_files, open_agent
from proctor.agents.process.options import Options, read_options, require_sandbox
from proctor.agents.process.own_files import covered_in
from proctor.agents.process.process_host import Program, View, files_of, source_of
from proctor.core.errors import InputError

_SYSTEM_PATH: Final = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin")


def open_command(agent: AgentString, context: AgentContext) -> ProcessAgent:
    """The agent for one lifetime, in a process of its own."""
    options = read_options(agent, context)
    return open_agent(agent, context, command_program(agent, options), options)


def check_command(agent: AgentString, context: AgentContext) -> None:
    """Refuse, before the run, an agent that cannot be started here."""
    options = read_options(agent, context)
    command_program(agent, options)
    require_sandbox(agent, options)
    check_models(context.system)
    availability(agent.text, anew=True)


def command_source(agent: AgentString, context: AgentContext) -> str | None:
    """SHA-256 over the files that the agent string names; None where it names none."""
    return source_of(command_program(agent, read_options(agent, context)))


def command_files(agent: AgentString, context: AgentContext) -> list[list[Any]] | None:
    """The files that the agent string names, one by one."""
    return files_of(command_program(agent, read_options(agent, context)))


def command_program(agent: AgentString, options: Options) -> Program:
    """The command that an agent string names, split into words, with the user's files in it shown."""
    try:
        words = shlex.split(agent.detail)
    except ValueError as error:
        message = f"agent '{agent.text}': the command cannot be split into words: {error}"
        raise InputError(message) from None
    if not words:
        message = (
            f"agent '{agent.text}' names no command; write {agent.kind}:./my_agent or {agent.kind}:python agent.py"
        )
        raise InputError(message)
    pieces: list[str | ExposedPath] = [_first(agent, words[0], options)]
    pieces += [_argument(word, options) for word in words[1:]]
    files = tuple(piece for piece in pieces if isinstance(piece, ExposedPath) and not views(piece.host))

    def command(view: View) -> list[str]:
        return [piece if isinstance(piece, str) else view.path(piece) for piece in pieces]

    further = named_files(options)
    return Program(command, (*files, *further, *_uncovered(pieces, further, options)))


def _uncovered(
    pieces: list[str | ExposedPath], shown: tuple[ExposedPath, ...], options: Options
) -> tuple[ExposedPath, ...]:
    """Environments in a shown folder whose interpreter the command names: it needs them whole, and so they count."""
    found = {}
    for folder in shown:
        for name in covered_in(folder.host):
            inside = f"{folder.virtual}/{name}/"
            if any(isinstance(piece, ExposedPath) and piece.virtual.startswith(inside) for piece in pieces):
                found[inside] = expose_covered(folder, name, options.project)
    return tuple(found.values())


def _first(agent: AgentString, word: str, options: Options) -> str | ExposedPath:
    """The program: a word to be found on the sandbox's own path, or a file of the user's."""
    folders = (f"{sys.prefix}/bin", f"{sys.base_prefix}/bin", *_SYSTEM_PATH)
    if "/" not in word and shutil.which(word, path=":".join(folders)) is not None:
        return word
    if (there := views(_unlinked(word))) and os.access(word, os.X_OK):
        return ExposedPath(_unlinked(word), there[0], executable=True)
    path = options.root / word
    if not path.is_file():
        where = "there is no such program" if "/" not in word else f"there is no such file in {options.root}"
        message = f"agent '{agent.text}': '{word}' cannot be run: {where}"
        raise InputError(message)
    if not os.access(path, os.X_OK):
        message = f"agent '{agent.text}': '{word}' is not executable; chmod +x it, or name its interpreter before it"
        raise InputError(message)
    return expose(Path(word), options.root, options.project, executable=True)


def _argument(word: str, options: Options) -> str | ExposedPath:
    path = Path(word)
    names_a_file = ("/" in word or path.suffix) and not word.startswith("-") and (options.root / path).is_file()
    if not names_a_file:
        return word
    if there := views(_unlinked(word)):
        return ExposedPath(_unlinked(word), there[0])
    return expose(path, options.root, options.project)


def _unlinked(word: str) -> Path:
    """A path as it is where /bin, /lib and the like are links into /usr; links further down are left as they are."""
    parts = Path(word).parts
    if len(parts) > 2 and parts[0] == "/":
        return Path(os.path.realpath(f"/{parts[1]}"), *parts[2:])
    return Path(word)
