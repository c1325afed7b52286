"""Nothing passes from one lifetime to another, and nothing of the bench's is in reach: hostile agents try.

Each tries something and hands in what it obtained. They run on both hosts: what a sandbox of its own refuses, a fork
of a warm interpreter has to refuse too.
"""

from __future__ import annotations

import asyncio
import os
import textwrap
from typing import Any

import pytest
from tests.unit.agents_process.conftest import Lived, Project

from proctor.engine.lifetime import live
from proctor.evidence.events import Submitted

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left", "either_host")


def answers(project: Project, code: str, *, lifetimes: int = 2, at_once: bool = False) -> list[Any]:
    """What an agent hands in, one answer per lifetime; the code is the body of its `run`."""
    project.write("mine.py", HEAD + textwrap.indent(textwrap.dedent(code), "    "))
    bench = project.bench("python:mine.py:run", n=lifetimes)

    async def all_of_them() -> list[Lived]:
        try:
            each = [live(bench, bench.plan.lifetime(index)) for index in range(bench.plan.lifetimes)]
            done = await asyncio.gather(*each) if at_once else [await one for one in each]
            return [Lived(record) for records in done for record in records]
        finally:
            await bench.release()

    lived = asyncio.run(all_of_them())
    assert [one.failure for one in lived] == [""] * lifetimes
    return [event.answer for one in lived for event in one.of(Submitted)]


HEAD = """
import ctypes, glob, os, pathlib, signal, socket, subprocess, sys, time
from proctor import Submission

libc = ctypes.CDLL(None, use_errno=True)


def tried(action):
    try:
        result = action()
    except (OSError, ValueError) as error:
        return type(error).__name__
    return "done" if result is None else result


def run(task, session):
"""


def test_files_are_gone_with_the_lifetime_that_wrote_them(project: Project) -> None:
    code = """
    found = []
    for folder in ("/task", "/tmp", "/dev/shm", "/run", "/agent", "/opt/proctor", "/etc", "/", "/dev", "/dev/pts"):
        found += glob.glob(f"{folder}/left*")
        tried(lambda: pathlib.Path(folder, "left").write_text("by somebody"))
        tried(lambda: os.symlink("/", f"{folder}/left-link"))
        tried(lambda: os.mkfifo(f"{folder}/left-pipe"))
    written = [folder for folder in ("/task", "/tmp", "/dev/shm") if os.path.exists(f"{folder}/left")]
    return Submission([found, written])
    """
    assert answers(project, code) == [[[], ["/task", "/tmp", "/dev/shm"]]] * 2


def test_processes_are_gone_with_the_lifetime_that_started_them(project: Project) -> None:
    code = """
    before = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in range(1, 65):
                    if number not in (signal.SIGKILL, signal.SIGSTOP, 32, 33):
                        signal.signal(number, signal.SIG_IGN)
                time.sleep(3600)
            os._exit(0)
    subprocess.Popen(["/bin/sh", "-c", "trap '' HUP TERM; sleep 3600 & sleep 3600"], start_new_session=True)
    return Submission(before)
    """
    assert answers(project, code, lifetimes=3) == [[1, 2]] * 3


def test_shared_memory_queues_and_semaphores_are_not_to_be_had_or_gone(project: Project) -> None:
    code = """
    key = 0x5EED
    obtained = [name for name, result in (
        ("shm", libc.shmget(key, 4096, 0o1666)),
        ("message queue", libc.msgget(key, 0o1666)),
        ("semaphore", libc.semget(key, 1, 0o1666)),
    ) if result >= 0]
    from multiprocessing import shared_memory
    try:
        shared_memory.SharedMemory("kept", create=False).close()
        obtained.append("somebody's shared memory")
    except FileNotFoundError:
        segment = shared_memory.SharedMemory("kept", create=True, size=4096)
        segment.close()
    return Submission([obtained, pathlib.Path("/proc/sysvipc/shm").read_text().count("\\n")])
    """
    assert answers(project, code) == [[[], 1]] * 2


