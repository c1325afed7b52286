"""The warm pool: what it shares, when it starts anew, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.unit.agents_process.conftest import Lived, Project

from proctor.agents.kind import AgentString
from proctor.agents.process.options import Options
from proctor.agents.process.pool import pool as pools
from proctor.agents.process.pool import zygote
from proctor.agents.process.pool.host import PooledHost
from proctor.agents.process.pool.zygote import NoZygote, Zygote
from proctor.agents.process.process_host import ProcessHost, Program, SandboxedHost
from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.evidence.events import Submitted
from proctor.worlds.bubblewrap import privileged

pytestmark = [
    pytest.mark.usefixtures("bubblewrap", "nothing_left"),
    pytest.mark.skipif(not privileged(), reason="only root can fork agents from a warm interpreter"),
]

TELL = """
    import os, sys
    from proctor import Submission

    def run(task, session):
        shown = open("/proc/self/cmdline").read()
        return Submission([str(hash("text")), sorted(os.environ), sys.argv, sys.orig_argv[0], shown])
"""


def handed_in(bench: Bench, *lifetimes: int) -> list[Any]:
    async def lives() -> list[Lived]:
        return [Lived(record) for index in lifetimes for record in await live(bench, bench.plan.lifetime(index))]

    lived = asyncio.run(lives())
    assert [one.failure for one in lived] == [""] * len(lifetimes)
    return [event.answer for one in lived for event in one.of(Submitted)]


def release(bench: Bench) -> None:
    asyncio.run(bench.release())


def watched(monkeypatch: pytest.MonkeyPatch) -> list[ProcessHost]:
    """Every host that is handed out from now on."""
    hosts: list[ProcessHost] = []
    host = pools.Pool.host

    def noted(self: pools.Pool, agent: AgentString, program: Program, options: Options) -> ProcessHost:
        hosts.append(host(self, agent, program, options))
        return hosts[-1]

    monkeypatch.setattr(pools.Pool, "host", noted)
    return hosts


def first_child() -> int:
    """The oldest sandbox of this process, which may have other children."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return next(int(child) for child in children if Path(f"/proc/{child}/comm").read_text().strip() == "bwrap")


def zygote_of(sandbox: int) -> int:
    """The process in the sandbox's first process."""
    for _ in range(2):
        sandbox = int(Path(f"/proc/{sandbox}/task/{sandbox}/children").read_text().split()[0])
    return sandbox


def test_lifetimes_share_one_interpreter_and_look_as_if_they_did_not(project: Project) -> None:
    project.write("tell.py", TELL)
    bench = project.bench("python:tell.py:run", n=3)
    (first, *rest) = handed_in(bench, 0, 1, 2)
    assert rest == [first] * 2
    assert first[1] == ["HOME", "LANG", "PATH", "PWD", "TZ"]
    assert first[2] == ["/agent/tell.py"]
    assert first[4].split("\0")[:5] == [first[3], "-I", "-S", "-B", "-c"]
    release(bench)


