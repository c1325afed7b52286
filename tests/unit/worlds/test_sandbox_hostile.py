"""What a hostile command tries, one test each: it must fail, and the host must not notice.

Bombs are small on purpose: even if a limit did not hold, each stops by itself.
"""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path
from textwrap import dedent

import msgspec
import pytest

from proctor.worlds import sandbox as module
from proctor.worlds.sandbox import CommandResult, Limits, PlainFile, Sandbox
from proctor.worlds.watch import MiB, Watch

pytestmark = pytest.mark.usefixtures("bubblewrap")

_MARK = {"MARK": f"proctor-test-{os.getpid()}"}


def sh(script: str, **limits: float) -> CommandResult:
    return Sandbox(limits=msgspec.convert(limits, Limits), env=_MARK).run(["/bin/sh", "-c", script])


def py(script: str, *, network: bool = False, **limits: float) -> CommandResult:
    sandbox = Sandbox(limits=msgspec.convert(limits, Limits), env=_MARK, interpreter=True, network=network)
    return sandbox.run([sandbox.python, "-I", "-c", dedent(script)])


@pytest.mark.parametrize(
    "way", ["{path}", "/proc/1/root{path}", "/proc/self/root{path}", "/proc/self/cwd/..{path}", "/task/..{path}"]
)
def test_host_files_cannot_be_read(way: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    secret.chmod(0o644)
    for path in (secret, Path(__file__), Path("/etc/shadow"), Path("/etc/machine-id")):
        ended = sh(f"cat '{way.format(path=path)}'")
        assert not ended.ok
        assert ended.stdout == ""


def test_the_host_is_not_even_named() -> None:
    listing = sh("ls / /home /root /mnt /srv /var /sys 2>/dev/null; ls /etc").stdout.split()
    assert not {"home", "mnt", "srv", "var", "sys"} & set(listing)
    assert set(listing[listing.index("usr") + 1 :]) <= {"alternatives", "group", "hosts", "ld.so.cache", "passwd"}
    assert "secret" not in sh("hostname; cat /proc/sys/kernel/hostname").stdout
    assert sh("hostname").stdout in ("sandbox\n", "")


def test_no_rights_and_none_to_be_had() -> None:
    status = sh("grep -E '^(Uid|Cap|NoNewPrivs|Seccomp):?' /proc/self/status; id -u").stdout
    assert "NoNewPrivs:\t1" in status
    assert "CapEff:\t0000000000000000" in status
    for attempt in ("unshare -U true", "unshare -rm true", "mount -t tmpfs x /mnt", "chroot / true", "mknod n b 8 0"):
        assert not sh(attempt).ok, attempt


def test_other_processes_are_neither_seen_nor_reached() -> None:
    assert int(sh("ls -d /proc/[0-9]* | wc -l").stdout) < 8
    assert not sh(f"kill -0 {os.getpid()}").ok or os.getpid() < 8


def test_no_network() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = (
            f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2); print('through')"
        )
        assert py(script).stdout == ""
        # The same attempt with the network shared gets through: the test can tell the difference.
        assert py(script, network=True).stdout == "through\n"


def test_no_unix_socket_outside(tmp_path: Path) -> None:
    name = f"\0proctor-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as named:
        abstract.bind(name)
        abstract.listen()
        named.bind(str(tmp_path / "s"))
        named.listen()
        for address in (name, str(tmp_path / "s")):
            ended = py(f"import socket; socket.socket(socket.AF_UNIX).connect({address!r}); print('through')")
            assert ended.stdout == ""
            assert "Error" in ended.stderr


def test_sockets_that_ignore_namespaces_are_refused() -> None:
    ended = py("import socket; socket.socket(40, socket.SOCK_STREAM)")
    assert "Address family not supported" in ended.stderr
    assert py("import socket; socket.socket(socket.AF_INET6); socket.socketpair(); print('fine')").stdout == "fine\n"


def test_memory_that_no_process_owns_is_refused() -> None:
    assert "Function not implemented" in py("import os; os.memfd_create('x')").stderr