def test_sockets_are_each_lifetimes_own(project: Project) -> None:
    code = """
    found = []
    for family, address in ((socket.AF_INET, ("127.0.0.1", 40404)), (socket.AF_UNIX, b"\\0meeting")):
        with socket.socket(family) as visitor:
            visitor.settimeout(1)
            if tried(lambda: visitor.connect(address)) == "done":
                found.append(str(family))
    servers = [socket.create_server(("127.0.0.1", 40404)), socket.socket(socket.AF_UNIX)]
    servers[1].bind(b"\\0meeting")
    servers[1].listen()
    # The loopback device is up, as in a sandbox of its own.
    with socket.create_connection(("127.0.0.1", 40404), 2):
        pass
    time.sleep(0.5)
    return Submission([found, sorted(os.listdir("/proc/net/dev_snmp6")), len(open("/proc/net/unix").readlines()) - 1])
    """
    assert answers(project, code, at_once=True, lifetimes=3) == [[[], ["lo"], 1]] * 3


def test_nothing_but_the_own_process_and_the_first_can_be_seen_or_touched(project: Project) -> None:
    if os.geteuid() != 0:
        pytest.skip("a plain user's sandbox has no second user; what its first process has to give is tested below")
    code = """
    obtained = []
    for pid in (1, os.getppid(), 0x7FFFFFF):
        for part in ("mem", "environ", "maps", "fd", "root/etc/passwd", "cwd", "exe", "ns/mnt", "fdinfo", "stack"):
            path = f"/proc/{pid}/{part}"
            look = os.listdir if part in ("fd", "fdinfo") else os.readlink if part in ("cwd", "exe", "ns/mnt") else open
            try:
                look(path)
                obtained.append(path)
            except OSError:
                pass
        for number in (0, signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):
            if tried(lambda: os.kill(pid, number)) == "done":
                obtained.append(f"signal {number}")
        if libc.ptrace(16, pid, 0, 0) == 0:
            obtained.append("ptrace")
        descriptor = tried(lambda: os.pidfd_open(pid))
        if isinstance(descriptor, int) and libc.syscall(438, descriptor, 0, 0) >= 0:
            obtained.append("pidfd_getfd")
    if tried(lambda: os.kill(-1, 0)) == "done":
        obtained.append("everybody")
    others = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
    return Submission([obtained, others, sorted(os.listdir("/proc/self/task")) == [str(os.getpid())]])
    """
    for obtained, others, _ in answers(project, code, at_once=True, lifetimes=3):
        assert obtained == []
        assert others == [1, 2]


def test_the_first_process_has_nothing_that_the_agent_has_not(project: Project) -> None:
    code = """
    def about(pid):
        lines = open(f"/proc/{pid}/status").read().splitlines()
        rights = [line for line in lines if line.startswith(("Cap", "NoNewPrivs", "Seccomp"))]
        named = ("Max cpu", "Max file size", "Max open", "Max address", "Max core")
        return rights, [line for line in open(f"/proc/{pid}/limits") if line.startswith(named)]

    if os.stat("/proc/1").st_uid != os.getuid():
        return Submission([tried(lambda: open(f"/proc/1/{name}").read()) for name in ("environ", "mem")])
    return Submission([about("self") == about(1), open("/proc/1/environ").read()])
    """
    expected = [["PermissionError"] * 2] if os.geteuid() == 0 else [[True, ""]]
    assert answers(project, code, lifetimes=1) == expected


def test_no_descriptor_but_the_pipes_is_inherited(project: Project) -> None:
    code = """
    kinds = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            kinds[name] = os.readlink(f"/proc/self/fd/{name}").partition(":")[0]
        except OSError:
            continue
    first = subprocess.run(["/bin/ls", "/proc/self/fd"], capture_output=True, text=True, stdin=0).stdout.split()
    return Submission([kinds, first])
    """
    for kinds, first in answers(project, code):
        assert kinds == {"0": "/dev/null", "1": "pipe", "2": "pipe", "3": "pipe", "4": "pipe"}
        assert first == ["0", "1", "2", "3"]


