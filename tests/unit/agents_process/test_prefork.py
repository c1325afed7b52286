"""`prefork=yes`: the module is loaded once, lifetimes are forked from it, and every report says so."""

from __future__ import annotations

import asyncio
import textwrap
from typing import Any

import pytest
from tests.unit.agents_process.conftest import Lived, Project

from proctor.agents.lookup import label_of
from proctor.agents.process.availability import availability
from proctor.core.errors import InputError
from proctor.engine.lifetime import live
from proctor.evidence.events import BenchFailed, Submitted
from proctor.spec.system import Boundary, Memory, MemoryPersistence, System
from proctor.worlds.bubblewrap import privileged

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left", "either_host")

AGENT = "python:mine.py:run,prefork=yes,start_seconds=5"


def lives(project: Project, code: str, *, lifetimes: int = 3, at_once: bool = False, **options: Any) -> list[Lived]:
    project.write("mine.py", textwrap.dedent(code))
    bench = project.bench(AGENT, n=lifetimes, **options)

    async def all_of_them() -> list[Lived]:
        try:
            each = [live(bench, bench.plan.lifetime(index)) for index in range(bench.plan.lifetimes)]
            done = await asyncio.gather(*each) if at_once else [await one for one in each]
            return [Lived(record) for records in done for record in records]
        finally:
            await bench.release()

    return asyncio.run(all_of_them())


def answers(lived: list[Lived]) -> list[Any]:
    assert [one.failure for one in lived] == [""] * len(lived)
    return [event.answer for one in lived for event in one.of(Submitted)]


def test_the_module_is_loaded_once_and_the_agent_is_made_for_every_lifetime(project: Project) -> None:
    code = """
        import os, random
        from proctor import Submission

        LOADED_BY = os.getpid()
        DRAWN = random.random()
        MADE = []

        class Agent:
            def __init__(self):
                MADE.append(self)

            def run(self, task, session):
                return Submission([LOADED_BY, os.getpid() != LOADED_BY, len(MADE), str(DRAWN), str(random.random())])

        run = Agent
    """
    lived = answers(lives(project, code))
    assert [answer[1:3] for answer in lived] == [[True, 1]] * 3
    assert len({answer[3] for answer in lived}) == 1
    assert len({answer[4] for answer in lived}) == 3


def test_an_agent_that_behaves_finds_no_file_and_no_process_of_the_one_before(project: Project) -> None:
    code = """
        import glob, os, subprocess
        from proctor import Submission

        def run(task, session):
            found = [path for folder in ("/task", "/tmp", "/dev/shm") for path in glob.glob(f"{folder}/*")]
            for folder in ("/task", "/tmp", "/dev/shm"):
                os.makedirs(f"{folder}/deep/er")
                open(f"{folder}/deep/er/left", "w").close()
            running = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
            subprocess.Popen(["/bin/sleep", "3600"], start_new_session=True)
            return Submission([found, running == [1, os.getppid(), os.getpid()]])
    """
    assert answers(lives(project, code)) == [[[], True]] * 3


def test_its_process_has_no_rights_and_lifetimes_at_once_have_sandboxes_of_their_own(project: Project) -> None:
    code = """
        import ctypes, os, time
        from proctor import Submission

        libc = ctypes.CDLL(None, use_errno=True)
        ALLOWED = [libc.unshare(0x00020000) == 0, libc.mount(b"x", b"/task", b"tmpfs", 0, None) == 0, os.getuid() == 0]
        STATUS = {line.split(":")[0]: line.split()[1] for line in open("/proc/self/status") if line.startswith("Cap")}

        def run(task, session):
            time.sleep(0.3)
            return Submission([ALLOWED, sorted(set(STATUS.values())), os.getuid()])
    """
    lived = answers(lives(project, code, at_once=True))
    assert [answer[:2] for answer in lived] == [[[False, False, False], ["0" * 16]]] * 3
    if privileged():
        assert len({answer[2] for answer in lived}) == 3


@pytest.mark.parametrize(
    ("top", "told"),
    [
        ("import os; os._exit(3)", "ended with status"),
        ("raise ValueError('no key')", "ValueError: no key"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended with status"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_an_agent_that_did_not_start(project: Project, top: str, told: str) -> None:
    """As in a sandbox of its own, and with its own words."""
    availability(AGENT, anew=True)
    project.write("mine.py", f"{top}\ndef run(task, session): pass\n")
    (lived,) = project.examine(AGENT, check=False)
    assert lived.row.reason == "agent_not_started"
    assert told in "".join(event.message for event in lived.of(BenchFailed))


def test_a_sandbox_that_lies_about_its_lifetimes_ends(project: Project) -> None:
    """The user's code has the loaded process in its hands; what it says is not believed, and it cannot block."""
    code = """
        import os, socket
        from proctor import Submission

        fork = os.fork

        def no_fork():
            for number in range(3, 40):
                try:
                    with socket.socket(fileno=os.dup(number)) as somebody:
                        socket.send_fds(somebody, [b"exit 0"], [number, 0, 1])
                except OSError:
                    continue
            import time
            time.sleep(3600)

        os.fork = no_fork

        def run(task, session):
            return Submission(1)
    """
    availability(AGENT, anew=True)
    (lived,) = lives(project, code, lifetimes=1, check=False)
    assert lived.row.reason == "agent_not_started"


def test_the_declared_folder_is_kept_within_a_lifetime_and_not_beyond(project: Project) -> None:
    code = """
        import os
        from proctor import Submission

        def run(task, session):
            seen = sorted(os.listdir("memory"))
            open(f"memory/{len(seen)}", "w").close()
            return Submission(seen)
    """
    system = System(name="s", boundary=Boundary(memory=Memory(persistence=MemoryPersistence.LIFETIME, folder="memory")))
    assert answers(lives(project, code, system=system)) == [[]] * 3


def test_it_is_said_wherever_a_result_appears(project: Project) -> None:
    assert label_of(AGENT) == "prefork: lifetimes share a sandbox"
    assert label_of("python:mine.py:run,prefork=no") == ""


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("cmd:cat,prefork=yes", "is for python: agents"),
        ("python:mine.py:run,prefork=yes,unconfined=yes", "needs a sandbox"),
        ("python:mine.py:run,prefork=maybe", "yes or no"),
    ],
)
def test_what_makes_no_sense_is_refused(project: Project, agent: str, told: str) -> None:
    project.write("mine.py", "def run(task, session): pass")
    with pytest.raises(InputError, match=told):
        project.bench(agent)
