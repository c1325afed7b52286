"""A `ProcessHost` whose processes are forked from a zygote."""

from __future__ import annotations

import os
import select
import time
from typing import Any, Final

from proctor.agents.process.child import Child
from proctor.agents.process.memory import read_memory
from proctor.agents.process.options import Options
from proctor.agents.process.pool.forked import ForkedProcess
from proctor.agents.process.pool.zygote import Zygote
from proctor.agents.process.process_host import ARCHIVE, AgentWatch, Layout, Program, move_in
from proctor.worlds.bubblewrap import DEVICES, WORK, find_helper, kernel_limits, private_mounts
from proctor.worlds.seccomp import filter_bytes
from proctor.worlds.watch import Limits

_KNOWN_SECONDS: Final = 2.0
_PAUSE: Final = 0.0005


class Nest:
    """A zygote and what its sandbox shows, for all lifetimes of one program in this thread."""

    def __init__(self, program: Program, options: Options) -> None:
        self._layout = Layout(program, options)
        try:
            data = dict(self._layout.data)
            if options.memory_folder is not None:
                # A place to put every lifetime's own archive.
                data[ARCHIVE] = b""
            self._zygote = Zygote(self._layout.sandbox, data, _setup(program, options, self._layout))
        except BaseException:
            self._layout.close()
            raise
        self._living = 0
        self._closing = False

    @property
    def usable(self) -> bool:
        """Whether further lifetimes can be had."""
        return not self._closing and self._zygote.alive

    def fork(self, memory: bytes | None) -> ForkedProcess:
        """A lifetime's process; to be given back with `ended`."""
        forked = self._zygote.fork(memory)
        self._living += 1
        return forked

    def ended(self) -> None:
        """A process has ended."""
        self._living -= 1
        if self._closing:
            self.close()

    def close(self) -> None:
        """Let go of it now, or when the last of its lifetimes has ended."""
        self._closing = True
        if self._living == 0:
            self._zygote.close()
            self._layout.close()


class PooledHost:
    """What `SandboxedHost` is, on top of a nest."""

    def __init__(self, nest: Nest, options: Options) -> None:
        self._nest = nest
        self._limits = options.limits
        self._folder = options.memory_folder
        self._watch: PooledWatch
        self._work: int | None = None

    def start(self, memory: bytes) -> Child:
        forked = self._nest.fork(None if self._folder is None else memory)
        self._watch = PooledWatch(forked, self._limits, self._nest)
        return Child(forked, self._watch, end=forked.end)

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
            self.close()

    def close(self) -> None:
        if self._work is not None:
            os.close(self._work)
            self._work = None


class PooledWatch(AgentWatch):
    """A watch that is told of the first process by whoever forked it."""

    __slots__ = ("_forked", "_nest")

    def __init__(self, forked: ForkedProcess, limits: Limits, nest: Nest) -> None:
        super().__init__(os.dup(forked.end), limits)
        self._forked = forked
        self._nest: Nest | None = nest

    def started(self) -> bool:
        return self._forked.report.code is not None

    def kill(self) -> bool:
        deadline = time.monotonic() + _KNOWN_SECONDS
        while not self._forked.report.end_first():
            if self._forked.report.over or time.monotonic() > deadline:
                return False
            time.sleep(_PAUSE)
        return True

    def close(self) -> None:
        super().close()
        if self._forked.returncode is not None and self._nest is not None:
            self._nest.ended()
            self._nest = None

    def _find_root(self) -> str | None:
        known = self._root
        root = super()._find_root()
        if root is not None and known is None and not self._first_lives():
            # The number may already have been another's when it was looked up.
            self._root = root = None
        return root

    def _first_pid(self) -> int | None:
        return self._forked.report.number

    def _first_lives(self) -> bool:
        first = self._forked.report.first
        if first < 0:
            return False
        poll = select.poll()
        poll.register(first, select.POLLIN)
        return not poll.poll(0)


def _setup(program: Program, options: Options, layout: Layout) -> dict[str, Any]:
    """What is the same for all lifetimes, as plain values."""
    return {
        "command": program.command(layout.view),
        "boot": layout.view.boot,
        "network": options.network,
        "devices": DEVICES,
        "sizes": private_mounts(options.limits),
        "limits": kernel_limits(options.limits),
        "filter": filter_bytes() or b"",
        "work": WORK,
        "archive": ARCHIVE,
        "move_in": [] if options.memory_folder is None else [*move_in(options.memory_folder), "true"],
        "first": find_helper("bwrap"),
    }
