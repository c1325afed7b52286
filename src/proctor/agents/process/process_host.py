"""Where an agent lives: how its process is started, what it finds there and what is kept when it has ended.

A `ProcessHost` lasts one lifetime and holds one process at a time. Each process finds a private working directory of
its own, new but for the declared memory folder, which is as the last process left it; the declared environment
variables and none of the host's; the agent's own files. A confined host shows nothing else of the machine.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

from msgspec import Struct

from proctor.agents.files import source
from proctor.agents.process.child import Child
from proctor.agents.process.exposure import ExposedPath
from proctor.agents.process.hidden import hidden_paths, site_folders, views
from proctor.agents.process.memory import read_memory
from proctor.agents.process.options import Options
from proctor.agents.process.own_files import covered_in, own_entries
from proctor.agents.process.ports.handover import LAUNCHER, Handover, launcher_file
from proctor.agents.process.ports.port import Port
from proctor.agents.process.scratch_dir import ScratchDir
from proctor.core.errors import BenchError
from proctor.worlds.bubblewrap import WORK, Launch, find_helper
from proctor.worlds.interpreter import ShownPython
from proctor.worlds.sandbox import Sandbox
from proctor.worlds.watch import Limits, MiB, Watch

_BOOT: Final = "/opt/proctor"
_PACKAGES: Final = "/opt/packages"
ARCHIVE: Final = "/run/memory.tar"
"""Where a process finds what is to be in its memory folder, as an archive."""
_MAX_COPIED: Final = MiB
# Unpacked by the agent's own user, into memory of a fixed size.
_MOVE_IN: Final = 'umask 022; mkdir -p "$1" && {tar} -xf {archive} -C "$1" || exit 125; shift; exec "$@"'


class View(Struct, frozen=True):
    """The machine as the agent's process sees it, for making its command line."""

    python: str
    boot: str
    """Where the bench's own files for it are."""
    packages: tuple[str, ...]
    """Where installed packages are."""
    confined: bool

    def path(self, shown: ExposedPath) -> str:
        """Where it sees one of its files."""
        return shown.virtual if self.confined else str(shown.host)


class Program(Struct, frozen=True):
    """What is to be run: made by a kind of agent, the same for every lifetime."""

    command: Callable[[View], list[str]]
    shown: tuple[ExposedPath, ...] = ()
    boot: dict[str, bytes] = {}
    """Files of the bench's own that the process needs, by relative path."""
    ports: tuple[Port, ...] = ()
    """Where the process reaches the bench; `Child.sockets` are the other ends."""
    says_ready: bool = False
    """Whether its first word is always `ready` or `fail`; then it is shown no task before."""
    warm: bool = False
    """Its command is `PYTHON -I -S -B -c CODE …` with the bench's own Python, and serves an agent in Python: it may be
    forked from an interpreter that is warm."""


def files_of(program: Program) -> list[list[Any]] | None:
    """What is shown of the user's files, one by one (`proctor.agents.files`); None when nothing is."""
    return [[item.virtual, own_entries(item.host)] for item in program.shown] or None


def source_of(program: Program) -> str | None:
    """SHA-256 over what is shown of the user's files, by the names the agent sees; None when nothing is."""
    files = files_of(program)
    return None if files is None else source(files)


class ProcessHost(Protocol):
    """What an agent needs of the place it lives in."""

    def start(self, memory: bytes) -> Child:
        """A new process, which finds this in its memory folder."""
        ...

    def settled(self) -> bool:
        """Whether what the process will remember is in reach; before that it must not be given a task."""
        ...

    def leave(self) -> bytes | None:
        """What the process remembered, once it has ended; None when it ended before it was settled."""
        ...

    def close(self) -> None:
        """Remove everything."""
        ...


