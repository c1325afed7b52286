"""A child that is talked to: in an event loop and outside one, whatever it does, nothing of it is left."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.agents.process.child import Child

pytestmark = pytest.mark.usefixtures("nothing_left")


def started(script: str) -> Child:
    return Child(
        subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        ),
        None,
    )


def said_now(child: Child, count: int) -> list[bytes]:
    lines: list[bytes] = []
    while len(lines) < count and not child.output_closed:
        child.wait_now(5)
        while (line := child.lines.take()) is not None:
            lines.append(line)
    return lines


def test_lines_go_back_and_forth_without_a_loop() -> None:
    child = started("import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)")
    child.send(b"abc\n")
    assert said_now(child, 1) == [b"cba"]
    child.release_now(grace=2)
    assert child.status == 0


def test_lines_go_back_and_forth_in_a_loop() -> None:
    async def talk() -> bytes | None:
        child = started("import sys\nfor line in sys.stdin: print(line.strip()[::-1], flush=True)")
        child.send(b"abc\n")
        while not len(child.lines):
            await child.wait(5)
        line = child.lines.take()
        await child.release(grace=2)
        assert child.status == 0
        return line

    assert asyncio.run(talk()) == b"cba"


def test_more_than_a_pipe_holds_arrives_whole() -> None:
    child = started("import sys\nprint(len(sys.stdin.readline()), flush=True)\nsys.stdin.read()")
    child.send(b"x" * 3_000_000 + b"\n")
    assert said_now(child, 1) == [b"3000001"]
    child.release_now(grace=2)


def test_what_was_said_before_the_end_is_heard_after_it() -> None:
    child = started("import sys\nfor n in range(5000): print(n)\nprint('last', file=sys.stderr)\nsys.exit(3)")
    time.sleep(0.2)
    lines = said_now(child, 5000)
    assert len(lines) == 5000
    while not child.ended:
        child.wait_now(1)
    assert child.status == 3
    assert child.stderr == "last\n"
    child.release_now()


def test_only_the_end_of_stderr_is_kept() -> None:
    child = started("import sys\nsys.stderr.write('x' * 1_000_000 + 'end')")
    while not child.ended:
        child.wait_now(1)
    assert child.stderr.endswith("xend")
    assert len(child.stderr) <= 4096
    child.release_now()


def test_a_flood_on_stderr_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.agents.process.child.MAX_EPISODE_BYTES", 1_000_000)
    child = started("import sys\nwhile True: sys.stderr.write('x' * 10_000)")
    while child.lines.problem is None:
        child.wait_now(1)
    assert "stderr" in child.lines.problem
    child.release_now()


def test_one_that_does_not_end_is_ended_with_its_own_children() -> None:
    child = started("import os, time\nprint(os.fork(), flush=True)\ntime.sleep(600)")
    numbers = [int(line) for line in said_now(child, 2)]
    grandchild = max(numbers)
    began = time.monotonic()
    child.release_now(grace=0.1)
    assert time.monotonic() - began < 120, "it sleeps for 600"
    assert child.status == 137
    deadline = time.monotonic() + 300
    while _runs(grandchild) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _runs(grandchild)


def test_a_grandchild_that_holds_the_pipe_open_does_not_keep_us_waiting() -> None:
    script = "import os, time\nif os.fork() == 0:\n  time.sleep(600)\nprint('bye', flush=True)\nos._exit(0)"
    child = started(script)
    assert said_now(child, 1) == [b"bye"]
    began = time.monotonic()
    while not child.output_closed:
        child.wait_now(1)
    assert time.monotonic() - began < 120, "it sleeps for 600"
    child.release_now()


def test_waiting_can_be_cancelled_and_goes_on_afterwards() -> None:
    async def talk() -> list[bytes]:
        child = started("import sys, time\ntime.sleep(0.3)\nprint('late', flush=True)\nsys.stdin.read()")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await child.wait(10)
        while not len(child.lines):
            await child.wait(5)
        await child.release(grace=2)
        return [child.lines.take() or b""]

    assert asyncio.run(talk()) == [b"late"]


def test_one_that_does_not_listen_does_not_block(nothing_left: Callable[[], list[str]]) -> None:
    child = started("import time\ntime.sleep(600)")
    began = time.monotonic()
    for _ in range(100):
        child.send(b"x" * 100_000)
    assert time.monotonic() - began < 120, "it sleeps for 600"
    child.release_now()
    assert nothing_left() == []


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
