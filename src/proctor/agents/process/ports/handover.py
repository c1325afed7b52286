"""The bench's end of the ports of one process: asked for before it starts, there once its launcher has run."""

from __future__ import annotations

import os
import socket
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from proctor.agents.process.ports.port import HOST, Port
from proctor.core.errors import BenchError

LAUNCHER: Final = "ports/launcher.py"
"""Where the launcher lies among the bench's own files."""
_BACKLOG: Final = 128
_MESSAGE: Final = 1024
_START: Final = ("-I", "-S", "-B")


@cache
def launcher_file() -> bytes:
    """The launcher, to be put among the bench's own files at `LAUNCHER`."""
    return (Path(__file__).parent / "launcher.py").read_bytes()


class Handover:
    """Receives the listening sockets of one process; not to be used by two.

    `descriptor` goes to the launcher, and `passed` closes the bench's copy once it did. `fileno` is readable when the
    launcher has something to say. Whoever holds this closes it: the sockets too, unless they were taken over.
    """

    def __init__(self, ports: Sequence[Port]) -> None:
        self._ports = tuple(ports)
        self._bench, self._inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._bench.setblocking(False)
        self.sockets: dict[str, socket.socket] = {}
        """By name, listening and not blocking; empty until they have come."""

    @property
    def descriptor(self) -> int:
        """What the launcher inherits."""
        return self._inside.fileno()

    @property
    def waiting(self) -> bool:
        """Whether the launcher has not spoken yet."""
        return self._bench.fileno() >= 0

    def fileno(self) -> int:
        """Readable once the launcher has spoken, or has ended without a word."""
        return self._bench.fileno()

    def passed(self) -> None:
        """The process has been started."""
        self._inside.close()

    def command(self, python: str, boot: str, command: Sequence[str]) -> list[str]:
        """The command line that hands the sockets out and becomes the command."""
        words = [python, *_START, f"{boot}/{LAUNCHER}", str(self.descriptor)]
        for port in self._ports:
            words += ["--port", *(f"{name}={value}" for name, value in port.environment.items())]
        # Python that would be started in just this way is run where the launcher ran.
        same = tuple(command[:5]) == (python, *_START, "-c")
        return [*words, "--", *(command[4:] if same else command)]

    def receive(self) -> bool:
        """Take what has come, without waiting: whether there is nothing more to wait for.

        A launcher that ended without a word leaves no sockets; why, its process says itself. Raises `BenchError` where
        it could not listen.
        """
        descriptors = array("i")
        space = socket.CMSG_LEN(len(self._ports) * descriptors.itemsize)
        try:
            # Not `socket.recv_fds`, which forgets the flag: others that are started meanwhile would inherit them.
            said, ancillary, _, _ = self._bench.recvmsg(_MESSAGE, space, socket.MSG_CMSG_CLOEXEC)
        except BlockingIOError:
            return False
        except ConnectionError:
            said, ancillary = b"", []
        self._bench.close()
        for level, kind, data in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
        received = [socket.socket(fileno=descriptor) for descriptor in descriptors]
        for each in received:
            each.setblocking(False)
        self.sockets = {port.name: each for port, each in zip(self._ports, received, strict=False)}
        if said.startswith(b"!"):
            message = f"the agent's process could not listen on its own loopback: {said[1:].decode(errors='replace')}"
            raise BenchError(message)
        return True

    def close(self) -> None:
        """Close everything that is still open here."""
        self._bench.close()
        self._inside.close()
        _close_all(self.sockets)


class OwnPorts:
    """The same for a process without walls: the bench listens itself, and the process inherits nothing."""

    waiting: Final = False

    def __init__(self, ports: Sequence[Port]) -> None:
        self.sockets: dict[str, socket.socket] = {}
        self.environment: dict[str, str] = {}
        try:
            for port in ports:
                self.sockets[port.name] = made = _listening()
                self.environment |= port.variables(made.getsockname()[1])
        except OSError as error:
            self.close()
            message = f"no port could be opened for the agent on {HOST}: {os.strerror(error.errno or 0)}"
            raise BenchError(message) from None

    def fileno(self) -> int:
        """Nothing is waited for."""
        return -1

    def receive(self) -> bool:
        """Nothing more comes."""
        return True

    def close(self) -> None:
        """Close everything that is still open here."""
        _close_all(self.sockets)


def _close_all(sockets: Mapping[str, socket.socket]) -> None:
    """Close them; one that is closed already stays so."""
    for each in sockets.values():
        with suppress(OSError):
            each.close()


def _listening() -> socket.socket:
    # asyncio switches off the delay of small pieces only where the protocol is named.
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        made.bind((HOST, 0))
        made.listen(_BACKLOG)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made
