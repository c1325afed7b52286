"""The repository world: honest git, no way to make it run something, and the same ids everywhere."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from proctor.core.clock import Clock
from proctor.core.errors import NotEvaluable, ToolError
from proctor.spec.task import Instance
from proctor.worlds import git as module
from proctor.worlds.git import GitWorld
from proctor.worlds.world import Place


@pytest.fixture
def world(instance: Instance, place: Place) -> GitWorld:
    world = GitWorld(instance, place)
    world.populate({"a.txt": "one\n", "d/b.txt": "two\n"})
    return world


def call(world: GitWorld, name: str, /, **arguments: Any) -> Any:
    tool = world.tools[name]
    result = asyncio.run(world.apply(tool, tool.check(arguments)))
    assert result.ok
    return result.value


def commit(world: GitWorld, path: str, text: str, message: str) -> str:
    world.place.clock.advance(60_000)
    call(world, "write_file", path=path, text=text)
    identity = call(world, "git_commit", message=message)
    assert isinstance(identity, str)
    return identity


def test_a_days_work(world: GitWorld) -> None:
    assert call(world, "git_status") == "## main\n"
    call(world, "write_file", path="a.txt", text="changed\n")
    call(world, "write_file", path="new.txt", text="new\n")
    assert call(world, "git_status") == "## main\n M a.txt\n?? new.txt\n"
    diff = call(world, "git_diff")
    assert "-one\n+changed\n" in diff and "+new\n" in diff
    assert call(world, "git_diff", path="d") == ""
    assert call(world, "git_status") == "## main\n M a.txt\n?? new.txt\n"
    identity = call(world, "git_commit", message="Change\n\nwith a body")
    log = call(world, "git_log").splitlines()
    assert log[0] == f"{identity} 2026-01-01T00:00:00Z Agent Change"
    assert len(log) == 2
    shown = call(world, "git_show", revision=identity)
    assert "with a body" in shown and "+changed" in shown
    assert world.commit_files() == {"a.txt": b"changed\n", "d/b.txt": b"two\n", "new.txt": b"new\n"}
    assert world.commit_files("HEAD~1") == {"a.txt": b"one\n", "d/b.txt": b"two\n"}
    assert world.commit_files("nothing") is None


def test_branches(world: GitWorld) -> None:
    call(world, "git_branch", name="feature/x")
    call(world, "git_checkout", branch="feature/x")
    commit(world, "a.txt", "feature\n", "Feature")
    assert call(world, "git_branches") == ["* feature/x", "main"]
    call(world, "git_checkout", branch="main")
    assert call(world, "read_file", path="a.txt") == "one\n"
    call(world, "write_file", path="a.txt", text="mine\n")
    with pytest.raises(ToolError, match="overwritten"):
        call(world, "git_checkout", branch="feature/x")
    call(world, "git_restore", path="a.txt")
    assert call(world, "read_file", path="a.txt") == "one\n"
    call(world, "git_restore", path="/task", revision="feature/x")
    assert call(world, "read_file", path="a.txt") == "feature\n"


def test_reverting(world: GitWorld) -> None:
    first = commit(world, "a.txt", "second\n", "Second")
    commit(world, "c.txt", "third\n", "Third")
    call(world, "git_revert", revision=first)
    assert call(world, "read_file", path="a.txt") == "one\n"
    commit(world, "a.txt", "fourth\n", "Fourth")
    with pytest.raises(ToolError, match="git:"):
        call(world, "git_revert", revision=first)
    assert call(world, "git_status") == "## main\n"
    assert call(world, "read_file", path="a.txt") == "fourth\n"


def test_a_change_in_the_same_instant_and_size_is_noticed(world: GitWorld) -> None:
    for text in ("aaa\n", "bbb\n", "ccc\n"):
        call(world, "write_file", path="a.txt", text=text)
        assert " M a.txt" in call(world, "git_status")
        call(world, "git_commit", message=text)
    assert world.commit_files("HEAD~1") == {"a.txt": b"bbb\n", "d/b.txt": b"two\n"}


def test_times_follow_the_logical_clock_also_where_git_writes(world: GitWorld) -> None:
    call(world, "git_branch", name="x")
    commit(world, "a.txt", "later\n", "Later")
    world.place.clock.advance(60_000)
    call(world, "git_checkout", branch="x")
    times = {entry["path"]: entry["modified"] for entry in call(world, "list_files", recursive=True)}
    assert times["/task/a.txt"] == "2026-01-01T00:02:00Z"
    assert times["/task/d/b.txt"] == "2026-01-01T00:00:00Z"


def test_the_same_work_gives_the_same_ids(instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[str, str, str]] = []
    for name in ("one", "two"):
        monkeypatch.setenv("GIT_AUTHOR_NAME", name)
        monkeypatch.setenv("TZ", f"X{len(found)}")
        (tmp_path / name).mkdir()
        world = GitWorld(instance, Place(Clock(datetime(2026, 5, 1, tzinfo=UTC)), root=tmp_path / name))
        world.populate({"z.txt": "1", "a/b": "2"})
        found.append((commit(world, "z.txt", "2", "Two"), world.state_hash(), call(world, "git_log")))
        world.place.close()
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("git_commit", {"message": "nothing new"}, "nothing to commit"),
        ("git_commit", {"message": "  \n"}, "message"),
        ("git_checkout", {"branch": "missing"}, "git:"),
        ("git_checkout", {"branch": "--orphan"}, "not a branch"),
        ("git_branch", {"name": "--upload-pack=x"}, "not a name"),
        ("git_branch", {"name": "a..b"}, "git:"),
        ("git_branch", {"name": "main"}, "git:"),
        ("git_show", {"revision": "--ext-diff"}, "no commit"),
        ("git_show", {"revision": "missing"}, "no commit"),
        ("git_show", {"revision": "HEAD:a.txt"}, "no commit"),
        ("git_diff", {"revision": "HEAD..HEAD"}, "no commit"),
        ("git_diff", {"revision": "-O/etc/passwd"}, "no commit"),
        ("git_diff", {"path": "../x"}, "leads out"),
        ("git_diff", {"path": "/etc"}, "outside"),
        ("git_restore", {"path": "missing.txt"}, "git:"),
        ("git_revert", {"revision": "main@{1}"}, "no commit"),
    ],
)
def test_mistakes_are_answered(world: GitWorld, name: str, arguments: dict[str, Any], said: str) -> None:
    before = world.state_hash()
    with pytest.raises(ToolError, match=said) as caught:
        call(world, name, **arguments)
    assert str(world.place.directory) not in str(caught.value)
    assert world.state_hash() == before


@pytest.mark.parametrize(
    "path", [".git/config", ".git/hooks/pre-commit", ".GIT/config", "d/.git/config", ".git", "git~1/x"]
)
def test_the_repository_is_out_of_reach(world: GitWorld, path: str) -> None:
    for name, arguments in (
        ("write_file", {"path": path, "text": "x"}),
        ("read_file", {"path": path}),
        ("make_directory", {"path": path}),
        ("move_file", {"source": "a.txt", "target": path}),
    ):
        with pytest.raises(ToolError, match="version control"):
            call(world, name, **arguments)
    with pytest.raises(ToolError):
        call(world, "read_file", path="../repository/config")
    assert not (world.files.real / ".git").exists()


def test_nothing_an_agent_leaves_makes_git_run_a_program(world: GitWorld, tmp_path: Path) -> None:
    """Attributes that name drivers, with drivers of those names configured wherever git might look, and hooks."""
    witness = tmp_path / "witness"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{witness}'\ncat 2>/dev/null\n")
    program.chmod(0o755)
    config = (
        f'[diff "x"]\n command = {program}\n textconv = {program}\n'
        f'[filter "x"]\n clean = {program}\n smudge = {program}\n required = true\n'
        f"[core]\n fsmonitor = {program}\n hooksPath = {tmp_path}/hooks\n pager = {program}\n editor = {program}\n"
    )
    call(world, "write_file", path=".gitattributes", text="* diff=x filter=x merge=x export-ignore\n")
    call(
        world,
        "write_file",
        path=".gitmodules",
        text='[submodule "s"]\n path = d\n url = ext::sh -c touch% x\n update = !touch x\n',
    )
    call(world, "write_file", path=".gitconfig", text=config)
    (tmp_path / "hooks").mkdir()
    hooks = world.place.directory / "repository" / "hooks"
    hooks.mkdir(exist_ok=True)
    for folder in (hooks, tmp_path / "hooks"):
        for hook in (
            "pre-commit",
            "post-commit",
            "post-checkout",
            "commit-msg",
            "prepare-commit-msg",
            "post-index-change",
        ):
            (folder / hook).write_text(program.read_text())
            (folder / hook).chmod(0o755)
    call(world, "git_status")
    call(world, "git_diff")
    identity = commit(world, "a.txt", "changed\n", "Change")
    call(world, "git_show")
    call(world, "git_log")
    call(world, "git_branch", name="x", revision="HEAD~1")
    call(world, "git_checkout", branch="x")
    call(world, "git_checkout", branch="main")
    call(world, "git_revert", revision=identity)
    assert world.commit_files(identity) is not None
    assert not witness.exists()


def test_hooks_would_run_without_the_settings(world: GitWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: with the settings gone, a planted hook does run."""
    witness = tmp_path / "witness"
    hook = world.place.directory / "repository" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{witness}'\n")
    hook.chmod(0o755)
    commit(world, "a.txt", "1\n", "One")
    assert not witness.exists()
    monkeypatch.setattr(module, "_SETTINGS", ())
    commit(world, "a.txt", "2\n", "Two")
    assert witness.exists()


