"""A call of the bench's own in the same world: it fails where the host does, and never for what an agent did."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.worlds.files import FileWorld
from proctor.worlds.forwarding import ForwardingWorld
from proctor.worlds.git import GitWorld
from proctor.worlds.sandbox import available
from proctor.worlds.shell import ShellWorld
from proctor.worlds.sql import SqlWorld
from proctor.worlds.world import BaseWorld, Place

INSTANCE = Instance("one", "Do it.", "a word", {}, {})
KINDS: list[Any] = [
    BaseWorld,
    FileWorld,
    SqlWorld,
    GitWorld,
    pytest.param(ShellWorld, marks=pytest.mark.skipif(available() is not None, reason="no sandbox here")),
]


def made(kind: type[BaseWorld], root: Path) -> BaseWorld:
    world = kind(INSTANCE, Place(root=root))
    if isinstance(world, SqlWorld):
        world.populate("CREATE TABLE notes (text TEXT)")
    elif isinstance(world, GitWorld):
        world.populate({"/task/a.txt": "a\n"})
    return world


@contextmanager
def lowered(limit: int, to: int) -> Iterator[None]:
    before = resource.getrlimit(limit)
    resource.setrlimit(limit, (to, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(limit, before)


@pytest.mark.parametrize("kind", KINDS)
def test_it_says_nothing_where_the_host_is_fine_and_leaves_nothing(kind: type[BaseWorld], tmp_path: Path) -> None:
    world = made(kind, tmp_path)
    state, there = world.state(), sorted(tmp_path.rglob("*"))
    world.canary()
    ForwardingWorld(world).canary()
    assert (world.state(), sorted(tmp_path.rglob("*"))) == (state, there)
    world.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_host_without_descriptors_is_told_by_its_number(kind: type[BaseWorld], tmp_path: Path) -> None:
    world = made(kind, tmp_path)
    free = os.open("/dev/null", os.O_RDONLY)
    os.close(free)
    with lowered(resource.RLIMIT_NOFILE, free), pytest.raises(OSError, match="Too many open files") as trouble:
        world.canary()
    assert trouble.value.errno == errno.EMFILE
    world.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_that_is_gone_is_told_by_its_number(kind: type[BaseWorld], tmp_path: Path) -> None:
    world = made(kind, tmp_path)
    assert world.place.directory.is_dir()
    shutil.rmtree(world.place.directory)
    with pytest.raises(FileNotFoundError):
        world.canary()


def test_a_full_disk_is_told_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        """The device that is always full, in the place of a scratch file."""

        def __new__(cls, **_: object) -> Any:
            return open("/dev/full", "wb")

    world = made(FileWorld, tmp_path)
    monkeypatch.setattr(tempfile, "TemporaryFile", Full)
    with pytest.raises(OSError, match="No space left") as trouble:
        world.canary()
    assert trouble.value.errno == errno.ENOSPC


def test_an_agent_that_fills_its_folder_does_not_make_it_fail(tmp_path: Path) -> None:
    world = FileWorld(INSTANCE, Place(root=tmp_path))
    text = "x" * world.max_file_bytes
    for number in range(world.max_total_bytes // world.max_file_bytes + 3):
        with suppress(ToolError):
            world.write_file(f"/task/proctor-canary-{number}", text)
    world.canary()
