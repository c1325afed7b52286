"""The command line of one sandbox: namespaces, mounts, limits, user, filter.

    bwrap (options on a descriptor, not on the command line) → prlimit → setpriv (only as root) → the command
    prlimit → bwrap → prlimit (processes) → the command, as a plain user

Inside there are /usr, a handful of files in /etc, a private /proc, /dev, /tmp and /task, and what the caller binds;
no network, no other process, no environment but the declared one. Options travel on a descriptor, so that declared
environment values are never seen in the host's process list.

Two ways in. As root with full rights, mounts are made by root and the command runs as a user id drawn for this sandbox
alone: the kernel does not bind root by a process limit, and one shared id would share one count. Otherwise a user
namespace is made, whose process count is its own. There the command can take over bubblewrap's first process, which is
of the same user; so that one is bound by every limit that is not counted per user, and has nothing else to give.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from proctor.core.errors import NotEvaluable
from proctor.worlds.interpreter import ShownPython
from proctor.worlds.seccomp import filter_bytes
from proctor.worlds.watch import Limits, MiB

WORK: Final = "/task"

_TOOL_PATH: Final = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_TEMPORARY: Final = "/tmp"  # noqa: S108
_MERGED: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_MOUNTED: Final = frozenset(("/usr", "/proc", "/dev", "/tmp", WORK, *_MERGED))  # noqa: S108
_ETC: Final = ("/etc/ld.so.cache", "/etc/alternatives")
_ETC_NETWORK: Final = (
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/certs",
)
DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
_CAP_SYS_ADMIN: Final = 21
_FIRST_UID: Final = 2_000_000_000
_UIDS: Final = 100_000_000
# Counting is done by the watch, which says so; the kernel's limit behind it leaves room for bubblewrap itself.
_PROCESS_SLACK: Final = 16
_SHARED_MEMORY: Final = 16 * MiB
_COUNTED_PER_USER: Final = "nproc"
_PACKAGES: Final = {"bwrap": "bubblewrap", "setpriv": "util-linux", "prlimit": "util-linux", "nice": "coreutils"}
# What runs inside gives way to the bench, or it could make the bench late and have its own time-outs excused.
_NICENESS: Final = "5"
# They would reach the helpers that still have rights, before the command has started.
_UNSAFE_VARIABLE: Final = re.compile(r"^(LD_|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH)|[=\0]|^$")


class Mount(Struct, frozen=True):
    """A host path and where it is seen inside."""

    host: Path
    virtual: str


class SandboxSpec(Struct, frozen=True, kw_only=True):
    """Everything that makes one sandbox different from another."""

    limits: Limits
    env: dict[str, str]
    network: bool
    python: ShownPython | None
    binds: tuple[Mount, ...]
    writable: tuple[Mount, ...]


class Launch:
    """A command line ready to start, with the descriptors that have to be passed on. Close it once started."""

    __slots__ = ("argv", "fds", "status")

    def __init__(self, argv: list[str], fds: tuple[int, ...], status: int) -> None:
        self.argv = argv
        self.fds = fds
        self.status = status
        """Read end of bubblewrap's reports; whoever starts the command owns it."""

    def close(self) -> None:
        """Close the parent's copies of what was passed on."""
        for descriptor in self.fds:
            os.close(descriptor)
        self.fds = ()


@cache
def find_helper(name: str) -> str:
    """The absolute path of a program the sandbox needs; raises `NotEvaluable` with what to install."""
    path = shutil.which(name, path=_TOOL_PATH)
    if path is None:
        package = _PACKAGES.get(name, name)
        message = (
            f"'{name}' is missing: install {package} (Debian, Ubuntu: apt-get install {package}) to run sandboxed parts"
        )
        raise NotEvaluable(message)
    return path


