"""The agent string `model:…`: whose option is whose, what it declares, and what its agents share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proctor.agents.contract import Agent
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.lookup import kind_of
from proctor.agents.model.agent import ModelAgent, NotingAgent
from proctor.agents.structured.asking import Source
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.spec.system import BoundaryKind, System, require_core

SCRIPT = [{"turn": 1, "calls": [{"name": "submit", "arguments": {"answer": 1}}]}]


@pytest.fixture
def context(tmp_path: Path) -> AgentContext:
    (tmp_path / "replies.json").write_text(json.dumps(SCRIPT))
    system = System(name="s", price_per_million_tokens="2")
    return AgentContext(system, Stream.keyed("test"), (0,), tmp_path)


def opened(text: str, context: AgentContext) -> Agent:
    parsed = AgentString.parse(text)
    kind = kind_of(parsed)
    assert kind.check is not None
    kind.check(parsed, context)
    return kind.open(parsed, context)


def test_without_notes_it_is_the_policy_alone(context: AgentContext) -> None:
    kind = kind_of(AgentString.parse("model:scripted:replies.json"))
    assert kind.boundary is not None and kind.boundary.kind is BoundaryKind.CORE
    require_core(kind.boundary)
    assert kind.reusable and not kind.waits and kind.label and kind.calls_tools
    assert type(opened("model:scripted:replies.json", context)) is ModelAgent


def test_with_notes_it_is_extended_and_lives_one_lifetime(context: AgentContext) -> None:
    kind = kind_of(AgentString.parse("model:scripted:replies.json,notes=yes"))
    boundary = kind.boundary
    assert boundary is not None and boundary.kind is BoundaryKind.EXTENDED and not kind.reusable
    assert boundary.tools == ("read_notes", "write_notes") and boundary.memory is not None
    assert not boundary.memory.internal and boundary.memory.folder == "notes"
    one, two = (opened("model:scripted:replies.json,notes=yes", context) for _ in range(2))
    assert type(one) is NotingAgent and one is not two
    assert [type(shared) for shared in context.shared.values()] == [Source], "they share one connection"


def test_options_of_model_and_agent_are_told_apart() -> None:
    text = AgentString.parse("model:openai:some,base_url=http://127.0.0.1:1/v1,turns=3,tokens=9,temperature=0.5")
    kind = kind_of(text)
    assert kind.waits and kind.label == ""
    assert kind.model is not None and kind.model(text) == "openai:some"
    assert kind.identity is not None and kind.identity(text) == "model openai:some"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model", "names no model"),
        ("model:nobody-has-it", "nobody-has-it"),
        ("model:scripted:replies.json,notes=maybe", "choose yes or no"),
        ("model:scripted:replies.json,turns=0", "turns=0"),
        ("model:scripted:replies.json,tokens=many", "tokens=many"),
        ("model:scripted:replies.json,temperature=9", "temperature=9"),
        ("model:scripted:replies.json,base_url=x", "no option 'base_url'"),
        ("model:scripted:missing.json", "no such file"),
    ],
)
def test_what_makes_no_sense_is_refused_before_a_run(text: str, said: str, context: AgentContext) -> None:
    with pytest.raises(InputError, match=said):
        opened(text, context)
