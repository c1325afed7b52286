"""How long commands take that do nothing: whole processes, one kind after the other in every repeat."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter

from benchmarks.examination import proctor
from benchmarks.figure import Figure
from benchmarks.setting import Setting

SUBJECT = "start-up"
_FREEZE = """
from pathlib import Path
from time import perf_counter
from proctor.engine.names import load_suite
from proctor.engine.run import freeze
began = perf_counter()
freeze(suite=load_suite("agency", Path()), agent="clerk", folder=Path(), seed=7)
print(perf_counter() - began)
"""
_FEWER = 3
"""A peer that takes seconds is started so many times less often."""
_LIMITS = {"import proctor": 0.05, "proctor --help": 0.12, "proctor run --help": 0.25, "freeze agency": 1.5}


def measure(setting: Setting) -> list[Figure]:
    """Python alone, the import, the help of the command and of a subcommand, and the same of Inspect."""
    commands = {
        "python alone": [sys.executable, "-c", "pass"],
        "import proctor": [sys.executable, "-c", "import proctor"],
        "proctor --help": [*proctor(), "--help"],
        "proctor run --help": [*proctor(), "run", "--help"],
    }
    figures = [*_figures(commands, setting.sizes.starts), _freezing(setting.sizes.starts)]
    peer = setting.peer
    if peer is not None:
        theirs = {
            "import inspect_ai": [peer.python, "-c", "import inspect_ai"],
            "inspect --help": [peer.command, "--help"],
        }
        figures += _figures(theirs, max(1, setting.sizes.starts // _FEWER))
    return figures


def _figures(commands: dict[str, list[str]], repeats: int) -> list[Figure]:
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        _time(command)
    for _ in range(repeats):
        for name, command in commands.items():
            seconds[name].append(_time(command))
    return [
        Figure(
            SUBJECT,
            name,
            median(taken),
            "s",
            _LIMITS.get(name),
            note=f"median of {len(taken)}, best {min(taken):.3f} s; the whole process",
        )
        for name, taken in seconds.items()
    ]


def _freezing(repeats: int) -> Figure:
    """Fixing everything that determines a run of `agency`, with the sources of the lock; imports do not count."""
    command = [sys.executable, "-c", _FREEZE]
    taken = [float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(repeats)]
    note = f"median of {len(taken)}, best {min(taken):.3f} s; without imports, the locked sources"
    return Figure(SUBJECT, "freeze agency", median(taken), "s", _LIMITS["freeze agency"], note=note)


def _time(command: list[str]) -> float:
    began = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return perf_counter() - began
