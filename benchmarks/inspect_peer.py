"""Inspect AI beside us: the same instances, in its own process, in its own environment.

It is looked for in PROCTOR_BENCH_INSPECT_PYTHON (the Python of an environment that has inspect-ai) and in the current
environment. What it runs is in `inspect_tasks.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from benchmarks.rate import cpu_of_children

VARIABLE = "PROCTOR_BENCH_INSPECT_PYTHON"
Shape = Literal["trivial", "agent", "solver"]
_TASKS = Path(__file__).with_name("inspect_tasks.py")
_LONGEST = 1200


class PeerMissing(Exception):
    """A peer was named and is not there."""


@dataclass(frozen=True)
class Peer:
    """An environment with inspect-ai."""

    python: str
    version: str

    @property
    def command(self) -> str:
        """Its command line tool."""
        return str(Path(self.python).with_name("inspect"))


@dataclass(frozen=True)
class PeerRun:
    """One evaluation there."""

    samples: int
    calls: int
    seconds: float
    """The whole process, from its start to its exit."""
    cpu: float
    log_bytes: int


def find_peer() -> Peer | None:
    """The environment, or None where there is none. A variable that points nowhere is an error, not a None."""
    named = os.environ.get(VARIABLE)
    if named is None and find_spec("inspect_ai") is None:
        return None
    python = named or sys.executable
    query = "import importlib.metadata as m; print(m.version('inspect-ai'))"
    try:
        done = subprocess.run([python, "-c", query], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        message = f"{VARIABLE}={python}: no Python with inspect-ai there; install it or unset the variable"
        raise PeerMissing(message) from None
    return Peer(python, done.stdout.strip())


def run_peer(peer: Peer, shape: Shape, samples: int, folder: Path) -> PeerRun:
    """Evaluate so many samples; raises unless all of them succeeded there too."""
    home = folder / f"inspect-{os.urandom(4).hex()}"
    home.mkdir()
    try:
        instances = home / "instances.json"
        instances.write_text(json.dumps(_instances(shape, samples)))
        before, began = cpu_of_children(), perf_counter()
        done = subprocess.run(
            [peer.python, str(_TASKS), shape, str(instances), str(home / "logs")],
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            cwd=home,
            check=False,
        )
        seconds, cpu = perf_counter() - began, cpu_of_children() - before
        if done.returncode != 0:
            message = f"inspect-ai {peer.version} could not run '{shape}': {done.stderr.strip()[-500:]}"
            raise RuntimeError(message)
        result = json.loads(done.stdout.splitlines()[-1])
        size = sum(file.stat().st_size for file in (home / "logs").rglob("*") if file.is_file())
        return PeerRun(samples, result["calls"], seconds, cpu, size)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _instances(shape: Shape, samples: int) -> list[dict[str, Any]]:
    """The instances our own families draw, as plain JSON."""
    from benchmarks.families import steps_family, trivial_family

    from proctor.engine.family import Draw

    family = trivial_family if shape == "trivial" else steps_family
    drawn = (family.instance(Draw.of("bench", number)) for number in range(samples))
    return [
        {"goal": one.goal, "shown": one.observation, "hidden": one.hidden, "format": one.answer_format} for one in drawn
    ]
