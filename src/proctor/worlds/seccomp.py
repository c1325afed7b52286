"""A system-call filter for the sandbox, as the BPF bytes that bubblewrap loads.

Namespaces and limits leave a few doors that only a filter closes: memory that belongs to no process (memfd, System V
shared memory), new user namespaces, looking into neighbours of the same user, kernel subsystems with a history, and
socket families that ignore network namespaces (vsock reaches a virtual machine's host). What is closed answers with
an error, so that programs fall back; calls of a foreign architecture kill the process, since their numbers mean
other things. On an architecture not listed here there is no filter: everything else still holds.

Files that all sandboxes are shown are the same files, so whatever the kernel keeps *about* a file is seen by all of
them: locks, leases, watches, what of it is in memory. None of it is given out but the locks of processes, which SQLite
cannot do without.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import Final

_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_AT_LEAST: Final = 0x35
_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06

_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_ERRNO: Final = 0x00050000

_NUMBER_OFFSET: Final = 0
_ARCHITECTURE_OFFSET: Final = 4
_FIRST_ARGUMENT_OFFSET: Final = 16
_ARGUMENT_BYTES: Final = 8

_NEW_NAMESPACES: Final = 0x7E020000
_X32_BIT: Final = 0x40000000
_SOCKET_FAMILIES: Final = (1, 2, 10, 16)
"""unix, inet, inet6, netlink: all four belong to a network namespace."""

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name: (x86_64, aarch64)
_REFUSED: Final = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "unshare": (272, 97),
    "setns": (308, 268),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "open_by_handle_at": (304, 265),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
}
# Programs ask for these and have another way when the kernel seems too old for them.
_PRETEND_MISSING: Final = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "clone3": (435, 435),
    "flock": (73, 32),
    "mincore": (27, 232),
    "cachestat": (451, 451),
}
_CLONE: Final = (56, 220)
_SOCKET: Final = (41, 198)
_FCNTL: Final = (72, 25)
_REFUSED_COMMANDS: Final = {
    "F_OFD_GETLK": 36,
    "F_OFD_SETLK": 37,
    "F_OFD_SETLKW": 38,
    "F_SETLEASE": 1024,
    "F_GETLEASE": 1025,
    "F_NOTIFY": 1026,
}
"""Of `fcntl`. The locks of processes (`F_SETLK`, `F_GETLK`) stay: SQLite uses them on an agent's own files."""
_PREADV2: Final = (327, 286)
_ONLY_FROM_MEMORY: Final = 0x8
"""RWF_NOWAIT: whether the read succeeds tells what others have read."""


def filter_bytes(machine: str | None = None) -> bytes | None:
    """The filter for this machine's architecture, or None where there is none."""
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        return None
    column = 0 if machine == "x86_64" else 1
    program = [
        _step(_LOAD, _ARCHITECTURE_OFFSET),
        _step(_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_OFFSET),
    ]
    if machine == "x86_64":
        program += [_step(_AT_LEAST, _X32_BIT, 0, 1), _step(_RETURN, _KILL)]
    for refused, answer in ((_REFUSED, errno.EPERM), (_PRETEND_MISSING, errno.ENOSYS)):
        for number in (numbers[column] for numbers in refused.values()):
            if number is not None:
                program += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ERRNO | answer)]
    program += [
        _step(_EQUAL, _FCNTL[column], 0, 3 + len(_REFUSED_COMMANDS)),
        _argument(1),
        *(
            _step(_EQUAL, command, len(_REFUSED_COMMANDS) - position, 0)
            for position, command in enumerate(_REFUSED_COMMANDS.values())
        ),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_EQUAL, _PREADV2[column], 0, 4),
        _argument(5),
        _step(_ANY_BIT, _ONLY_FROM_MEMORY, 0, 1),
        _step(_RETURN, _ERRNO | errno.EOPNOTSUPP),
        _step(_RETURN, _ALLOW),
        _step(_EQUAL, _CLONE[column], 0, 4),
        _argument(0),
        _step(_ANY_BIT, _NEW_NAMESPACES, 0, 1),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
        _step(_EQUAL, _SOCKET[column], 0, 2 + len(_SOCKET_FAMILIES)),
        _argument(0),
        *(
            _step(_EQUAL, family, len(_SOCKET_FAMILIES) - position, 0)
            for position, family in enumerate(_SOCKET_FAMILIES)
        ),
        _step(_RETURN, _ERRNO | errno.EAFNOSUPPORT),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(program)


def _argument(position: int) -> bytes:
    """Load the lower half of an argument: the upper is not looked at by calls that take an `int`."""
    return _step(_LOAD, _FIRST_ARGUMENT_OFFSET + position * _ARGUMENT_BYTES)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
