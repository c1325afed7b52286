"""Kills: `kill -9`, SIGTERM and SIGINT at random moments of a run, inline and with workers, then `--resume`.

The attacker has won where more is lost than the durability window allows, the root is not that of a run nobody
disturbed, an episode is counted twice, a process outlives its command, or temporary files outlive the next one.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from proctor.evidence.store.writer import WINDOW_EPISODES
from tests.adversarial.tally import Tally
from tests.e2e.command import PROCTOR, proctor_json
from tests.e2e.processes import is_alive, processes_below, wait_until

PACED = f"{Path(__file__).parents[2] / 'e2e' / 'paced_family.py'}@suite"
EPISODES = 1200
WORKERS = 2
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class Kill:
    """One attempt, fixed by its seed."""

    number: signal.Signals
    workers: bool
    after: float
    """Seconds after the first episode; a share of the run, however fast it is, is drawn by the pace below."""
    pace: float
    """Seconds that each episode sleeps."""

    def __str__(self) -> str:
        where = "workers" if self.workers else "inline"
        return f"{self.number.name} after {self.after:.3f} s at {self.pace:.4f} s an episode, {where}"


def attack(attempts: int, seed: int) -> Tally:
    """So many kills, drawn from the seed."""
    draw = random.Random(seed)
    obtained: list[str] = []
    figures: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="proctor-kills-") as folder:
        undisturbed = proctor_json(*_arguments(Path(folder) / "whole.db"), cwd=Path(folder))["root"]
        for attempt in range(attempts):
            kill = Kill(SIGNALS[attempt % 3], draw.random() < 0.5, draw.random() * 0.6, draw.choice((0.0005, 0.001)))
            place = Path(folder) / str(attempt)
            (place / "tmp").mkdir(parents=True)
            obtained += [
                f"{what} ({kill}, attempt {attempt} of seed {seed})" for what in _kill(kill, place, undisturbed)
            ]
            figures[kill.number.name] += 1
            figures["with workers"] += kill.workers
    return Tally(attempts, tuple(obtained), dict(sorted(figures.items())))


def _kill(kill: Kill, place: Path, undisturbed: str) -> Iterator[str]:
    """Everything that was obtained by one kill."""
    marks, store = place / "marks", place / "store.db"
    how = ("--workers", str(WORKERS)) if kill.workers else ()
    with (place / "said").open("wb") as said:
        running = subprocess.Popen(
            [*PROCTOR, *_arguments(store), *how, "--quiet"],
            cwd=place,
            env={
                **os.environ,
                "PACED_SECONDS": str(kill.pace),
                "PACED_MARKS": str(marks),
                "TMPDIR": str(place / "tmp"),
            },
            stdout=said,
            stderr=said,
        )
    wait_until(lambda: marks.exists() or running.poll() is not None)
    time.sleep(kill.after)
    below = processes_below(running.pid)
    running.send_signal(kill.number)
    if not wait_until(lambda: running.poll() is not None):
        running.kill()
        running.wait()
        yield "the command did not end"
    if not wait_until(lambda: not any(is_alive(process) for process in below)):
        yield "a process outlived its command"
    if b"Traceback" in (place / "said").read_bytes():
        yield "a traceback"
    if kill.number != signal.SIGKILL and running.returncode not in (0, 130, 143, -signal.SIGKILL):
        yield f"exit code {running.returncode}"
    finished = marks.stat().st_size if marks.exists() else 0
    with closing(sqlite3.connect(store)) as connection:
        stored = connection.execute("SELECT count(*) FROM episodes").fetchone()[0]
    # An episode that is being lived when the signal comes has left its mark and is not finished.
    if finished - stored > WINDOW_EPISODES + WORKERS:
        yield f"{finished} episodes were finished and {stored} stored"
    resumed = proctor_json(*_arguments(store), "--resume", cwd=place, env={"TMPDIR": str(place / "tmp")})
    if resumed["root"] != undisturbed:
        yield f"another root, {resumed['root']}"
    with closing(sqlite3.connect(store)) as connection:
        counts = connection.execute("SELECT count(*), count(DISTINCT id) FROM episodes").fetchone()
    if counts != (EPISODES, EPISODES):
        yield f"{counts} episodes in the store"
    if left := sorted(path.name for path in (place / "tmp").iterdir()):
        yield f"{left[0]} was left behind"
    if left := sorted(path.name for path in place.glob("store.db-*")):
        yield f"{left[0]} was left beside the store"


def _arguments(store: Path) -> list[str]:
    return ["run", PACED, "--agent", "oracle", "--seed", "5", "--store", str(store)]
