"""Coding agents that misbehave: each is one recorded outcome, and never the end of the run."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.unit.agents_process.conftest import Project

from proctor.evidence.events import AgentFailed, BenchFailed, Called

HELLO = """
for message in messages():
    method, identity = message.get("method"), message.get("id")
    if method == "initialize":
        send(id=identity, result={"protocolVersion": 1})
    elif method == "session/new":
        send(id=identity, result={"sessionId": "1"})
    elif method == "session/prompt":
"""


def hostile(act: str) -> str:
    return HELLO + "\n".join(f"        {line}" for line in act.strip().splitlines()) + "\n"


@pytest.mark.parametrize(
    ("act", "reason", "said"),
    [
        ("sys.exit(3)", "agent_crashed", "ended with status 3"),
        ("print('x' * 40_000_000, flush=True)", "agent_protocol", "a line of more than"),
        ("send(id=identity, error={'code': -32603, 'message': 'boom'})", "agent_protocol", "boom"),
        ("x = [bytearray(10**8) for _ in range(30)]\nimport time; time.sleep(60)", "agent_crashed", ""),
    ],
)
def test_what_it_does_wrong_is_its_failure(
    project: Project, plain: Callable[[str], str], act: str, reason: str, said: str
) -> None:
    [lived] = project.examine(plain(hostile(act)))
    assert (lived.row.outcome, lived.row.reason) == ("failure", reason), lived.failure
    assert said in lived.of(AgentFailed)[0].message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sys.exit(7)", "ended with status 7"),
        ("import nothing_of_this_name", "nothing_of_this_name"),
        ("for message in messages(): send(id=message['id'], result={'protocolVersion': 99})", "version 99"),
        ("for message in messages(): send(id=message['id'], error={'code': 1, 'message': 'no'})", "refused"),
    ],
)
def test_one_that_does_not_start_is_nobodys_failure(
    project: Project, plain: Callable[[str], str], text: str, said: str
) -> None:
    [lived] = project.examine(plain(text))
    assert (lived.row.outcome, lived.row.reason) == ("infrastructure", "agent_not_started")
    assert said in lived.of(BenchFailed)[0].message


def test_one_that_is_silent_is_told_which_option_to_raise(project: Project, plain: Callable[[str], str]) -> None:
    [lived] = project.examine(plain("import time; time.sleep(60)") + ",start_seconds=1")
    assert lived.row.reason == "agent_not_started"
    assert "start_seconds=N" in lived.of(BenchFailed)[0].message


def test_one_that_wants_to_be_signed_in_stops_the_run(project: Project, plain: Callable[[str], str]) -> None:
    text = HELLO.replace('result={"sessionId": "1"}', "error={'code': -32000, 'message': 'log in'}") + "        pass\n"
    [lived] = project.examine(plain(text))
    assert (lived.row.outcome, lived.row.reason) == ("infrastructure", "agent_not_started")
    assert "wants to be signed in (log in)" in lived.of(BenchFailed)[0].message


def test_one_that_wants_it_after_it_has_read_the_task_fails(project: Project, plain: Callable[[str], str]) -> None:
    """Or an agent could end the run at a task that it does not like."""
    act = "send(id=message['id'], error={'code': -32000, 'message': 'log in'})\n"
    [lived] = project.examine(plain(HELLO + "".join(f"        {line}\n" for line in act.splitlines())))
    assert (lived.row.outcome, lived.row.reason) == ("failure", "agent_protocol")


def test_noise_and_nonsense_between_messages_change_nothing(project: Project, plain: Callable[[str], str]) -> None:
    act = """
print("a banner", flush=True)
print("[1, 2", flush=True)
print("null", flush=True)
send(id=4711, result={})
send(id="x", result=[])
send(method="session/update", params=7)
send(method="session/update", params={"sessionId": "other", "update": {}})
send(id=9, method="no/such", params={})
send(id=10, method="session/request_permission", params={"options": "?"})
send(id=11, method="fs/read_text_file", params={"path": 5})
send(id=12, method="terminal/output", params={"terminalId": "none"})
update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "17"}}
send(method="session/update", params={"sessionId": "1", "update": update})
send(id=identity, result={"stopReason": "end_turn", "usage": {"totalTokens": -5}})
"""
    [lived] = project.examine(plain(hostile(act)))
    assert lived.row.answer == '"17"' and lived.row.outcome in ("failure", "success"), lived.failure
    assert lived.row.tokens is None


def test_one_that_does_not_come_to_rest_is_started_anew(
    project: Project, official: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("proctor.agents.acp_agent.agent._REST_SECONDS", 0.2)
    work = """
    total = sum([await value(tools, "number", index=index) for index in range(3)])
    await tools.call_tool("note", {"text": str(getattr(self, "lived", 0))})
    self.lived = 1
    await tools.call_tool("submit", {"answer": total})
    await asyncio.sleep(60)
    """
    lived = project.examine(official(work), program=[{"phase": "p", "episodes": 2}])
    assert [one.row.outcome for one in lived] == ["success", "success"]
    assert [one.of(Called)[-1].arguments["text"] for one in lived] == ["0", "0"], "a process each"
