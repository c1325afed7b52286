"""The world with a shell: what commands change is taken over, with care; verifiers run things only in a sandbox."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from proctor.core.errors import ToolError
from proctor.spec.task import Instance
from proctor.worlds.git import GitWorld
from proctor.worlds.sandbox import Limits
from proctor.worlds.shell import ShellWorld, run_pristine
from proctor.worlds.world import Place

_LOOK = "import sys\nsys.path.insert(0, '/task')\n"

pytestmark = pytest.mark.usefixtures("bubblewrap")


class SmallWorld(ShellWorld):
    max_file_bytes = 20_000
    max_total_bytes = 50_000
    max_entries = 20


class CodeWorld(GitWorld, ShellWorld):
    """A shell and a repository."""


@pytest.fixture
def world(instance: Instance, place: Place) -> ShellWorld:
    world = ShellWorld(instance, place)
    world.populate({"a.txt": "one\n", "d/b.txt": "two\n"})
    return world


def call(world: ShellWorld, name: str, **arguments: Any) -> Any:
    tool = world.tools[name]
    result = asyncio.run(world.apply(tool, tool.check(arguments)))
    assert result.ok
    return result.value


def run(world: ShellWorld, command: str, **arguments: Any) -> Any:
    return call(world, "run", command=command, **arguments)


def test_what_a_command_changes_stays(world: ShellWorld) -> None:
    world.place.clock.advance(5_000)
    answer = run(world, "pwd; cat a.txt; echo three > c.txt; rm d/b.txt; rmdir d; mkdir e; mv a.txt e; exit 4")
    assert answer == {"exit_code": 4, "stdout": "/task\none\n", "stderr": ""}
    assert sorted(world.state()) == ["c.txt", "e/a.txt"]
    assert call(world, "read_file", path="c.txt") == "three\n"
    assert {entry["modified"] for entry in call(world, "list_files", recursive=True)} == {"2026-01-01T00:00:05Z"}


def test_what_it_leaves_alone_keeps_its_time(world: ShellWorld) -> None:
    world.place.clock.advance(5_000)
    run(world, "touch a.txt; echo more >> d/b.txt")
    times = {entry["path"]: entry["modified"] for entry in call(world, "list_files", recursive=True)}
    assert times["/task/a.txt"] == "2026-01-01T00:00:00Z"
    assert times["/task/d/b.txt"] == "2026-01-01T00:00:05Z"


def test_files_may_become_directories_and_the_other_way(world: ShellWorld) -> None:
    run(world, "rm a.txt; mkdir a.txt; echo x > a.txt/in; rm -r d; echo y > d; chmod +x d")
    assert sorted(world.state()) == ["a.txt/in", "d"]
    assert run(world, "./d; test -x d && echo executable")["stdout"] == "executable\n"


def test_python_is_there(world: ShellWorld) -> None:
    answer = run(world, 'python3 -c \'print(open("a.txt").read(), end="")\'')
    assert (answer["exit_code"], answer["stdout"]) == (0, "one\n")


def test_links_and_odd_names_are_not_kept(world: ShellWorld) -> None:
    links = "ln -s /etc/passwd link; ln -s . self; mkfifo p"
    answer = run(world, f"{links}; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; printf x > 'a\nb'")
    assert answer["not_kept"] == [".git", ".git/hooks", ".git/hooks/pre-commit", "a\nb", "link", "p", "self"]
    assert sorted(os.listdir(world.files.real)) == ["a.txt", "d"]


def test_nothing_outside(world: ShellWorld) -> None:
    secret = world.place.directory / "secret"
    secret.write_text("s3cret")
    for path in (str(secret), "/proc/self/root" + str(secret), "../secret", "/etc/shadow", str(Path(__file__))):
        answer = run(world, f"cat '{path}'; cd /task && cat '{path}'")
        assert answer["stdout"] == ""
    places = run(world, "cat /proc/self/mountinfo; env; ls -la /")["stdout"]
    assert str(world.place.directory) not in places


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo x > a.txt; sleep 30", "longer than 1 seconds"),
        ("echo x > a.txt; yes", "too much output"),
        ("echo x > a.txt; kill -9 -1", "ended its own shell"),
    ],
)
def test_a_stopped_command_changes_nothing(world: ShellWorld, command: str, said: str) -> None:
    before = world.state_hash()
    answer = run(world, command, timeout_seconds=1)
    assert said in answer["stopped"]
    assert "no file was changed" in answer["stopped"]
    assert world.state_hash() == before


def test_output_is_cut_with_a_notice(world: ShellWorld) -> None:
    answer = run(world, "head -c 100000 /dev/zero | tr '\\0' x")
    assert len(answer["stdout"]) == world.max_output_bytes
    assert "only the first" in answer["notice"]


@pytest.mark.parametrize(
    "command",
    [
        "head -c 30000 /dev/zero > big",
        "for i in 1 2 3 4; do head -c 15000 /dev/zero > f$i; done",
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do touch f$i; done",
    ],
)
def test_what_is_too_much_is_not_taken_over(instance: Instance, place: Place, command: str) -> None:
    world = SmallWorld(instance, place)
    world.populate({"a": "1"})
    with pytest.raises(ToolError, match="nothing was changed"):
        run(world, f"rm a; {command}")
    assert sorted(world.state()) == ["a"]


def test_a_full_disk_is_the_commands_own_trouble(instance: Instance, place: Place) -> None:
    world = SmallWorld(instance, place)
    answer = run(world, "head -c 1000000 /dev/zero > big; rm big; echo done")
    assert "stopped" not in answer
    assert answer["stdout"] == "done\n"


def test_calls_at_the_same_time_do_not_undo_each_other(world: ShellWorld) -> None:
    async def both() -> None:
        running = world.tools["run"]
        writing = world.tools["write_file"]
        slow = asyncio.create_task(world.apply(running, running.check({"command": "sleep 0.3; echo 1 > one"})))
        also = asyncio.create_task(world.apply(running, running.check({"command": "echo 2 > two; ls"})))
        await asyncio.sleep(0.1)
        await world.apply(writing, writing.check({"path": "three", "text": "3"}))
        await asyncio.gather(slow, also)

    asyncio.run(both())
    assert sorted(world.state()) == ["a.txt", "d/b.txt", "one", "three", "two"]


def test_a_command_may_hold_anything_but_nul(world: ShellWorld) -> None:
    assert run(world, "echo 'ä€'")["stdout"] == "ä€\n"
    assert run(world, "echo '\ud800'")["exit_code"] == 0
    with pytest.raises(ToolError, match="NUL"):
        run(world, "echo \0")


def test_the_output_is_declared_unstable(world: ShellWorld) -> None:
    assert world.tools["run"].stable is False
    assert world.tools["run"].is_async


def test_a_shell_and_a_repository(instance: Instance, place: Place) -> None:
    world = CodeWorld(instance, place)
    world.populate({"a.txt": "one\n"})
    run(
        world,
        "echo two >> a.txt; mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch /tmp/x' > .git/hooks/post-commit; ls -a",
    )
    assert call(world, "git_status") == "## main\n M a.txt\n"
    call(world, "git_commit", message="Two")
    assert world.commit_files() == {"a.txt": b"one\ntwo\n"}


def test_a_pristine_check_of_what_was_left() -> None:
    solution = "def double(x):\n    return 2 * x\n"
    check = _LOOK + "from solution import double\nfor line in sys.stdin: print(double(int(line)))\n"
    ended = run_pristine(
        {"solution.py": solution}, ["{python}", "-I", "/check/check.py"], check={"check.py": check}, stdin=b"2\n21\n"
    )
    assert (ended.stdout, ended.code) == ("4\n42\n", 0), ended.stderr


def test_what_was_left_cannot_touch_the_check_or_the_host(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    hostile = dedent(f"""
        import os, sys
        for path in ("/check/check.py", "/check/new.py", {str(witness)!r}):
            try:
                open(path, "w").write("print(42)")
            except OSError as error:
                print(type(error).__name__)
        sys.stdout.flush()
        os._exit(0)
    """)
    ended = run_pristine(
        {"solution.py": hostile, "sitecustomize.py": "print('loaded')", "conftest.py": "print('loaded')"},
        ["{python}", "-I", "/check/check.py"],
        check={"check.py": _LOOK + "import solution\nprint('passed')\n"},
        limits=Limits(seconds=5),
    )
    # Status 0, as it wished; but the output is not the expected one, and that is what a verifier compares.
    assert ended.code == 0
    assert "passed" not in ended.stdout and "loaded" not in ended.stdout
    assert len(ended.stdout.split()) == 3
    assert not witness.exists()
