"""What a running sandbox uses, seen from outside it.

Kernel limits bind one process each; a sandbox is many. The watch reads the sandbox's own process list through its
first process and adds up. It is polled by whoever waits for the sandbox, and only ever says which limit was passed;
stopping is the caller's business. Nothing inside can hide from it: the list is the kernel's, of a process namespace
that cannot be left.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import Final, Literal

import msgspec
from msgspec import Struct

LimitName = Literal["time", "cpu", "memory", "processes", "files", "output", "disk"]

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_MOUNTS: Final = ("task", "tmp", "dev/shm")
_ADDRESS_SPACES: Final = 4
_REPORT_SECONDS: Final = 2.0
_PAUSE: Final = 0.0005
MiB: Final = 1024 * 1024


class Limits(Struct, frozen=True, kw_only=True):
    """What a sandbox may use. Byte counts unless said otherwise."""

    seconds: float | None = 10.0
    """Wall clock; None for a child that the caller ends itself."""
    cpu: float = 10.0
    """CPU seconds of all processes together."""
    memory: int = 512 * MiB
    """Resident memory of all processes together; files in /task and /tmp come on top, bounded by `disk`."""
    address_space: int = 2048 * MiB
    """Of one process; a refused allocation is seen by the program. All together may have four times this."""
    disk: int = 64 * MiB
    """Of /task, and again of /tmp. A program that fills them gets 'no space left on device'."""
    file: int = 64 * MiB
    """Of one file; a program that goes beyond it is killed by the kernel (SIGXFSZ)."""
    files: int = 10_000
    """Files and directories in /task, /tmp and /dev/shm together."""
    processes: int = 64
    """Processes and threads."""
    open_files: int = 256
    """Of one process."""
    output: int = 64 * 1024
    """What is kept of stdout, and again of stderr; a program that writes 32 times this is stopped."""


class Usage(Struct, frozen=True):
    """What the processes of a sandbox use together."""

    processes: int
    cpu: float
    resident: int
    address_space: int


class Watch:
    """Looks at one sandbox, given the descriptor on which bubblewrap reports the first process's id."""

    __slots__ = ("_ended", "_first", "_limits", "_root", "_status", "_status_bytes")

    def __init__(self, status: int, limits: Limits) -> None:
        os.set_blocking(status, False)
        self._status = status
        self._status_bytes = b""
        self._ended = False
        self._limits = limits
        self._first = -1
        self._root: str | None = None

    def over(self) -> LimitName | None:
        """The limit that is passed now, or None; also None before the sandbox is up and after it has ended."""
        root = self._find_root()
        if root is None:
            return None
        usage = read_usage(f"{root}/proc")
        if usage.processes > self._limits.processes:
            return "processes"
        if usage.cpu > self._limits.cpu:
            return "cpu"
        if usage.address_space > _ADDRESS_SPACES * self._limits.address_space:
            return "memory"
        # Resident pages that processes share are counted for each of them; the exact sum costs more and is rarely due.
        if usage.resident > self._limits.memory and _proportional(f"{root}/proc") > self._limits.memory:
            return "memory"
        if _entries(root) > self._limits.files:
            return "files"
        return None

    def kill(self) -> bool:
        """End every process of the sandbox, by ending the first one; False where there was none to be found.

        bubblewrap then ends by itself. Killing bubblewrap instead would leave the sandbox behind in its first
        milliseconds, and later an unreaped process.
        """
        if self._status < 0:
            return False
        deadline = time.monotonic() + _REPORT_SECONDS
        while (pid := self._first_pid()) is None:
            # The report comes in pieces; a pause rather than a wait on the descriptor, which may be at its end.
            if self._ended or time.monotonic() > deadline:
                return False
            time.sleep(_PAUSE)
        try:
            # The number could belong to somebody else by now, but nobody in the bench's own process list is meant.
            if os.readlink(f"/proc/{pid}/ns/pid") == os.readlink("/proc/self/ns/pid"):
                return False
            os.kill(pid, signal.SIGKILL)
        except OSError:
            return False
        return True

    def started(self) -> bool:
        """Whether bubblewrap got as far as running the command to an end (call after it has ended)."""
        self._read_status()
        return b'"exit-code"' in self._status_bytes

    def close(self) -> None:
        """Give the descriptors back; the watch sees nothing from then on."""
        for descriptor in (self._status, self._first):
            if descriptor >= 0:
                os.close(descriptor)
        self._status = self._first = -1
        self._root = None

    def _find_root(self) -> str | None:
        if self._root is not None or self._status < 0:
            return self._root
        pid = self._first_pid()
        if pid is None:
            return None
        with suppress(OSError):
            if self._first < 0:
                # A number may be given to another process later; an open descriptor stays with this one.
                self._first = os.open(f"/proc/{pid}", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            process = f"/proc/self/fd/{self._first}"
            space = os.readlink(f"{process}/ns/pid")
            # Until bubblewrap has changed its root, the process list found there is still the host's.
            if space != os.readlink("/proc/self/ns/pid") and space == os.readlink(f"{process}/root/proc/1/ns/pid"):
                self._root = f"{process}/root"
        return self._root

    def _first_pid(self) -> int | None:
        self._read_status()
        line, complete, _ = self._status_bytes.partition(b"\n")
        return int(msgspec.json.decode(line)["child-pid"]) if complete else None

    def _read_status(self) -> None:
        with suppress(BlockingIOError):
            while piece := os.read(self._status, 4096):
                self._status_bytes += piece
            self._ended = True


def read_usage(proc: str) -> Usage:
    """Add up a process list, all but its first process (bubblewrap's own)."""
    processes = ticks = resident = address_space = 0
    for pid in _pids(proc):
        fields = _stat(proc, pid)
        if fields is None:
            continue
        ticks += sum(int(field) for field in fields[11:15])
        if pid != "1":
            processes += int(fields[17])
            address_space += int(fields[20])
            resident += int(fields[21]) * _PAGE
    return Usage(processes, ticks / _TICKS, resident, address_space)


def _pids(proc: str) -> list[str]:
    try:
        return [name for name in os.listdir(proc) if name.isdigit()]
    except OSError:
        return []


def _stat(proc: str, pid: str) -> list[bytes] | None:
    try:
        with open(f"{proc}/{pid}/stat", "rb") as handle:
            # The command's name stands in brackets and may itself hold brackets and blanks.
            return handle.read().rpartition(b")")[2].split()
    except OSError:
        return None


def _proportional(proc: str) -> int:
    total = 0
    for pid in _pids(proc):
        with suppress(OSError), open(f"{proc}/{pid}/smaps_rollup", "rb") as handle:
            for line in handle:
                if line.startswith(b"Pss:"):
                    total += int(line.split()[1]) * 1024
    return total


def _entries(root: str) -> int:
    total = 0
    for mount in _MOUNTS:
        with suppress(OSError):
            filesystem = os.statvfs(f"{root}/{mount}")
            total += filesystem.f_files - filesystem.f_ffree
    return total
