"""Clients in the sandbox: the official SDK's over streamable HTTP and over the shim, and one without any library."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from tests.unit.agents_mcp.conftest import ADDS, OFFICIAL
from tests.unit.agents_process.conftest import Lived, Project

from proctor.evidence.events import Called, Submitted
from proctor.spec.system import Boundary, Memory, MemoryPersistence, System

LOOKS_EVERYWHERE = """

async def main(way):
    async with Client(server(way)) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        prompt = (await client.get_prompt("task")).messages[0].content.text
        resource = (await client.read_resource("task://current")).contents[0].text
        read = (await client.call_tool("read_task", {})).content[0].text
        total = sum([await value(client, "number", index=index) for index in range(3)])
        answer = {
            "tools": tools,
            "same": prompt == read == client.instructions,
            "goal": "Add the numbers" in prompt,
            "shown": '"places": 3' in resource,
        }
        await client.call_tool("note", {"text": str(answer)})
        await client.call_tool("submit", {"answer": total, "confidence": 0.5})


asyncio.run(main("WAY"))
"""


@pytest.mark.parametrize("way", ["http", "stdio"])
def test_the_official_client_finds_task_and_tools(project: Project, bubblewrap: None, way: str) -> None:
    path = project.folder / "client.py"
    path.write_text(OFFICIAL + LOOKS_EVERYWHERE.replace("WAY", way))
    [lived] = project.examine("mcp:python3 client.py,start_seconds=60")
    assert (lived.row.outcome, lived.row.confidence) == ("success", 0.5), lived.failure
    seen = lived.of(Called)[-1].arguments["text"]
    assert "'same': True, 'goal': True, 'shown': True" in seen
    assert "'submit', 'read_task']" in seen


def test_a_client_without_libraries(project: Project, plain: Callable[[str], str]) -> None:
    [lived] = project.examine(plain(ADDS))
    assert (lived.row.outcome, lived.row.calls) == ("success", 3), lived.failure


def test_results_are_those_of_the_wire(project: Project, plain: Callable[[str], str]) -> None:
    text = """
        client = Client()
        good, bad = client.call("number", index=0), client.call("number", index="x")
        client.call("submit", answer=[good["structuredContent"], good["isError"], bad["isError"], bad["content"]])
        """
    [lived] = project.examine(plain(text), knobs={"actions": 10})
    good, good_error, bad_error, content = json.loads(answer_of(lived))
    assert (good["ok"], good["seq"], good["call"], good["budget"]) == (True, 1, 0, {"actions": 9})
    assert (good_error, bad_error) == (False, True)
    assert "do not fit" in content[0]["text"]
    assert json.loads(lived.row.violations or "{}") == {"bad_arguments": 1}


def test_unknown_tools_are_recorded(project: Project, plain: Callable[[str], str]) -> None:
    [lived] = project.examine(plain("client = Client()\nclient.call('teleport')\nclient.call('submit', answer=1)"))
    assert json.loads(lived.row.violations or "{}") == {"unknown_tool": 1}


def test_every_episode_is_a_process_with_the_declared_memory(project: Project, plain: Callable[[str], str]) -> None:
    text = """
        from pathlib import Path
        client = Client()
        word = client.value("read_task")["observations"][0]["fields"].get("word")
        if word:
            Path("memory/word").write_text(word)
        client.call("submit", answer=Path("memory/word").read_text() if Path("memory/word").exists() else "?")
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


def test_one_that_stays_lives_the_whole_lifetime(project: Project, plain: Callable[[str], str]) -> None:
    text = """
        client = Client()
        word = "?"
        while True:
            task = client.value("next_task")
            word = task["observations"][0]["fields"].get("word", word)
            client.call("submit", answer=word)
        """
    lived = project.examine(
        f"{plain(text)},stays=yes",
        family="recall",
        program=[{"phase": "train", "episodes": 2}, {"phase": "test"}, {"phase": "wiped", "before": "clear"}],
    )
    assert [one.row.outcome for one in lived] == ["success", "success", "success", "failure"]


def test_one_that_does_not_stay_after_all_is_started_again(project: Project, plain: Callable[[str], str]) -> None:
    lived = project.examine(f"{plain(ADDS)},stays=yes", program=[{"phase": "p", "episodes": 2}])
    assert [one.row.outcome for one in lived] == ["success", "success"]


def test_our_tools_make_way_for_those_of_the_task(project: Project, plain: Callable[[str], str]) -> None:
    text = """
        client = Client()
        names = [tool["name"] for tool in client.ask("tools/list")["tools"]]
        client.call("submit", text="mine")
        client.call("proctor_submit", answer=names)
        """
    [lived] = project.examine(plain(text), family="clashing")
    assert {"submit", "read_task", "proctor_submit", "proctor_read_task"} <= set(json.loads(answer_of(lived)))
    assert [event.tool for event in lived.of(Called)] == ["submit"]


@pytest.mark.parametrize("option", ["", ",unconfined=yes"])
def test_variables_say_where_the_server_is(project: Project, plain: Callable[[str], str], option: str) -> None:
    text = "client = Client()\nclient.call('submit', answer=sorted(n for n in os.environ if n.startswith('PROCTOR')))"
    [lived] = project.examine(f"{plain(text)}{option}")
    assert json.loads(answer_of(lived)) == ["PROCTOR_MCP_COMMAND", "PROCTOR_MCP_URL"]


def answer_of(lived: Lived) -> str:
    return json.dumps(lived.of(Submitted)[0].answer)
