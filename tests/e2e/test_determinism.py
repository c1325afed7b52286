"""Same suite, seed and timestamp: same root, on any executor and worker count, and after being killed and resumed."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

import proctor
from tests.e2e.command import PROCTOR, proctor_json

PACED = f"{Path(__file__).with_name('paced_family.py')}@suite"
SEEDS = [7]
MANY_SEEDS = [*range(1, 20), 1_000_003, 2**40]


def same_root_everywhere(seed: int, tmp_path: Path) -> None:
    inline = proctor.run("hello", agent="clerk", seed=seed, store=str(tmp_path / "inline.db"))
    assert inline.root is not None
    for workers in (1, 2, 4):
        other = proctor.run("hello", agent="clerk", seed=seed, store=str(tmp_path / f"{workers}.db"), workers=workers)
        assert other.root == inline.root, f"{workers} workers"
        assert other.outcomes == inline.outcomes
    killed = killed_and_resumed(seed, tmp_path)
    assert killed == proctor.run(PACED, agent="oracle", seed=seed, store=str(tmp_path / "whole.db")).root


def killed_and_resumed(seed: int, tmp_path: Path) -> str | None:
    """The root of a run that was ended by SIGKILL in the middle and continued."""
    arguments = ["run", PACED, "--agent", "oracle", "--seed", str(seed), "--store", str(tmp_path / "killed.db")]
    env = {"PACED_SECONDS": "0.002"}
    running = subprocess.Popen(
        [*PROCTOR, *arguments, "--executor", "processes", "--workers", "2", "--quiet"],
        cwd=tmp_path,
        env={**__import__("os").environ, **env},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(1.5 + random.Random(seed).random())
    running.send_signal(signal.SIGKILL)
    running.wait()
    result = proctor_json(*arguments, "--resume", cwd=tmp_path)
    assert result["complete"]
    assert result["episodes"] == 1200
    root: str = result["root"]
    return root


@pytest.mark.parametrize("seed", SEEDS)
def test_same_root_on_every_executor(seed: int, tmp_path: Path) -> None:
    same_root_everywhere(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY_SEEDS)
def test_same_root_on_every_executor_many_seeds(seed: int, tmp_path: Path) -> None:
    same_root_everywhere(seed, tmp_path)


def test_different_seeds_differ(tmp_path: Path) -> None:
    roots = {
        proctor.run("hello", agent="null", seed=seed, store=str(tmp_path / "s.db"), only=("track",)).root
        for seed in range(5)
    }
    assert len(roots) == 5


@pytest.mark.parametrize("agent", ["oracle", "clerk"])
def test_agency_gives_the_same_root_on_every_executor(agent: str, tmp_path: Path) -> None:
    inline = proctor.run("agency-quick", agent=agent, seed=3, store=str(tmp_path / "inline.db"))
    spread = proctor.run("agency-quick", agent=agent, seed=3, store=str(tmp_path / "two.db"), workers=2)
    assert inline.root is not None
    assert inline.root == spread.root


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["oracle", "clerk", "graded:S=3,L=2,R=2"])
def test_the_whole_of_agency_gives_the_same_root_on_every_executor(agent: str, tmp_path: Path) -> None:
    roots = {
        proctor.run("agency", agent=agent, seed=1, store=str(tmp_path / f"{workers}.db"), workers=workers).root
        for workers in (None, 1, 2, 3)
    }
    assert len(roots) == 1
    assert None not in roots
