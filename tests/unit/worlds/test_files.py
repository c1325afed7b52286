"""The world of files: tools, limits, determinism."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from proctor.core.clock import Clock
from proctor.core.errors import ToolError
from proctor.core.hashing import sha256_hex
from proctor.spec.task import Instance
from proctor.worlds.files import FileWorld
from proctor.worlds.world import Place


class SmallWorld(FileWorld):
    max_file_bytes = 100
    max_total_bytes = 150
    max_entries = 5


@pytest.fixture
def world(instance: Instance, place: Place) -> FileWorld:
    world = FileWorld(instance, place)
    world.populate({"/task/b.txt": "beta\nsecond line\n", "notes/a.txt": "alpha\n"})
    return world


def call(world: FileWorld, name: str, **arguments: Any) -> Any:
    tool = world.tools[name]
    result = asyncio.run(world.apply(tool, tool.check(arguments)))
    assert result.ok
    return result.value


def test_reading_and_listing(world: FileWorld) -> None:
    assert call(world, "read_file", path="/task/b.txt") == "beta\nsecond line\n"
    listed = call(world, "list_files")
    assert [(entry["path"], entry["kind"], entry["bytes"]) for entry in listed] == [
        ("/task/b.txt", "file", 17),
        ("/task/notes", "directory", 0),
    ]
    assert {entry["modified"] for entry in listed} == {"2026-01-01T00:00:00Z"}
    deep = call(world, "list_files", path="notes", recursive=True)
    assert [entry["path"] for entry in deep] == ["/task/notes/a.txt"]


def test_writing_follows_the_logical_clock(world: FileWorld) -> None:
    world.place.clock.advance(61_500)
    call(world, "write_file", path="new/c.txt", text="gamma")
    call(world, "append_file", path="new/c.txt", text=" delta")
    assert call(world, "read_file", path="/task/new/c.txt") == "gamma delta"
    assert call(world, "list_files", path="new")[0]["modified"] == "2026-01-01T00:01:01.500Z"
    assert call(world, "list_files")[0]["modified"] == "2026-01-01T00:00:00Z"


def test_moving_deleting_making(world: FileWorld) -> None:
    call(world, "make_directory", path="/task/x/y")
    call(world, "move_file", source="b.txt", target="x/y/b.txt")
    call(world, "delete_file", path="notes/a.txt")
    call(world, "delete_file", path="notes")
    assert world.state() == {"x/y/b.txt": sha256_hex(b"beta\nsecond line\n")}
    with pytest.raises(ToolError, match="not empty"):
        call(world, "delete_file", path="x")


def test_searching(world: FileWorld) -> None:
    assert call(world, "search_text", text="a") == [
        {"path": "/task/b.txt", "line": 1, "text": "beta"},
        {"path": "/task/notes/a.txt", "line": 1, "text": "alpha"},
    ]
    assert call(world, "search_text", text="second", path="b.txt")[0]["line"] == 2
    assert call(world, "search_text", text="second", path="notes") == []
    with pytest.raises(ToolError, match="nothing at"):
        call(world, "search_text", text="a", path="missing")
    with pytest.raises(ToolError, match="give the text"):
        call(world, "search_text", text="")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("read_file", {"path": "missing.txt"}, "no file '/task/missing.txt'"),
        ("read_file", {"path": "notes"}, "is a directory"),
        ("read_file", {"path": "b.txt/x"}, "not a directory"),
        ("list_files", {"path": "b.txt"}, "is a file"),
        ("list_files", {"path": "missing"}, "no directory"),
        ("write_file", {"path": "notes", "text": "x"}, "is a directory"),
        ("write_file", {"path": "/task", "text": "x"}, "itself"),
        ("write_file", {"path": "../x", "text": "x"}, "leads out"),
        ("write_file", {"path": "x", "text": "\ud800"}, "UTF-8"),
        ("make_directory", {"path": "b.txt"}, "not a directory"),
        ("delete_file", {"path": "missing"}, "no file"),
        ("delete_file", {"path": "/task"}, "itself"),
    ],
)
def test_mistakes_are_answered(world: FileWorld, name: str, arguments: dict[str, Any], said: str) -> None:
    before = world.state_hash()
    with pytest.raises(ToolError, match=said) as caught:
        call(world, name, **arguments)
    assert str(world.place.directory) not in str(caught.value)
    assert world.state_hash() == before


def test_only_text(world: FileWorld) -> None:
    (world.files.real / "raw").write_bytes(b"\xff\xfe")
    with pytest.raises(ToolError, match="not UTF-8"):
        call(world, "read_file", path="raw")


def test_limits(instance: Instance, place: Place) -> None:
    world = SmallWorld(instance, place)
    call(world, "write_file", path="a", text="x" * 100)
    with pytest.raises(ToolError, match="at most 100 bytes"):
        call(world, "append_file", path="a", text="x")
    with pytest.raises(ToolError, match="at most 150 bytes"):
        call(world, "write_file", path="b", text="x" * 51)
    call(world, "write_file", path="b", text="x" * 50)
    call(world, "write_file", path="a", text="x" * 90)
    for name in ("c", "d", "e"):
        call(world, "make_directory", path=name)
    for tool, arguments in (
        ("make_directory", {"path": "f"}),
        ("write_file", {"path": "f", "text": ""}),
        ("move_file", {"source": "a", "target": "new/a"}),
    ):
        with pytest.raises(ToolError, match="at most 5 files"):
            call(world, tool, **arguments)
    assert len(list(world.files.walk())) == 5


def test_the_same_calls_leave_the_same_bytes(instance: Instance, tmp_path: Path) -> None:
    worlds = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        world = FileWorld(instance, Place(Clock(datetime(2026, 3, 1, tzinfo=UTC)), root=tmp_path / name))
        world.populate({"z": "1", "a/b": "2"})
        call(world, "write_file", path="m", text="3")
        worlds.append((world.state_hash(), call(world, "list_files", recursive=True)))
        world.place.close()
    assert worlds[0] == worlds[1]


def test_for_verifiers(world: FileWorld, tmp_path: Path) -> None:
    assert world.safe_read("notes/a.txt") == b"alpha\n"
    assert world.safe_read("missing") is None
    os.symlink("/etc/passwd", world.files.real / "link")
    assert world.safe_read("link") is None
    assert world.artifacts("b.txt", "missing", "link") == (("/task/b.txt", sha256_hex(b"beta\nsecond line\n")),)
    assert [name for name, _ in world.artifacts()] == ["/task/b.txt", "/task/notes/a.txt"]
    assert set(world.tree()) == {"b.txt", "notes", "notes/a.txt"}