def test_no_right_is_left_and_none_can_be_had(project: Project) -> None:
    code = """
    status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
    obtained = []
    for name, call in (
        ("unshare", lambda: libc.unshare(0x10000000)),
        ("new mounts", lambda: libc.unshare(0x00020000)),
        ("setns", lambda: libc.setns(os.open("/proc/self/ns/mnt", os.O_RDONLY), 0)),
        ("mount", lambda: libc.mount(b"none", b"/task", b"tmpfs", 0, None)),
        ("umount", lambda: libc.umount2(b"/task", 2)),
        ("umount proc", lambda: libc.umount2(b"/proc", 2)),
        ("chroot", lambda: libc.chroot(b"/task")),
        ("setuid", lambda: libc.setuid(0)),
        ("setresuid", lambda: libc.setresuid(0, 0, 0)),
        ("setgroups", lambda: libc.setgroups(0, None)),
        ("sethostname", lambda: libc.sethostname(b"mine", 4)),
        ("memfd", lambda: libc.memfd_create(b"x", 0)),
        ("keyctl", lambda: libc.syscall(250, 0, -3, 1)),
        ("bpf", lambda: libc.syscall(321, 0, 0, 0)),
        ("userfaultfd", lambda: libc.syscall(323, 0)),
        ("vsock", lambda: libc.socket(40, 1, 0)),
        ("raw", lambda: libc.socket(2, 3, 1)),
        ("clone3", lambda: libc.syscall(435, 0, 0)),
        ("reboot", lambda: libc.reboot(0)),
    ):
        if call() not in (-1, 0xFFFFFFFF):
            obtained.append(name)
    wanted = ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp", "Seccomp_filters", "Groups")
    for folder in ("/usr/bin", "/bin"):
        tried(lambda: subprocess.run([f"{folder}/su", "-c", "id"], capture_output=True, timeout=5, check=False))
    return Submission([obtained, {name: status[name].strip() for name in wanted}, os.getresuid()[0] >= 1000])
    """
    none = "0" * 16
    for obtained, status, own in answers(project, code):
        assert obtained == []
        assert own
        assert {status.pop(name) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {none}
        assert status == {"NoNewPrivs": "1", "Seccomp": "2", "Seccomp_filters": "1", "Groups": ""}


def test_every_lifetime_is_a_user_of_its_own(project: Project) -> None:
    if os.geteuid() != 0:
        pytest.skip("a plain user's sandboxes are that user's, each in a user namespace of its own")
    code = """
    import getpass, pwd
    me = os.getuid()
    return Submission([me, os.getgid(), pwd.getpwuid(me).pw_name, open("/etc/group").read()])
    """
    users = answers(project, code, lifetimes=4)
    assert len({user for user, *_ in users}) == 4
    assert all([group, name, text] == [user, "agent", f"agent:x:{user}:\n"] for user, group, name, text in users)


def test_memory_and_chance_start_afresh(project: Project) -> None:
    code = """
    import builtins, random, secrets, ssl, tempfile, uuid
    seen = [name for name in ("kept",) if hasattr(builtins, name) or name in os.environ or name in sys.modules]
    builtins.kept = sys.modules["kept"] = os.environ["kept"] = "kept"
    import json
    seen += [getattr(json, "kept", None)] if hasattr(json, "kept") else []
    json.kept = "kept"
    drawn = [random.random(), random.Random().random(), secrets.token_hex(4), ssl.RAND_bytes(4).hex(), uuid.uuid4()]
    drawn.append(os.path.basename(tempfile.mkdtemp()))
    del sys.modules["kept"]
    return Submission([seen, [str(value) for value in drawn]])
    """
    lived = answers(project, code, lifetimes=3)
    assert [seen for seen, _ in lived] == [[], [], []]
    for values in zip(*(drawn for _, drawn in lived), strict=True):
        assert len(set(values)) == 3, values


def test_limits_hold_for_each_lifetime_by_itself(project: Project) -> None:
    code = """
    import resource
    full = 0
    try:
        with open("/tmp/full", "wb") as handle:
            while full < 1 << 30:
                full += handle.write(bytes(1 << 20))
    except OSError:
        pass
    names = ("RLIMIT_NPROC", "RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_CPU")
    limits = [resource.getrlimit(getattr(resource, name)) for name in names]
    much = (1 << 40, 1 << 40)
    raised = [name for name in names if tried(lambda: resource.setrlimit(getattr(resource, name), much)) == "done"]
    return Submission([full <= 64 << 20, limits, raised])
    """
    limits = [[80, 80], [1024, 1024], [8 << 30, 8 << 30], [64 << 20, 64 << 20], [0, 0], [86402, 86403]]
    assert answers(project, code) == [[True, limits, []]] * 2


def test_terminals_are_each_lifetimes_own(project: Project) -> None:
    code = """
    import pty
    ours, theirs = pty.openpty()
    time.sleep(0.3)
    return Submission(sorted(os.listdir("/dev/pts")))
    """
    assert answers(project, code, lifetimes=3, at_once=True) == [["0", "ptmx"]] * 3


def test_too_many_processes_end_the_lifetime_and_not_the_next(project: Project) -> None:
    code = """
    if int(task.nonce, 16) % 2:
        return Submission("fine")
    while True:
        tried(lambda: os.fork())
    """
    project.write("bomb.py", HEAD + textwrap.indent(textwrap.dedent(code), "    "))
    lived = project.examine("python:bomb.py:run", n=8)
    ended = {one.failure for one in lived}
    assert ended == {"", "AgentFailure: the agent was stopped: it used more than 64 processes and threads"}


def test_time_stamps_of_what_is_shared_do_not_tell(project: Project) -> None:
    code = """
    shared = [__file__, "/opt/proctor", "/etc/hosts", "/", "/agent", "/opt/proctor/proctor/__init__.pyc"]
    before = [(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns) for path in shared]
    for path in shared:
        tried(lambda: os.utime(path)), tried(lambda: os.listdir(path)), tried(lambda: open(path, "rb").read())
        tried(lambda: os.setxattr(path, "user.kept", b"kept")), tried(lambda: os.chmod(path, 0o777))
    return Submission(before == [(os.stat(path).st_atime_ns, os.stat(path).st_mtime_ns) for path in shared])
    """
    assert answers(project, code) == [True, True]


def test_no_lock_lease_or_watch_on_a_shared_file_passes_word(project: Project) -> None:
    code = """
    import fcntl, struct
    obtained = []
    for path in ("/usr/bin/env", "/dev/null", __file__, "/opt/proctor/proctor/__init__.pyc"):
        shared = os.open(path, os.O_RDONLY)
        whole = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
        for name, attempt in (
            ("flock", lambda: fcntl.flock(shared, fcntl.LOCK_SH | fcntl.LOCK_NB)),
            ("flock alone", lambda: fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)),
            ("lock of a description", lambda: fcntl.fcntl(shared, fcntl.F_OFD_SETLK, whole)),
            ("asking for one", lambda: fcntl.fcntl(shared, fcntl.F_OFD_GETLK, whole)),
            ("lease", lambda: fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_RDLCK)),
            ("asking for a lease", lambda: fcntl.fcntl(shared, fcntl.F_GETLEASE)),
            ("watch", lambda: fcntl.fcntl(shared, fcntl.F_NOTIFY, 1)),
            ("reading what is in memory", lambda: os.preadv(shared, [bytearray(1)], 0, os.RWF_NOWAIT)),
        ):
            if tried(attempt) not in ("OSError", "PermissionError"):
                obtained.append((name, path))
    for name in ("inotify_init", "inotify_init1", "fanotify_init"):
        if getattr(libc, name)(0) >= 0:
            obtained.append(name)
    page = ctypes.create_string_buffer(8192)
    if libc.mincore(ctypes.c_void_p((ctypes.addressof(page) + 4095) & ~4095), 4096, page) == 0:
        obtained.append("mincore")
    return Submission(obtained)
    """
    assert answers(project, code, at_once=True) == [[], []]


def test_the_times_of_devices_keep_no_word(project: Project) -> None:
    code = """
    devices = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
    seen = [os.stat(device).st_mtime_ns for device in devices]
    time.sleep(0.05)
    left = []
    for device in devices:
        tried(lambda: os.utime(device))
        left.append(os.stat(device).st_mtime_ns)
    return Submission([[str(moment) for moment in seen], [str(moment) for moment in left]])
    """
    (_, left), (seen, _) = answers(project, code)
    assert not set(left) & set(seen)


def test_databases_keep_the_locks_they_need(project: Project) -> None:
    code = """
    import sqlite3
    found = []
    for mode in ("delete", "wal"):
        with sqlite3.connect(f"/task/{mode}.db") as own:
            found += own.execute(f"pragma journal_mode={mode}").fetchone()
            own.execute("create table kept (a)")
        own.execute("begin immediate")
        other = (
            "import sqlite3, sys; base = sqlite3.connect(sys.argv[1], timeout=0)\\n"
            "print(*base.execute('select count(*) from kept').fetchone())\\n"
            "try: base.execute('begin immediate')\\n"
            "except sqlite3.OperationalError as error: print(error)"
        )
        ended = subprocess.run([sys.executable, "-c", other, f"/task/{mode}.db"], capture_output=True, text=True)
        found += ended.stdout.splitlines()
        own.close()
    return Submission(found)
    """
    assert answers(project, code, lifetimes=1) == [
        ["delete", "0", "database is locked", "wal", "0", "database is locked"]
    ]
