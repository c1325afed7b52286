"""Run a stranger's command where it can see and break nothing: bubblewrap, limits, and a watch over all of it.

    ended = Sandbox(limits=Limits(seconds=5)).run(["/bin/sh", "-c", "ls"], files={"a.txt": PlainFile(b"…")})

Inside: no network, no other process, no host file but /usr and what was bound, a private /tmp, and /task, which is
the working directory. /task lives in memory with a fixed size: files are handed in as an archive and read back as one,
so that a command never touches the host's disk and cannot fill it. A command that is stopped, or that leaves no
readable files, gives none back.

`run` never raises for what the command did. It raises `NotEvaluable` where the machine has no usable bubblewrap, and
`OSError` where the sandbox itself failed. What a stranger's program can still do: use its limits up, read the host's
kernel version and load figures in /proc, and keep time.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from msgspec import Struct

from proctor.core.errors import NotEvaluable
from proctor.worlds.archive import ArchiveError, PlainFile, Tree, pack, unpack
from proctor.worlds.bubblewrap import WORK, Launch, Mount, SandboxSpec, find_helper, memory_file, prepare
from proctor.worlds.capture import Captured, pump
from proctor.worlds.interpreter import ShownPython, running_python
from proctor.worlds.watch import LimitName, Limits, MiB, Watch

__all__ = [
    "CommandResult",
    "ConfinedProcess",
    "LimitName",
    "Limits",
    "Mount",
    "PlainFile",
    "Sandbox",
    "available",
    "require",
]

_ENTRY_BYTES: Final = 2048
_ARCHIVE: Final = "/run/files.tar"
_INPUT: Final = "/run/input"
# Where a sandbox's first process belongs to the command's own user, /proc/1/environ shows what bwrap was started with.
_NO_VARIABLES: Final[dict[str, str]] = {}
# Descriptor 0 is the way out for the archive until the command takes its own input, and again after it.
_SHUTTLE: Final = (
    'umask 022; {tar} -xof {archive} -C {work} || exit 125; "$@" <{input}; code=$?; '
    "{tar} -cf - -C {work} . >&0 2>/dev/null; exit $code"
)


class Process(Protocol):
    """What a `ConfinedProcess` needs of what it holds."""

    @property
    def returncode(self) -> int | None:
        """None while it runs."""
        ...

    def kill(self) -> None:
        """End it."""
        ...


P = TypeVar("P", bound=Process)


class CommandResult(Struct, frozen=True):
    """How a command ended."""

    code: int
    """Exit status as a shell says it: 128 + n after signal n."""
    stdout: str
    stderr: str
    """Both decoded as UTF-8, replacing what is not."""
    truncated: bool
    """Whether more was written than is kept."""
    limit: LimitName | None
    """Which limit the bench stopped it for, or None when it ended by itself."""
    seconds: float
    """Wall-clock time; never part of the deterministic evidence."""
    files: Tree | None = None
    """What was in /task at the end; None when no files were handed in, or none came back."""
    left_out: tuple[str, ...] = ()
    """Names in /task that are no plain files: links, devices, sockets."""

    @property
    def ok(self) -> bool:
        """Ended by itself with status 0."""
        return self.code == 0 and self.limit is None

    @property
    def signal(self) -> int | None:
        """The signal that ended it, as far as the status tells (a program can also return such a status itself)."""
        return self.code - 128 if 128 < self.code <= 192 else None


class ConfinedProcess(Generic[P]):
    """A child that lives on, in its sandbox. Poll `over` while it lives, and `close` when done with it."""

    def __init__(self, process: P, watch: Watch) -> None:
        self.process: P = process
        self._watch = watch

    def over(self) -> LimitName | None:
        """The limit that the sandbox has passed, or None. Wall clock and output are the caller's to count."""
        return self._watch.over()

    def close(self) -> None:
        """Kill the whole sandbox if it still runs; the caller reaps `process` with its `wait`."""
        if self.process.returncode is None and not self._watch.kill():
            with suppress(ProcessLookupError):
                self.process.kill()
        self._watch.close()


