"""Confined agents ask models with clients of their own; keys and network stay outside."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.fake_models import Answer, Asked, Call, Refuse, Say, serving

from proctor.core.errors import InputError
from proctor.engine.preflight import preflight
from proctor.evidence.events import Called, ModelAsked, Said, Submitted
from proctor.evidence.row import FAILURE, INFRASTRUCTURE, LIMIT, SUCCESS
from proctor.spec.system import System

if TYPE_CHECKING:
    from tests.unit.agents_process.conftest import Lived, Project

pytestmark = pytest.mark.usefixtures("bubblewrap", "nothing_left", "agents")

KEY = "sk-planted-0123456789abcdefghijkl"


def adding(asked: Asked) -> Answer:
    """A model that looks three numbers up, all at once, and adds them."""
    if asked.answers:
        return Say(str(sum(int(re.sub(r"\D", "", one.content) or "0") for one in asked.answers)))
    return Say(calls=tuple(Call("number", {"index": place}) for place in range(3)))


def declared(address: str, **more: Any) -> System:
    models = [
        {"provider": "openai", "name": "gpt-x", "base_url": f"{address}/v1", "timeout": 2},
        {"provider": "anthropic", "name": "claude-x", "base_url": f"{address}/v1", "timeout": 2},
    ]
    return System.parse({"name": "tested", "models": models, **more}, source="test")


@pytest.fixture
def agents(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("model_agents.py", Path(__file__).with_name("model_agents.py").read_text())
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setattr("proctor.agents.model_proxy.forwarding.PAUSES", (0.0, 0.0, 0.0))


def examined(project: Project, name: str, address: str, **more: Any) -> Lived:
    [lived] = project.examine(f"python:model_agents.py:{name},start_seconds=30", system=declared(address), **more)
    return lived


@pytest.mark.parametrize(
    ("name", "interface"),
    [
        ("OpenAIChat", "chat"),
        ("OpenAIChatStreamed", "chat"),
        ("Anthropic", "messages"),
        ("AnthropicStreamed", "messages"),
        ("PydanticAI", "chat"),
        ("PydanticAIResponses", "responses"),
        ("OpenAIAgents", "responses"),
        ("OpenAIAgentsStreamed", "responses"),
    ],
)
def test_clients_and_frameworks_work_in_a_closed_sandbox(project: Project, name: str, interface: str) -> None:
    with serving(adding) as fake:
        lived = examined(project, name, fake.address)
    assert lived.row.outcome == SUCCESS, lived.failure
    assert len(lived.of(Called)) == 3
    first, second = lived.of(ModelAsked)
    assert first.request["interface"] == interface
    assert [call["name"] for call in first.calls] == ["number"] * 3
    assert second.reply == str(lived.of(Submitted)[0].answer)
    assert lived.row.tokens == 28
    assert {asked.key for asked in fake.requests} == {KEY}


def test_a_command_asks_in_the_same_way(project: Project) -> None:
    project.write(
        "agent.py",
        """
        import json, sys
        sys.path.insert(0, "/agent")
        from shown import ask
        for line in sys.stdin:
            if json.loads(line)["type"] == "task":
                print(json.dumps({"type": "submit", "answer": ask()}), flush=True)
        """,
    )
    text = (project.folder / "model_agents.py").read_text().replace("from proctor import Submission", "")
    project.write("shown.py", text)
    with serving(lambda asked: Say("hello back")) as fake:
        [lived] = project.examine("cmd:python3 agent.py,include=shown.py", system=declared(fake.address))
    assert lived.of(Submitted)[0].answer == "hello back"
    assert len(lived.of(ModelAsked)) == 1


def test_an_unconfined_agent_asks_in_the_same_way(project: Project) -> None:
    with serving(adding) as fake:
        [lived] = project.examine(
            "python:model_agents.py:OpenAIChat,start_seconds=30,unconfined=yes", system=declared(fake.address)
        )
    assert lived.row.outcome == SUCCESS, lived.failure


def test_a_dead_model_is_infrastructure_though_the_agent_hands_in(project: Project) -> None:
    with serving(lambda asked: Refuse(500)) as fake:
        lived = examined(project, "Swallowing", fake.address)
    assert (lived.row.outcome, lived.row.reason) == (INFRASTRUCTURE, "model_unavailable")


def test_a_refused_key_ends_the_run(project: Project) -> None:
    with serving(lambda asked: Refuse(401)) as fake:
        lived = examined(project, "Swallowing", fake.address)
    assert (lived.row.outcome, lived.row.reason) == (INFRASTRUCTURE, "model_refused")


def test_what_the_agent_says_wrong_is_its_own_failure(project: Project) -> None:
    with serving(lambda asked: Refuse(400, "no")) as fake:
        lived = examined(project, "Swallowing", fake.address)
    assert (lived.row.outcome, lived.row.reason) == (FAILURE, "wrong")
    assert [said.text for said in lived.of(Said)] == ["400: no"]


def test_an_agent_that_goes_on_asking_ends_at_its_limit(project: Project) -> None:
    with serving(lambda asked: Say("yes")) as fake:
        lived = examined(project, "AskingForEver", fake.address, knobs={"tokens": 100})
    assert (lived.row.outcome, lived.row.reason) == (LIMIT, "tokens")
    assert fake.count <= 8


def test_an_agent_cannot_ask_while_it_is_loaded(project: Project) -> None:
    with serving(lambda asked: Say("yes")) as fake:
        lived = examined(project, "AskingAtFirst", fake.address)
        assert fake.count == 0
    assert lived.of(Said)[0].text.startswith("403: no episode is under way")
    assert lived.of(ModelAsked) == []


def test_the_network_stays_closed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside, serving(lambda asked: Say("yes")) as fake:
        monkeypatch.setenv("OUTSIDE_PORT", str(outside.getsockname()[1]))
        system = declared(fake.address, env=["OUTSIDE_PORT"])
        [lived] = project.examine("python:model_agents.py:Connecting", system=system)
        outside.setblocking(False)
        with pytest.raises(BlockingIOError):
            outside.accept()
    assert lived.of(Submitted)[0].answer == ["refused", "refused", "yes"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"env": ["OPENAI_API_KEY"]}, "system.env gives the agent OPENAI_API_KEY"),
        ({}, "set the environment variable ANTHROPIC_API_KEY to the key"),
    ],
)
def test_models_that_could_not_be_asked_are_refused_before_the_run(
    project: Project, monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], message: str
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    for agent in ("python:model_agents.py:Swallowing", "cmd:python3 model_agents.py"):
        with pytest.raises(InputError, match=message):
            project.bench(agent, system=declared("http://127.0.0.1:9", **more))


ASKER = """
import json, os, urllib.request

def ask(task):
    body = json.dumps({"model": "gpt-x", "messages": [{"role": "user", "content": task.goal}]}).encode()
    address = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
    headers = {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as reply:
        return json.load(reply)

def silent(task, session):
    return ask(task)["choices"][0]["message"]["content"]

def reporting(task, session):
    reply = ask(task)
    session.spend(tokens=reply["usage"]["total_tokens"])
    return reply["choices"][0]["message"]["content"]
"""


@pytest.mark.parametrize(("name", "tokens", "twice"), [("silent", 14, False), ("reporting", 28, True)])
def test_tokens_that_are_counted_twice_are_told_before_the_run(
    project: Project, name: str, tokens: int, twice: bool
) -> None:
    project.write("asker.py", ASKER)
    with serving(lambda _: Say("lantern")) as fake:
        bench = project.bench(f"python:asker.py:{name}", system=declared(fake.address))
        ended = preflight(bench.frozen, project.folder)
    assert (ended.tokens, ended.twice) == (tokens, twice)
    assert ("count twice" in ended.note) == twice
    assert ended.facts() == {"result": "passed", "tokens": tokens}
