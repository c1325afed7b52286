"""Paths stay inside, whatever they are made of; refusals never show where the directory really is."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core.errors import ToolError
from proctor.worlds.archive import MAX_DEPTH
from proctor.worlds.paths import Directory, safe_read, walk

OUTSIDE = "outside-content"


@pytest.fixture
def directory(tmp_path: Path) -> Directory:
    real = tmp_path / "real"
    real.mkdir()
    (real / "a.txt").write_text("inside")
    (tmp_path / "secret.txt").write_text(OUTSIDE)
    return Directory(real, now=lambda: 1_700_000_000_000_000_000)


@pytest.mark.parametrize(
    "path", ["a.txt", "./a.txt", "/task/a.txt", "//task//./a.txt", "d/../a.txt", "/task/d/../a.txt"]
)
def test_ways_to_the_same_file(directory: Directory, path: str) -> None:
    assert directory.shown(path) == "/task/a.txt"
    assert directory.read(path, limit=100) == b"inside"


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "/task/../secret.txt",
        "d/../../secret.txt",
        "/etc/passwd",
        "/taskshop/a.txt",
        "/task/../task/../secret.txt",
        "/proc/self/root/etc/passwd",
        "/",
        "",
        "a\0b",
        "．．/secret.txt",
        "‥/secret.txt",
        "a\u202etxt.a",
        ".\u200b./secret.txt",
        "／etc／passwd",
        "a\nb",
        "\ud800",
        ".git/config",
        ".GIT/hooks/x",
        "sub/.git",
        ".git./config",
        "ｇit~1".replace("ｇ", "g"),
        "．git",
        "x" * 300,
        "/".join("d" * (MAX_DEPTH + 1)),
        "y" * 2000,
    ],
)
def test_refused(directory: Directory, tmp_path: Path, path: str) -> None:
    for attempt in (
        lambda: directory.read(path, limit=100),
        lambda: directory.write(path, b"x"),
        lambda: directory.make(path),
        lambda: directory.delete(path),
        lambda: directory.move("a.txt", path),
        lambda: directory.entries(path),
    ):
        with pytest.raises(ToolError) as caught:
            attempt()
        assert str(tmp_path) not in str(caught.value)
        str(caught.value).encode()
    assert (tmp_path / "secret.txt").read_text() == OUTSIDE
    assert sorted(os.listdir(tmp_path / "real")) == ["a.txt"]


@given(st.text(max_size=30))
def test_no_text_leads_out(text: str) -> None:
    try:
        parts = Directory(Path("/nonexistent")).parts(text)
    except ToolError:
        return
    assert all(part not in ("", ".", "..") and "/" not in part and "\0" not in part for part in parts)


def test_links_are_not_followed(directory: Directory, tmp_path: Path) -> None:
    real = directory.real
    (real / "link").symlink_to(tmp_path / "secret.txt")
    (real / "out").symlink_to(tmp_path)
    (real / "inner").symlink_to("a.txt")
    (tmp_path / "empty").mkdir()
    for path in ("link", "out/secret.txt", "inner"):
        with pytest.raises(ToolError):
            directory.read(path, limit=100)
        with pytest.raises(ToolError):
            directory.write(path, b"changed")
        assert safe_read(real, path, limit=100) is None
    with pytest.raises(ToolError):
        directory.make("out/new")
    with pytest.raises(ToolError):
        directory.delete("out/empty")
    with pytest.raises(ToolError):
        directory.move("a.txt", "out/a.txt")
    with pytest.raises(ToolError):
        directory.entries("out")
    assert (tmp_path / "secret.txt").read_text() == OUTSIDE
    assert not (tmp_path / "new").exists()
    assert (tmp_path / "empty").exists()
    assert {entry.path: entry.kind for entry in walk(real)} == {
        "a.txt": "file",
        "inner": "other",
        "link": "other",
        "out": "other",
    }
    directory.delete("link")
    assert (tmp_path / "secret.txt").exists()


def test_what_is_no_plain_file_is_not_touched(directory: Directory, tmp_path: Path) -> None:
    os.mkfifo(directory.real / "fifo")
    os.link(tmp_path / "secret.txt", directory.real / "second-name")
    for path in ("fifo", "second-name"):
        with pytest.raises(ToolError, match="plain file"):
            directory.read(path, limit=100)
        with pytest.raises(ToolError, match="plain file"):
            directory.write(path, b"changed")
    if os.geteuid() == 0:
        os.mknod(directory.real / "zero", 0o666 | 0o020000, os.makedev(1, 5))
        with pytest.raises(ToolError, match="plain file"):
            directory.read("zero", limit=100)
    assert (tmp_path / "secret.txt").read_text() == OUTSIDE


def test_a_link_swapped_in_meanwhile_does_not_help(directory: Directory, tmp_path: Path) -> None:
    """A directory on the way, and the file itself, are exchanged for links as fast as one can."""
    real = directory.real
    (real / "d").mkdir()
    (real / "d" / "secret.txt").write_text("inside")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.rename(real / "d", real / "kept")
            os.symlink(tmp_path, real / "d")
            os.symlink(tmp_path / "secret.txt", real / "new")
            os.replace(real / "new", real / "f")
            os.unlink(real / "d")
            os.rename(real / "kept", real / "d")
            (real / "new").write_text("inside")
            os.replace(real / "new", real / "f")

    swapper = threading.Thread(target=swap)
    swapper.start()
    outcomes = set()
    try:
        for _ in range(4000):
            for attempt in ("d/secret.txt", "f"):
                try:
                    outcomes.add(directory.read(attempt, limit=100))
                except ToolError:
                    outcomes.add(b"refused")
            with suppress(ToolError):
                directory.write("f", b"inside")
    finally:
        stop.set()
        swapper.join()
    assert outcomes <= {b"inside", b"refused", b""}
    assert {b"inside", b"refused"} <= outcomes
    assert (tmp_path / "secret.txt").read_text() == OUTSIDE


def test_times_are_those_told(directory: Directory) -> None:
    directory.write("d/e/new.txt", b"x")
    for path in ("d", "d/e", "d/e/new.txt"):
        assert os.stat(directory.real / path).st_mtime_ns == 1_700_000_000_000_000_000


def test_limits_of_reading(directory: Directory) -> None:
    assert directory.read("a.txt", limit=6) == b"inside"
    with pytest.raises(ToolError, match="more than 5 bytes"):
        directory.read("a.txt", limit=5)
    assert safe_read(directory.real, "a.txt", limit=5) is None


def test_moving(directory: Directory) -> None:
    directory.write("d/x", b"1")
    directory.move("d", "e/f")
    assert directory.read("e/f/x", limit=10) == b"1"
    for source, target, said in (
        ("e", "e/f/g", "into itself"),
        ("missing", "b", "no file"),
        ("a.txt", "e", "exists already"),
        ("/task", "b", "itself"),
    ):
        with pytest.raises(ToolError, match=said):
            directory.move(source, target)


def test_a_move_cannot_make_paths_too_deep(directory: Directory) -> None:
    deep = "/".join("d" * (MAX_DEPTH - 1))
    directory.make(deep)
    directory.make("x/y")
    with pytest.raises(ToolError, match="at most"):
        directory.move("x", f"{deep}/x")


def test_deep_trees_are_walked_without_harm(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert len(list(walk(tmp_path))) == MAX_DEPTH
    flatten(tmp_path)


def flatten(root: Path) -> None:
    """Take a deep tree apart from the top, since pytest's own removal would recurse."""
    while (root / "d").exists():
        if (root / "d" / "d").exists():
            os.rename(root / "d" / "d", root / "next")
        os.rmdir(root / "d")
        if (root / "next").exists():
            os.rename(root / "next", root / "d")


def test_an_abandoned_walk_closes_what_it_opened(directory: Directory) -> None:
    directory.write("d/e/f", b"x")
    before = len(os.listdir("/proc/self/fd"))
    walking = walk(directory.real)
    next(walking)
    next(walking)
    del walking
    assert len(os.listdir("/proc/self/fd")) == before
