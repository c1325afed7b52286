"""Coding agents in the sandbox: the official SDK's agent side, tools by HTTP and by the shim, permissions, files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.agents_process.conftest import Project

from proctor.evidence.events import Called, Said, Submitted
from proctor.spec.system import Boundary, Memory, MemoryPersistence, System

ADDS = """
total = sum([await value(tools, "number", index=index) for index in range(3)])
await tools.call_tool("submit", {"answer": total, "confidence": 0.5})
"""


@pytest.mark.parametrize("http", [True, False])
def test_an_agent_on_the_official_sdk_works_with_the_tools_of_the_task(
    project: Project, official: Callable[..., str], http: bool
) -> None:
    [lived] = project.examine(official(ADDS, http=http))
    assert (lived.row.outcome, lived.row.confidence, lived.row.calls) == ("success", 0.5, 3), lived.failure


def test_the_prompt_is_the_task(project: Project, official: Callable[..., str]) -> None:
    work = """
    assert self.cwd == "/task"
    await tools.call_tool("submit", {"answer": task})
    """
    [lived] = project.examine(official(work))
    answer = lived.of(Submitted)[0].answer
    assert "Add the numbers" in answer and "# Answer format" in answer and "`submit`" in answer


def test_what_it_says_is_its_answer_after_one_reminder(project: Project, official: Callable[..., str]) -> None:
    work = """
    if "Nothing was handed in yet" in task:
        total = sum([await value(tools, "number", index=index) for index in range(3)])
        await self.say(str(total)[:1])
        await self.say(str(total)[1:])
    else:
        await self.say("I would rather talk about it.")
    """
    [lived] = project.examine(official(work))
    answer = lived.of(Submitted)[0].answer
    assert answer.isdigit(), lived.failure
    assert lived.row.calls == 3


@pytest.mark.parametrize(("policy", "granted"), [("", True), (",permissions=reject", False)])
def test_permissions_are_answered_by_the_declared_policy(
    project: Project, official: Callable[..., str], policy: str, granted: bool
) -> None:
    work = """
    call = schema.ToolCallUpdate(tool_call_id="1", title="remove everything")
    options = [
        schema.PermissionOption(option_id="no", name="No", kind="reject_once"),
        schema.PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
    ]
    asked = await self.editor.request_permission(options=options, session_id=self.session, tool_call=call)
    await tools.call_tool("submit", {"answer": asked.outcome.option_id})
    """
    [lived] = project.examine(official(work) + policy)
    assert lived.of(Submitted)[0].answer == ("yes" if granted else "no")
    said = lived.of(Said)[0].text
    assert said == f"permission {'granted' if granted else 'refused'} by the declared policy: remove everything"


def test_each_episode_is_a_session_of_the_same_process(project: Project, official: Callable[..., str]) -> None:
    work = """
    import json
    shown = json.loads((await tools.read_resource("task://current")).contents[0].text)
    self.word = shown["observations"][0]["fields"].get("word", getattr(self, "word", "?"))
    await tools.call_tool("submit", {"answer": self.word})
    """
    lived = project.examine(
        official(work),
        family="recall",
        program=[{"phase": "train", "episodes": 2}, {"phase": "test"}],
    )
    assert [one.row.outcome for one in lived] == ["success", "success", "success"]


def test_declared_memory_is_moved(project: Project, plain: Callable[[str], str]) -> None:
    text = """
        from pathlib import Path
        for message in messages():
            method, identity = message["method"], message.get("id")
            if method == "initialize":
                send(id=identity, result={"protocolVersion": 1})
            elif method == "session/new":
                send(id=identity, result={"sessionId": "1"})
            elif method == "session/prompt":
                text = message["params"]["prompt"][0]["text"]
                place = Path("memory/word")
                if '"word": "' in text:
                    place.write_text(text.split('"word": "')[1].split('"')[0])
                said = place.read_text() if place.exists() else "?"
                update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": said}}
                send(method="session/update", params={"sessionId": "1", "update": update})
                send(id=identity, result={"stopReason": "end_turn"})
        """
    memory = Memory(persistence=MemoryPersistence.LIFETIME, folder="memory")
    lived = project.examine(
        plain(text),
        system=System(name="it", boundary=Boundary(memory=memory)),
        family="recall",
        program=[
            {"phase": "train", "episodes": 1},
            {"phase": "test", "before": "snapshot"},
            {"phase": "wiped", "before": "clear"},
            {"phase": "again", "before": "restore"},
        ],
    )
    assert [one.row.outcome for one in lived] == ["success", "success", "failure", "success"]


def test_files_and_terminals_are_those_of_the_world(project: Project, official: Callable[..., str]) -> None:
    work = """
    assert self.can.fs.read_text_file and self.can.fs.write_text_file and self.can.terminal
    await self.editor.write_text_file(content="one\\ntwo\\nthree\\n", path="/task/mine.txt", session_id=self.session)
    part = await self.editor.read_text_file(path="/task/mine.txt", session_id=self.session, line=2, limit=1)
    made = await self.editor.create_terminal(command="wc", args=["-l", "mine.txt"], session_id=self.session)
    ended = await self.editor.wait_for_terminal_exit(session_id=self.session, terminal_id=made.terminal_id)
    seen = await self.editor.terminal_output(session_id=self.session, terminal_id=made.terminal_id)
    await tools.call_tool("submit", {"answer": [part.content, seen.output.strip(), ended.exit_code]})
    """
    [lived] = project.examine(official(work), family="workbench")
    assert lived.of(Submitted)[0].answer == ["two\n", "3 mine.txt", 0], lived.failure
    assert [call.tool for call in lived.of(Called)] == ["write_file", "read_file", "run"]


def test_what_the_task_has_no_tool_for_is_not_offered(project: Project, official: Callable[..., str]) -> None:
    work = """
    assert not self.can.fs.read_text_file and not self.can.terminal
    try:
        await self.editor.read_text_file(path="/etc/passwd", session_id=self.session)
    except acp.RequestError as error:
        await tools.call_tool("submit", {"answer": str(error)})
    """
    [lived] = project.examine(official(work))
    assert "is not served for this task" in str(lived.of(Submitted)[0].answer), lived.failure


def test_tokens_are_what_the_agent_says(project: Project, plain: Callable[[str], str]) -> None:
    text = """
        for message in messages():
            method, identity = message["method"], message.get("id")
            if method == "initialize":
                send(id=identity, result={"protocolVersion": 1})
            elif method == "session/new":
                send(id=identity, result={"sessionId": "1"})
            elif method == "session/prompt":
                send(id=identity, result={"stopReason": "end_turn", "usage": {"totalTokens": 40}})
        """
    [lived] = project.examine(plain(text))
    assert lived.row.tokens == 80, "two turns: the prompt and the reminder"
    assert json.loads(lived.row.answer or '""') == ""


def test_its_files_are_part_of_what_identifies_it(project: Project, official: Callable[..., str]) -> None:
    from proctor.agents.acp_agent.kind import kind
    from proctor.agents.kind import AgentContext, AgentString
    from proctor.core.seeds import Stream

    agent = AgentString.parse(official(ADDS))
    context = AgentContext(System(name="it"), Stream.keyed("x"), (0,), project.folder)
    assert kind.source is not None
    before = kind.source(agent, context)
    Path(project.folder / "coder.py").write_text("# changed\n")
    assert before is not None and kind.source(agent, context) != before