class Sandbox:
    """How commands are confined; every command gets a fresh sandbox of this kind.

    `interpreter` shows the running Python, `packages` its virtual environment too (under /opt/venv); `shown_python`
    shows another one instead. `binds` are host paths shown read-only. `writable` are host directories the command may
    change: their size is not capped, links in them must not be followed afterwards, and as root they are given to the
    sandbox's user. `network` shares the host's network, abstract sockets included.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        network: bool = False,
        interpreter: bool = False,
        packages: bool = False,
        shown_python: ShownPython | None = None,
        binds: Sequence[tuple[Path, str]] = (),
        writable: Sequence[tuple[Path, str]] = (),
    ) -> None:
        self.limits = limits or Limits()
        if shown_python is None and (interpreter or packages):
            shown_python = running_python(packages=packages)
        self._enclosure = SandboxSpec(
            limits=self.limits,
            env=dict(env or {}),
            network=network,
            python=shown_python,
            binds=tuple(Mount(host, virtual) for host, virtual in binds),
            writable=tuple(Mount(host, virtual) for host, virtual in writable),
        )

    @property
    def python(self) -> str:
        """The Python that commands of this sandbox can use; the system's, unless `interpreter` was asked for."""
        return "/usr/bin/python3" if self._enclosure.python is None else self._enclosure.python.command

    def launch(self, argv: Sequence[str], data: Mapping[str, bytes] | None = None) -> Launch:
        """The lowest level: a command line and descriptors for a starter of the caller's own."""
        return prepare(self._enclosure, list(argv), dict(data or {}))

    def launch_trusted(self, argv: Sequence[str], data: Mapping[str, bytes] | None = None) -> Launch:
        """The same for a command of the bench's own that keeps root's rights inside, without limits and filter.

        It sees what the sandbox shows, and confines what it starts itself. Raises `NotEvaluable` where this process
        does not have the rights.
        """
        return prepare(self._enclosure, list(argv), dict(data or {}), trusted=True)

    def popen(
        self, argv: Sequence[str], *, stdin: Any = subprocess.PIPE, stdout: Any = subprocess.PIPE, stderr: Any = None
    ) -> ConfinedProcess[subprocess.Popen[bytes]]:
        """Start a child with pipes. It dies with the *thread* that started it: start it from one that lives on.

        A bench that itself dies in the first milliseconds can leave the child behind: bubblewrap ties the two
        together only once it is up.
        """
        launch = self.launch(argv)
        try:
            process = subprocess.Popen(
                launch.argv,
                pass_fds=launch.fds,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=_NO_VARIABLES,
                start_new_session=True,
            )
        except BaseException:
            os.close(launch.status)
            raise
        finally:
            launch.close()
        return ConfinedProcess(process, Watch(launch.status, self.limits))

    async def start(
        self,
        argv: Sequence[str],
        *,
        stdin: Any = subprocess.PIPE,
        stdout: Any = subprocess.PIPE,
        stderr: Any = None,
        line_bytes: int = MiB,
    ) -> ConfinedProcess[asyncio.subprocess.Process]:
        """`popen` for asyncio; a line read from its stdout may have at most `line_bytes`."""
        launch = self.launch(argv)
        try:
            process = await asyncio.create_subprocess_exec(
                *launch.argv,
                pass_fds=launch.fds,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                limit=line_bytes,
                env=_NO_VARIABLES,
                start_new_session=True,
            )
        except BaseException:
            os.close(launch.status)
            raise
        finally:
            launch.close()
        return ConfinedProcess(process, Watch(launch.status, self.limits))

    def run(
        self,
        argv: Sequence[str],
        *,
        files: Mapping[str, PlainFile | None] | None = None,
        stdin: bytes = b"",
        data: Mapping[str, bytes] | None = None,
    ) -> CommandResult:
        """Run a command to its end, with `files` in /task and `data` as read-only files elsewhere. Blocks."""
        require()
        return self._run(argv, files, stdin, data or {})

    async def run_async(
        self,
        argv: Sequence[str],
        *,
        files: Mapping[str, PlainFile | None] | None = None,
        stdin: bytes = b"",
        data: Mapping[str, bytes] | None = None,
    ) -> CommandResult:
        """`run` in a thread, for worlds whose tools wait."""
        return await asyncio.to_thread(self.run, argv, files=files, stdin=stdin, data=data)

    def _run(
        self,
        argv: Sequence[str],
        files: Mapping[str, PlainFile | None] | None,
        stdin: bytes,
        data: Mapping[str, bytes],
    ) -> CommandResult:
        with ExitStack() as stack:
            archive: int | None = None
            if files is None:
                launch = self.launch(argv, data)
                first = memory_file(stdin)
            else:
                launch = self.launch([*_shuttle(), *argv], {**data, _ARCHIVE: pack(files), _INPUT: stdin})
                archive, first = os.pipe()
            watch = Watch(launch.status, self.limits)
            stack.callback(watch.close)
            if archive is not None:
                stack.callback(os.close, archive)
            try:
                process = subprocess.Popen(
                    launch.argv,
                    pass_fds=launch.fds,
                    stdin=first,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env=_NO_VARIABLES,
                    start_new_session=True,
                )
            finally:
                launch.close()
                os.close(first)
            stack.enter_context(process)
            stack.callback(process.kill)
            return self._ended(process, watch, archive)

    def _ended(self, process: subprocess.Popen[bytes], watch: Watch, archive: int | None) -> CommandResult:
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = Captured(self.limits.output), Captured(self.limits.output)
        streams = {process.stdout.fileno(): out, process.stderr.fileno(): err}
        tree = Captured(self.limits.disk + self.limits.files * _ENTRY_BYTES, factor=1)
        if archive is not None:
            streams[archive] = tree
        began = time.monotonic()
        limit = pump(process, streams, watch, self.limits.seconds)
        code = process.wait()
        if limit is None and not watch.started():
            message = f"the sandbox could not be started: {err.text().strip() or f'status {code}'}"
            raise OSError(message)
        left: Tree | None = None
        left_out: tuple[str, ...] = ()
        if archive is not None and limit is None:
            with suppress(ArchiveError):
                unpacked = unpack(bytes(tree.kept), max_entries=self.limits.files)
                left, left_out = unpacked.tree, unpacked.left_out
        return CommandResult(
            code if code >= 0 else 128 - code,
            out.text(),
            err.text(),
            out.truncated or err.truncated,
            limit,
            time.monotonic() - began,
            left,
            left_out,
        )


def _shuttle() -> list[str]:
    script = _SHUTTLE.format(tar=find_helper("tar"), archive=_ARCHIVE, work=WORK, input=_INPUT)
    return ["/bin/sh", "-c", script, "shuttle"]


@cache
def available() -> str | None:
    """None where sandboxes work on this machine; otherwise one sentence: what is wrong and what to do."""
    try:
        find_helper("bwrap")
        ended = Sandbox(limits=Limits(disk=MiB))._run(
            ["/bin/sh", "-c", "cat a > b"], {"a": PlainFile(b"seen")}, b"", {}
        )
    except NotEvaluable as missing:
        return str(missing)
    except OSError as error:
        return (
            f"bubblewrap is installed but cannot make a sandbox here ({error}); run as root, or allow unprivileged "
            "user namespaces (sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0)"
        )
    if not ended.ok or ended.files is None or ended.files.get("b") != PlainFile(b"seen"):
        return f"bubblewrap is installed but a trial command failed in it: {ended.stderr.strip() or ended.limit}"
    return None


def require() -> None:
    """Raise `NotEvaluable` where sandboxes do not work."""
    reason = available()
    if reason is not None:
        raise NotEvaluable(reason)
