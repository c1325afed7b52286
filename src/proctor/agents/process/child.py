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
import socket
import time
from contextlib import suppress
from typing import IO, Final, Protocol

from proctor.agents.process.lines import Lines
from proctor.agents.process.ports.handover import Handover, OwnPorts
from proctor.agents.process.wire import MAX_EPISODE_BYTES, MiB
from proctor.worlds.sandbox import ConfinedProcess, LimitName
from proctor.worlds.watch import Watch

_PIECE: Final = 1 << 16
_PIECES: Final = 8
_TAIL: Final = 4096
_MAX_UNREAD: Final = 1 << 20
"""While the child leaves more than this unread, nothing more is taken from it."""
_MAX_LINES: Final = 256


class Process(Protocol):
    """What is needed of a started process, as `subprocess.Popen` has it."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """Where it is told something."""
        ...

    @property
    def stdout(self) -> IO[bytes] | None:
        """What it says."""
        ...

    @property
    def stderr(self) -> IO[bytes] | None:
        """What it complains about."""
        ...

    @property
    def returncode(self) -> int | None:
        """None until it is reaped."""
        ...

    @property
    def pid(self) -> int:
        """Its number, and that of its group where it leads one; only for a child of this process."""
        ...

    def wait(self) -> int:
        """Reap it."""
        ...

    def kill(self) -> None:
        """End it."""
        ...


class Child:
    """A started process. `watch` looks at its sandbox; without one it leads a process group of its own.

    `ports` are the listening sockets that were asked for; the child closes them when it is let go of.
    `end` is a descriptor that is readable when the process has ended; without one it is a child of this process.
    """

    def __init__(
        self,
        process: Process,
        watch: Watch | None,
        ports: Handover | OwnPorts | None = None,
        *,
        end: int | None = None,
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._watch = watch
        self._ports = ports
        self._confined = None if watch is None else ConfinedProcess(process, watch)
        self._streams = (process.stdin, process.stdout, process.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in self._streams)
        self._end = os.pidfd_open(process.pid) if end is None else end
        for stream in self._streams:
            os.set_blocking(stream.fileno(), False)
        self._unsent = bytearray()
        self._tail = bytearray()
        self._errors = 0
        self._reading = {self._out, self._err, self._end}
        self._killed = False
        self._waiting: asyncio.Future[None] | None = None
        self.started = time.monotonic()
        self.lines = Lines()
        self.spoke = False
        """Whether it has sent its first message."""
        self.ready = False
        """Whether it said that it is up."""
        self.remembers = False
        """Whether it said that it answers `memory` messages."""
        self.forgets = False
        """Whether it said that its agent can be made anew for every step."""
        self.episodes = 0
        """How many it has lived to their end."""

    @property
    def sockets(self) -> dict[str, socket.socket]:
        """Listening sockets by the name of their port, for the bench to serve; empty while `ports_pending`."""
        return {} if self._ports is None else self._ports.sockets

    @property
    def ports_pending(self) -> bool:
        """Whether sockets were asked for that have not come yet."""
        return self._ports is not None and self._ports.waiting

    @property
    def output_closed(self) -> bool:
        """It has ended or closed its output, and everything it wrote has been read."""
        return self._out not in self._reading

    @property
    def ended(self) -> bool:
        """It does not run any more."""
        return self._end not in self._reading

    @property
    def status(self) -> int | None:
        """Its exit status as a shell says it, or None while it runs."""
        code = self._process.returncode
        return None if code is None else code if code >= 0 else 128 - code

    @property
    def stderr(self) -> str:
        """The end of what it wrote to stderr."""
        return self._tail.decode(errors="replace")

    def begin(self) -> None:
        """An episode starts: counting starts anew, and what was said since the last one is dropped."""
        self._move(listen=True)
        self.lines.begin(drop=self.episodes > 0)
        self._errors = 0

    def limit_exceeded(self) -> LimitName | None:
        """The limit its sandbox has passed, or None."""
        return None if self._confined is None else self._confined.over()

    def never_ran(self) -> bool:
        """After its end: whether the sandbox did not get as far as running the command."""
        return self._watch is not None and self.ended and not self._killed and not self._watch.started()

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
        poll = select.poll()
        reading, writing = self._interests(listen=True)
        for descriptor in reading:
            poll.register(descriptor, select.POLLIN)
        if writing:
            poll.register(self._in, select.POLLOUT)
        poll.poll(seconds * 1000)
        self._move(listen=True)

    def kill(self) -> None:
        """End it and whatever it started, at once."""
        self._killed = True
        if self.ended:
            return
        if self._confined is not None:
            self._confined.close()
        else:
            self._kill_group()

    async def release(self, grace: float = 0.0) -> None:
        """Close its input, give it so many seconds to end by itself, end it, and let go of everything."""
        self._close_input()
        deadline = time.monotonic() + grace
        while not self.ended and (left := deadline - time.monotonic()) > 0:
            await self.wait(left)
        self.kill()
        while not self.ended:
            await self.wait(1.0)
        self._let_go()

    def release_now(self, grace: float = 0.0) -> None:
        """The same without an event loop: blocks."""
        self._close_input()
        deadline = time.monotonic() + grace
        while not self.ended and (left := deadline - time.monotonic()) > 0:
            self.wait_now(left)
        self.kill()
        while not self.ended:
            self.wait_now(1.0)
        self._let_go()

    def _interests(self, *, listen: bool) -> tuple[list[int], bool]:
        reading = set(self._reading)
        if not listen or len(self._unsent) > _MAX_UNREAD or len(self.lines) > _MAX_LINES:
            reading.discard(self._out)
        if self._ports is not None and self._ports.waiting:
            reading.add(self._ports.fileno())
        return list(reading), bool(self._unsent)

    def _move(self, *, listen: bool) -> None:
        """Everything that can be read, written or reaped without waiting."""
        self._write()
        if self._ports is not None and self._ports.waiting:
            self._ports.receive()
        if not self.ended:
            poll = select.poll()
            poll.register(self._end, select.POLLIN)
            if poll.poll(0):
                if self._confined is None:
                    # Before it is reaped: its number still names its own group.
                    self._kill_group()
                self._process.wait()
                self._reading.discard(self._end)
        self._read_errors()
        if listen and self._out in self._reading:
            self._read_lines()

    def _write(self) -> None:
        try:
            while self._unsent and not self._streams[0].closed:
                del self._unsent[: os.write(self._in, bytes(self._unsent[:_PIECE]))]
        except BlockingIOError:
            return
        except BrokenPipeError:
            # It does not listen any more; that it ended is seen where it is read from.
            self._unsent.clear()

    def _read_lines(self) -> None:
        # Once it has ended, all that is left in the pipe is read; a grandchild may hold the pipe open for ever.
        pieces = 0
        while self.ended or pieces < _PIECES:
            pieces += 1
            try:
                piece = os.read(self._out, _PIECE)
            except BlockingIOError:
                if not self.ended:
                    return
                piece = b""
            self.lines.feed(piece)
            if not piece or self.lines.problem is not None:
                self.lines.finish()
                self._reading.discard(self._out)
                return

    def _read_errors(self) -> None:
        if self._err not in self._reading:
            return
        with suppress(BlockingIOError):
            for _ in range(_PIECES):
                piece = os.read(self._err, _PIECE)
                self._errors += len(piece)
                if not piece or self._errors > MAX_EPISODE_BYTES:
                    self._reading.discard(self._err)
                    if piece and self.lines.problem is None:
                        self.lines.problem = (
                            f"the agent wrote more than {MAX_EPISODE_BYTES // MiB} MiB to stderr in one episode"
                        )
                    return
                self._tail += piece
                del self._tail[:-_TAIL]

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _close_input(self) -> None:
        self._unsent.clear()
        self._streams[0].close()

    def _let_go(self) -> None:
        if self._ports is not None:
            self._ports.close()
        if self._end >= 0:
            os.close(self._end)
            self._end = -1
        for stream in self._streams:
            stream.close()
        self._reading.clear()
        if self._watch is not None:
            self._watch.close()
