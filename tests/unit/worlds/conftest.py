"""What the tests of worlds share: an instance, a place, and a machine with bubblewrap."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from proctor.spec.task import Instance
from proctor.worlds.sandbox import available
from proctor.worlds.world import Place


@pytest.fixture
def instance() -> Instance:
    return Instance("plain", "goal", "text", {}, {})


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(root=tmp_path)
    yield place
    place.close()


MARK = f"proctor-test-{os.getpid()}"


def marked() -> list[int]:
    """Living processes that have `MARK` in their command line or environment; zombies have neither."""
    found = []
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            with suppress(OSError):
                about = Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()
                if MARK.encode() in about:
                    found.append(int(pid))
    return found


@pytest.fixture
def mark() -> Iterator[str]:
    """A word to put into a sandbox's environment or command; whatever has it must be gone soon after the test."""
    yield MARK
    deadline = time.monotonic() + 300
    while marked() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert marked() == []


@pytest.fixture
def bubblewrap() -> None:
    """Skips where there is no sandbox; on CI that is a failure, or nobody would notice."""
    reason = available()
    if reason is None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
