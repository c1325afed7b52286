"""A world with a shell: commands run in a sandbox on a copy of the files, and what they leave is taken over.

Each command gets a fresh sandbox with /task as it stands; afterwards changed files are written back with the logical
clock's time. A command that is stopped for a limit changes nothing, so that where exactly it was stopped does not
matter. Links, devices and names that the file tools refuse are not kept, and the agent is told. `run_pristine` is for
verifiers: what an agent left is executed only there, never on the host.
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.worlds.archive import PlainFile, Tree
from proctor.worlds.files import FileWorld
from proctor.worlds.sandbox import CommandResult, Sandbox
from proctor.worlds.tool import tool
from proctor.worlds.watch import Limits, MiB
from proctor.worlds.world import Place

_PAGE = 4096
_NAMES_SHOWN = 10
_CANARY_SECONDS = 60
_ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
_STOPPED = {
    "time": "it ran longer than {seconds} seconds",
    "cpu": "it used too much CPU time",
    "memory": "it used too much memory",
    "processes": "it started too many processes",
    "files": "it made too many files",
    "output": "it wrote too much output",
    "disk": "it left too much behind",
}


class ShellWorld(FileWorld):
    """Files and a shell."""

    max_memory_bytes: ClassVar[int] = 512 * MiB
    max_processes: ClassVar[int] = 64
    max_output_bytes: ClassVar[int] = 32 * 1024
    processor_seconds: ClassVar[float] = 150.0
    """A command may use twice the seconds it is given, of which there are at most 60; the rest is the bench's."""

    def __init__(self, instance: Instance, place: Place) -> None:
        super().__init__(instance, place)
        self._one_at_a_time = asyncio.Lock()

    # Not stable: a program can read the real time, random bytes and process ids, and whether it is stopped for time
    # depends on the machine.
    @tool(effect="write", stable=False, milliseconds=1000)
    async def run(self, command: str, timeout_seconds: Annotated[int, Meta(ge=1, le=60)] = 10) -> dict[str, Any]:
        """Run a shell command (/bin/sh) in /task, without network; answers exit code, stdout and stderr.

        Files it changes in /task are kept; processes it leaves running are ended. A command that is stopped for a
        limit changes nothing.
        """
        if "\0" in command:
            message = "a command cannot have a NUL character in it"
            raise ToolError(message)
        async with self._one_at_a_time:
            before = self.tree()
            sandbox = Sandbox(limits=self.limits(timeout_seconds), env=_ENVIRONMENT, interpreter=True)
            argv = ["/bin/sh", "-c", command.encode(errors="replace").decode()]
            ended = await sandbox.run_async(argv, files=before)
            dropped = self._take_over(before, ended)
        return self._answer(ended, dropped, timeout_seconds)

    def canary(self) -> None:
        """What the files need, and a sandbox that runs a command of the bench's own."""
        super().canary()
        try:
            ended = Sandbox(limits=self.limits(_CANARY_SECONDS)).run(["/bin/true"], files={})
        except OSError as error:
            # The sandbox's own words come without a number; that it does not start, with nothing of the agent's in it,
            # is the host's doing whatever they say.
            raise OSError(error.errno or errno.EAGAIN, str(error)) from error
        if not ended.ok:
            message = f"the sandbox does not run a command: status {ended.code}"
            raise OSError(errno.EIO, message)

    def limits(self, seconds: float) -> Limits:
        """What one command may use; override for other numbers."""
        # A file system in memory rounds every file up to a page.
        disk = self.max_total_bytes + _PAGE * self.max_entries
        return Limits(
            seconds=seconds,
            cpu=2 * seconds,
            memory=self.max_memory_bytes,
            disk=disk,
            file=disk,
            files=4 * self.max_entries,
            processes=self.max_processes,
            output=self.max_output_bytes,
        )

    def _take_over(self, before: Tree, ended: CommandResult) -> list[str]:
        """Write back what the command changed; the names that are not kept, or all of them if it left too much."""
        if ended.files is None:
            return []
        kept, dropped = self._acceptable(ended.files)
        dropped += ended.left_out
        if not self._fits(kept):
            message = (
                f"the command left more than {self.max_total_bytes} bytes or {self.max_entries} files behind, or a "
                f"file of more than {self.max_file_bytes} bytes; nothing was changed"
            )
            raise ToolError(message)
        # Deepest first, so that a directory is empty when its turn comes; only what this command itself removed.
        for path in sorted(before.keys() - kept.keys(), reverse=True):
            with suppress(ToolError):  # another call may have been there meanwhile
                self.files.delete(path)
        for path, entry in sorted(kept.items()):
            old = before.get(path)
            if path in before and (old is None) != (entry is None):
                self.files.delete(path)
            if entry is None:
                self.files.make(path)
            elif old is None or (old.data, old.executable) != (entry.data, entry.executable):
                self.files.write(path, entry.data, executable=entry.executable)
        return sorted(dropped)

    def _acceptable(self, tree: Tree) -> tuple[Tree, list[str]]:
        kept: Tree = {}
        dropped: list[str] = []
        for path, entry in sorted(tree.items()):
            try:
                self.files.parts(path)
            except ToolError:
                dropped.append(path)
            else:
                kept[path] = entry
        return kept, dropped

    def _fits(self, tree: Tree) -> bool:
        sizes = [len(entry.data) for entry in tree.values() if entry is not None]
        return (
            len(tree) <= self.max_entries
            and sum(sizes) <= self.max_total_bytes
            and max(sizes, default=0) <= self.max_file_bytes
        )

    def _answer(self, ended: CommandResult, dropped: list[str], seconds: int) -> dict[str, Any]:
        answer: dict[str, Any] = {"exit_code": ended.code, "stdout": ended.stdout, "stderr": ended.stderr}
        if ended.truncated:
            answer["notice"] = f"only the first {self.max_output_bytes} bytes of output are shown"
        if ended.limit is not None:
            answer["stopped"] = _STOPPED[ended.limit].format(seconds=seconds) + "; no file was changed"
        elif ended.files is None:
            answer["stopped"] = "it ended its own shell; no file was changed"
        if dropped:
            answer["not_kept"] = dropped[:_NAMES_SHOWN]
        return answer


def run_pristine(
    files: Mapping[str, bytes | str | PlainFile | None],
    argv: Sequence[str],
    *,
    check: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    limits: Limits | None = None,
    packages: bool = False,
) -> CommandResult:
    """For verifiers: run `argv` in a fresh sandbox on a copy of what an agent left.

    `files` are the agent's, seen in /task; `check` are the verifier's own, seen read-only in /check, where the agent's
    code cannot replace them. The agent's code runs in there too and can print or return what it likes: give inputs on
    `stdin` whose right outputs are known only outside, and compare `stdout` here, never the exit code alone. `{python}`
    as an argument becomes the interpreter; start it with `-I`, so that files left behind do not change its start.
    """
    sandbox = Sandbox(limits=limits, env=_ENVIRONMENT, interpreter=True, packages=packages)
    tree: Tree = {
        path: entry if isinstance(entry, PlainFile) or entry is None else PlainFile(_bytes(entry))
        for path, entry in files.items()
    }
    data = {f"/check/{name}": text.encode() for name, text in (check or {}).items()}
    return sandbox.run([part.replace("{python}", sandbox.python) for part in argv], files=tree, stdin=stdin, data=data)


def _bytes(content: bytes | str) -> bytes:
    return content.encode() if isinstance(content, str) else content
