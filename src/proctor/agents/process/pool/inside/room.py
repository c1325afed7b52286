"""The room of one lifetime: what bubblewrap would have made for it, made by its own first process.

`furnish` runs in the first process of a new process list, as root. It takes new mount, IPC and network namespaces and
gives them what a sandbox has: an own /proc, /dev/pts, /dev/shm, /tmp and /task, a user in /etc/passwd, a loopback
device that is up. /proc comes last: where the bench sees it, everything else is in place. `move_in` then turns a fork
of that process into the agent's: limits, user, no capabilities. The filter is installed between the two.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import socket
import struct

from proctor.agents.process.pool.inside import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PLACES = ("/dev/shm", "/dev/pts", "/tmp", "/task", "/etc/passwd", "/etc/group")  # noqa: S108
_SAFE = calls.NO_SUID | calls.NO_DEVICES
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
_LIMITS = {
    "as": resource.RLIMIT_AS,
    "cpu": resource.RLIMIT_CPU,
    "fsize": resource.RLIMIT_FSIZE,
    "nofile": resource.RLIMIT_NOFILE,
    "nproc": resource.RLIMIT_NPROC,
    "core": resource.RLIMIT_CORE,
}


def empty(archive: str) -> tuple[bool, list[str]]:
    """Take out of the zygote's own sandbox what every lifetime brings; whether that was still to do, and the parts of
    /proc that bubblewrap has covered."""
    with open("/proc/self/mountinfo") as lines:
        mounted = [line.split()[4] for line in lines]
    os.chdir("/")
    calls.mount("none", "/", "", calls.RECURSIVE | calls.PRIVATE)
    full = [place for place in (*_PLACES, archive) if place in mounted]
    for place in full:
        calls.unmount(place)
    return bool(full), [place for place in mounted if place.startswith("/proc/")]


def furnish(setup: dict[str, Any], uid: int, memory: int | None) -> None:
    """Everything around the lifetime's processes."""
    network = 0 if setup["network"] else calls.NEW_NETWORK
    calls.unshare(calls.NEW_MOUNTS | calls.NEW_IPC | network)
    if network:
        _raise_loopback()
    _own_files(setup, uid, memory)
    for place, size in setup["sizes"].items():
        calls.mount("tmpfs", place, "tmpfs", _SAFE, f"mode=1777,size={size}")
    calls.mount("devpts", "/dev/pts", "devpts", calls.NO_SUID | calls.NO_EXEC, "newinstance,ptmxmode=0666,mode=620")
    calls.unmount("/proc")
    calls.mount("proc", "/proc", "proc", _SAFE | calls.NO_EXEC)
    for place in setup["covered"]:
        calls.mount(place, place, "", calls.BIND)
        calls.mount("none", place, "", calls.REMOUNT | calls.BIND | calls.READ_ONLY | _SAFE | calls.NO_EXEC)


def move_in(setup: dict[str, Any], uid: int) -> None:
    """Bind this process by the limits and make it the lifetime's user, for good."""
    for device in setup["devices"]:
        # In its times a lifetime before could have left word; a room is furnished while that one still lives.
        with contextlib.suppress(OSError):
            os.utime(device)
    for name, (soft, hard) in setup["limits"].items():
        resource.setrlimit(_LIMITS[name], (soft, hard))
    calls.drop_bounding_set()
    os.setgroups(())
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    calls.drop_capabilities()
    # Cleared by the change of user; a program that was started anew would have it.
    calls.set_dumpable(True)
    os.chdir(setup["work"])


def _own_files(setup: dict[str, Any], uid: int, memory: int | None) -> None:
    """Files that differ from lifetime to lifetime, put where the sandbox has an empty one."""
    files = {
        "/etc/passwd": b"agent:x:%d:%d::/tmp:/bin/sh\n" % (uid, uid),
        "/etc/group": b"agent:x:%d:\n" % uid,
    }
    made = {}
    calls.mount("tmpfs", "/tmp", "tmpfs", _SAFE, "mode=0755")  # noqa: S108
    for target, text in files.items():
        made[target] = _write(text)
    if memory is not None:
        with open(memory, "rb", closefd=False) as archive:
            made[setup["archive"]] = _write(archive.read())
    calls.mount("none", "/tmp", "", calls.REMOUNT | calls.BIND | calls.READ_ONLY | _SAFE)  # noqa: S108
    for target, source in made.items():
        calls.mount(source, target, "", calls.BIND)
    calls.unmount("/tmp")  # noqa: S108


def _write(text: bytes) -> str:
    path = f"/tmp/{len(os.listdir('/tmp'))}"  # noqa: S108
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
    os.fchmod(descriptor, 0o444)
    view = memoryview(text)
    while view:
        view = view[os.write(descriptor, view) :]
    os.close(descriptor)
    return path


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _GET_FLAGS, name))[1]
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))
