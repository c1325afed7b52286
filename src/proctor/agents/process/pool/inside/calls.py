"""System calls that Python has no name for. Each raises `OSError` where the kernel refuses."""

from __future__ import annotations

import ctypes
import os

NEW_MOUNTS = 0x00020000
NEW_IPC = 0x08000000
NEW_PIDS = 0x20000000
NEW_NETWORK = 0x40000000

READ_ONLY = 0x1
NO_SUID = 0x2
NO_DEVICES = 0x4
NO_EXEC = 0x8
REMOUNT = 0x20
BIND = 0x1000
RECURSIVE = 0x4000
PRIVATE = 0x40000

_DETACH = 2
_SET_DUMPABLE = 4
_SET_NAME = 15
_SET_SECCOMP = 22
_DROP_BOUNDING = 24
_SET_NO_NEW_PRIVILEGES = 38
_FILTER = 2
_CAPABILITY_VERSION = 0x20080522
_MOST_CAPABILITIES = 64
_STEP_BYTES = 8

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong)
_libc.mount.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def unshare(flags: int) -> None:
    """Leave these namespaces for new ones."""
    _check(_libc.unshare(flags), "unshare")


def enter(descriptor: int, kind: int) -> None:
    """Go into a namespace of this kind."""
    _check(_libc.setns(descriptor, kind), "setns")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount a file system, or with `BIND` a place."""
    result = _libc.mount(source.encode(), target.encode(), kind.encode(), flags, data.encode() or None)
    _check(result, f"mount {target}")


def unmount(target: str) -> None:
    """Take away what is mounted there, with everything below it."""
    _check(_libc.umount2(target.encode(), _DETACH), f"umount {target}")


def set_dumpable(on: bool) -> None:
    """Whether other processes of the same user may look into this one."""
    _check(_libc.prctl(_SET_DUMPABLE, int(on), None, 0, 0), "prctl dumpable")


def set_name(name: bytes) -> None:
    """The process's short name."""
    held = ctypes.create_string_buffer(name)
    _check(_libc.prctl(_SET_NAME, ctypes.addressof(held), None, 0, 0), "prctl name")


def drop_bounding_set() -> None:
    """No capability can be had again, not even by running a program that would bring it."""
    for capability in range(_MOST_CAPABILITIES):
        if _libc.prctl(_DROP_BOUNDING, capability, None, 0, 0) != 0:
            # The first number that the kernel does not know ends the list.
            if capability == 0:
                _check(-1, "prctl bounding set")
            return


def drop_capabilities() -> None:
    """Give all of this process's capabilities back."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def install_filter(rules: bytes) -> None:
    """Bind this process and all it starts by a system-call filter."""
    _check(_libc.prctl(_SET_NO_NEW_PRIVILEGES, 1, None, 0, 0), "prctl no_new_privs")
    if rules:
        steps = ctypes.create_string_buffer(rules, len(rules))
        program = _Program(len(rules) // _STEP_BYTES, ctypes.addressof(steps))
        _check(_libc.prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(program), 0, 0), "prctl seccomp")


def overwrite(start: int, text: bytes) -> None:
    """Put bytes to this address of the process's own memory."""
    ctypes.memmove(start, text, len(text))


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
