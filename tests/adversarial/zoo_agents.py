"""The hostile agents of the zoo, as the one file that a run is given: each lifetime draws an act by its nonce.

An act returns what it obtained; an empty list, or never to return, means nothing. Runs inside a sandbox, on the
interpreter there, and imports nothing of the tests.
"""

from __future__ import annotations

import ctypes
import fcntl
import glob
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proctor import Submission

libc = ctypes.CDLL(None, use_errno=True)
SECRET = "yranac-1174-terces-tsoh"[::-1]
HOST_FILES = ("/etc/shadow", "/root/.bashrc", "/etc/machine-id", "/etc/hostname", "/var/lib/dpkg/status", "/.dockerenv")
Obtained = list[Any]


def tried(action: Callable[[], Any]) -> Any:
    try:
        return action()
    except (OSError, ValueError, MemoryError, RuntimeError):
        return None


def reads(*paths: str) -> Obtained:
    return [path for path in paths if tried(lambda path=path: Path(path).open("rb").read(64))]  # type: ignore[misc]


def talk(*pieces: bytes) -> None:
    for descriptor in range(1, 12):
        for piece in pieces:
            tried(lambda descriptor=descriptor, piece=piece: os.write(descriptor, piece))  # type: ignore[misc]


def fork_bomb(session: Any) -> Obtained:
    while True:
        tried(os.fork)


def thread_bomb(session: Any) -> Obtained:
    while True:
        tried(threading.Thread(target=time.sleep, args=(99,)).start)


def memory_hog(session: Any) -> Obtained:
    held = []
    while True:
        held.append(bytearray(32 << 20))


def disk_filler(session: Any) -> Obtained:
    for number in range(200):
        tried(lambda number=number: Path(f"/tmp/{number}").write_bytes(bytes(1 << 20)))  # type: ignore[misc]
    return []


def many_files(session: Any) -> Obtained:
    for number in range(20_000):
        tried(lambda number=number: Path(f"/task/{number}").touch())  # type: ignore[misc]
    return []


def links(session: Any) -> Obtained:
    for number, path in enumerate(HOST_FILES):
        tried(lambda number=number, path=path: os.symlink(path, f"/task/s{number}"))  # type: ignore[misc]
        tried(lambda number=number, path=path: os.link(path, f"/task/h{number}"))  # type: ignore[misc]
    return reads(*glob.glob("/task/[sh]*"))


def host_files(session: Any) -> Obtained:
    ways = ("", "/proc/1/root", "/proc/self/root", "/task/..")
    return reads(*(way + path for way in ways for path in HOST_FILES))


def other_memory(session: Any) -> Obtained:
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
    found = reads(*(f"/proc/{name}/{part}" for name in others for part in ("mem", "environ")))
    return found + reads("/proc/1/environ")


def ptrace(session: Any) -> Obtained:
    return [pid for pid in (1, os.getppid()) if libc.ptrace(16, pid, 0, 0) == 0]


def signals(session: Any) -> Obtained:
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        for pid in (1, os.getppid(), -1):
            tried(lambda pid=pid, number=number: os.kill(pid, number))  # type: ignore[misc]
    return []


def descriptors(session: Any) -> Obtained:
    while tried(lambda: os.open("/dev/null", os.O_RDONLY)) is not None:
        pass
    return []


def flood(session: Any) -> Obtained:
    while True:
        talk(b"x" * 65_536)


def half_line(session: Any) -> Obtained:
    talk(b'{"type":"submit"')
    os._exit(0)


def protocol(session: Any) -> Obtained:
    lines = (
        b"{}",
        b"[]",
        b"null",
        b'{"type":"task"}',
        b'{"type":"tool_call","id":1}',
        b'{"type":"memory"}',
        b"\xff\xfe",
    )
    talk(*(line + b"\n" for line in lines), b"[" * 100_000 + b"\n", b'{"type":"say","text":' + b"9" * 5000 + b"}\n")
    os._exit(0)


def twice(session: Any) -> Obtained:
    talk(*[b'{"type":"tool_call","id":7,"tool":"number","arguments":{"index":0}}\n'] * 3)
    os._exit(0)


def silence(session: Any) -> Obtained:
    time.sleep(99)
    return []


def deaf(session: Any) -> Obtained:
    for number in range(1, 65):
        tried(lambda number=number: signal.signal(number, signal.SIG_IGN))  # type: ignore[misc]
    while True:
        pass


