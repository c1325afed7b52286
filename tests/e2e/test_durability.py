"""`kill -9` at random moments: at most the stated window is lost, resume completes, nothing is counted twice."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from proctor.evidence.store.writer import WINDOW_EPISODES
from tests.e2e.command import PROCTOR, proctor_json
from tests.e2e.processes import is_alive, processes_below, wait_until

PACED = f"{Path(__file__).with_name('paced_family.py')}@suite"
WORKERS = 2


def kill_at(moment: float, tmp_path: Path) -> tuple[int, int]:
    """(episodes finished, episodes in the store) of a run that was killed after so many seconds."""
    marks, store = tmp_path / "marks", tmp_path / "store.db"
    marks.unlink(missing_ok=True)
    running = subprocess.Popen(
        [*PROCTOR, *arguments(store), "--executor", "processes", "--workers", str(WORKERS), "--quiet"],
        cwd=tmp_path,
        env={**os.environ, "PACED_SECONDS": "0.001", "PACED_MARKS": str(marks)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 300
    while not marks.exists() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(moment)
    kill(running)
    finished = marks.stat().st_size if marks.exists() else 0
    with closing(sqlite3.connect(store)) as connection:
        stored = connection.execute("SELECT count(*) FROM episodes").fetchone()[0]
    return finished, stored


def kill(running: subprocess.Popen[bytes]) -> None:
    """Kill a command, and wait until its workers are gone too: nobody but the system tells them."""
    below = processes_below(running.pid)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert wait_until(lambda: not any(is_alive(process) for process in below)), "a worker outlived its parent"


def arguments(store: Path) -> list[str]:
    return ["run", PACED, "--agent", "oracle", "--seed", "5", "--store", str(store)]


def check_kills(count: int, tmp_path: Path) -> None:
    moments = random.Random(count)
    roots = set()
    for number in range(count):
        place = tmp_path / str(number)
        place.mkdir()
        finished, stored = kill_at(moments.random() * 0.8, place)
        # An episode that is being lived when the kill comes has left its mark and is not finished.
        assert finished - stored <= WINDOW_EPISODES + WORKERS, f"{finished} finished, {stored} stored"
        result = proctor_json(*arguments(place / "store.db"), "--resume", cwd=place)
        assert result["complete"]
        assert result["episodes"] == 1200
        with closing(sqlite3.connect(place / "store.db")) as connection:
            assert connection.execute("SELECT count(*), count(DISTINCT id) FROM episodes").fetchone() == (1200, 1200)
            assert connection.execute("SELECT count(*) FROM runs").fetchone() == (1,)
        roots.add(result["root"])
    assert len(roots) == 1


def test_killed_at_random_moments(tmp_path: Path) -> None:
    check_kills(3, tmp_path)


@pytest.mark.slow
def test_killed_at_many_random_moments(tmp_path: Path) -> None:
    check_kills(30, tmp_path)


def test_workers_die_with_their_parent(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    running = subprocess.Popen(
        [*PROCTOR, *arguments(tmp_path / "store.db"), "--executor", "processes", "--workers", "2", "--quiet"],
        cwd=tmp_path,
        env={**os.environ, "PACED_SECONDS": "0.005", "PACED_MARKS": str(marks)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 300
    while not marks.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(processes_below(running.pid)) >= WORKERS
    kill(running)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_hangs_is_said_to_be_waited_for_and_left_at_the_second_signal(
    number: signal.Signals, tmp_path: Path
) -> None:
    marks = tmp_path / "marks"
    running = subprocess.Popen(
        [*PROCTOR, *arguments(tmp_path / "store.db"), "--executor", "inline"],
        cwd=tmp_path,
        env={**os.environ, "PACED_SECONDS_AFTER": "60", "PACED_MARKS": str(marks)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300
    while not marks.exists() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(number)
    assert running.stderr is not None
    assert any("once more stops at once" in line for line in running.stderr)
    running.send_signal(number)
    _, complaint = running.communicate(timeout=300)
    assert running.returncode == 130
    assert "--resume" in complaint
    assert "Traceback" not in complaint


def test_ctrl_c_stops_cleanly_and_says_how_to_resume(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    running = subprocess.Popen(
        [*PROCTOR, *arguments(tmp_path / "store.db")],
        cwd=tmp_path,
        env={**os.environ, "PACED_SECONDS": "0.002", "PACED_MARKS": str(marks)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300
    while not marks.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    output, complaint = running.communicate(timeout=300)
    assert running.returncode == 130
    assert "--resume" in output + complaint
    assert "Traceback" not in output + complaint
    result = proctor_json(*arguments(tmp_path / "store.db"), "--resume", cwd=tmp_path)
    assert result["complete"]
