"""How memory grows with the number of episodes: peak resident size of `proctor run` and its workers, at two sizes.

Peaks are the kernel's own (VmHWM), read while the run goes on; at most the last few milliseconds can be missed.
"""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from benchmarks.examination import FAMILIES, environment, run_arguments
from benchmarks.families import EPISODES
from benchmarks.figure import Figure
from benchmarks.rate import middle
from benchmarks.setting import Setting

SUBJECT = "memory"
_LOOK = 0.005
_ROUNDS = 3


@dataclass(frozen=True)
class Peaks:
    """Peak resident size in MiB."""

    parent: float
    together: float
    """Of the parent and everything it started, each at its own peak."""


def measure(setting: Setting) -> list[Figure]:
    """Growth from the small to the large number of trivial episodes."""
    two = setting.sizes.memory
    pairs = [
        (_peaks(setting, two.small), _peaks(setting, two.large)) for _ in range(min(_ROUNDS, setting.sizes.rounds))
    ]
    few, many = f"{two.small * EPISODES:,}", f"{two.large * EPISODES:,}"
    sizes = f"from {few} to {many} trivial episodes, median of {len(pairs)}"
    large = pairs[-1][1]
    return [
        Figure(
            SUBJECT,
            "growth of peak memory",
            middle([after.together - before.together for before, after in pairs]),
            "MiB",
            5,
            note=f"`proctor run` and its two workers together, {sizes}",
        ),
        Figure(
            SUBJECT,
            "growth of peak memory, parent alone",
            middle([after.parent - before.parent for before, after in pairs]),
            "MiB",
            note=sizes,
        ),
        Figure(
            SUBJECT,
            "peak memory",
            large.together,
            "MiB",
            note=f"at {many} episodes, of which the parent {large.parent:.0f}; shared pages counted in each",
        ),
    ]


def peaks_of(arguments: list[str], home: Path) -> Peaks:
    """Peaks of a command that makes a run in this folder, and of its workers."""
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=home, env=environment()
    )
    highest: dict[int, int] = {}
    while process.poll() is None:
        for pid in (process.pid, *_children(process.pid)):
            # The latest reading, not the largest: a child starts as an image of its parent and sheds it.
            highest[pid] = _peak(pid) or highest.get(pid, 0)
        sleep(_LOOK)
    if process.returncode != 0:
        message = f"{' '.join(arguments)} ended with {process.returncode}"
        raise RuntimeError(message)
    return Peaks(highest[process.pid] / 1024, sum(highest.values()) / 1024)


def _peaks(setting: Setting, thousands: int) -> Peaks:
    home = setting.folder / "memory"
    home.mkdir()
    try:
        return peaks_of(run_arguments(f"{FAMILIES}@trivial", thousands, home / "store.db"), home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def _peak(pid: int) -> int:
    """In KiB; 0 for a process that has just gone."""
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return 0
