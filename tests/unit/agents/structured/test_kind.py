"""Agent strings of scaffold and plain model: what they set, and one sentence for what they cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.lookup import kind_of, label_of
from proctor.agents.structured.agent import Structured
from proctor.agents.structured.kind import chat, structured
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.spec.system import System


@pytest.fixture
def here(tmp_path: Path) -> AgentContext:
    return AgentContext(System(name="tested"), Stream.keyed("agent"), (1,), tmp_path)


def check(text: str, context: AgentContext) -> None:
    kind = kind_of(AgentString.parse(text))
    assert kind.check is not None
    kind.check(AgentString.parse(text), context)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("structured", "agent 'structured' names no model"),
        ("chat", "agent 'chat' names no model"),
        ("structured:simulatd", "did you mean 'simulated'"),
        ("structured:simulated,zeal=1", "has no option 'zeal'; there are reason"),
        ("chat:simulated,variant=A5", "has no option 'variant'"),
        ("structured:simulated,variant=A9", "variant=A9 is unknown; choose from A0, A1"),
        ("structured:simulated,style=loud", "style=loud is unknown; choose from plain, react"),
        ("structured:simulated,keys=all", "keys=all is unknown"),
        ("structured:simulated,tokens=0", "tokens=0 is no whole number from 1"),
        ("structured:simulated,prompt_tokens=many", "prompt_tokens=many is no whole number"),
        ("structured:simulated,reason=2", "reason=2 is no number from 0 to 1"),
        ("structured:scripted:no.jsonl", "no such file"),
        ("structured:local:no.gguf", "there is no such file"),
        ("structured:openai", "needs a name"),
        ("chat:simulated,tokens=x", "tokens=x is no whole number"),
    ],
)
def test_a_string_that_cannot_be_is_one_sentence(here: AgentContext, text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as refused:
        check(text, here)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["structured:openai:m,api_key=sk-secret", "structured:openai:m,api_key=sk-secret,variant=A9"]
)
def test_a_key_in_a_string_is_refused_and_not_repeated(here: AgentContext, text: str) -> None:
    with pytest.raises(InputError, match="has no option 'api_key'") as refused:
        check(text, here)
    assert "sk-secret" not in str(refused.value)


def test_what_must_be_said_depends_on_the_model() -> None:
    assert label_of("structured:simulated") == "simulated model with planted binding, not a result"
    assert label_of("chat:scripted:x.jsonl") == "scripted replies, not a model"
    assert label_of("structured:openai:gpt-4o-mini") == ""
    assert "not installed" in label_of("structured:their-own")


def test_models_that_compute_do_not_wait_and_others_do() -> None:
    waits = {text: kind_of(AgentString.parse(text)).waits for text in ("chat:simulated", "chat:openai:m", "chat:local")}
    assert waits == {"chat:simulated": False, "chat:openai:m": True, "chat:local": True}
    assert structured.trusted and chat.trusted and structured.reusable and chat.reusable


def test_opening_an_agent_contacts_nobody(here: AgentContext) -> None:
    text = AgentString.parse("structured:openai:m,base_url=http://127.0.0.1:9/v1")
    assert isinstance(structured.open(text, here), Structured)


def test_an_option_given_twice_is_refused_without_its_values() -> None:
    with pytest.raises(InputError, match="option 'base_url' is given twice") as refused:
        AgentString.parse("structured:openai:m,base_url=http://one/v1,base_url=http://two/v1")
    assert "http" not in str(refused.value)
