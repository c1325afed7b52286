"""Sockets out of the sandbox: the agent's process connects, the bench accepts, and nothing else can be reached."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from proctor.agents.process.child import Child
from proctor.agents.process.memory import NOTHING
from proctor.agents.process.options import Options
from proctor.agents.process.ports.handover import LAUNCHER, Handover, launcher_file
from proctor.agents.process.ports.port import Port
from proctor.agents.process.process_host import ProcessHost, Program, SandboxedHost, View
from proctor.agents.process.unsandboxed_host import UnsandboxedHost
from proctor.core.errors import BenchError
from proctor.worlds.sandbox import Limits

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left")

MODEL = Port("model", {"MODEL_URL": "http://127.0.0.1:{port}/v1", "MODEL_KEY": "none"})
TOOLS = Port("tools", {"TOOLS_PORT": "{port}"})
ASK = """
import os, socket, sys
for name in sys.argv[1:]:
    with socket.create_connection(("127.0.0.1", int(os.environ[name].rpartition(":")[2].partition("/")[0]))) as asked:
        asked.sendall(b"from " + name.encode())
        asked.shutdown(socket.SHUT_WR)
        print(asked.makefile().read(), flush=True)
print(sorted(name for name in os.listdir("/proc/self/fd") if int(name) > 2 and os.path.exists("/proc/self/fd/" + name)))
"""
# The folder of descriptors is itself open while it is listed, and closed when it is asked about.
NO_OTHERS = b"[]"

HostKind = Callable[[Program, Options], ProcessHost]
both = pytest.mark.parametrize("kind", [SandboxedHost, UnsandboxedHost])


def options_in(project: Path, memory_folder: str | None = None) -> Options:
    return Options(project, project, False, (), False, Limits(seconds=None), False, {}, memory_folder)


async def said(child: Child, count: int) -> list[bytes]:
    lines: list[bytes] = []
    while len(lines) < count and not (child.output_closed and child.ended):
        await child.wait(5)
        while (line := child.lines.take()) is not None:
            lines.append(line)
    return lines


async def opened(child: Child) -> None:
    while child.ports_pending and not child.ended:
        await child.wait(5)


async def served(host: ProcessHost, lines: int, memory: bytes = NOTHING) -> list[bytes]:
    """Everything that connects is answered with the port's name and what it said."""
    child = host.start(memory)
    servers = []
    try:
        await opened(child)
        for name, listening in child.sockets.items():

            async def answer(
                reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: bytes = name.encode()
            ) -> None:
                writer.write(name + b" heard " + await reader.read())
                await writer.drain()
                writer.close()

            servers.append(await asyncio.start_server(answer, sock=listening))
        return await said(child, lines)
    finally:
        for server in servers:
            server.close()
        await child.release(1.0)
        host.close()


def lived(kind: HostKind, program: Program, project: Path, lines: int) -> list[bytes]:
    return asyncio.run(served(kind(program, options_in(project)), lines))


@both
@pytest.mark.parametrize("start", ["a command", "the same interpreter", "another one"])
def test_a_process_reaches_the_bench_by_its_ports_and_holds_no_other_descriptor(
    kind: HostKind, start: str, tmp_path: Path
) -> None:
    def command(view: View) -> list[str]:
        if start == "a command":
            return ["sh", "-c", 'exec "$0" -c "$1" MODEL_URL TOOLS_PORT', view.python, ASK]
        python = view.python if start == "the same interpreter" else "/usr/bin/env"
        further = ["-I", "-S", "-B"] if start == "the same interpreter" else ["python3"]
        return [python, *further, "-c", ASK, "MODEL_URL", "TOOLS_PORT"]

    first, second, open_ones = lived(kind, Program(command, ports=(MODEL, TOOLS)), tmp_path, 3)
    assert first == b"model heard from MODEL_URL"
    assert second == b"tools heard from TOOLS_PORT"
    assert open_ones == NO_OTHERS


def test_a_memory_folder_is_moved_in_before_the_ports_open(tmp_path: Path) -> None:
    host = SandboxedHost(
        Program(lambda view: ["sh", "-c", "ls; echo $TOOLS_PORT"], ports=(TOOLS,)), options_in(tmp_path, "notes")
    )
    folder, number = asyncio.run(served(host, 2))
    assert folder == b"notes"
    assert int(number) > 0


def test_nothing_but_the_port_can_be_reached_from_a_sandbox(tmp_path: Path) -> None:
    script = """
import os, socket, sys
outside, mine = int(sys.argv[1]), int(os.environ["TOOLS_PORT"])
for host, port in (("127.0.0.1", outside), ("192.0.2.1", 80), ("::1", outside), ("127.0.0.1", mine)):
    try:
        socket.create_connection((host, port), timeout=3).close()
        print(host, port == mine, "connected", flush=True)
    except OSError as error:
        print(host, port == mine, "refused", flush=True)
"""
    with socket.create_server(("127.0.0.1", 0)) as outside:
        number = outside.getsockname()[1]
        program = Program(lambda view: [view.python, "-c", script, str(number)], ports=(TOOLS,))
        lines = lived(SandboxedHost, program, tmp_path, 4)
        outside.setblocking(False)
        with pytest.raises(BlockingIOError):
            outside.accept()
    assert lines == [
        b"127.0.0.1 False refused",
        b"192.0.2.1 False refused",
        b"::1 False refused",
        b"127.0.0.1 True connected",
    ]


