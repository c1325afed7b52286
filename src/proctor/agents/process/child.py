"""One living child with pipes: what it says line by line, what it is told, what it leaves on stderr, how it ends.

Everything here works without threads and without signal handlers, on plain descriptors: in a running event loop by
`wait`, outside one by `wait_now`. A child belongs to the thread that started it and must be let go of with `release`
or `release_now`, which leave no process, no descriptor and no zombie behind.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import time
from contextlib import suppress
from typing import Final

from proctor.agents.process.lines import Lines
from proctor.worlds.sandbox import Confined, LimitName
from proctor.worlds.watch import Watch

_PIECE: Final = 1 << 16
_PIECES: Final = 8
_TAIL: Final = 4096
_MOST_UNREAD: Final = 1 << 20
"""While the child leaves more than this unread, nothing more is taken from it."""
_MOST_LINES: Final = 256


class Child:
    """A started process. `watch` looks at its sandbox; without one it is an ordinary process."""

    def __init__(self, process: subprocess.Popen[bytes], watch: Watch | None) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._watch = watch
        self._confined = None if watch is None else Confined(process, watch)
        self._in = process.stdin.fileno()
        self._out = process.stdout.fileno()
        self._err = process.stderr.fileno()
        self._end = os.pidfd_open(process.pid)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._unsent = bytearray()
        self._tail = bytearray()
        self._open = {self._out, self._err, self._end}
        self._waiting: asyncio.Future[None] | None = None
        self.started = time.monotonic()
        self.lines = Lines()
        self.spoke = False
        """Whether it has sent its first message."""
        self.remembers = False
        """Whether it said that it answers `memory` messages."""

    @property
    def over(self) -> bool:
        """It has ended or closed its output, and everything it wrote has been read."""
        return self._out not in self._open

    def passed_limit(self) -> LimitName | None:
        """The limit its sandbox has passed, or None."""
        return None if self._confined is None else self._confined.over()

    def send(self, data: bytes) -> None:
        """Tell it something; what its pipe cannot take goes out while it is waited for."""
        self._unsent += data
        self._write()
        if self._unsent:
            self.wake()

    def wake(self) -> None:
        """Let `wait` return."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def wait(self, seconds: float, *, listen: bool = True) -> None:
        """Return when it said something, has ended, was woken, or after so many seconds."""
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        reading, writing = self._interests(listen=listen)
        for descriptor in reading:
            loop.add_reader(descriptor, self.wake)
        if writing:
            loop.add_writer(self._in, self.wake)
        try:
            await asyncio.wait((self._waiting,), timeout=seconds)
        finally:
            self._waiting = None
            for descriptor in reading:
                loop.remove_reader(descriptor)
            if writing:
                loop.remove_writer(self._in)
        self._move(listen=listen)

    def wait_now(self, seconds: float) -> None:
        """The same without an event loop: blocks."""
        reading, writing = self._interests(listen=True)
        select.select(reading, [self._in] if writing else [], [], seconds)
        self._move(listen=True)

    def status(self) -> int | None:
        """Its exit status as a shell says it, or None while it runs."""
        code = self._process.poll()
        return None if code is None else code if code >= 0 else 128 - code

    def sandbox_failed(self) -> bool:
        """After its end: whether the sandbox never got as far as running the command."""
        return self._watch is not None and self._process.returncode is not None and not self._watch.started()

    def stderr(self) -> str:
        """The end of what it wrote to stderr."""
        return self._tail.decode(errors="replace")

    def kill(self) -> None:
        """End it and whatever it started, at once."""
        if self._process.returncode is not None:
            return
        if self._confined is not None:
            self._confined.close()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def release(self, grace: float = 0.0) -> None:
        """Close its input, give it so many seconds to end by itself, end it, and let go of everything."""
        self._close_input()
        deadline = time.monotonic() + grace
        while self._end in self._open and (left := deadline - time.monotonic()) > 0:
            await self.wait(left)
        self.kill()
        while self._end in self._open:
            await self.wait(1.0)
        self._let_go()

    def release_now(self, grace: float = 0.0) -> None:
        """The same without an event loop: blocks."""
        self._close_input()
        deadline = time.monotonic() + grace
        while self._end in self._open and (left := deadline - time.monotonic()) > 0:
            self.wait_now(left)
        self.kill()
        while self._end in self._open:
            self.wait_now(1.0)
        self._let_go()

    def _interests(self, *, listen: bool) -> tuple[list[int], bool]:
        reading = set(self._open)
        if not listen or len(self._unsent) > _MOST_UNREAD or len(self.lines) > _MOST_LINES:
            reading.discard(self._out)
        return list(reading), bool(self._unsent)

    def _move(self, *, listen: bool) -> None:
        """Everything that can be read or written without waiting."""
        self._write()
        ended = self._end in self._open and bool(select.select([self._end], [], [], 0)[0])
        self._read_errors()
        if listen and self._out in self._open:
            self._read_lines(ended=ended)
        if ended:
            self._process.wait()
            self._open.discard(self._end)
            self._read_errors()

    def _write(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._in, memoryview(self._unsent)[:_PIECE])]
        except BlockingIOError:
            return
        except (BrokenPipeError, ValueError):
            # It does not listen any more; that it ended is seen where it is read from.
            self._unsent.clear()

    def _read_lines(self, *, ended: bool) -> None:
        # Once it has ended, all that is left in the pipe is read; a grandchild may hold the pipe open for ever.
        pieces = 0
        while ended or pieces < _PIECES:
            pieces += 1
            try:
                piece = os.read(self._out, _PIECE)
            except BlockingIOError:
                if not ended:
                    return
                piece = b""
            if not piece or self.lines.problem is not None:
                self.lines.finish()
                self._open.discard(self._out)
                return
            self.lines.feed(piece)

    def _read_errors(self) -> None:
        if self._err not in self._open:
            return
        with suppress(BlockingIOError):
            for _ in range(_PIECES):
                piece = os.read(self._err, _PIECE)
                if not piece:
                    self._open.discard(self._err)
                    return
                self._tail += piece
                del self._tail[:-_TAIL]

    def _close_input(self) -> None:
        self._unsent.clear()
        assert self._process.stdin is not None
        if not self._process.stdin.closed:
            self._process.stdin.close()

    def _let_go(self) -> None:
        if self._end not in self._open and self._process.stdout is not None and not self._process.stdout.closed:
            os.close(self._end)
        self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._open.clear()
        if self._watch is not None:
            self._watch.close()