def test_a_nested_repository_is_not_entered(world: GitWorld, tmp_path: Path) -> None:
    """Even if one got there past the tools, its configuration starts nothing."""
    witness = tmp_path / "witness"
    nested = world.files.real / "sub" / ".git"
    nested.mkdir(parents=True)
    (nested / "HEAD").write_text("ref: refs/heads/main\n")
    (nested / "config").write_text(f"[core]\n repositoryformatversion = 0\n fsmonitor = touch '{witness}'\n")
    for name in ("objects", "refs"):
        (nested / name).mkdir()
    (world.files.real / "sub" / "f").write_text("x")
    for name in ("git_status", "git_diff"):
        try:
            call(world, name)
        except ToolError:
            continue
    assert not witness.exists()


def test_exporting_ignores_attributes(world: GitWorld, tmp_path: Path) -> None:
    commit(world, ".gitattributes", "* export-ignore\na.txt export-subst ident\n", "Hide")
    assert world.export("HEAD", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_text() == "one\n"
    assert (tmp_path / "out" / "d" / "b.txt").read_text() == "two\n"
    assert not world.export("nothing", tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_the_hosts_configuration_has_no_say(world: GitWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitconfig").write_text("[user]\n name = Somebody Else\n[commit]\n gpgSign = true\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / ".gitconfig"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    commit(world, "a.txt", "x\n", "X")
    assert "Agent X" in call(world, "git_log")


def test_long_output_is_cut(world: GitWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GitWorld, "max_output_bytes", 200)
    call(world, "write_file", path="a.txt", text="x\n" * 500)
    diff = call(world, "git_diff")
    assert len(diff) < 300 and "only the first 200 bytes" in diff


def test_no_git_no_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    module.git_binary.cache_clear()
    monkeypatch.setattr(os, "environ", {"PATH": "/nonexistent"})
    with pytest.raises(NotEvaluable, match="install"):
        module.git_binary()
    module.git_binary.cache_clear()