def test_both_hosts_show_the_same(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        import os, subprocess, sys
        from proctor import Submission

        def run(task, session):
            seen = {name: os.stat(name).st_mode for name in ("/task", "/tmp", "/dev/shm", "/proc", "/etc/passwd")}
            listed = [sorted(os.listdir(f)) for f in ("/", "/etc", "/dev", "/opt", "/agent", "/task", "/opt/proctor")]
            mounts = sorted(line.split()[4] + line.split()[5] for line in open("/proc/self/mountinfo"))
            names = sorted(vars(sys.modules["__main__"]))
            umask = os.umask(0)
            ids = [os.getpid(), os.getppid(), os.getsid(0), os.getpgid(0), umask, os.getcwd(), os.getpriority(0, 0)]
            told = ("Sig", "Cap", "Seccomp", "NoNew")
            handlers = [line for line in open("/proc/self/status") if line.startswith(told)]
            more = [sys.flags, sys.path, sys.argv, sys.orig_argv, open("/proc/self/cmdline").read(), sys.executable]
            more += [open(f"/proc/{p}/comm").read() for p in ("self", 1)] + [sys.prefix, dict(os.environ)]
            limits = open("/proc/self/limits").read()
            queued = [line for line in handlers if "SigQ" not in line]
            return Submission([seen, listed, mounts, names, ids, queued, repr(more), limits, __name__, __file__])
    """
    project.write("tell.py", text)
    bench = project.bench("python:tell.py:run")
    forked = handed_in(bench, 0)
    release(bench)
    monkeypatch.setattr(pools, "may_fork", lambda: False)
    assert handed_in(bench, 0) == forked


def test_an_interpreter_serves_only_so_many_lifetimes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zygote, "LIFETIMES", 2)
    project.write("tell.py", TELL)
    bench = project.bench("python:tell.py:run", n=5)
    seeds = [answer[0] for answer in handed_in(bench, 0, 1, 2, 3, 4)]
    sandbox = first_child()
    assert seeds[0] == seeds[1]
    assert seeds[2] == seeds[3]
    assert len(set(seeds)) == 3
    # In the sandbox that it was started in: nothing but the interpreter is started anew.
    assert first_child() == sandbox
    release(bench)


def test_a_zygote_that_died_is_replaced(project: Project) -> None:
    project.write("tell.py", TELL)
    bench = project.bench("python:tell.py:run", n=2)
    handed_in(bench, 0)
    sandbox = first_child()
    os.kill(zygote_of(sandbox), signal.SIGKILL)
    os.waitid(os.P_PID, sandbox, os.WEXITED | os.WNOWAIT)
    handed_in(bench, 1)
    release(bench)


def test_a_zygote_that_dies_under_a_lifetime_is_nobodys_failure(project: Project) -> None:
    text = """
        import time
        from proctor import Submission

        def run(task, session):
            session.call("number", index=0)
            time.sleep(30)
            return Submission(1)
    """
    project.write("slow.py", text)
    bench = project.bench("python:slow.py:run")

    async def killed() -> Lived:
        task = asyncio.create_task(live(bench, bench.plan.lifetime(0)))
        while not Path(f"/proc/self/task/{os.getpid()}/children").read_text():
            await asyncio.sleep(0.01)
        await asyncio.sleep(1.0)
        os.kill(zygote_of(first_child()), signal.SIGKILL)
        return Lived((await task)[0])

    assert asyncio.run(killed()).row.outcome == "infrastructure"
    release(bench)


def test_changed_files_and_another_system_get_another_zygote(project: Project) -> None:
    project.write("mine.py", "from proctor import Submission\ndef run(task, session): return Submission(1)")
    bench = project.bench("python:mine.py:run")
    assert handed_in(bench, 0) == [1]
    project.write("mine.py", "from proctor import Submission\ndef run(task, session): return Submission(22)")
    assert handed_in(bench, 0) == [22]
    release(bench)


def test_where_it_cannot_be_had_every_lifetime_has_a_sandbox_of_its_own(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Zygote) -> None:
        raise NoZygote("no namespaces here")

    monkeypatch.setattr(Zygote, "_meet", refused)
    fresh = pools.Pool()
    monkeypatch.setattr("proctor.agents.process.opening.pool", fresh)
    hosts = watched(monkeypatch)
    project.write("tell.py", TELL)
    handed_in(project.bench("python:tell.py:run", n=2), 0, 1)
    assert [type(one) for one in hosts] == [SandboxedHost] * 2


def test_as_root_python_agents_are_forked_and_commands_are_not(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = watched(monkeypatch)
    project.write("tell.py", TELL)
    project.examine("python:tell.py:run")
    project.examine("cmd:sh -c 'cat >/dev/null'")
    assert [type(one) for one in hosts] == [PooledHost, SandboxedHost]


def test_the_end_of_an_agent_is_an_end_like_any_other(project: Project) -> None:
    """What runs at exit runs, in the same order as at the end of any interpreter."""
    text = """
        import atexit, os, sys, threading, time
        from proctor import Submission

        class Last:
            def __del__(self):
                os.write(2, b"[deleted]")

        kept = Last()
        kept.itself = kept
        atexit.register(lambda: os.write(2, b"[atexit]"))
        threading.Thread(target=lambda: (time.sleep(0.1), os.write(2, b"[thread]"))).start()

        class Agent:
            def run(self, task, session):
                return Submission(1)

            def close(self):
                os.write(2, b"[close]")
                sys.stdout.write("[flushed]")
    """
    project.write("mine.py", text)
    bench = project.bench("python:mine.py:Agent")
    said: list[str] = []

    async def lived() -> None:
        agent = bench.open_agent(bench.plan.lifetime(0))
        child = agent._host.start(b"")  # type: ignore[attr-defined]
        while not child.spoke:
            await child.wait(1.0)
            child.spoke = child.lines.take() is not None
        await child.release(5.0)
        said.append(child.stderr)
        assert child.status == 0
        await agent.close()  # type: ignore[attr-defined]

    asyncio.run(lived())
    release(bench)
    assert said == ["[close][thread][atexit][flushed][deleted]"]
