"""Host trouble is told by its number: what an agent writes into a call is never taken for it, and a real one is."""

from __future__ import annotations

import errno
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from proctor.conformance.wild_caller import HOST_WORDS
from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.worlds.git import GitWorld
from proctor.worlds.sql import SqlWorld
from proctor.worlds.world import Place

INSTANCE = Instance("one", "Do it.", "a word", {}, {})


@pytest.fixture
def git(tmp_path: Path) -> GitWorld:
    world = GitWorld(INSTANCE, Place(root=tmp_path))
    world.populate({"/task/a.txt": "a\n"})
    return world


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqlWorld]:
    world = SqlWorld(INSTANCE, Place(root=tmp_path))
    world.populate("CREATE TABLE notes (text)")
    yield world
    world.close()


CALLS: dict[str, Callable[[GitWorld, str], object]] = {
    "restore": lambda world, words: world.git_restore(words),
    "checkout": lambda world, words: world.git_checkout(words.replace(" ", "-")),
    "revert": lambda world, words: world.git_revert(words.replace(" ", "-")),
    "branch": lambda world, words: world.git_branch("main", words.replace(" ", "-")),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("words", ["No space left", "Permission denied", "Input/output error", "Unable to create"])
def test_the_words_of_host_trouble_are_a_refusal(git: GitWorld, call: str, words: str) -> None:
    assert any(words in known for known in HOST_WORDS)
    with pytest.raises(ToolError):
        CALLS[call](git, words)


def test_files_commits_and_branches_named_after_trouble_work(git: GitWorld) -> None:
    git.write_file("/task/No space left", "x\n")
    git.git_commit("fatal: No space left on device")
    git.git_branch("Permission-denied")
    git.git_checkout("Permission-denied")
    git.git_restore("/task/No space left")
    assert "No space left" in git.git_log()


def test_a_repository_that_is_gone_is_told_by_its_number(git: GitWorld) -> None:
    shutil.rmtree(git.place.directory / "repository")
    with pytest.raises(OSError, match="repository") as trouble:
        git.git_checkout("main")
    assert trouble.value.errno == errno.ENOENT


def test_a_repository_does_not_grow_without_end(git: GitWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GitWorld, "max_repository_bytes", 100)
    git.write_file("/task/b.txt", "b\n")
    with pytest.raises(ToolError, match="at most 100 bytes"):
        git.git_commit("more")


def test_git_that_takes_too_long_is_a_refusal_and_leaves_no_lock(
    git: GitWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = git.place.directory / "repository" / "index.lock"
    lock.touch()
    monkeypatch.setattr("proctor.worlds.git._SECONDS", 0)
    monkeypatch.setattr(GitWorld, "canary", lambda self: None)
    with pytest.raises(ToolError, match="takes too long"):
        git.git_status()
    monkeypatch.undo()
    assert not lock.exists()
    assert "main" in git.git_status()


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_takes_no_more_is_told_by_its_number(database: SqlWorld) -> None:
    with files_of_at_most(16_384), pytest.raises(OSError, match="File too large") as trouble:
        database.execute("INSERT INTO notes VALUES (zeroblob(60000))")
    assert trouble.value.errno == errno.EFBIG


def test_a_database_that_an_agent_filled_is_a_refusal(database: SqlWorld) -> None:
    def fill() -> None:
        for _ in range(200):
            database.execute("INSERT INTO notes VALUES (zeroblob(60000))")

    with pytest.raises(ToolError, match="full"):
        fill()
    database.canary()
    assert len(database.state()["notes"]) < 100


def test_history_does_not_bring_back_more_than_fits(git: GitWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GitWorld, "max_total_bytes", 1_000)
    monkeypatch.setattr(GitWorld, "max_file_bytes", 800)
    git.git_branch("empty")
    git.write_file("/task/one", "x" * 600)
    git.git_commit("one")
    git.git_checkout("empty")
    git.write_file("/task/two", "y" * 600)
    with pytest.raises(ToolError, match="nothing was changed"):
        git.git_checkout("main")
    with pytest.raises(ToolError, match="nothing was changed"):
        git.git_restore("/task/one", "main")
    assert sorted(git.state()["files"]) == ["a.txt", "two"]
    git.delete_file("/task/two")
    git.git_checkout("main")
    assert sorted(git.state()["files"]) == ["a.txt", "one"]


def test_a_revert_that_makes_a_file_too_large_is_taken_back(git: GitWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GitWorld, "max_file_bytes", 800)
    lines = "".join(f"line {number}\n" for number in range(60))
    git.write_file("/task/one", lines + "end\n")
    git.git_commit("long")
    git.write_file("/task/one", "end\n")
    git.git_commit("short")
    git.write_file("/task/one", "end\n" + "1\n" * 10 + lines)
    git.git_commit("other")
    git.write_file("/task/kept", "not committed\n")
    git.write_file("/task/a.txt", "changed and not committed\n")
    before = git.state()
    with pytest.raises(ToolError, match="nothing was changed"):
        git.git_revert("HEAD~1")
    assert git.state() == before