@pytest.mark.usefixtures("mark")
def test_a_fork_bomb_is_stopped() -> None:
    ended = py("import os\nfor _ in range(9): os.fork()\nimport time; time.sleep(20)", processes=48, seconds=5)
    assert ended.limit == "processes"
    assert ended.seconds < 4


@pytest.mark.usefixtures("mark")
def test_the_kernel_stops_a_fork_bomb_even_if_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watch, "over", lambda self: None)
    script = """
        import os
        n = 0
        try:
          for _ in range(200):
            if os.fork() == 0: os.read(os.pipe()[0], 1)
            n += 1
        except BlockingIOError: pass
        print(n)
    """
    ended = py(script, processes=40, seconds=5)
    assert 30 <= int(ended.stdout) < 60


@pytest.mark.usefixtures("mark")
def test_threads_count_as_processes() -> None:
    script = """
        import threading, time
        for _ in range(70): threading.Thread(target=time.sleep, args=(20,)).start()
    """
    assert py(script, processes=32, seconds=5).limit == "processes"


@pytest.mark.parametrize("where", ["/task", "/tmp", "/dev/shm"])
def test_the_disk_cannot_be_filled(where: str) -> None:
    script = f"for i in 1 2 3 4 5 6 7 8; do head -c 5000000 /dev/zero > {where}/f$i; done; du -sk {where} | cut -f1"
    ended = sh(script, disk=16 * MiB)
    assert "No space left" in ended.stderr
    assert int(ended.stdout) <= 16 * 1024


def test_files_deleted_while_open_count_too() -> None:
    script = """
        fds = []
        import os
        for i in range(40):
          f = open('x', 'wb'); os.unlink('x'); f.write(bytes(10**6)); f.flush(); fds.append(f)
        print('through')
    """
    ended = py(script, disk=16 * MiB)
    assert ended.stdout == ""
    assert "No space left" in ended.stderr


def test_one_file_cannot_grow_without_end() -> None:
    ended = sh("head -c 5000000 /dev/zero > f", file=1_000_000)
    assert not ended.ok


def test_too_many_files_are_stopped() -> None:
    script = "for i in range(200000): open(f'/tmp/{i}', 'w').close()"
    assert py(script, files=500, seconds=10).limit == "files"


def test_too_many_files_left_behind_are_not_read_back() -> None:
    sandbox = Sandbox(limits=Limits(files=300), interpreter=True)
    ended = sandbox.run([sandbox.python, "-c", "for i in range(290): open(f'{i}', 'w').close()"], files={})
    assert ended.limit is None and ended.files is not None and len(ended.files) == 290
    ended = sandbox.run([sandbox.python, "-c", "for i in range(400): open(f'{i}', 'w').close()"], files={})
    assert ended.files is None


def test_a_deep_tree_does_no_harm() -> None:
    script = """
        import os
        for i in range(3000): os.mkdir('d'); os.chdir('d')
    """
    sandbox = Sandbox(interpreter=True)
    ended = sandbox.run([sandbox.python, "-c", dedent(script)], files={"a": PlainFile(b"1")})
    assert ended.files is None or max(path.count("/") for path in ended.files) < 40


def test_a_memory_hog_is_stopped() -> None:
    script = """
        kept = []
        import time
        for _ in range(40): kept.append(bytearray(b'x') * 10_000_000); time.sleep(0.01)
        print('through')
    """
    ended = py(script, memory=100 * MiB)
    assert (ended.limit, ended.stdout) == ("memory", "")


def test_many_small_hogs_are_one_hog() -> None:
    script = """
        import os, time
        for _ in range(12):
          if os.fork() == 0: kept = bytearray(b'x') * 20_000_000; time.sleep(10); os._exit(0)
        time.sleep(10)
    """
    assert py(script, memory=100 * MiB, seconds=5).limit == "memory"


