"""Agents that misbehave: each is its own failure, costs little time, and leaves nothing behind."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from proctor.agents.process import lines
from proctor.evidence.events import AgentFailed, BenchFailed, Said
from proctor.evidence.row import FAILURE, INFRASTRUCTURE, LIMIT, SUCCESS
from proctor.spec.system import System

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left", "either_host")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo I think the answer is 42", "is no message (it is not JSON): I think the answer is 42"),
        ("head -c 5000000 /dev/zero | tr '\\0' x", "a line of more than 4 MiB"),
        ('while echo \'{"type":"say","text":"la"}\'; do :; done', "lines in one episode"),
        ("while head -c 100000 /dev/zero; do echo; done", "is no message"),
        ("printf '\\377\\376\\n'", "is no message"),
        ('echo \'{"type":"memory"}\'', "was not sent"),
        ('echo \'{"type":"usage","cost":"free"}\'', "no amount of money"),
    ],
)
def test_garbage_and_floods(script: str, message: str, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_EPISODE_LINES", 300)
    project.write("agent.sh", f"read -r task\n{script}\nsleep 600\n")
    began = time.monotonic()
    (lived,) = project.examine("cmd:sh agent.sh")
    assert time.monotonic() - began < 120, "it sleeps for 600"
    assert (lived.row.outcome, lived.row.reason) == (FAILURE, "agent_protocol")
    assert message in lived.failure
    if "lines in" in message:
        assert len(lived.of(Said)) == 300


@pytest.mark.parametrize(
    ("text", "reason", "message"),
    [
        ("return object()", "agent_protocol", "the agent returned object; it has to return a Submission"),
        ("return Submission(object())", "agent_protocol", "the submission is not JSON"),
        ("return Submission(float('nan'))", "agent_protocol", "the submission is not JSON"),
        ("raise KeyError('x')", "agent_crashed", "KeyError: 'x'"),
        ("raise SystemExit(5)", "agent_crashed", "ended with status 5"),
        ("raise LimitReached('actions')", "agent_crashed", "the declared limit on actions is reached"),
        ("import os; os._exit(7)", "agent_crashed", "ended with status 7"),
        ("import os; os.kill(os.getpid(), 9)", "agent_crashed", "ended with status 137"),
        ("import os; os.write(4, b'junk' * 9 + bytes([10]))", "agent_protocol", "is no message"),
    ],
)
def test_bad_endings_are_the_agents_failure(text: str, reason: str, message: str, project: Project) -> None:
    project.write(
        "mine.py",
        f"from proctor import LimitReached, Submission\ndef run(task, session):\n    {text}\n    session.say('on')",
    )
    (lived,) = project.examine("python:mine.py:run")
    assert (lived.row.outcome, lived.row.reason) == (FAILURE, reason)
    assert message in lived.failure


def test_an_agent_that_closes_its_output(project: Project) -> None:
    # In a sandbox the pipe is held open from outside the agent, and time ends the episode instead.
    project.write("agent.sh", 'echo \'{"type":"ready"}\'; read -r task; exec >&-; sleep 60\n')
    (lived,) = project.examine("cmd:sh agent.sh,unconfined=yes")
    assert "closed its output before it submitted" in lived.failure


def test_an_agent_that_hangs_is_cut_off_and_started_again(project: Project) -> None:
    text = """
        import time
        from proctor import Submission

        def run(task, session):
            session.say(str(session.budget.milliseconds))
            session.call("number", index=0)
            session.say(str(session.budget.milliseconds))
            time.sleep(600)

        class Once:
            lived = 0

            def run(self, task, session):
                self.lived += 1
                if self.lived == 2:
                    time.sleep(600)
                return Submission(self.lived)
    """
    project.write("mine.py", text)
    began = time.monotonic()
    (lived,) = project.examine("python:mine.py:run", knobs={"milliseconds": 700}, seconds=2)
    assert (lived.row.outcome, lived.row.reason) == (LIMIT, "wall_clock")
    # What is declared, and shown, is logical time: however long it takes, only the tool's own time is gone.
    assert [said.text for said in lived.of(Said)] == ["700", "600"]
    episodes = project.examine("python:mine.py:Once", program=[{"episodes": 4}], seconds=2)
    assert time.monotonic() - began < 120, "it sleeps for 600"
    # A new process knows nothing of the old one.
    assert [episode.row.answer for episode in episodes] == ["1", None, "1", None]


def test_an_agent_that_waits_for_a_slow_tool_is_cut_off_too(project: Project) -> None:
    project.write("mine.py", "async def run(task, session):\n    await session.call('never')\n")
    (lived,) = project.examine("python:mine.py:run", seconds=2)
    assert (lived.row.outcome, lived.row.reason) == (LIMIT, "wall_clock")


def test_a_world_that_breaks_under_a_call_of_its_own_is_its_failure(project: Project) -> None:
    """The family's own solver gets through: whoever finds the call that breaks a world gains nothing by it."""
    project.write("mine.py", "async def run(task, session):\n    await session.call('broken')\n")
    (lived,) = project.examine("python:mine.py:run")
    assert (lived.row.outcome, lived.row.reason) == ("failure", "world_broke")
    assert "the world's own fault" in lived.of(AgentFailed)[0].message


