"""Reading a stranger's bundle in a process of its own, with limits, and in a sandbox where there is one.

Libraries that read Parquet or zstandard are large, and a file can be made to abort them. So nothing of a bundle but
its outside is read here: another process reads it, and whatever ends that process, the answer is a report with one
sentence.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from proctor.core.errors import BenchError
from proctor.evidence.bundle import report
from proctor.evidence.bundle.child import MEMORY, READY
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import LIMITS, Limits
from proctor.evidence.bundle.named import Named, name_of
from proctor.evidence.bundle.report import Findings, VerifyReport

_MODULE: Final = "proctor.evidence.bundle.child"
_MOST_SAID: Final = 16 * 2**20
_SANDBOX: Final = (
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *("--unshare-user-try", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--setenv", "SQLITE_TMPDIR", "/dev/shm"),  # noqa: S108
    "--",
)
"""Everything can be read that this user can read; nothing can be written, reached or seen running."""
_works: dict[str, bool] = {}
"""Sandboxes that were tried in this process."""


def verify_apart(
    path: Path | str, *, plan: Named | None = None, tasks: Named | None = None, limits: Limits = LIMITS
) -> VerifyReport:
    """`verify_bundle` in a process of its own: for files of strangers."""
    with Source(Path(path)) as source:
        return examine_apart(source, plan, limits, tasks)


def examine_apart(
    source: Source,
    plan: Named | None,
    limits: Limits = LIMITS,
    tasks: Named | None = None,
    rows: BinaryIO | None = None,
) -> VerifyReport:
    """The report on an opened file. Where it verifies and `rows` is given, its rows are written there (`rows_from`)."""
    sandbox = shutil.which("bwrap")
    if sandbox is not None and _works.get(sandbox, True):
        said, code = _asked([sandbox, *_SANDBOX], source, plan, limits, tasks, rows)
        _works[sandbox] = said.startswith(READY)
        if _works[sandbox]:
            return _report(source, said, code)
    return _report(source, *_asked([], source, plan, limits, tasks, rows))


def _asked(
    within: list[str],
    source: Source,
    plan: Named | None,
    limits: Limits,
    tasks: Named | None,
    rows: BinaryIO | None,
) -> tuple[bytes, int]:
    """What the reader said, and how it ended."""
    reading, writing = os.pipe()
    descriptors = (source.descriptor, writing, *(() if rows is None else (rows.fileno(),)))
    asked = {
        "path": str(source.path),
        "size": source.size,
        "file": source.descriptor,
        "out": writing,
        "rows": None if rows is None else rows.fileno(),
        "plan": name_of(plan),
        "tasks": name_of(tasks),
        "limits": msgspec.to_builtins(limits),
    }
    command = [*within, sys.executable, "-P", "-m", _MODULE, json.dumps(asked)]
    with os.fdopen(reading, "rb") as answer:
        try:
            with subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=descriptors,
            ) as process:
                os.close(writing)
                writing = -1
                said = answer.read(_MOST_SAID + 1)
                if len(said) > _MOST_SAID:
                    process.kill()
        except OSError as error:
            message = f"no process could be started to read {source.path} ({error.strerror}); end some, and try again"
            raise BenchError(message) from None
        finally:
            if writing >= 0:
                os.close(writing)
    return said, process.returncode


class _Said(msgspec.Struct):
    report: VerifyReport | None = None
    died: str = ""
    failed: str = ""


def _report(source: Source, said: bytes, code: int) -> VerifyReport:
    if not said.startswith(READY):
        message = f"the process that has to read {source.path} did not start (exit code {code}); check the installation"
        raise BenchError(message)
    try:
        answer = msgspec.json.decode(said.removeprefix(READY), type=_Said)
    except msgspec.MsgspecError:
        answer = _Said(died=_ended(code))
    if answer.failed:
        raise BenchError(answer.failed)
    if answer.report is not None and code == 0:
        return answer.report
    findings = Findings(report.BUNDLE_CHECKS)
    why = answer.died or _ended(code)
    findings.problem(report.ARCHIVE, source.path.name, f"cannot be read: {why}; no Proctor wrote it so")
    return findings.report(str(source.path), run=None, root=None, seal=None)


def _ended(code: int) -> str:
    number = -code if code < 0 else code - 128
    if number == signal.SIGXCPU or number == signal.SIGKILL:
        return "it takes more processor time or memory than a bundle may"
    if number == signal.SIGXFSZ:
        return "it unpacks to more than a bundle may"
    if number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL):
        return f"it brings down the library that reads it ({signal.Signals(number).name})"
    return f"the process that read it ended early (exit code {code}, {MEMORY >> 30} GiB of memory)"


@contextmanager
def rows_file() -> Iterator[BinaryIO]:
    """Where rows can be handed over: a file that no name leads to."""
    with tempfile.TemporaryFile(prefix="proctor-rows-") as file:
        yield file