def test_pages_shared_by_a_family_count_once() -> None:
    script = """
        import os, time
        kept = bytearray(b'x') * 40_000_000
        for _ in range(6):
          if os.fork() == 0: time.sleep(0.4); os._exit(0)
        for _ in range(6): os.wait()
        print('fine')
    """
    assert py(script, memory=150 * MiB).stdout == "fine\n"


def test_one_huge_allocation_is_refused_to_the_program() -> None:
    assert "MemoryError" in py("bytearray(4 << 30)").stderr


@pytest.mark.usefixtures("mark")
def test_a_spinning_process_is_stopped() -> None:
    assert sh("while :; do :; done", cpu=0.5, seconds=10).limit == "cpu"


def test_spinning_in_turns_does_not_help() -> None:
    script = """
        import os, time
        for _ in range(100):
          if os.fork() == 0:
            end = time.process_time() + 0.1
            while time.process_time() < end: pass
            os._exit(0)
          os.wait()
    """
    ended = py(script, cpu=0.6, seconds=12)
    assert ended.limit == "cpu"


@pytest.mark.usefixtures("mark")
def test_a_sleeper_is_stopped_with_its_children() -> None:
    ended = sh("(setsid sleep 60 &) ; trap '' TERM INT HUP; sleep 60", seconds=0.4)
    assert ended.limit == "time"
    assert ended.seconds < 2


@pytest.mark.usefixtures("mark")
def test_what_stays_in_the_background_ends_with_the_command() -> None:
    ended = sh("setsid sleep 60 & echo started", seconds=5)
    assert (ended.stdout, ended.limit) == ("started\n", None)
    assert ended.seconds < 2


@pytest.mark.parametrize("stream", ["1", "2"])
def test_endless_output_is_cut_and_stopped(stream: str) -> None:
    ended = sh(f"yes >&{stream}", output=10_000)
    assert ended.limit == "output" and ended.truncated
    assert len(ended.stdout) + len(ended.stderr) == 10_000


def test_long_output_is_cut_but_the_command_goes_on() -> None:
    ended = sh("head -c 50000 /dev/zero | tr '\\0' x; exit 3", output=10_000)
    assert (ended.code, ended.limit, ended.truncated, len(ended.stdout)) == (3, None, True, 10_000)


def test_closing_its_output_does_not_hide_a_command() -> None:
    ended = sh("exec >&- 2>&-; sleep 60", seconds=0.4)
    assert ended.limit == "time"


def test_killing_everything_inside_only_hurts_itself() -> None:
    ended = Sandbox().run(["/bin/sh", "-c", "echo x > a; kill -9 -1"], files={"a": PlainFile(b"1")})
    assert ended.files is None
    assert ended.code != 0


def test_the_way_out_cannot_be_taken_over() -> None:
    """The descriptor that carries the files back belongs to the shell around the command."""
    script = "for p in /proc/[0-9]*; do for f in $p/fd/*; do echo forged > $f; done; done 2>/dev/null; exit 0"
    ended = Sandbox().run(["/bin/sh", "-c", script + " >/dev/null"], files={"a": PlainFile(b"1")})
    assert ended.files is None or ended.files == {"a": PlainFile(b"1")}


def test_a_program_in_the_work_directory_does_not_replace_the_helpers() -> None:
    fake = PlainFile(b"#!/bin/sh\necho forged\n", executable=True)
    sandbox = Sandbox(env={"PATH": "/task:/usr/bin:/bin"})
    ended = sandbox.run(["/bin/true"], files={"tar": fake, "setpriv": fake, "prlimit": fake, "sh": fake})
    assert ended.stdout == ""
    assert ended.files is not None and len(ended.files) == 4


def test_the_bench_holds_no_more_than_it_keeps() -> None:
    """A flood from many threads at once does not build up in the reader."""
    ended: list[CommandResult] = []
    threads = [threading.Thread(target=lambda: ended.append(sh("yes", output=1000))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(one.stdout) for one in ended] == [1000] * 3


def test_the_public_names() -> None:
    assert {"Sandbox", "CommandResult", "Limits", "available", "require"} <= set(module.__all__)
