"""The memory folder as bytes: exact, bounded, and blind to what a stranger hides in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proctor.agents.process.memory import NOTHING, declared_folder, read_memory, write_memory
from proctor.core.errors import InputError
from proctor.spec.system import Boundary, Memory, MemoryPersistence, System
from proctor.worlds.archive import unpack
from proctor.worlds.watch import Limits

LIMITS = Limits(disk=1000, files=10)


def read(work: Path, folder: str = "memory") -> bytes:
    descriptor = os.open(work, os.O_PATH | os.O_DIRECTORY)
    try:
        return read_memory(descriptor, folder, LIMITS)
    finally:
        os.close(descriptor)


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "memory" / "deep" / "er").mkdir(parents=True)
    (first / "memory" / "empty").mkdir()
    (first / "memory" / "deep" / "er" / "a").write_bytes(b"\0\xff")
    (first / "memory" / "run").write_text("#!/bin/sh")
    (first / "memory" / "run").chmod(0o755)
    (first / "beside").write_text("not memory")
    memory = read(first)
    second.mkdir()
    write_memory(second, "memory", memory, LIMITS)
    assert sorted(str(path.relative_to(second)) for path in second.rglob("*")) == [
        "memory",
        "memory/deep",
        "memory/deep/er",
        "memory/deep/er/a",
        "memory/empty",
        "memory/run",
    ]
    assert (second / "memory/deep/er/a").read_bytes() == b"\0\xff"
    assert os.access(second / "memory/run", os.X_OK)


def test_links_and_strange_names_are_forgotten_and_never_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    folder = tmp_path / "work" / "memory"
    folder.mkdir(parents=True)
    (folder / "link").symlink_to(secret)
    (folder / "folder-link").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe")).write_text("name is no text")
    (folder / "kept").write_text("kept")
    assert list(unpack(read(tmp_path / "work"), max_entries=10).tree) == ["kept"]


@pytest.mark.parametrize("kind", ["missing", "link", "file"])
def test_a_folder_that_is_none_holds_nothing(kind: str, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a").write_text("a")
    if kind == "link":
        (tmp_path / "memory").symlink_to(tmp_path / "elsewhere")
    elif kind == "file":
        (tmp_path / "memory").write_text("a")
    assert read(tmp_path) == NOTHING


def test_one_that_is_too_large_is_forgotten_whole(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "a").write_bytes(b"x" * 600)
    assert read(tmp_path) != NOTHING
    os.link(folder / "a", folder / "b")
    assert read(tmp_path) == NOTHING
    (folder / "b").unlink()
    for number in range(10):
        (folder / f"n{number}").touch()
    assert read(tmp_path) == NOTHING


@pytest.mark.parametrize("folder", ["/etc", "../up", "a/../../b", ""])
def test_the_declared_folder_lies_below_the_working_directory(folder: str) -> None:
    memory = Memory(persistence=MemoryPersistence.LIFETIME, folder=folder)
    with pytest.raises(InputError, match="below the agent's working directory"):
        declared_folder(System(name="s", boundary=Boundary(memory=memory)))


def test_no_folder_is_no_folder() -> None:
    assert declared_folder(System(name="s")) is None
    memory = Memory(persistence=MemoryPersistence.LIFETIME, folder="./notes/long")
    assert declared_folder(System(name="s", boundary=Boundary(memory=memory))) == "notes/long"