def test_an_agent_that_is_never_ready_is_given_up(project: Project) -> None:
    project.write("agent.sh", "sleep 60\n")
    began = time.monotonic()
    lived = project.examine("cmd:sh agent.sh,start_seconds=1", n=12)
    assert time.monotonic() - began >= 3 * 1, "three tries are made"
    assert {(episode.row.outcome, episode.row.reason) for episode in lived} == {(INFRASTRUCTURE, "agent_not_started")}
    # The same words whether it was tried or not: the record must not depend on who tried.
    (said,) = {event.message for episode in lived for event in episode.of(BenchFailed)}
    assert "not ready within 1 s of its start" in said
    assert ",start_seconds=N" in said
    # Another run tries again.
    began = time.monotonic()
    project.examine("cmd:sh agent.sh,start_seconds=1", n=1)
    assert time.monotonic() - began >= 1


NOTES = System.model_validate({"name": "x", "boundary": {"memory": {"persistence": "lifetime", "folder": "notes"}}})
STARTS_AT_TIMES = """
import os, sys, json
if os.path.exists("notes/seen"):
    sys.exit("I would rather not")
print(json.dumps({{"type": "ready"}}) if {ready} else json.dumps({{"type": "say", "text": "up"}}), flush=True)
input()
open("notes/seen", "w").close()
{then}
"""


@pytest.mark.parametrize("ready", [True, False])
def test_one_that_was_up_in_this_lifetime_cannot_avoid_a_task_by_not_starting(project: Project, ready: bool) -> None:
    project.write("agent.py", STARTS_AT_TIMES.format(ready=ready, then="os._exit(3)"))
    lived = project.examine("cmd:python3 agent.py", program=[{"episodes": 3}], system=NOTES)
    assert [episode.row.reason for episode in lived] == ["agent_crashed"] * 3
    assert {episode.row.outcome for episode in lived} == {FAILURE}


def test_a_command_that_was_up_before_cannot_avoid_a_task_that_it_saw(project: Project) -> None:
    # It is shown the task at once, and leaves without a word whenever it does not like it.
    text = """
        import json, sys
        task = json.loads(sys.stdin.readline())
        if int(task["nonce"], 16) % 2:
            sys.exit(1)
        print(json.dumps({"type": "submit", "answer": 1}), flush=True)
        sys.stdin.read()
    """
    project.write("agent.py", text)
    lived = project.examine("cmd:python3 agent.py", n=12)
    reasons = [episode.row.reason for episode in lived]
    assert "agent_crashed" in reasons
    first = next(place for place, episode in enumerate(lived) if episode.row.answer is not None)
    assert "agent_not_started" not in reasons[first:], "only before anybody knew that it can start"


def test_a_python_agent_that_does_not_start_has_seen_no_task(project: Project) -> None:
    project.write("mine.py", "import no_such_package\n")
    lived = project.examine("python:mine.py:run", n=2, check=False)
    assert {(one.row.outcome, one.row.reason) for one in lived} == {(INFRASTRUCTURE, "agent_not_started")}
    assert "No module named 'no_such_package'" in lived[0].of(BenchFailed)[0].message


def test_a_slow_start_is_waited_for_as_long_as_declared(project: Project) -> None:
    project.write(
        "agent.sh",
        'sleep 1.5; echo \'{"type":"ready"}\'; read -r a; echo \'{"type":"submit","answer":5}\'; cat >/dev/null\n',
    )
    (missed,) = project.examine("cmd:sh agent.sh,start_seconds=1", n=1)
    assert missed.row.reason == "agent_not_started"
    (lived,) = project.examine("cmd:sh agent.sh,start_seconds=30", n=1)
    assert lived.row.answer == "5"


def test_an_agent_that_says_ready_may_think_longer(project: Project) -> None:
    project.write(
        "agent.sh",
        'echo \'{"type":"ready"}\'; read -r a; sleep 1.5; echo \'{"type":"submit","answer":5}\'; cat >/dev/null\n',
    )
    lived = project.examine("cmd:sh agent.sh,start_seconds=1", n=2)
    assert [episode.row.answer for episode in lived] == ["5", "5"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x = bytearray(300_000_000); time.sleep(600)", "memory=128", "more than 128 MiB of memory"),
        ("[os.fork() or time.sleep(600) for _ in range(20)]; time.sleep(600)", "processes=8", "8 processes and"),
        ("[os.mkdir(f'/task/{n}') for n in range(10_001)]; time.sleep(600)", "memory=256", "more than 10000 files"),
        ("open('/task/big', 'wb').write(bytes(9_000_000))", "disk=4", "agent_crashed"),
    ],
)
def test_limits_hold(text: str, options: str, message: str, project: Project) -> None:
    project.write("mine.py", f"import os, time\ndef run(task, session):\n    {text}\n    session.say('on')\n")
    began = time.monotonic()
    (lived,) = project.examine(f"python:mine.py:run,{options}")
    assert time.monotonic() - began < 120, "it sleeps for 600"
    assert lived.row.outcome == FAILURE
    assert message in lived.failure + lived.row.reason


def test_the_same_run_gives_the_same_record(project: Project) -> None:
    text = """
        import asyncio
        from proctor import Submission

        async def run(task, session):
            session.say("start")
            results = await asyncio.gather(*(session.call("number", index=place) for place in range(3)))
            session.state.write("plan", [result.value for result in results])
            if results[0].value % 3 == 0:
                raise ValueError(f"not today, {task.nonce}")
            return Submission(sum(result.value for result in results), 0.5)
    """
    project.write("mine.py", text)
    first, second = (project.examine("python:mine.py:run", n=6) for _ in range(2))
    assert [lived.row.head for lived in first] == [lived.row.head for lived in second]
    assert {lived.row.outcome for lived in first} == {SUCCESS, FAILURE}