def memory_file(data: bytes) -> int:
    """A descriptor from which `data` can be read; the caller closes it."""
    descriptor = os.memfd_create("proctor", os.MFD_CLOEXEC)
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def prepare(enclosure: SandboxSpec, argv: list[str], data: dict[str, bytes], *, trusted: bool = False) -> Launch:
    """The launch of `argv` in a new sandbox; `data` are read-only files made inside, by virtual path.

    A `trusted` command keeps root's rights, and is bound by neither limits nor filter.
    """
    _check(enclosure)
    even_out(DEVICES)
    uid = fresh_uid() if privileged() else None
    if trusted and uid is None:
        message = "only root can start a process that makes sandboxes itself"
        raise NotEvaluable(message)
    if uid is not None:
        for mount in enclosure.writable:
            _give(mount.host, uid)
    limits = {} if trusted else kernel_limits(enclosure.limits)
    outer = {} if uid is not None else {name: limits.pop(name) for name in list(limits) if name != _COUNTED_PER_USER}
    command = argv if trusted else [*_limited(limits), *_dropped(uid), *argv]
    descriptors = _Descriptors()
    try:
        launch = _prepare(enclosure, uid, command, data, descriptors, b"" if trusted else filter_bytes())
    except BaseException:
        descriptors.close()
        raise
    launch.argv[:0] = [find_helper("nice"), "-n", _NICENESS, *_limited(outer)]
    return launch


class _Descriptors:
    """Descriptors to pass on, closed together when something goes wrong on the way."""

    def __init__(self) -> None:
        self.all: list[int] = []

    def holding(self, content: bytes) -> str:
        self.all.append(memory_file(content))
        return str(self.all[-1])

    def close(self) -> None:
        for descriptor in self.all:
            os.close(descriptor)


def _prepare(
    enclosure: SandboxSpec,
    uid: int | None,
    command: list[str],
    data: dict[str, bytes],
    descriptors: _Descriptors,
    rules: bytes | None,
) -> Launch:
    data = {**_identity(uid, enclosure), **data}
    options = [*_namespaces(enclosure, uid), *_environment(enclosure), *_parents(enclosure, data), *_mounts(enclosure)]
    for virtual, content in data.items():
        options += ["--perms", "0444", "--ro-bind-data", descriptors.holding(content), virtual]
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK]
    if rules:
        options += ["--seccomp", descriptors.holding(rules)]
    status, report = os.pipe()
    options += ["--json-status-fd", str(report)]
    text = b"\0".join(option.encode(errors="surrogateescape") for option in options) + b"\0"
    try:
        arguments = descriptors.holding(text)
    except BaseException:
        os.close(status)
        os.close(report)
        raise
    return Launch([find_helper("bwrap"), "--args", arguments, "--", *command], (*descriptors.all, report), status)


def _check(enclosure: SandboxSpec) -> None:
    for name in enclosure.env:
        if _UNSAFE_VARIABLE.search(name):
            message = f"the environment variable '{name}' cannot be given to a sandbox; set it inside the command"
            raise ValueError(message)
    for mount in (*enclosure.binds, *enclosure.writable):
        if not mount.virtual.startswith("/") or ".." in mount.virtual.split("/"):
            message = f"'{mount.virtual}' is not an absolute path inside the sandbox"
            raise ValueError(message)


def _namespaces(enclosure: SandboxSpec, uid: int | None) -> list[str]:
    options = ["--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox"]
    if uid is None:
        options.append("--unshare-user")
    if not enclosure.network:
        options.append("--unshare-net")
    return [*options, "--die-with-parent", "--new-session"]


def _environment(enclosure: SandboxSpec) -> list[str]:
    path = _TOOL_PATH
    if enclosure.python is not None:
        path = ":".join((*enclosure.python.programs, path))
    env = {"HOME": "/tmp", "LANG": "C.UTF-8", "PATH": path, "TZ": "UTC", **enclosure.env}  # noqa: S108
    return ["--clearenv", *(part for name, value in sorted(env.items()) for part in ("--setenv", name, value))]


def _parents(enclosure: SandboxSpec, data: dict[str, bytes]) -> list[str]:
    """Folders above what is mounted; bubblewrap would make them for its own user only."""
    mounted = [*data, *(mount.virtual for mount in (*enclosure.binds, *enclosure.writable))]
    mounted += [] if enclosure.python is None else [virtual for _, virtual in enclosure.python.folders]
    mounted += _ETC_NETWORK * enclosure.network
    folders = {folder for path in mounted for folder in Path(path).parents}
    return [
        part
        for folder in sorted(folders - {Path("/")})
        if f"/{folder.parts[1]}" not in _MOUNTED
        for part in ("--perms", "0755", "--dir", str(folder))
    ]


def _parents_in(place: str, mounted: list[str]) -> list[str]:
    """The same inside a folder that is itself mounted, and empty."""
    folders = {folder for path in mounted for folder in Path(path).parents if str(folder).startswith(f"{place}/")}
    return [part for folder in sorted(folders) for part in ("--perms", "0755", "--dir", str(folder))]