class AgentWatch(Watch):
    """A watch that can also get hold of the sandbox's working directory."""

    __slots__ = ()

    def open_work(self) -> int | None:
        """A descriptor that keeps /task even when the sandbox has ended; None before the sandbox is up."""
        root = self._find_root()
        if root is not None:
            with suppress(OSError):
                return os.open(root + WORK, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        return None


class SandboxedHost:
    """A sandbox for every process; nothing is written to the host's disk."""

    def __init__(self, program: Program, options: Options) -> None:
        self._layout = Layout(program, options)
        self._program = program
        self._limits = options.limits
        self._folder = options.memory_folder
        self._watch: AgentWatch
        self._work: int | None = None

    def start(self, memory: bytes) -> Child:
        command = self._program.command(self._layout.view)
        handover = Handover(self._program.ports) if self._program.ports else None
        try:
            return self._start(command, memory, handover)
        except BaseException:
            if handover is not None:
                handover.close()
            raise

    def _start(self, command: list[str], memory: bytes, handover: Handover | None) -> Child:
        if handover is not None:
            command = handover.command(self._layout.view.python, _BOOT, command)
        data = self._layout.data
        if self._folder is not None:
            command = [*move_in(self._folder), *command]
            data = {**data, ARCHIVE: memory}
        launch = self._layout.sandbox.launch(command, data)
        process = _started(launch, () if handover is None else (handover.descriptor,))
        if handover is not None:
            handover.passed()
        self._watch = AgentWatch(launch.status, self._limits)
        return Child(process, self._watch, handover)

    def settled(self) -> bool:
        if self._folder is not None and self._work is None:
            self._work = self._watch.open_work()
        return self._folder is None or self._work is not None

    def leave(self) -> bytes | None:
        if self._work is None or self._folder is None:
            return None
        try:
            return read_memory(self._work, self._folder, self._limits)
        finally:
            os.close(self._work)
            self._work = None

    def close(self) -> None:
        if self._work is not None:
            os.close(self._work)
            self._work = None
        self._layout.close()


class Layout:
    """What an agent's sandbox shows: the same for every process of a program. Close it when the last has ended."""

    def __init__(self, program: Program, options: Options) -> None:
        self._scratch = ScratchDir()
        self._binds: list[tuple[Path, str]] = []
        self.data: dict[str, bytes] = {f"{_BOOT}/{name}": data for name, data in program.boot.items()}
        """Read-only files to be made inside, by virtual path."""
        if program.ports:
            self.data[f"{_BOOT}/{LAUNCHER}"] = launcher_file()
        interpreter = options.interpreter
        python = None if interpreter is None else interpreter.shown
        packages = self._show_packages() if interpreter is None else tuple(seen for _, seen in interpreter.sites)
        self._hide(options.project, python)
        self._show(program.shown)
        self.sandbox = Sandbox(
            limits=options.limits,
            env={"HOME": WORK, **options.env},
            network=options.network,
            packages=True,
            shown_python=python,
            binds=self._binds,
        )
        self.view = View(self.sandbox.python, _BOOT, packages, confined=True)

    def close(self) -> None:
        """Remove what was made on the host for it."""
        self._scratch.close()

    def _show_packages(self) -> tuple[str, ...]:
        """Bind what the sandbox does not show by itself; where each folder of packages is seen."""
        seen: list[str] = []
        for number, folder in enumerate(site_folders()):
            there = views(folder.resolve())
            if not there:
                there = [f"{_PACKAGES}/{number}"]
                self._binds.append((folder.resolve(), there[0]))
            seen.append(there[0])
        return tuple(seen)

    def _hide(self, project: Path, python: ShownPython | None) -> None:
        """Cover what must not be seen with nothing."""
        extra = list(self._binds)
        for path in hidden_paths(project, python):
            covers = views(path, python)
            covers += [f"{virtual}/{path.relative_to(host)}" for host, virtual in extra if path.is_relative_to(host)]
            for virtual in covers:
                if path.is_dir():
                    self._binds.append((self._scratch.folder("nothing"), virtual))
                else:
                    self.data[virtual] = b""

    def _show(self, shown: tuple[ExposedPath, ...]) -> None:
        # Outer folders first, so that what is named itself lies over what is covered in a folder around it.
        folders = sorted((item for item in shown if item.host.is_dir()), key=lambda item: item.virtual.count("/"))
        seen_in: dict[str, bool] = {}
        for folder in folders:
            self._binds.append((folder.host, folder.virtual))
            within = [item for item in shown if item.virtual.startswith(f"{folder.virtual}/")]
            seen_in |= {item.virtual: True for item in within}
            for name in covered_in(folder.host):
                seen_in |= self._cover(f"{folder.virtual}/{name}", within)
        for number, item in enumerate(shown):
            if item.host.is_dir() or seen_in.get(item.virtual, False):
                continue
            if not item.executable and item.host.stat().st_size <= _MAX_COPIED:
                self.data[item.virtual] = item.host.read_bytes()
            else:
                self._binds.append((self._readable(item, number), item.virtual))

    def _cover(self, virtual: str, within: list[ExposedPath]) -> dict[str, bool]:
        """Cover a folder with nothing but places for what is named below it; which is not seen yet, therefore."""
        named = [item for item in within if item.virtual.startswith(f"{virtual}/")]
        cover = self._scratch.folder(f"cover-{len(self._binds)}" if named else "nothing")
        for item in named:
            place = cover / item.virtual.removeprefix(f"{virtual}/")
            folder = place if item.host.is_dir() else place.parent
            folder.mkdir(parents=True, exist_ok=True)
            if folder != place:
                place.touch()
            for made in (folder, *folder.parents):
                if not made.is_relative_to(cover):
                    break
                made.chmod(0o755)
        self._binds.append((cover, virtual))
        return {item.virtual: False for item in named}

    def _readable(self, item: ExposedPath, number: int) -> Path:
        """The file, or a copy where the sandbox's own user could not read it."""
        wanted = 0o005 if item.executable else 0o004
        if os.geteuid() != 0 or item.host.stat().st_mode & wanted == wanted:
            return item.host
        copy = self._scratch.folder("shown") / str(number)
        copy.write_bytes(item.host.read_bytes())
        copy.chmod(0o555)
        return copy


def move_in(folder: str) -> list[str]:
    """The start of a command line that unpacks the memory folder before the command."""
    script = _MOVE_IN.format(tar=find_helper("tar"), archive=ARCHIVE)
    return ["/bin/sh", "-c", script, "move-in", f"{WORK}/{folder}"]


def _started(launch: Launch, further: tuple[int, ...]) -> subprocess.Popen[bytes]:
    try:
        # Without an environment: inside, the sandbox's first process can show the one it was started with.
        return subprocess.Popen(
            launch.argv,
            pass_fds=(*launch.fds, *further),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={},
            # A Ctrl-C in the terminal is for the bench; it decides what becomes of its agents.
            start_new_session=True,
        )
    except OSError as error:
        os.close(launch.status)
        message = f"the agent's sandbox could not be started: {error.strerror}"
        raise BenchError(message) from None
    finally:
        launch.close()


def limit_text(name: str | None, limits: Limits) -> str | None:
    """What was used too much of, in words."""
    texts = {
        "memory": f"{limits.memory // MiB} MiB of memory",
        "processes": f"{limits.processes} processes and threads",
        "cpu": f"{limits.cpu:g} s of processor time",
        "files": f"{limits.files} files",
    }
    return None if name is None else texts.get(name, f"its limit on {name}")
