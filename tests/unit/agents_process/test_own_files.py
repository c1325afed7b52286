"""What of an agent's files identifies it: all that it can read, and nothing that is covered."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.process.command import command_source
from proctor.agents.process.own_files import covered_in, own_hash
from proctor.agents.process.python_agent import python_source
from proctor.core.errors import InputError
from proctor.core.hashing import tree_hash
from proctor.core.seeds import Stream
from proctor.spec.system import System


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    lib = tmp_path / "lib"
    (lib / "sub").mkdir(parents=True)
    (lib / "helper.py").write_text("LIMIT = 100\n")
    (lib / "sub" / "data.txt").write_text("one\n")
    (lib / "sub-z.txt").write_text("two\n")
    return lib


def put(name: str, text: str = "x") -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    return change


def environment(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        put(f"{name}/pyvenv.cfg", "home = /usr/bin")(folder)
        put(f"{name}/lib/python3.11/site-packages/one.py")(folder)

    return change


def test_of_plain_files_the_hash_is_what_it_always_was(lib: Path) -> None:
    assert own_hash(lib) == tree_hash(lib)
    assert own_hash(lib / "helper.py") == tree_hash(lib / "helper.py")


@pytest.mark.parametrize(
    "change",
    [
        put(".limit"),
        put(".hidden/limit"),
        put("sub/.limit"),
        put(".gitignore"),
        put(".venv/limit"),
        put("helper.pyc"),
        put("__PYCACHE__/helper.cpython-311.pyc"),
        put(".Git/HEAD"),
        # A worktree's file, or somebody's.
        put(".git"),
        put("__pycache__"),
        environment("limit-100000"),
        lambda folder: (folder / "limit-100000").mkdir(),
        put("limit-100000/__pycache__/x.pyc"),
        lambda folder: (folder / "other").symlink_to("sub"),
        lambda folder: (folder / "other").symlink_to("/somewhere/else"),
        lambda folder: (folder / "__pycache__").symlink_to("sub"),
        lambda folder: (folder / ".venv").symlink_to("sub"),
        lambda folder: os.mkfifo(folder / "pipe"),
    ],
)
def test_everything_that_can_be_read_counts(lib: Path, change: Callable[[Path], object]) -> None:
    before = own_hash(lib)
    change(lib)
    assert own_hash(lib) != before


def test_where_a_link_leads_counts_though_the_contents_are_the_same(lib: Path) -> None:
    (lib / "one").mkdir()
    (lib / "two").mkdir()
    (lib / "chosen").symlink_to("one")
    before = own_hash(lib)
    (lib / "chosen").unlink()
    (lib / "chosen").symlink_to("two")
    assert own_hash(lib) != before


@pytest.mark.parametrize(
    ("change", "covered"),
    [
        (put("__pycache__/helper.cpython-311.pyc"), "__pycache__"),
        (put("sub/__pycache__/data.pyc"), "sub/__pycache__"),
        (put(".git/HEAD"), ".git"),
        (put("sub/.git/HEAD"), "sub/.git"),
        (put(".mypy_cache/x"), ".mypy_cache"),
        (put(".pytest_cache/x"), ".pytest_cache"),
        (put(".ruff_cache/x"), ".ruff_cache"),
        (environment(".venv"), ".venv"),
        (environment("sub/venv"), "sub/venv"),
    ],
)
def test_what_is_covered_does_not_count(lib: Path, change: Callable[[Path], object], covered: str) -> None:
    before = own_hash(lib)
    change(lib)
    assert own_hash(lib) == before
    assert covered_in(lib) == (covered,)


def test_of_an_environment_by_another_name_the_name_counts_and_its_contents_do_not(lib: Path) -> None:
    environment("env")(lib)
    before = own_hash(lib)
    put("env/lib/python3.11/site-packages/two.py")(lib)
    assert own_hash(lib) == before
    assert covered_in(lib) == ("env",)


def test_a_folder_that_is_named_itself_counts_whatever_its_name(lib: Path) -> None:
    put(".git/HEAD", "one")(lib)
    before = own_hash(lib / ".git")
    put(".git/HEAD", "two")(lib)
    assert own_hash(lib / ".git") != before


def test_a_folder_that_cannot_be_read_is_said(lib: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(InputError, match="cannot be read"):
        own_hash(lib)


def source(project: Path, text: str) -> str | None:
    agent = AgentString.parse(text)
    context = AgentContext(System(name="s"), Stream.keyed("check"), (0,), project)
    return (command_source if agent.kind == "cmd" else python_source)(agent, context)


@pytest.mark.parametrize(
    "agent",
    [
        "python:helper:run,folder=lib",
        "python:helper.py:run,folder=lib",
        "python:mine.py:run,include=lib",
        "cmd:/bin/sh mine.py,include=lib",
        "cmd:/bin/sh helper.py,folder=lib",
    ],
)
def test_agents_of_every_kind_are_identified_by_their_dot_files(lib: Path, agent: str) -> None:
    (lib.parent / "mine.py").write_text("def run(task, session): ...\n")
    before = source(lib.parent, agent)
    put("__pycache__/helper.cpython-311.pyc")(lib)
    put(".git/HEAD")(lib)
    assert source(lib.parent, agent) == before
    put("sub/.limit", "100")(lib)
    limited = source(lib.parent, agent)
    put("sub/.limit", "100000")(lib)
    assert len({before, limited, source(lib.parent, agent)}) == 3


def test_an_environment_counts_whole_where_the_command_is_in_it(lib: Path) -> None:
    environment(".venv")(lib)
    (lib / ".venv" / "bin").mkdir()
    (lib / ".venv" / "bin" / "python").symlink_to("/bin/sh")
    agent = "cmd:.venv/bin/python helper.py,folder=lib"
    before = source(lib.parent, agent)
    put(".venv/lib/python3.11/site-packages/two.py")(lib)
    assert source(lib.parent, agent) != before


def test_what_an_environment_holds_stands_not_against_showing_the_folder_around_it(lib: Path) -> None:
    environment(".venv")(lib)
    put(".venv/lib/python3.11/site-packages/family.py", "from proctor.engine.family import Draw")(lib)
    agent = "python:helper:run,folder=lib"
    assert source(lib.parent, agent) is not None