def _mounts(enclosure: SandboxSpec) -> list[str]:
    options = ["--ro-bind", "/usr", "/usr"]
    for path in _MERGED:
        if os.path.islink(path):
            options += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            options += ["--ro-bind", path, path]
    for path in (*_ETC, *(_ETC_NETWORK if enclosure.network else ())):
        options += ["--ro-bind-try", os.path.realpath(path), path]
    options += ["--proc", "/proc", "--dev", "/dev"]
    for path, size in private_mounts(enclosure.limits).items():
        options += ["--perms", "1777", "--size", str(size), "--tmpfs", path]
    python = () if enclosure.python is None else enclosure.python.folders
    options += _parents_in(_TEMPORARY, [virtual for _, virtual in python])
    for host, virtual in python:
        options += ["--ro-bind", str(host), virtual]
    for mount in enclosure.binds:
        options += ["--ro-bind", str(mount.host), mount.virtual]
    for mount in enclosure.writable:
        options += ["--bind", str(mount.host), mount.virtual]
    return options


def _identity(uid: int | None, enclosure: SandboxSpec) -> dict[str, bytes]:
    user, group = (uid, uid) if uid is not None else (os.getuid(), os.getgid())
    files = {
        "/etc/passwd": b"agent:x:%d:%d::/tmp:/bin/sh\n" % (user, group),
        "/etc/group": b"agent:x:%d:\n" % group,
    }
    if not enclosure.network:
        files["/etc/hosts"] = b"127.0.0.1 localhost\n::1 localhost\n"
    return files


def even_out(devices: tuple[str, ...]) -> None:
    """Give the host's device files, which every sandbox is shown, the present moment as their times.

    Whoever may write to a device may set its file's times to the present, and only to that. A sandbox could so leave
    word for the next one; after this there is nothing left to read. bubblewrap cannot make a device read-only.
    """
    for device in devices:
        with suppress(OSError):
            os.utime(device)


def kernel_limits(limits: Limits) -> dict[str, tuple[int, int]]:
    """What the kernel is to enforce for every single process: soft and hard, by the names of `prlimit`."""
    seconds = int(limits.cpu) + 2
    processes = limits.processes + _PROCESS_SLACK
    return {
        "as": (limits.address_space, limits.address_space),
        "cpu": (seconds, seconds + 1),
        "fsize": (limits.file, limits.file),
        "nofile": (limits.open_files, limits.open_files),
        "nproc": (processes, processes),
        "core": (0, 0),
    }


def private_mounts(limits: Limits) -> dict[str, int]:
    """File systems in memory that every sandbox has for itself, with their sizes."""
    return {"/dev/shm": _SHARED_MEMORY, "/tmp": limits.disk, WORK: limits.disk}  # noqa: S108


def _limited(limits: dict[str, tuple[int, int]]) -> list[str]:
    options = [f"--{name}={soft}:{hard}" for name, (soft, hard) in limits.items()]
    return [find_helper("prlimit"), *options] if options else []


def _dropped(uid: int | None) -> list[str]:
    if uid is None:
        return []
    drop = ["--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"]
    return [find_helper("setpriv"), f"--reuid={uid}", f"--regid={uid}", *drop]


def privileged() -> bool:
    """Whether this process is root with the rights to mount."""
    if os.geteuid() != 0:
        return False
    status = Path("/proc/self/status").read_text()
    match = re.search(r"^CapEff:\s*([0-9a-f]+)", status, re.MULTILINE)
    return match is not None and bool(int(match[1], 16) >> _CAP_SYS_ADMIN & 1)


def fresh_uid() -> int:
    """A user id that nobody has: far above those that systems hand out, or high in what a container was given."""
    first, count = free_uids()
    return first + secrets.randbelow(count)


@cache
def free_uids() -> tuple[int, int]:
    """The first of them, and how many."""
    ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    first, _, count = max(ranges, key=lambda entry: entry[2])
    if first <= _FIRST_UID and first + count >= _FIRST_UID + _UIDS:
        return _FIRST_UID, _UIDS
    return first + count // 2, max(1, count // 2)


def _give(directory: Path, uid: int) -> None:
    """Make a tree belong to the sandbox's user; links are given, never followed."""
    from proctor.worlds.paths import walk

    os.chown(directory, uid, uid, follow_symlinks=False)
    for entry in walk(directory):
        os.chown(entry.name, uid, uid, dir_fd=entry.parent, follow_symlinks=False)
