"""Clients that do what they should not: each is one recorded outcome, and the bench goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.agents_mcp.conftest import ADDS
from tests.unit.agents_process.conftest import Project

from proctor.agents.contract import ServiceFailure
from proctor.agents.mcp_client import agent as mcp_agent
from proctor.core.errors import InputError
from proctor.evidence.events import BenchFailed, Called
from proctor.spec.system import Boundary, Memory, MemoryPersistence, System

Write = Callable[[str], str]

ENDINGS: dict[str, tuple[str, str, str, str]] = {
    "never submits": ("client = Client()\nclient.call('number', index=0)", "failure", "agent_crashed", "status 0"),
    "dies": (
        "client = Client()\nsys.exit('no more ideas')",
        "failure",
        "agent_crashed",
        "status 1 before it submitted: no more",
    ),
    "submits nonsense and leaves": (
        "client = Client()\nclient.call('submit', reply=1)\nclient.call('submit')",
        "failure",
        "agent_crashed",
        "before it submitted",
    ),
    "floods stdout": (
        "client = Client()\nline = 'x' * 1000000\nwhile True: print(line)",
        "failure",
        "agent_protocol",
        "more than 64 MiB",
    ),
    "uses too much memory": (
        "import time\nclient = Client()\nkept = bytearray(1 << 30)\nkept[::4096] = b'x' * (1 << 18)\ntime.sleep(60)",
        "failure",
        "agent_crashed",
        "it used more than",
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_without_a_submission_is_the_agents(project: Project, plain: Write, name: str) -> None:
    text, outcome, reason, words = ENDINGS[name]
    [lived] = project.examine(f"{plain(text)},memory=512")
    assert (lived.row.outcome, lived.row.reason) == (outcome, reason), lived.failure
    assert words in lived.failure


def test_a_limit_ends_the_episode_of_a_client_that_goes_on(project: Project, plain: Write) -> None:
    [lived] = project.examine(
        plain("client = Client()\nwhile True: client.call('number', index=0)"), knobs={"actions": 2}
    )
    assert (lived.row.outcome, lived.row.reason, lived.row.calls) == ("limit", "actions", 2)


def test_a_client_that_leaves_at_a_limit_was_ended_by_it(project: Project, plain: Write) -> None:
    text = "client = Client()\nwhile not client.call('number', index=0)['isError']: pass"
    [lived] = project.examine(plain(text), knobs={"actions": 2})
    assert (lived.row.outcome, lived.row.reason) == ("limit", "actions")


def test_after_a_limit_something_can_still_be_handed_in(project: Project, plain: Write) -> None:
    text = """
        client = Client()
        client.call("number", index=0)
        said = client.call("number", index=0)["structuredContent"]
        client.call("submit", answer=said["limit"])
        """
    [lived] = project.examine(plain(text), knobs={"actions": 1})
    assert (lived.row.outcome, lived.row.answer) == ("limit", '"actions"')


def test_only_the_first_submission_counts_and_nothing_after_it(project: Project, plain: Write) -> None:
    text = """
        client = Client()
        client.call("submit", answer=1)
        while True:
            client.call("submit", answer=2)
            client.call("number", index=0)
            client.call("read_task")
            client.ask("tools/list")
        """
    [lived] = project.examine(plain(text))
    assert (lived.row.answer, lived.row.calls) == ("1", 0)


def test_two_sessions_act_in_one_episode(project: Project, plain: Write) -> None:
    text = """
        import threading
        one, two = Client(), Client()
        seen = []
        work = [threading.Thread(target=lambda c=c: seen.append(c.value("together", count=2))) for c in (one, two)]
        for thread in work: thread.start()
        for thread in work: thread.join()
        one.call("submit", answer=seen)
        two.call("submit", answer="late")
        """
    [lived] = project.examine(plain(text))
    assert (lived.row.answer, lived.row.calls) == ("[2,2]", 2)


def test_a_broken_connection_does_not_break_off_a_call(project: Project, plain: Write) -> None:
    text = """
        import socket, time
        client = Client()
        host, port = URL.split("/")[2].split(":")
        body = json.dumps({"jsonrpc": "2.0", "id": 99, "method": "tools/call",
                           "params": {"name": "together", "arguments": {"count": 2}}})
        head = (f"POST /{URL.split('/', 3)[3]} HTTP/1.1\\r\\nHost: {host}:{port}\\r\\n"
                f"Content-Type: application/json\\r\\nAccept: application/json, text/event-stream\\r\\n"
                f"Mcp-Session-Id: {client.session}\\r\\n"
                f"Content-Length: {len(body)}\\r\\n\\r\\n")
        rude = socket.create_connection((host, int(port)))
        rude.sendall((head + body).encode())
        while client.value("read_task")["budget"]["actions"] == 10: time.sleep(0.01)
        rude.close()
        client.call("submit", answer=client.value("together", count=2))
        """
    [lived] = project.examine(plain(text), knobs={"actions": 10})
    assert (lived.row.answer, lived.row.calls, lived.row.violations) == ("2", 2, None)


def test_floods_of_connections_garbage_and_large_requests_are_survived(project: Project, plain: Write) -> None:
    text = """
        import shlex, socket, subprocess
        client = Client()
        host, port = URL.split("/")[2].split(":")
        held = []
        for _ in range(500):
            try: held.append(socket.create_connection((host, int(port)), timeout=5))
            except OSError: break
        for each in held: each.close()
        garbage = socket.create_connection((host, int(port)))
        garbage.sendall(b"\\x00\\xff" * 1000 + b"\\r\\n\\r\\n")
        statuses = []
        for url, body in ((URL, b"x" * 5_000_000), (URL.replace("/mcp", "/nothing"), b"{}"), (URL, b"{"), (URL, b"[]")):
            try:
                urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"}))
            except (urllib.error.HTTPError, OSError) as error:
                statuses.append(getattr(error, "code", 0))
        shim = shlex.split(os.environ["PROCTOR_MCP_COMMAND"])
        said = subprocess.run(shim, input=b"x" * 5_000_000 + b"\\n", capture_output=True, timeout=30).stdout
        subprocess.run([*shim[:-1], shim[-1] + "wrong"], input=b"{}\\n", capture_output=True, timeout=30)
        client.call("submit", answer=[len(held) > 60, [status >= 400 or status == 0 for status in statuses]])
        """
    [lived] = project.examine(plain(text))
    assert lived.row.answer == "[true,[true,true,true,true]]", lived.failure


def test_more_requests_than_an_episode_may_have(
    project: Project, plain: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proctor.agents.mcp_client.episode.MAX_EPISODE_LINES", 20)
    [lived] = project.examine(plain("client = Client()\nwhile True: client.ask('tools/list')"))
    assert lived.row.reason == "agent_protocol"
    assert "more than 20 requests" in lived.failure


def test_a_world_that_breaks_at_its_call_is_the_clients_failure(project: Project, plain: Write) -> None:
    [lived] = project.examine(plain("client = Client()\nclient.call('broken')\nclient.call('submit', answer=1)"))
    assert (lived.row.outcome, lived.row.reason) == ("failure", "world_broke")


NOT_STARTED = {
    "missing module": ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
    "leaves": ("sys.exit(0)", "ended with status 0 before it submitted"),
    "does not ask": ("import time\ntime.sleep(600)", "asked its MCP server for nothing within 1 s"),
}


@pytest.mark.parametrize("name", NOT_STARTED)
def test_a_client_that_asks_for_nothing_was_told_nothing(project: Project, plain: Write, name: str) -> None:
    text, words = NOT_STARTED[name]
    [lived] = project.examine(f"{plain(text)},start_seconds=1")
    assert (lived.row.outcome, lived.row.reason) == ("infrastructure", "agent_not_started")
    assert words in lived.of(BenchFailed)[0].message


def test_later_in_a_lifetime_it_is_the_agents_failure(project: Project, plain: Write) -> None:
    text = """
        from pathlib import Path
        if Path("memory/been").exists():
            sys.exit("once was enough")
        Path("memory/been").touch()
        client = Client()
        client.call("submit", answer=0)
        """
    memory = Memory(persistence=MemoryPersistence.LIFETIME, folder="memory")
    system = System(name="it", boundary=Boundary(memory=memory))
    first, second = project.examine(plain(text), system=system, program=[{"phase": "p", "episodes": 2}])
    assert first.row.reason == "wrong"
    assert (second.row.outcome, second.row.reason) == ("failure", "agent_unavailable")


def test_the_fifth_miss_in_a_row_is_final(project: Project, plain: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[bool] = []
    original = mcp_agent.McpAgent._not_started

    def noted(self: mcp_agent.McpAgent, why: str) -> Any:
        failure = original(self, why)
        assert isinstance(failure, ServiceFailure)
        raised.append(failure.final)
        return failure

    monkeypatch.setattr(mcp_agent.McpAgent, "_not_started", noted)
    project.examine(plain("sys.exit(3)"), n=5)
    assert raised == [False] * 4 + [True]


def test_nothing_is_left_behind(project: Project, plain: Write, nothing_left: Callable[[], list[str]]) -> None:
    text = """
        import subprocess
        client = Client()
        subprocess.Popen(["sleep", "600"])
        client.call("submit", answer=sum(client.value("number", index=i) for i in range(3)))
        import time
        time.sleep(600)
        """
    lived = project.examine(plain(text), n=2)
    assert [one.row.outcome for one in lived] == ["success"] * 2
    assert nothing_left() == []


def test_calls_are_recorded_like_anybodys(project: Project, plain: Write) -> None:
    [lived] = project.examine(plain(ADDS))
    assert [(event.tool, event.arguments) for event in lived.of(Called)] == [
        ("number", {"index": index}) for index in range(3)
    ]
    assert json.loads(lived.row.violations or "{}") == {}


REFUSED = {
    "mcp": "names no command; write mcp:./my_agent",
    "mcp:python3 nothing.py,stays=perhaps": "stays is yes or no",
    "mcp:./missing": "there is no such file",
    "mcp:python3 -V,speed=9": "has no option 'speed'",
}


@pytest.mark.parametrize("agent", REFUSED)
def test_what_makes_no_sense_is_refused(project: Project, agent: str) -> None:
    with pytest.raises(InputError) as refused:
        project.bench(agent)
    assert REFUSED[agent] in str(refused.value)


def test_without_the_sdk_one_sentence_says_what_to_install(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proctor.agents.mcp_client.program.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'proctor\[agents\]'"):
        project.bench("mcp:python3 -V")
