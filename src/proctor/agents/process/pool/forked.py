"""A lifetime's process that somebody else forked: the bench holds its pipes, hears of its end, and can end it."""

from __future__ import annotations

import io
import os
import select
import signal
import socket
from contextlib import ExitStack, suppress
from typing import Final

_KILLED: Final = -9


class Report:
    """What is heard of a lifetime: first a pidfd of its first process, then how the agent's process ended."""

    def __init__(self, heard: socket.socket, trusted: bool) -> None:
        heard.setblocking(False)
        self._heard = heard
        self._trusted = trusted
        self.first = -1
        """A pidfd of the first process, once it is known."""
        self.code: int | None = None
        """The agent's exit status as a shell says it, once it has ended."""
        self.over = False
        """Nothing more will be heard."""

    def listen(self) -> None:
        """Take in what has been said."""
        with suppress(BlockingIOError):
            while not self.over:
                said, descriptors, _, _ = socket.recv_fds(self._heard, 64, 1)
                for descriptor in descriptors:
                    self._take(descriptor)
                if said.startswith(b"exit ") and said[5:].isdigit():
                    self.code = int(said[5:])
                self.over = not said

    def end_first(self) -> bool:
        """End the first process, and with it all others; False where it is not known."""
        self.listen()
        if self.first < 0:
            return False
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.first, signal.SIGKILL)
        return True

    @property
    def number(self) -> int | None:
        """The first process's id; None where it is not known or has ended."""
        self.listen()
        if self.first < 0:
            return None
        with open(f"/proc/self/fdinfo/{self.first}") as lines:
            found = [int(line.split()[1]) for line in lines if line.startswith("Pid:")]
        return found[0] if found and found[0] > 0 else None

    def close(self) -> None:
        """Hear nothing more."""
        self.over = True
        self._heard.close()
        if self.first >= 0:
            os.close(self.first)
            self.first = -1

    def _take(self, descriptor: int) -> None:
        if self.first >= 0 or not self._trusted:
            os.close(descriptor)
        else:
            self.first = descriptor


class ForkedProcess:
    """As much of `subprocess.Popen` as a `Child` needs."""

    def __init__(self, passed: ExitStack, *, trusted: bool) -> None:
        """Makes the pipes; those of the other side are closed with `passed`.

        `trusted`: whoever forks is the bench's own, so that the pidfd it sends is believed.
        """
        inward, self._in = os.pipe()
        self._out, outward = os.pipe()
        self._err, errors = os.pipe()
        self.end, end = os.pipe()
        """Readable when the process has ended."""
        heard, report = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.theirs = (inward, outward, errors, report.detach(), end)
        """What to hand over: stdin, stdout, stderr, report, end."""
        for descriptor in self.theirs:
            passed.callback(os.close, descriptor)
        self.report = Report(heard, trusted)
        self.stdin: io.FileIO = io.FileIO(self._in, "wb")
        self.stdout: io.FileIO = io.FileIO(self._out, "rb")
        self.stderr: io.FileIO = io.FileIO(self._err, "rb")
        self.returncode: int | None = None

    @property
    def pid(self) -> int:
        """It is nobody's business here: signals go to its first process, by descriptor."""
        raise ProcessLookupError

    def wait(self) -> int:
        """How it ended; waits until everything that it started is gone too."""
        if self.returncode is None:
            self.report.listen()
            if self.report.first >= 0:
                poll = select.poll()
                poll.register(self.report.first, select.POLLIN)
                poll.poll()
            self.returncode = _KILLED if self.report.code is None else self.report.code
            self.report.close()
        return self.returncode

    def kill(self) -> None:
        """End it. Whoever has not yet told of its birth finds nobody who listens, and ends it."""
        if not self.report.end_first():
            self.report.close()

    def close(self) -> None:
        """Let go of a process that was never handed over."""
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        os.close(self.end)
        self.report.close()
