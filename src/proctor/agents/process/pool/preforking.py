"""Hosts for `prefork=yes`: a sandbox that lives on, whose process has loaded the agent's module and forks lifetimes.

One lifetime at a time in each sandbox. A sandbox whose lifetime did not end by itself, or that says anything odd, is
ended with everything in it and not used again.
"""

from __future__ import annotations

import os
import socket
import subprocess
from contextlib import ExitStack, suppress
from typing import Final

from proctor.agents.process.child import Child
from proctor.agents.process.memory import read_memory
from proctor.agents.process.options import Options
from proctor.agents.process.pool.forked import ForkedProcess
from proctor.agents.process.pool.program import command, payload
from proctor.agents.process.pool.zygote import NoZygote, ask, started
from proctor.agents.process.process_host import AgentWatch, Layout, Program
from proctor.core.errors import BenchError
from proctor.worlds.bubblewrap import WORK, find_helper, private_mounts
from proctor.worlds.watch import LimitName, Limits

_END_SECONDS: Final = 2.0
_MOVE_IN: Final = 'umask 022; mkdir -p "$1" && exec {tar} -xf - -C "$1"'


class PreforkSandbox:
    """One sandbox with the agent's module loaded in it, or about to be."""

    def __init__(self, program: Program, options: Options) -> None:
        self._layout = Layout(program, options)
        folder = f"{WORK}/{options.memory_folder}"
        script = _MOVE_IN.format(tar=find_helper("tar"))
        setup = {
            "command": program.command(self._layout.view),
            "move_in": ["/bin/sh", "-c", script, "move-in", folder],
            "private": list(private_mounts(options.limits)),
        }
        try:
            with ExitStack() as stack:
                self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                stack.enter_context(theirs)
                code = payload("prefork", setup)
                stack.callback(os.close, code)
                words = command(setup["command"], code, theirs.fileno())
                launch = self._layout.sandbox.launch(words, self._layout.data)
                self._process = started(launch, (code, theirs.fileno()))
        except NoZygote as error:
            self._layout.close()
            message = f"the agent's sandbox could not be started: {error}"
            raise BenchError(message) from None
        self.watch = AgentWatch(launch.status, options.limits)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def fork(self, memory: bytes | None) -> ForkedProcess:
        """The next lifetime's process."""
        return ask(self._control, b"fork", memory, trusted=False)

    def ran(self) -> bool:
        """After its end: whether the sandbox got as far as running anything."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        return self.watch.started()

    def close(self) -> None:
        """End it with everything in it."""
        self._control.close()
        if self.alive and not self.watch.kill():
            self._process.kill()
        self._process.wait()
        self.watch.close()
        self._layout.close()


class Shelf:
    """Sandboxes of one program that are waiting for a lifetime."""

    def __init__(self, program: Program, options: Options) -> None:
        self._program = program
        self._options = options
        self._idle: list[PreforkSandbox] = []
        self._closed = False

    def take(self) -> PreforkSandbox:
        """One that is waiting, or a new one."""
        while self._idle:
            sandbox = self._idle.pop()
            if sandbox.alive:
                return sandbox
            sandbox.close()
        return PreforkSandbox(self._program, self._options)

    def give_back(self, sandbox: PreforkSandbox, *, clean: bool) -> None:
        """Its lifetime has ended."""
        if clean and sandbox.alive and not self._closed:
            self._idle.append(sandbox)
        else:
            sandbox.close()

    def close(self) -> None:
        """End those that are waiting; the others end with their lifetimes."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()


class PreforkHost:
    """A `ProcessHost` on top of a shelf."""

    def __init__(self, shelf: Shelf, options: Options) -> None:
        self._shelf = shelf
        self._limits = options.limits
        self._folder = options.memory_folder
        self._sandbox: PreforkSandbox
        self._work: int | None = None

    def start(self, memory: bytes) -> Child:
        self._sandbox = self._shelf.take()
        try:
            forked = self._sandbox.fork(None if self._folder is None else memory)
        except BaseException:
            self._shelf.give_back(self._sandbox, clean=False)
            raise
        return Child(forked, PreforkWatch(forked, self._sandbox, self._shelf, self._limits), end=forked.end)

    def settled(self) -> bool:
        if self._folder is not None and self._work is None:
            self._work = self._sandbox.watch.open_work()
        return self._folder is None or self._work is not None

    def leave(self) -> bytes | None:
        if self._work is None or self._folder is None:
            return None
        try:
            return read_memory(self._work, self._folder, self._limits)
        finally:
            self.close()

    def close(self) -> None:
        if self._work is not None:
            os.close(self._work)
            self._work = None


class PreforkWatch(AgentWatch):
    """Looks at the whole sandbox, and ends all of it."""

    __slots__ = ("_forked", "_killed", "_sandbox", "_shelf")

    def __init__(self, forked: ForkedProcess, sandbox: PreforkSandbox, shelf: Shelf, limits: Limits) -> None:
        super().__init__(os.dup(forked.end), limits)
        self._forked = forked
        self._sandbox: PreforkSandbox | None = sandbox
        self._shelf = shelf
        self._killed = False

    def over(self) -> LimitName | None:
        return None if self._sandbox is None else self._sandbox.watch.over()

    def kill(self) -> bool:
        self._killed = True
        return self._sandbox is not None and self._sandbox.watch.kill()

    def started(self) -> bool:
        return self._forked.report.code is not None or self._sandbox is None or self._sandbox.ran()

    def close(self) -> None:
        super().close()
        if self._forked.returncode is not None and self._sandbox is not None:
            clean = not self._killed and self._forked.report.code is not None
            self._shelf.give_back(self._sandbox, clean=clean)
            self._sandbox = None
