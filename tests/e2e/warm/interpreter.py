"""The interpreter that commands are forked from: `python interpreter.py SOCKET`.

Every connection brings one request: a line of JSON (arguments, folder, environment, first entry of the module path)
with the three standard descriptors. The answer is the exit code as a line. Who hangs up before that ends the command.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import types
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

COMMAND = "proctor.cli.main"
OWN = "proctor"
"""What only a command itself may import."""
OTHERS = (
    "anyio",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.serialization",
    "httpx",
    "jinja2",
    "msgspec",
    "multiprocessing.connection",
    "multiprocessing.spawn",
    "numpy.random",
    "pandas",
    "pyarrow.parquet",
    "pydantic",
    "rich.console",
    "rich.progress",
    "rich.table",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "scipy.special",
    "scipy.stats",
    "sklearn.linear_model",
    "sqlalchemy",
    "sqlalchemy.dialects.sqlite",
    "statsmodels.stats.contingency_tables",
    "statsmodels.stats.inter_rater",
    "statsmodels.stats.power",
    "statsmodels.stats.proportion",
    "typer",
    "yaml",
    "zstandard",
)
ADDED = tuple(dict.fromkeys(filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))))
"""What this interpreter was told to look for modules in; a command may be told something else."""
MOST = 4 << 20
"""Bytes of a request."""


def serve(path: str) -> None:
    """Fork a command for every connection, until whoever started this has gone."""
    assert sys.path[1 : 1 + len(ADDED)] == [str(Path(one).absolute()) for one in ADDED]
    for name in OTHERS:
        import_module(name)
    assert not any(name.split(".")[0] == OWN for name in sys.modules)
    threads = {Path(f"/proc/self/task/{number}/comm").read_text().strip() for number in os.listdir("/proc/self/task")}
    # Arrow's allocator is made to be forked; nothing else that has a thread may be.
    assert len(threads - {"jemalloc_bg_thd"}) == 1, f"a process with several threads cannot be forked safely: {threads}"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(path)
        listening.listen(64)
        print("ready", flush=True)
        # Its standard input is a pipe that the starter holds: readable means that the starter has ended.
        while listening.fileno() in select.select([listening.fileno(), 0], [], [])[0]:
            connection, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                attend(connection)
            connection.close()


def _added(environment: dict[str, str]) -> list[str]:
    """The folders of a command's own `PYTHONPATH`."""
    return [str(Path(one).absolute()) for one in environment.get("PYTHONPATH", "").split(os.pathsep) if one]


def attend(connection: socket.socket) -> NoReturn:
    """Start the command of one request, and answer with its exit code. Never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        text, descriptors, _, _ = socket.recv_fds(connection, MOST, 3)
        while not text.endswith(b"\n"):
            text += connection.recv(MOST)
        command = os.fork()
        if command == 0:
            connection.close()
            become(json.loads(text), descriptors)
        for descriptor in (0, *descriptors):
            os.close(descriptor)
        ended = os.pidfd_open(command)
        if connection.fileno() in select.select([ended, connection.fileno()], [], [])[0]:
            os.kill(command, signal.SIGKILL)
        _, status = os.waitpid(command, 0)
        with contextlib.suppress(OSError):
            connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    finally:
        os._exit(0)


def become(asked: dict[str, Any], descriptors: list[int]) -> NoReturn:
    """Be the command. Only ever called in a process made for it."""
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = asked["arguments"]
    sys.path[: 1 + len(ADDED)] = [asked["first"], *_added(asked["environment"])]
    sys.modules["__main__"] = types.ModuleType("__main__")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # The streams of the interpreter itself are those of whoever started it; nothing was written to them.
    sys.stdout.reconfigure(line_buffering=os.isatty(1), write_through=bool(os.environ.get("PYTHONUNBUFFERED")))  # type: ignore[union-attr]
    code: Any = 1
    try:
        runpy.run_module(COMMAND, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        else:
            code = ended.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(sys.argv[1])
