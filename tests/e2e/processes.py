"""Looking at processes from outside: who is below whom, who still lives, and waiting without a hurry."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 300.0
"""Seconds until a wait is given up: far more than anything takes, however busy the machine is."""


def wait_until(happened: Callable[[], bool]) -> bool:
    """Whether it happened."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def processes_below(process: int) -> list[int]:
    """Every process that this one started, and those that they did."""
    below: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        fields = _stat(path)
        if fields and int(fields[1]) == process:
            below += [int(path.parent.name), *processes_below(int(path.parent.name))]
    return below


def is_alive(process: int) -> bool:
    """Whether it is there, and not only waited for."""
    fields = _stat(Path(f"/proc/{process}/stat"))
    return bool(fields) and fields[0] != "Z"


def _stat(path: Path) -> list[str]:
    try:
        return path.read_text().rpartition(")")[2].split()
    except OSError:
        return []
