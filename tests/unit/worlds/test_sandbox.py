"""The sandbox does what it says for honest commands, and says what is missing."""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from proctor.core.errors import NotEvaluable
from proctor.worlds import bubblewrap as line
from proctor.worlds.paths import safe_read
from proctor.worlds.sandbox import CommandResult, Limits, PlainFile, Sandbox, available, require

pytestmark = pytest.mark.usefixtures("bubblewrap")


def sh(script: str, **limits: float) -> CommandResult:
    return Sandbox(limits=msgspec.convert(limits, Limits)).run(["/bin/sh", "-c", script])


def test_output_status_and_input() -> None:
    ended = Sandbox().run(["/bin/sh", "-c", "cat; echo oops >&2; exit 7"], stdin=b"given\n")
    assert (ended.code, ended.stdout, ended.stderr, ended.limit, ended.signal) == (7, "given\n", "oops\n", None, None)
    assert not ended.ok
    assert ended.files is None


def test_a_signal_shows_as_one() -> None:
    ended = sh("kill -9 $$")
    assert ended.signal == 9
    assert ended.limit is None


def test_an_unknown_command_is_the_commands_affair() -> None:
    assert Sandbox().run(["/no/such/program"]).code != 0


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert sh(r"printf 'a\377b'").stdout == "a�b"


def test_files_go_in_and_come_back() -> None:
    files = {
        "a.txt": PlainFile(b"one"),
        "old.txt": PlainFile(b"x"),
        "d": None,
        "d/tool": PlainFile(b"y", executable=True),
    }
    script = (
        "pwd; cat a.txt; test -x d/tool || exit 9; rm old.txt; mkdir -p e/f; printf two > e/f/b; ln -s /etc l; mkfifo p"
    )
    ended = Sandbox().run(["/bin/sh", "-c", script], files=files)
    assert (ended.code, ended.stdout) == (0, "/task\none")
    assert ended.files == {
        "a.txt": PlainFile(b"one"),
        "d": None,
        "d/tool": PlainFile(b"y", executable=True),
        "e": None,
        "e/f": None,
        "e/f/b": PlainFile(b"two"),
    }
    assert ended.left_out == ("l", "p")


def test_long_and_odd_names_survive() -> None:
    names = ["x" * 180, "d/" + "y" * 150, "with blank", "ä", "-rf", "*"]
    ended = Sandbox().run(["/bin/true"], files={"d": None, **{name: PlainFile(name.encode()) for name in names}})
    assert ended.files == {"d": None, **{name: PlainFile(name.encode()) for name in names}}


def test_a_stopped_command_gives_no_files_back() -> None:
    sandbox = Sandbox(limits=Limits(seconds=0.3))
    ended = sandbox.run(["/bin/sh", "-c", "echo x > a; sleep 20"], files={"a": PlainFile(b"")})
    assert (ended.limit, ended.files) == ("time", None)


def test_only_declared_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROCTOR_SECRET", "s3cret")
    seen = Sandbox(env={"SHOWN": "yes"}).run(["/usr/bin/env"]).stdout.splitlines()
    assert "SHOWN=yes" in seen
    assert {entry.split("=")[0] for entry in seen} == {"SHOWN", "HOME", "LANG", "PATH", "PWD", "TZ"}


@pytest.mark.parametrize("name", ["LD_PRELOAD", "LD_LIBRARY_PATH", "GLIBC_TUNABLES", "A=B", ""])
def test_variables_that_reach_the_helpers_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="environment variable"):
        Sandbox(env={name: "x"}).run(["/bin/true"])


def test_declared_values_are_not_in_the_hosts_process_list() -> None:
    child = Sandbox(env={"API_KEY": "s3cret-value"}).popen(["/bin/sh", "-c", 'echo "$API_KEY"; sleep 20'])
    try:
        assert child.process.stdout is not None
        assert child.process.stdout.readline() == b"s3cret-value\n"
        lines = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError):
                lines.append(Path(f"/proc/{pid}/cmdline").read_bytes())
        assert any(b"--args" in entry for entry in lines)
        assert not any(b"s3cret-value" in entry for entry in lines)
    finally:
        end(child.process, child.close)


