"""The zygote's program: waits for the bench, forks, and goes on waiting. `main` returns only in an agent's process.

    bench → zygote    one packet per lifetime, with the descriptors stdin, stdout, stderr, report, end, and memory where
                      a folder of it is declared
    zygote → bench    once: `ready`, or why no lifetime can be made here
    report            a pidfd of the lifetime's first process; later `exit N`, how the agent's process ended
    end               held by the first process alone, so that the bench sees its end

One lifetime is always made beforehand and waits. Nothing may pass through here from one lifetime to the next:
descriptors are handed on, and none is looked into. After a number of lifetimes the interpreter is started anew, since a
fork inherits what an interpreter draws at its start: the seed of string hashes, the addresses of its memory.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys

from proctor.agents.process.pool.inside import calls, leave, room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STREAMS = 3
_MOST_DESCRIPTORS = 6
_FAILED = 125
_ALL = 1 << 30


def main(setup: dict[str, Any], control: int) -> None:
    """Fork for the bench until it closes the channel, which ends this process. Returns in agents' processes alone."""
    calls.set_dumpable(False)
    first, setup["covered"] = room.empty(setup["archive"])
    setup["title"] = _title_place()
    sys.path.insert(0, setup["boot"])
    for name in setup["modules"]:
        __import__(name)
    del sys.path[0]
    _rehearse()
    leave.remember_modules()
    own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    bench = socket.socket(fileno=control)
    gc.collect()
    gc.freeze()
    if first:
        bench.send(_trial(setup, own))
    for _ in range(setup["lifetimes"]):
        # Made before it is asked for: what takes long is done while the last lifetime still goes on.
        born = _born(setup, own)
        if born is None:
            return
        message, descriptors, _, _ = socket.recv_fds(bench, 64, _MOST_DESCRIPTORS)
        if not message:
            os._exit(0)
        _hand_over(*born, descriptors)
    os.execv(sys.orig_argv[0], sys.orig_argv)  # noqa: S606


def _hand_over(first: int, line: socket.socket, descriptors: list[int]) -> None:
    """Give a lifetime that waits what it lives with, and the bench a pidfd of its first process."""
    with socket.socket(fileno=os.dup(descriptors[_STREAMS])) as report, line:
        try:
            socket.send_fds(line, [b"live"], descriptors)
            socket.send_fds(report, [b"born"], [first])
        except OSError:
            # It has ended, or the bench has already given it up.
            signal.pidfd_send_signal(first, signal.SIGKILL)
    for descriptor in (*descriptors, first):
        os.close(descriptor)


def _rehearse() -> None:
    """Do once what every lifetime does first: an interpreter remembers what it has looked up, and forks inherit it."""
    import asyncio

    with asyncio.Runner() as runner:
        runner.run(asyncio.sleep(0))
    asyncio.set_event_loop_policy(None)
    compile("async def run(task, session):\n    return await session.call('tool', key=[{'a': 1}])\n", "none", "exec")


def _born(setup: dict[str, Any], own: int) -> tuple[int, socket.socket] | None:
    """A new lifetime that waits for its descriptors; None in the agent's own process, once it is confined."""
    line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # Ended children are nobody's business, except one that ends before there is a descriptor of it.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    calls.unshare(calls.NEW_PIDS)
    try:
        pid = os.fork()
    finally:
        if os.getpid() != 1:
            calls.enter(own, calls.NEW_PIDS)
    if pid == 0:
        _live(setup, theirs)
        return None
    theirs.close()
    try:
        return os.pidfd_open(pid), line
    finally:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        try:
            while os.waitpid(-1, os.WNOHANG)[0] > 0:
                continue
        except ChildProcessError:
            pass


def _live(setup: dict[str, Any], line: socket.socket) -> None:
    """In the first process: make the room and the agent's process, and outlive it. Returns in the agent's process."""
    first, count = setup["users"]
    uid = first + int.from_bytes(os.urandom(8), "big") % count
    descriptors: list[int] = []
    try:
        if setup["move_in"]:
            descriptors = _given(line)
        room.furnish(setup, uid, descriptors[-1] if setup["move_in"] else None)
        calls.install_filter(setup["filter"])
        os.setsid()
        descriptors = descriptors or _given(line)
        pid = os.fork()
        if pid == 0:
            _move_in(setup, uid)
            return
        calls.drop_capabilities()
        calls.set_name(b"bwrap")
        _show(setup["title"], [setup["first"]])
    except BaseException as error:
        if not descriptors:
            _given(line)
        os.write(2, f"{error}\n".encode())
        os._exit(_FAILED)
    _outlive(pid, *descriptors[_STREAMS : _STREAMS + 2])


def _given(line: socket.socket) -> list[int]:
    """What the bench gives this lifetime; the streams are in their places then. Ends where nothing comes any more."""
    message, descriptors, _, _ = socket.recv_fds(line, 64, _MOST_DESCRIPTORS)
    if not message:
        os._exit(0)
    for number, descriptor in enumerate(descriptors[:_STREAMS]):
        os.dup2(descriptor, number)
    return descriptors


def _move_in(setup: dict[str, Any], uid: int) -> None:
    os.closerange(_STREAMS, _ALL)
    room.move_in(setup, uid)
    if setup["move_in"]:
        _remember(setup["move_in"])
    _pass_for(setup["command"], setup["title"])


def _outlive(pid: int, report: int, end: int) -> None:
    """Reap whatever ends here until the agent's process has; the kernel ends the rest with this one."""
    try:
        os.dup2(report, 0)
        os.dup2(end, 1)
        os.closerange(2, _ALL)
        while True:
            ended, status = os.wait()
            if ended == pid:
                code = os.waitstatus_to_exitcode(status)
                os.write(0, b"exit %d" % (code if code >= 0 else 128 - code))
                break
    finally:
        os._exit(0)


def _remember(command: list[str]) -> None:
    pid = os.posix_spawn(command[0], command, os.environ)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
        os._exit(_FAILED)


def _pass_for(command: list[str], title: tuple[int, int]) -> None:
    """Look as an interpreter does that was started with this command."""
    sys.argv[:] = ["-c", *command[command.index("-c") + 2 :]]
    sys.orig_argv[:] = command
    _show(title, command)


def _show(title: tuple[int, int], command: list[str]) -> None:
    """Have other processes see this command line."""
    start, end = title
    text = b"".join(part.encode(errors="surrogateescape") + b"\0" for part in command)
    calls.overwrite(start, text[: end - start - 1].ljust(end - start, b"\0"))


def _title_place() -> tuple[int, int]:
    """Where in this process's memory its command line starts and ends."""
    with open("/proc/self/stat", "rb") as stat:
        fields = stat.read().rpartition(b")")[2].split()
    return int(fields[45]), int(fields[46])


def _trial(setup: dict[str, Any], own: int) -> bytes:
    """Make a room for nobody: `ready` where that works here."""
    reading, writing = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        born = _born({**setup, "move_in": []}, own)
        if born is None:
            os._exit(0)
        _hand_over(*born, [nothing, os.dup(nothing), writing, theirs.detach(), os.dup(nothing)])
        while (said := ours.recv(64)) == b"born":
            continue
        with open(reading, "rb") as errors:
            problem = errors.read().strip()
    return b"ready" if said == b"exit 0" else problem or b"the trial ended badly"