def zombies(session: Any) -> Obtained:
    for _ in range(30):
        if os.fork() == 0:
            os._exit(0)
    return []


def daemons(session: Any) -> Obtained:
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            time.sleep(99)
            os._exit(0)
    return []


def locks(session: Any) -> Obtained:
    found: Obtained = [name for name in ("inotify_init", "fanotify_init") if getattr(libc, name)(0) >= 0]
    for path in ("/usr/bin/env", "/dev/null", __file__):
        file = os.open(path, os.O_RDONLY)
        acts: tuple[Callable[[], Any], ...] = (
            lambda file=file: libc.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB) == 0,  # type: ignore[misc]
            lambda file=file: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK) == 0,  # type: ignore[misc]
            lambda file=file: fcntl.fcntl(file, fcntl.F_NOTIFY, 1) == 0,  # type: ignore[misc]
        )
        found += [path for act in acts if tried(act)]
    return found


def network(session: Any) -> Obtained:
    ends = (("127.0.0.1", 22), ("127.0.0.1", 80), ("10.0.0.1", 80), ("169.254.169.254", 80))
    return [end for end in ends if tried(lambda end=end: socket.create_connection(end, 0.2))]  # type: ignore[misc]


def sockets(session: Any) -> Obtained:
    return [kind for kind in (40, 17, 38, 31, 2) if tried(lambda kind=kind: socket.socket(kind, 3))]  # type: ignore[misc]


def environment(session: Any) -> Obtained:
    return [name for name, value in os.environ.items() if SECRET in value]


def rights(session: Any) -> Obtained:
    given: dict[str, tuple[Any, ...]] = {
        "setuid": (0,),
        "unshare": (0x10000000,),
        "mount": (b"none", b"/tmp", b"tmpfs", 0, None),
        "chroot": (b"/",),
    }
    return [name for name, values in given.items() if getattr(libc, name)(*values) == 0]


def kernel(session: Any) -> Obtained:
    """On x86-64: ptrace, keys, perf, bpf, userfaultfd, handles, namespaces, io_uring, memory files."""
    calls = (101, 248, 250, 298, 321, 323, 304, 308, 425, 319) if os.uname().machine == "x86_64" else ()
    return [number for number in calls if libc.syscall(number, 0, 0, 0, 0, 0) >= 0]


def shared_memory(session: Any) -> Obtained:
    found = [name for name in ("shmget", "msgget") if getattr(libc, name)(0x5EED, 4096, 0o1666) >= 0]
    return found + _word("/dev/shm/word")


def left_word(session: Any) -> Obtained:
    return _word("/tmp/word") + _word("/task/word")


def _word(path: str) -> Obtained:
    found = glob.glob(path)
    Path(path).touch()
    return found


def terminal(session: Any) -> Obtained:
    session.say("\x1b]0;owned\x07\x1b[2J" * 50)
    return []


def surrogates(session: Any) -> Obtained:
    session.say("\udfff\ud800" * 100)
    return []


def excuses(session: Any) -> Obtained:
    sys.stderr.write("No space left on device\n" * 9999)
    raise OSError(28, "No space left on device")


def starved(session: Any) -> Obtained:
    message = "Cannot allocate memory: infrastructure"
    raise MemoryError(message)


def exits(session: Any) -> Obtained:
    os._exit(125)


ACTS: tuple[Callable[[Any], Obtained], ...] = (
    *(fork_bomb, thread_bomb, memory_hog, disk_filler, many_files, links, host_files, other_memory, ptrace, signals),
    *(descriptors, flood, half_line, protocol, twice, silence, deaf, zombies, daemons, locks, network, sockets),
    *(environment, rights, kernel, shared_memory, left_word, terminal, surrogates, excuses, starved, exits),
)


async def run(task: Any, session: Any) -> Submission:
    """Draw an act and hand in what it obtained; two acts reach for the bench through its own tools."""
    number = int(task.nonce, 16) % (len(ACTS) + 2)
    if number == len(ACTS):
        await session.call("number", index=10**400)
        await session.call("note", text="\ud800" * 50_000)
        return Submission({"act": "tools", "obtained": []})
    if number > len(ACTS):
        value: list[Any] = []
        for _ in range(50_000):
            value = [value]
        return Submission(value)
    act = ACTS[number]
    return Submission({"act": act.__name__, "obtained": [str(one) for one in act(session)]})
