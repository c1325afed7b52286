"""Models behind an interface may think before they answer: there is room for it, unless somebody says how much."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.agents.structured.conftest import Run
from tests.unit.models.loopback import Answer, serving

from proctor.agents.lookup import label_of
from proctor.cli.summary import summary_text
from proctor.evidence.evidence import evidence_of
from proctor.evidence.replies import cut_off
from proctor.evidence.result import result_of
from proctor.models.contract import THINKING_ROOM, load_kind


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def thinker(number: int, body: dict[str, Any]) -> Answer:
    """Needs 600 tokens of thought before the first letter of its answer."""
    room = body.get("max_tokens") or body["max_completion_tokens"]
    message = {"role": "assistant", "content": '{"final_action": "ACTION_A"}' if room > 600 else ""}
    finish = "stop" if room > 600 else "length"
    choice = {"index": 0, "finish_reason": finish, "message": message}
    usage = {"prompt_tokens": 10, "completion_tokens": min(room, 610), "total_tokens": 10 + min(room, 610)}
    return 200, {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }


@pytest.mark.parametrize("agent", ["chat", "structured", "structured:keys=compact"])
def test_a_model_that_thinks_first_gets_to_its_answer(run: Run, agent: str) -> None:
    kind, _, option = agent.partition(":")
    more = f",{option}" if option else ""
    with serving(thinker) as served:
        ran = run(f"{kind}:openai:m,base_url={served.base_url},retries=0{more}", n=2)
        assert cut_off(ran.rows).cut == 0
        assert all(one.reply for one in ran.asked)
        assert {body.get("max_tokens", 0) > THINKING_ROOM for body in served.bodies} == {True}


@pytest.mark.parametrize("kind", ["chat", "structured"])
def test_tokens_says_exactly_what_is_asked_for_and_what_was_cut_off_is_counted(run: Run, kind: str) -> None:
    with serving(thinker) as served:
        ran = run(f"{kind}:openai:m,base_url={served.base_url},retries=0,tokens=300", n=2)
        assert {body["max_tokens"] for body in served.bodies} == {300}
    found = cut_off(ran.rows)
    assert found.cut == found.all == len(served.bodies) >= 2
    said = summary_text(result_of(ran.store, ran.record.name, label_of), evidence_of(ran.store, ran.record.name))
    assert found.sentence in said.splitlines()
    assert said.index(found.sentence) < said.index("Failures")


@pytest.mark.parametrize(
    ("kind", "thinks"),
    [("openai", True), ("anthropic", True), ("simulated", False), ("local", False), ("scripted", False)],
)
def test_only_models_behind_an_interface_are_given_room_for_thoughts(kind: str, thinks: bool) -> None:
    assert load_kind(kind).thoughts == (THINKING_ROOM if thinks else 0)