def test_nothing_but_the_three_standard_descriptors() -> None:
    # Descriptor 3 is the listing's own.
    assert sh("ls /proc/self/fd").stdout.split() == ["0", "1", "2", "3"]


def test_read_only_everywhere_but_work_and_tmp() -> None:
    attempts = "for d in / /usr /etc /dev /run /opt; do touch $d/x 2>/dev/null && echo $d; done"
    ended = sh(f"{attempts}; touch /task/x /tmp/x && echo fine")
    assert ended.stdout == "fine\n"


def test_binds_are_read_only_and_writable_ones_are_not(tmp_path: Path) -> None:
    shown, kept = tmp_path / "shown", tmp_path / "kept"
    shown.mkdir()
    kept.mkdir()
    (shown / "a").write_text("seen")
    (kept / "old").write_text("old")
    (tmp_path / "outside").write_text("outside")
    sandbox = Sandbox(binds=[(shown, "/mnt/shown")], writable=[(kept, "/memory")])
    script = "cat /mnt/shown/a; echo x > /mnt/shown/a; echo new >> /memory/old; ln -s ../outside /memory/link; ls /mnt"
    ended = sandbox.run(["/bin/sh", "-c", script])
    assert ended.stdout == "seenshown\n"
    assert (shown / "a").read_text() == "seen"
    assert (kept / "old").read_text() == "oldnew\n"
    assert safe_read(kept, "old", limit=100) == b"oldnew\n"
    assert safe_read(kept, "link", limit=100) is None


def test_interpreter_and_packages_only_when_asked() -> None:
    sandbox = Sandbox(packages=True)
    ended = sandbox.run([sandbox.python, "-c", "import msgspec, sys; print(sys.version_info[:2])"])
    assert ended.ok, ended.stderr
    bare = Sandbox(interpreter=True)
    assert bare.run([bare.python, "-I", "-c", "print(1)"]).stdout == "1\n"
    assert not bare.run([bare.python, "-c", "import msgspec"]).ok


