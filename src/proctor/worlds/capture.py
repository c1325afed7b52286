"""Waiting for a command: read what it writes, bounded, and stop it when it passes a limit.

One loop in one thread, awake when there is something to read, when the command ends, and every few milliseconds for a
look at the limits. However much is written, no more than the declared beginning is held in memory.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from typing import Final

from proctor.worlds.watch import LimitName, Watch

_POLL: Final = 0.02
OUTPUT_FACTOR: Final = 32
"""A command that writes this many times what is kept is stopped."""


class Captured:
    """The beginning of what a command writes, and how much it was."""

    def __init__(self, limit: int, *, factor: int = OUTPUT_FACTOR) -> None:
        self.kept = bytearray()
        self.total = 0
        self._limit = limit
        self._most = limit * factor

    @property
    def truncated(self) -> bool:
        return self.total > self._limit

    @property
    def flooded(self) -> bool:
        return self.total > self._most

    def take(self, piece: bytes) -> None:
        self.total += len(piece)
        self.kept += piece[: max(0, self._limit - len(self.kept))]

    def text(self) -> str:
        return self.kept.decode(errors="replace")


def pump(
    process: subprocess.Popen[bytes], streams: dict[int, Captured], watch: Watch, seconds: float | None
) -> LimitName | None:
    """Read until the command has ended and all it wrote is read, or a limit is passed; then kill what is left."""
    deadline = None if seconds is None else time.monotonic() + seconds
    next_look = time.monotonic() + _POLL
    ending = os.pidfd_open(process.pid)
    with selectors.DefaultSelector() as selector:
        try:
            selector.register(ending, selectors.EVENT_READ)
            for descriptor in streams:
                os.set_blocking(descriptor, False)
                selector.register(descriptor, selectors.EVENT_READ)
            while selector.get_map():
                for key, _ in selector.select(_POLL):
                    if key.fd == ending or not _read(key.fd, streams[key.fd]):
                        selector.unregister(key.fd)
                if any(stream.flooded for stream in streams.values()):
                    return "output"
                now = time.monotonic()
                if deadline is not None and now > deadline:
                    return "time"
                if now >= next_look:
                    next_look = now + _POLL
                    if (passed := watch.over()) is not None:
                        return passed
        finally:
            if process.poll() is None and not watch.kill():
                process.kill()
            os.close(ending)
    return None


def _read(descriptor: int, stream: Captured) -> bool:
    try:
        piece = os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return True
    stream.take(piece)
    return bool(piece)
