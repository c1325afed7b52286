"""A warm interpreter with the agent's own module in it: an ordinary process of a sandbox, without any rights.

    bench → here    one packet per lifetime, with the descriptors stdin, stdout, stderr, report, end[, memory]
    report          `exit N`, how the lifetime's process ended
    end             closed once nothing of the lifetime runs any more

It forks one lifetime at a time and cleans up after it as far as it can. The user's code runs in this process, so
nothing it says or does is believed: the bench gives it no rights, and ends the sandbox when in doubt.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import sys
import time
from contextlib import suppress

from proctor.agents.process.pool.inside import leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STREAMS = 3
_MOST_DESCRIPTORS = 6
_FAILED = 125
_ALL = 1 << 30
_OWN_PROCESSES = 2
_LOOKS = 1000
_PAUSE = 0.001


def main(setup: dict[str, Any], control: int) -> None:
    """Fork for the bench until it closes the channel, which ends this process. Returns in agents' processes alone."""
    bench = socket.socket(fileno=control)
    # What the sandbox was started with is not passed on to programs that the user's code starts.
    os.set_inheritable(control, False)
    loaded = False
    while True:
        message, descriptors, _, _ = socket.recv_fds(bench, 64, _MOST_DESCRIPTORS)
        if not message:
            os._exit(0)
        # For what is said while the module is loaded.
        os.dup2(descriptors[2], 2)
        if not loaded:
            _load(setup)
            loaded = True
        for folder in setup["private"]:
            _empty(folder)
        pid = os.fork()
        if pid == 0:
            _become(setup, descriptors)
            return
        _see_off(pid, descriptors)


def _load(setup: dict[str, Any]) -> None:
    command = setup["command"]
    boot, target, _, folders, *packages = command[command.index("-c") + 2 :]
    sys.path.insert(0, boot)
    from proctor.agents.process.inside import serve

    leave.remember_modules()
    serve.preload(target, folders.split(":"), packages)
    # The command puts it there again.
    del sys.path[0]
    gc.collect()
    gc.freeze()


def _become(setup: dict[str, Any], descriptors: list[int]) -> None:
    for number, descriptor in enumerate(descriptors[:_STREAMS]):
        os.dup2(descriptor, number)
    if len(descriptors) > _STREAMS + 2:
        actions = [(os.POSIX_SPAWN_DUP2, descriptors[_STREAMS + 2], 0)]
        mover = os.posix_spawn(setup["move_in"][0], setup["move_in"], os.environ, file_actions=actions)
        if os.waitstatus_to_exitcode(os.waitpid(mover, 0)[1]) != 0:
            os._exit(_FAILED)
    os.closerange(_STREAMS, _ALL)
    sys.argv[:] = ["-c", *setup["command"][setup["command"].index("-c") + 2 :]]
    sys.orig_argv[:] = setup["command"]


def _see_off(pid: int, descriptors: list[int]) -> None:
    """Wait for the lifetime's process, end what it left running, and say so. Its files go when the next one comes."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 2)
    os.close(nothing)
    *streams, report, end = descriptors[: _STREAMS + 2]
    for descriptor in (*streams, *descriptors[_STREAMS + 2 :]):
        os.close(descriptor)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)
    _alone()
    os.write(report, b"exit %d" % (code if code >= 0 else 128 - code))
    os.close(report)
    os.close(end)


def _alone() -> None:
    """Wait a moment for the sandbox's first process to reap what was ended."""
    for _ in range(_LOOKS):
        if sum(name.isdigit() for name in os.listdir("/proc")) <= _OWN_PROCESSES:
            return
        time.sleep(_PAUSE)


def _empty(folder: str) -> None:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)