@both
def test_sockets_say_that_they_speak_tcp_and_do_not_block(kind: HostKind, tmp_path: Path) -> None:
    async def looked() -> list[tuple[int, bool, bool]]:
        host = kind(Program(lambda view: ["sleep", "60"], ports=(MODEL, TOOLS)), options_in(tmp_path))
        child = host.start(NOTHING)
        await opened(child)
        found = [(each.proto, each.getblocking(), os.get_inheritable(each.fileno())) for each in child.sockets.values()]
        await child.release()
        host.close()
        return found

    assert asyncio.run(looked()) == [(socket.IPPROTO_TCP, False, False)] * 2


def test_an_agent_cannot_listen_where_the_bench_does(tmp_path: Path) -> None:
    script = """
import os, socket
for reuse in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
    with socket.socket() as made:
        made.setsockopt(socket.SOL_SOCKET, reuse, 1)
        try:
            made.bind(("127.0.0.1", int(os.environ["TOOLS_PORT"])))
            made.listen()
            print("took it over", flush=True)
        except OSError as error:
            print(error.strerror, flush=True)
"""
    program = Program(lambda view: [view.python, "-c", script], ports=(TOOLS,))
    assert lived(SandboxedHost, program, tmp_path, 2) == [b"Address already in use"] * 2


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    async def tried() -> tuple[int | None, str]:
        host = SandboxedHost(Program(lambda view: ["no-such-program"], ports=(TOOLS,)), options_in(tmp_path))
        child = host.start(NOTHING)
        while not child.ended:
            await child.wait(5)
        await child.wait(0.1)
        found = child.status, child.stderr
        await child.release()
        host.close()
        return found

    assert asyncio.run(tried()) == (127, "no-such-program: No such file or directory\n")


def test_signals_that_python_ignores_are_not_ignored_by_the_command(tmp_path: Path) -> None:
    program = Program(lambda view: ["sh", "-c", "yes | head -n 1; grep SigIgn /proc/self/status"], ports=(TOOLS,))
    yes, ignored = lived(SandboxedHost, program, tmp_path, 2)
    assert yes == b"y"
    assert int(ignored.split()[1], 16) & (1 << (13 - 1)) == 0


def test_a_launcher_that_cannot_listen_is_the_benchs_trouble(tmp_path: Path) -> None:
    script = tmp_path / "launcher.py"
    # A namespace without an address of its own is stood in for by an address that nobody has.
    script.write_bytes(launcher_file().replace(b"127.0.0.1", b"192.0.2.1"))
    handover = Handover((TOOLS,))
    process = subprocess.Popen(
        [sys.executable, str(script), str(handover.descriptor), "--port", "A={port}", "--", "true"],
        pass_fds=(handover.descriptor,),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    handover.passed()
    child = Child(process, None, handover)
    with pytest.raises(BenchError, match="could not listen on its own loopback: "):
        asyncio.run(opened(child))
    child.release_now(grace=5)
    assert child.status == 125


def test_a_loopback_that_is_down_is_brought_up(tmp_path: Path) -> None:
    script = tmp_path / "launcher.py"
    script.write_bytes(launcher_file())
    apart = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*apart, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no network namespace can be made here")
    handover = Handover((TOOLS,))
    command = handover.command(sys.executable, str(tmp_path), ["true"])
    done = subprocess.run(
        [*apart, *[str(script) if word.endswith(LAUNCHER) else word for word in command]],
        pass_fds=(handover.descriptor,),
        capture_output=True,
        check=True,
    )
    assert handover.receive()
    assert list(handover.sockets) == ["tools"]
    handover.close()
    assert done.stderr == b""


def test_a_launcher_that_is_killed_leaves_no_sockets(tmp_path: Path) -> None:
    handover = Handover((TOOLS,))
    process = subprocess.Popen(
        ["true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    handover.passed()
    child = Child(process, None, handover)
    while child.ports_pending:
        child.wait_now(5)
    assert child.sockets == {}
    child.release_now()


def test_a_thousand_lifetimes_leave_no_descriptor(tmp_path: Path) -> None:
    def descriptors() -> set[str]:
        return set(os.listdir("/proc/self/fd"))

    host = UnsandboxedHost(Program(lambda view: ["true"], ports=(MODEL, TOOLS)), options_in(tmp_path))
    confined = SandboxedHost(Program(lambda view: ["true"], ports=(MODEL, TOOLS)), options_in(tmp_path))
    _life(host)
    _life(confined)
    before = descriptors()
    for number in range(1000):
        # A sandbox takes a while; what the bench holds of one is the same every time.
        _life(confined if number % 50 == 0 else host)
    assert descriptors() == before
    host.close()
    confined.close()


def _life(host: ProcessHost) -> None:
    child = host.start(NOTHING)
    while child.ports_pending:
        child.wait_now(5)
    assert set(child.sockets) == {"model", "tools"}
    child.release_now()
    host.leave()
