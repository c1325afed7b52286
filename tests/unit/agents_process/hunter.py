"""A hostile agent: hunts for everything an agent must not see, and tries everything it must not do.

Its answer is a report: what it found, what it reached, how many attempts it made; never what it read.

It hunts everywhere only inside a sandbox, and makes sure of that first: on a bare machine it would read strangers'
processes and files. With a `SCOPE` it looks at that folder and that process alone, acts on nothing, and can be run
anywhere: so a test shows that what it looks for can be found at all.
"""

# mypy: ignore-errors
import base64
import ctypes
import gc
import importlib
import importlib.metadata
import os
import pathlib
import socket
import subprocess
import sys
import time

from proctor import Submission

WANTED: dict = {}
PORT = 0
SOCKET = b""
SCOPE: tuple | None = None
"""(folder, process id) to look at, instead of everything."""
# TOLD
NEEDLES = {name: base64.b64decode(text) for name, text in WANTED.items()}
OWN = {os.path.abspath(__file__), "/proc/kcore", "/proc/kmsg"}
SYSTEM = {"proc", "sys", "usr", "dev", "bin", "sbin", "lib", "lib32", "lib64", "libx32"}
SECONDS = 2.0


def confined():
    """Whether this process list is a sandbox's own; asked before anything else is looked at."""
    if socket.gethostname() != "sandbox":
        return False
    try:
        first = pathlib.Path("/proc/1/cmdline").read_bytes()
    except OSError:
        return False
    return b"bwrap" in first.split(b"\0")[0]


