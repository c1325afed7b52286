"""The guardian: a small process beside a command that ends it when it does not end itself.

A signal only reaches Python code once the interpreter gets round to it: code that computes without coming back to it,
or waits for something that never comes, holds up Ctrl-C and SIGTERM for as long as it likes. The guardian is told of
every signal in the moment it arrives. It waits, sends SIGINT once more, which stops at once what the first one asked to
stop, waits again and kills. While a watchdog is on duty (`beat`) it also kills a command that has computed for long
without the watchdog's alarm being heard, and says what to do instead.

This file is also the guardian's program, run by itself: it imports nothing of ours.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic

AGAIN_SECONDS = 2.5
KILL_SECONDS = 4.5
"""After a signal, when it is sent again and when the command is killed: within five seconds it has ended."""
STUCK_SECONDS = 65.0
"""Processor seconds without an alarm that the interpreter has heard."""
_BEAT, _REST = 0, 255
"""What is told besides signals, whose numbers lie between."""
_STOPS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})

_pipe: int | None = None


@contextmanager
def guarded() -> Iterator[None]:
    """Have a guardian while a command runs. To be entered in the main thread; signals have to be handled by Python."""
    global _pipe
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, str(os.getpid())], stdin=ours, stdout=subprocess.DEVNULL, process_group=0
    )
    os.close(ours)
    before = signal.set_wakeup_fd(theirs, warn_on_full_buffer=False)
    _pipe = theirs
    try:
        yield
    finally:
        _pipe = None
        if signal.set_wakeup_fd(before) not in (theirs, -1):
            signal.set_wakeup_fd(-1)
        os.close(theirs)
        process.wait()


def beat() -> None:
    """The interpreter has come round to an alarm; from now on it is expected to."""
    _tell(_BEAT)


def rest() -> None:
    """No alarm is to be expected."""
    _tell(_REST)


def _tell(what: int) -> None:
    if _pipe is not None:
        with suppress(BlockingIOError):
            os.write(_pipe, bytes([what]))


# The guardian's program.


def processor_seconds(process: int) -> float | None:
    """Processor time that a process has used, all its threads together; None where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        with open(f"/proc/{process}/stat") as file:
            # The second field is the program's name in brackets, and may hold anything.
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return None


def watch(
    process: int, *, again: float = AGAIN_SECONDS, kill: float = KILL_SECONDS, stuck: float = STUCK_SECONDS
) -> None:
    """Guard a process that tells on standard input; returns when it has ended, or was ended."""
    asked: float | None = None
    repeated = False
    used: float | None = None
    while os.getppid() == process:
        ready, _, _ = select.select([0], [], [], 0.25)
        told = os.read(0, 4096) if ready else b"\xfe"
        if not told:
            return
        if asked is None and not _STOPS.isdisjoint(told):
            asked = monotonic()
        if _REST in told:
            used = None
        elif _BEAT in told:
            used = processor_seconds(process)
        now = monotonic()
        if asked is not None and not repeated and now - asked >= again:
            repeated = True
            os.kill(process, signal.SIGINT)
        if asked is not None and now - asked >= kill:
            _end(process, "stopped by force: what was running did not end; what was finished is kept")
        spent = None if used is None else processor_seconds(process)
        if used is not None and spent is not None and spent - used >= stuck:
            _end(
                process,
                "stopped by force: one call has computed for over a minute and cannot be interrupted in this process; "
                "continue with --resume, and --workers 1 where you set an executor or --concurrency: it is recorded as "
                "stuck, and the run goes on",
            )


def _end(process: int, why: str) -> None:
    if os.getppid() == process:
        sys.stderr.write(f"\nproctor: {why}\n")
        sys.stderr.flush()
        os.kill(process, signal.SIGKILL)
    sys.exit(0)


if __name__ == "__main__":
    for number in _STOPS:
        signal.signal(number, signal.SIG_IGN)
    watch(int(sys.argv[1]), **{word.partition("=")[0]: float(word.partition("=")[2]) for word in sys.argv[2:]})
