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
_FEWER = 3
"""A peer that takes seconds is started so many times less often."""
_LIMITS = {"import proctor": 0.06, "proctor --help": 0.20, "proctor run --help": 0.25}


def measure(setting: Setting) -> list[Figure]:
    """Python alone, the import, the help of the command and of a subcommand, and the same of Inspect."""
    commands = {
        "python alone": [sys.executable, "-c", "pass"],
        "import proctor": [sys.executable, "-c", "import proctor"],
        "proctor --help": [*proctor(), "--help"],
        "proctor run --help": [*proctor(), "run", "--help"],
    }
    figures = _figures(commands, setting.sizes.starts)
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


def _time(command: list[str]) -> float:
    began = perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return perf_counter() - began
