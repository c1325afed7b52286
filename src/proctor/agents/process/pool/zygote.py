"""The bench's end of a zygote: starts it, asks it for lifetimes, and lets go of it."""

from __future__ import annotations

import os
import socket
import subprocess
from contextlib import ExitStack
from typing import Any, Final

from proctor.agents.process.pool.forked import ForkedProcess
from proctor.agents.process.pool.program import command, payload
from proctor.core.errors import BenchError
from proctor.worlds.bubblewrap import Launch, free_uids, memory_file
from proctor.worlds.sandbox import Sandbox
from proctor.worlds.watch import Watch

LIFETIMES: Final = 256
"""Forked from one interpreter; then it is started anew, with another seed of string hashes."""
_START_SECONDS: Final = 20.0
# Imported before the fork. Nothing that draws at import what two interpreters would draw differently (multiprocessing
# makes a key) and nothing that starts a thread.
_MODULES: Final = ("proctor.agents.process.inside.serve", "proctor", "asyncio", "base64", "importlib.util")


class NoZygote(Exception):
    """There can be none here; the message says why."""


class Zygote:
    """One sandbox with a warm interpreter in it. Belongs to the thread that started it, and dies with it."""

    def __init__(self, sandbox: Sandbox, data: dict[str, bytes], setup: dict[str, Any]) -> None:
        """`setup` is what `inside` needs to know of every lifetime, see `PooledHost`."""
        full = {"modules": _MODULES, "lifetimes": LIFETIMES, "users": free_uids(), **setup}
        with ExitStack() as stack:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.enter_context(theirs)
            code = payload("zygote", full)
            stack.callback(os.close, code)
            words = command(full["command"], code, theirs.fileno())
            launch = sandbox.launch_trusted(words, data)
            self._process = started(launch, (code, theirs.fileno()))
            self._watch = Watch(launch.status, sandbox.limits)
        try:
            self._meet()
        except BaseException:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        """Whether its sandbox still runs."""
        return self._process.poll() is None

    def fork(self, memory: bytes | None) -> ForkedProcess:
        """A new lifetime's process. Raises `BenchError` where the zygote is gone."""
        return ask(self._control, b"live", memory, trusted=True)

    def close(self) -> None:
        """End it, and every lifetime that it still has."""
        self._control.close()
        if not self._watch.kill():
            self._process.kill()
        self._process.wait()
        self._watch.close()

    def _meet(self) -> None:
        self._control.settimeout(_START_SECONDS)
        try:
            said = self._control.recv(4096)
        except OSError as error:
            raise NoZygote(str(error)) from None
        if said != b"ready":
            raise NoZygote(said.decode(errors="replace") or "it ended at once")


def ask(control: socket.socket, message: bytes, memory: bytes | None, *, trusted: bool) -> ForkedProcess:
    """Have the other side fork. Raises `BenchError` where nobody is there."""
    with ExitStack() as stack:
        forked = ForkedProcess(stack, trusted=trusted)
        descriptors = list(forked.theirs)
        if memory is not None:
            descriptors.append(memory_file(memory))
            stack.callback(os.close, descriptors[-1])
        try:
            socket.send_fds(control, [message], descriptors)
        except OSError as error:
            forked.close()
            message_text = f"the agent's process could not be forked: {error.strerror}"
            raise BenchError(message_text) from None
    return forked


def started(launch: Launch, further: tuple[int, ...]) -> subprocess.Popen[bytes]:
    """A sandbox with a warm interpreter, which is told everything by descriptors."""
    try:
        return subprocess.Popen(
            launch.argv,
            pass_fds=(*launch.fds, *further),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={},
            start_new_session=True,
        )
    except OSError as error:
        os.close(launch.status)
        raise NoZygote(str(error)) from None
    finally:
        launch.close()