def test_sandboxes_at_the_same_time_do_not_share_limits() -> None:
    results: list[CommandResult] = []
    script = "for i in 1 2 3 4 5 6; do sleep 0.3 & done; wait; echo done"
    threads = [threading.Thread(target=lambda: results.append(sh(script, processes=10))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(ended.stdout, ended.limit) for ended in results] == [("done\n", None)] * 4


def test_a_child_that_lives_on() -> None:
    child = Sandbox().popen(["/bin/cat"])
    try:
        assert child.process.stdin is not None and child.process.stdout is not None
        for word in (b"one\n", b"two\n"):
            child.process.stdin.write(word)
            child.process.stdin.flush()
            assert child.process.stdout.readline() == word
        assert child.over() is None
        child.process.stdin.close()
        assert child.process.wait(5) == 0
    finally:
        end(child.process, child.close)
    assert child.over() is None


def test_a_child_that_lives_on_is_watched() -> None:
    child = Sandbox(limits=Limits(processes=5)).popen(
        ["/bin/sh", "-c", "for i in 1 2 3 4 5 6 7; do sleep 20 & done; wait"]
    )
    try:
        assert eventually(lambda: child.over() == "processes")
    finally:
        end(child.process, child.close)


def test_a_child_for_asyncio() -> None:
    async def talk() -> tuple[bytes, int]:
        child = await Sandbox().start(["/bin/cat"])
        assert child.process.stdin is not None and child.process.stdout is not None
        child.process.stdin.write(b"hello\n")
        answer = await child.process.stdout.readline()
        child.close()
        return answer, await child.process.wait()

    answer, status = asyncio.run(talk())
    assert answer == b"hello\n"
    assert status != 0


def test_a_sandbox_dies_with_the_process_that_started_it(mark: str) -> None:
    reading, writing = os.pipe()

    def start_and_die() -> None:
        child = Sandbox(env={"MARK": mark}).popen(["/bin/sh", "-c", f": {mark}; echo up; exec sleep 60"])
        assert child.process.stdout is not None
        child.process.stdout.readline()
        os.write(writing, b"up")

    parent = forked(start_and_die)
    assert os.read(reading, 100) == b"up"
    os.close(reading)
    os.close(writing)
    os.waitpid(parent, 0)


@pytest.mark.parametrize("wait", [0.0, 0.001, 0.002, 0.003, 0.004, 0.006, 0.01])
def test_killed_at_any_moment_of_its_start_nothing_stays(wait: float, mark: str) -> None:
    for _ in range(4):
        child = Sandbox(env={"MARK": mark}).popen(["/bin/sh", "-c", f": {mark}; sleep 60; true"])
        time.sleep(wait)
        end(child.process, child.close)


def test_as_a_plain_user() -> None:
    """Without root a user namespace does the same; its process count is its own."""
    if os.geteuid() != 0:
        pytest.skip("the other tests ran as a plain user already")

    def examine() -> object:
        os.setresgid(54321, 54321, 54321)
        os.setresuid(54321, 54321, 54321)
        files = {"a": PlainFile(b"in")}
        honest = Sandbox().run(["/bin/sh", "-c", "cat a; echo out > b"], files=files)
        bomb = "i=0; while [ $i -lt 100 ]; do sleep 5 & i=$((i+1)); done; wait"
        many = Sandbox(limits=Limits(processes=20)).run(["/bin/sh", "-c", bomb])
        outside = Sandbox().run(["/bin/sh", "-c", "cat /etc/machine-id /etc/hostname; touch /x /dev/x /etc/x"])
        return [honest.stdout, honest.files is not None and "b" in honest.files, many.limit, many.code, outside.stdout]

    reading, writing = os.pipe()
    child = forked(lambda: os.write(writing, msgspec.json.encode(examine())))
    os.close(writing)
    with open(reading, "rb") as answer:
        stdout, wrote, limit, code, outside = msgspec.json.decode(answer.read())
    os.waitpid(child, 0)
    assert (stdout, wrote, outside) == ("in", True, "")
    assert limit == "processes" or code != 0


def test_root_without_rights_uses_a_user_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "privileged", lambda: False)
    ended = Sandbox().run(
        ["/bin/sh", "-c", "cat a; touch /x 2>/dev/null || echo kept out"], files={"a": PlainFile(b"in\n")}
    )
    assert ended.stdout == "in\nkept out\n"


@pytest.fixture
def without_programs(bubblewrap: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    line.find_helper.cache_clear()
    available.cache_clear()
    monkeypatch.setattr(line, "_TOOL_PATH", "/nonexistent")
    yield
    monkeypatch.undo()
    line.find_helper.cache_clear()
    available.cache_clear()


@pytest.mark.usefixtures("without_programs")
def test_a_machine_without_bubblewrap_says_what_to_install() -> None:
    with pytest.raises(NotEvaluable, match="install bubblewrap"):
        require()
    with pytest.raises(NotEvaluable, match="apt-get"):
        Sandbox().run(["/bin/true"])


def test_a_sandbox_that_cannot_be_made_is_the_hosts_failure(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="could not be started"):
        Sandbox(binds=[(tmp_path / "missing", "/mnt/x")]).run(["/bin/true"])


def test_no_descriptor_is_left_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        Sandbox().run(["/bin/true"], files={"a": PlainFile(b"")})
        with pytest.raises(OSError, match="started"):
            Sandbox(binds=[(Path("/nonexistent"), "/mnt/x")]).run(["/bin/true"])
    assert len(os.listdir("/proc/self/fd")) == before


def forked(action: Callable[[], object]) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        try:
            action()
        finally:
            os._exit(0)
    return pid


def end(process: subprocess.Popen[bytes], close: Callable[[], None]) -> None:
    close()
    process.wait(5)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def eventually(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return holds()