class Hunter:
    def __init__(self):
        self.found, self.reached, self.attempts = [], [], 0

    def run(self, task, session):
        self.__init__()
        self.deadline = time.monotonic() + SECONDS
        if SCOPE is not None:
            self.walk(SCOPE[0])
            self.read(f"/proc/{SCOPE[1]}/environ")
            self.sockets()
        elif confined():
            for way in (self.files, self.names, self.processes, self.objects, self.imports, self.sockets):
                way()
            self.writing()
            self.kernel()
        else:
            self.found.append("no sandbox around me, so I did not hunt")
        return Submission(
            {
                "found": sorted(set(self.found)),
                "reached": sorted(set(self.reached)),
                "attempts": self.attempts,
                "neighbours": self.neighbours() if SCOPE is None and confined() else None,
                "descriptors": self.descriptors(),
                "variables": sorted(os.environ),
            }
        )

    def look(self, where, data):
        self.attempts += 1
        for name, needle in NEEDLES.items():
            if needle in data:
                self.found.append(f"{name} in {where}")

    def read(self, path, most=4_000_000):
        if path in OWN:
            return
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb", 0) as handle:
                self.look(path, handle.read(most) or b"")
        except OSError:
            self.attempts += 1

    def files(self):
        """Every file that is not the system's, nearest first."""
        roots = [os.getcwd(), os.path.dirname(os.path.abspath(__file__))]
        roots += ["/agent", "/task", "/run", "/opt/proctor", "/tmp"]
        roots += [f"/{name}" for name in os.listdir("/") if name not in SYSTEM]
        roots += ["/proc/1/root", "/proc/1/cwd", "/proc/self/root/..", "/usr/src"]
        for root in roots:
            self.walk(root)

    def walk(self, root):
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if os.path.join(folder, name) not in (sys.prefix, sys.base_prefix)]
            for name in names:
                path = os.path.join(folder, name)
                if time.monotonic() > self.deadline:
                    return
                if "site-packages" not in path and f"{sys.base_prefix}/" not in path:
                    self.read(path)

    def names(self):
        """Anything of Proctor's among what is installed, beyond the contract."""
        for folder in sys.path:
            if os.path.isdir(folder) and not folder.startswith("/opt/proctor"):
                for path in pathlib.Path(folder).glob("*proctor*"):
                    self.attempts += 1
                    if path.is_dir() and any(path.iterdir()):
                        self.found.append(f"package at {path}")
                    elif path.is_file() and path.stat().st_size:
                        self.found.append(f"package file at {path}")

    def processes(self):
        me = os.getpid()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            for part in ("environ", "cmdline", "mountinfo", "maps"):
                self.read(f"/proc/{pid}/{part}")
            if int(pid) != me:
                self.memory(pid)
                for link in ("cwd", "exe", "root"):
                    self.attempts += 1
                    try:
                        self.look(f"/proc/{pid}/{link}", os.readlink(f"/proc/{pid}/{link}").encode())
                    except OSError:
                        continue
        for name in (
            "self/mountinfo",
            "self/environ",
            "mounts",
            "cmdline",
            "keys",
            "self/cgroup",
            "net/unix",
            "net/tcp",
        ):
            self.read(f"/proc/{name}")

    def memory(self, pid):
        self.attempts += 1
        try:
            maps = pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines()
            with open(f"/proc/{pid}/mem", "rb", 0) as memory:
                for line in maps[:400]:
                    if time.monotonic() > self.deadline + 2:
                        return
                    span, rights = line.split()[:2]
                    first, last = (int(part, 16) for part in span.split("-"))
                    if "r" in rights and "[v" not in line:
                        memory.seek(first)
                        self.look(
                            f"memory of {'parent' if int(pid) == os.getppid() else 'another'}",
                            memory.read(last - first),
                        )
        except (OSError, ValueError, OverflowError):
            return

    def objects(self):
        """Everything alive in this process, and every frame above."""
        gc.unfreeze()
        for thing in gc.get_objects():
            if type(thing) in (dict, list, tuple, set) and thing is not NEEDLES and thing is not WANTED:
                self.attempts += 1
                for inner in list(thing.values() if type(thing) is dict else thing):
                    if type(inner) is str and inner.encode(errors="replace") not in NEEDLES.values():
                        self.look("an object", inner.encode(errors="replace"))
        frame = sys._getframe()
        while frame is not None:
            for name, value in list(frame.f_locals.items()):
                if name not in ("needle", "inner", "thing", "data") and type(value) is str:
                    self.look("a frame", value.encode(errors="replace"))
            frame = frame.f_back

    def imports(self):
        secret = (
            "suites",
            "suites.hello",
            "engine",
            "engine.family",
            "engine.build",
            "evidence.store.store",
            "spec.frozen",
        )
        for name in secret:
            self.attempts += 1
            try:
                importlib.import_module(f"proctor.{name}")
            except ImportError:
                continue
            self.found.append(f"module {name}")
        self.attempts += 1
        for distribution in importlib.metadata.distributions():
            if (distribution.metadata["Name"] or "").lower() == "proctor":
                self.found.append("metadata of proctor")
        for name in list(sys.modules):
            self.attempts += 1
            if name.startswith("proctor") and ".inside" not in name and name.count(".") > 2:
                self.found.append(f"loaded {name}")

    def sockets(self):
        for kind, family, address in (
            ("inet", socket.AF_INET, ("127.0.0.1", PORT)),
            ("unix", socket.AF_UNIX, b"\0" + base64.b64decode(SOCKET)),
        ):
            self.attempts += 1
            try:
                with socket.socket(family) as made:
                    made.settimeout(2)
                    made.connect(address)
                    self.reached.append(f"{kind} server")
            except OSError:
                continue

    def writing(self):
        for folder in (
            "/",
            "/agent",
            "/opt",
            "/opt/proctor",
            "/usr",
            "/etc",
            "/run",
            os.path.dirname(__file__),
            *sys.path,
        ):
            self.attempts += 1
            try:
                path = os.path.join(folder, "left-behind")
                with open(path, "w"):
                    self.reached.append(f"wrote to {folder}")
                os.unlink(path)
            except OSError:
                continue
        for path in (__file__, "/etc/ld.so.preload", "/etc/passwd", "/proc/sys/kernel/hostname"):
            self.attempts += 1
            try:
                with open(path, "r+b"):
                    self.reached.append(f"wrote to {path}")
            except OSError:
                continue

    def kernel(self):
        """System calls that look into or act on other processes."""
        libc = ctypes.CDLL(None, use_errno=True)
        for pid in {os.getppid(), 1}:
            self.attempts += 3
            if libc.ptrace(16, pid, 0, 0) == 0:
                self.reached.append("ptrace")
                libc.ptrace(17, pid, 0, 0)
        for call in (
            lambda: libc.unshare(0x10000000),
            lambda: libc.mount(b"none", b"/task", b"tmpfs", 0, None),
            lambda: libc.setns(0, 0),
        ):
            self.attempts += 1
            if os.getuid() != 0 and call() == 0:
                self.reached.append("namespaces")
        self.attempts += 1
        done = subprocess.run(
            ["/bin/sh", "-c", "env; cat /proc/$PPID/environ"],
            env={"LD_PRELOAD": "/task/evil.so"},
            capture_output=True,
            check=False,
        )
        self.look("a subprocess", done.stdout + done.stderr)

    def neighbours(self):
        """Processes that are neither the sandbox's own nor this one's."""
        count = 0
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                command = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                continue
            count += b"bwrap" not in command and int(pid) != os.getpid() and command != b""
        return count

    def descriptors(self):
        found = []
        for name in os.listdir("/proc/self/fd"):
            try:
                target = os.readlink(f"/proc/self/fd/{name}")
            except OSError:
                continue
            if not target.startswith("/proc/"):
                found.append(target.partition(":")[0])
        return sorted(set(found))
