"""Told to stop, a command ends: whatever it is doing, with its workers, and with a store that can be gone on with."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from proctor.core import guardian
from tests.e2e.command import PROCTOR
from tests.e2e.processes import PATIENCE, is_alive, processes_below, wait_until

PACED = f"{Path(__file__).with_name('paced_family.py')}"
HANGS = {"PACED_SECONDS_AFTER": "3600"}
COMPUTES = {"PACED_NEVER_BACK": "1"}


def started(tmp_path: Path, *arguments: str, env: dict[str, str]) -> tuple[subprocess.Popen[str], Path]:
    """A command whose first episode has begun, and the folder of its temporary files."""
    marks, temporary = tmp_path / "marks", tmp_path / "tmp"
    temporary.mkdir()
    running = subprocess.Popen(
        [*PROCTOR, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PACED_MARKS": str(marks), "TMPDIR": str(temporary), **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert wait_until(lambda: marks.exists() or running.poll() is not None)
    assert running.poll() is None
    return running, temporary


def ended(running: subprocess.Popen[str], number: signal.Signals) -> str:
    """What a command said that was sent one signal, and had to end by itself."""
    below = processes_below(running.pid)
    running.send_signal(number)
    _, said = running.communicate(timeout=PATIENCE)
    assert "Traceback" not in said
    assert wait_until(lambda: not any(is_alive(process) for process in below)), "a process outlived its command"
    return said


RUN = ("run", f"{PACED}@suite", "--agent", "oracle", "--seed", "5", "--store", "store.db")


@pytest.mark.parametrize(
    ("workers", "env", "number", "codes"),
    [
        pytest.param((), HANGS, signal.SIGTERM, {130}, marks=pytest.mark.slow),
        ((), COMPUTES, signal.SIGINT, {-signal.SIGKILL}),
        (("--workers", "2"), COMPUTES, signal.SIGTERM, {130}),
        pytest.param(("--workers", "2"), HANGS, signal.SIGINT, {130}, marks=pytest.mark.slow),
    ],
    ids=["hangs", "computes", "workers-compute", "workers-hang"],
)
def test_one_signal_ends_a_run(
    workers: tuple[str, ...], env: dict[str, str], number: signal.Signals, codes: set[int], tmp_path: Path
) -> None:
    """A busy machine may need the guardian where a quiet one does not; ended it has to be either way."""
    running, temporary = started(tmp_path, *RUN, *workers, env=env)
    said = ended(running, number)
    assert running.returncode in codes | {-signal.SIGKILL}
    if running.returncode == -signal.SIGKILL:
        assert "stopped by force" in said
    else:
        assert "--resume" in said
        assert list(temporary.iterdir()) == []
    with closing(sqlite3.connect(tmp_path / "store.db")) as store:
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.execute("SELECT count(*) FROM runs").fetchone() == (1,)


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (("load", PACED, "--agent", "oracle", "--store", "store.db"), signal.SIGTERM),
        pytest.param(("check", PACED), signal.SIGTERM, marks=pytest.mark.slow),
        (("watch", f"{PACED}@suite", "--agent", "oracle", "--once", "--store", "store.db"), signal.SIGINT),
    ],
    ids=["load", "check", "watch"],
)
def test_one_signal_ends_other_commands(arguments: tuple[str, ...], number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "there.db").touch()
    running, _ = started(tmp_path, *arguments, env=HANGS)
    ended(running, number)
    assert running.returncode not in (0, None)


def test_what_a_killed_command_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    running, temporary = started(tmp_path, *RUN, env=HANGS)
    (left,) = temporary.iterdir()
    (left / "proctor-world-x").mkdir()
    running.kill()
    running.communicate(timeout=PATIENCE)
    elsewhere = tmp_path / "precious"
    elsewhere.mkdir()
    (temporary / "proctor-run-link").symlink_to(elsewhere)
    (left / "out").symlink_to(elsewhere)
    (elsewhere / "kept").touch()
    subprocess.run(
        [*PROCTOR, "check", PACED, "--json"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(temporary)},
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert [path.name for path in temporary.iterdir()] == ["proctor-run-link"]
    assert (elsewhere / "kept").exists()


# The guardian by itself.

COMPUTING = """
import os, subprocess, sys
ours, theirs = os.pipe()
subprocess.Popen([sys.executable, "-I", "-S", sys.argv[1], str(os.getpid()), *sys.argv[3:]], stdin=ours)
os.close(ours)
os.write(theirs, bytes([int(sys.argv[2])]))
sum(range(10**15))
"""


@pytest.mark.parametrize(
    ("told", "words"),
    [(guardian._BEAT, "cannot be interrupted"), (int(signal.SIGTERM), "what was running did not end")],
)
def test_a_guardian_ends_what_never_comes_back_to_the_interpreter(told: int, words: str) -> None:
    # It would take a minute of processor time; here it takes a moment.
    times = ["stuck=0.2", "again=0.1", "kill=0.2"]
    done = subprocess.run(
        [sys.executable, "-c", COMPUTING, guardian.__file__, str(told), *times],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode in (-signal.SIGKILL, -signal.SIGINT)
    assert words in done.stderr


def test_without_a_signal_a_guardian_does_nothing() -> None:
    with guardian.guarded():
        guardian.beat()
        guardian.rest()
    guardian.beat()
