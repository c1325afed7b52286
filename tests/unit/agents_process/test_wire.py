"""The wire protocol: what is read is what was meant, and nothing an agent writes gets past the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.agents.contract import AgentFailure
from proctor.agents.process import wire
from proctor.agents.process.inside.channel import Episode
from proctor.spec.condition import Sampling
from proctor.spec.task import Budget, Claim, Observation, TaskView, ToolResult, ToolSpec

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


def line(message: Any) -> bytes:
    return json.dumps(message).encode()


@given(
    arguments=st.dictionaries(TEXT, JSON, max_size=4),
    tool=TEXT,
    identity=st.none() | st.integers() | TEXT.map(lambda text: text[:200]),
)
def test_a_call_is_read_as_written(arguments: dict[str, Any], tool: str, identity: Any) -> None:
    written = {"type": "tool_call", "tool": tool, "arguments": arguments, "more": 1}
    read = wire.decode(line(written | ({} if identity is None else {"id": identity})))
    assert read == wire.CallMessage(tool, arguments, identity)


@given(answer=JSON, confidence=st.none() | st.floats(0, 1), ascii_only=st.booleans())
def test_a_submission_is_read_as_written(answer: Any, confidence: float | None, *, ascii_only: bool) -> None:
    message = {"type": "submit", "answer": answer, "confidence": confidence, "claims": [{"action": "a"}]}
    read = wire.decode(json.dumps(message, ensure_ascii=ascii_only).encode())
    assert isinstance(read, wire.Submit)
    assert read.submission.answer == answer
    assert read.submission.confidence == confidence
    assert read.submission.claims == (Claim("a"),)


@given(st.binary(max_size=300) | JSON.map(line))
def test_anything_else_is_the_agents_failure(written: bytes) -> None:
    failure: AgentFailure | None = None
    try:
        wire.decode(written)
    except AgentFailure as raised:
        failure = raised
    if failure is not None:
        assert failure.reason == "agent_protocol"
        assert str(failure).isprintable()
        assert len(str(failure)) < 600


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        (b"I am thinking", "not JSON"),
        (b'{"type": "submit"', "not JSON"),
        (b'{"type": "submit", "answer": NaN}', "not JSON"),
        (b"[1, 2]", "Expected `object`"),
        (b'{"tool": "number"}', "missing required field `type`"),
        (b'{"type": "shout"}', "Invalid value 'shout'"),
        (b'{"type": "tool_call"}', "missing required field `tool`"),
        (b'{"type": "tool_call", "tool": "a", "arguments": [1]}', "Expected `object`"),
        (b'{"type": "submit", "confidence": "high"}', "Expected `float | null`"),
        (b'{"type": "usage", "tokens": -1}', ">= 0"),
        (b'{"type": "submit", "answer": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_the_failure_says_what_is_wrong(written: bytes, problem: str) -> None:
    with pytest.raises(AgentFailure) as raised:
        wire.decode(written)
    assert problem in str(raised.value)


def test_half_a_surrogate_pair_is_still_a_message() -> None:
    assert wire.decode(b'{"type": "say", "text": "\\ud83d"}') == wire.Say("\ud83d")


@pytest.mark.parametrize("cost", ["free", "-1", "NaN", "Infinity", "1e999999999999"])
def test_a_cost_is_an_amount(cost: str) -> None:
    usage = wire.decode(line({"type": "usage", "cost": cost}))
    assert isinstance(usage, wire.Usage)
    with pytest.raises(AgentFailure):
        _ = usage.amount


@given(fields=st.dictionaries(TEXT, JSON, max_size=4), value=JSON)
def test_what_is_sent_is_one_line_of_json(fields: dict[str, Any], value: Any) -> None:
    shown = Observation(3, fields)
    for sent in (
        wire.observation_message(shown),
        wire.result_message("a", ToolResult(True, value), Observation(4, {}, 2), Budget(actions=1)),
        wire.state_message(7, name="memory", value=value),
        wire.memory_message("restore", b"\0\n\xff"),
    ):
        assert sent.endswith(b"\n")
        assert sent.count(b"\n") == 1
        json.loads(sent)
    assert json.loads(wire.observation_message(shown)) == {
        "type": "observation",
        "seq": 3,
        "fields": fields,
        "call": None,
    }


def test_the_task_is_the_whole_task_view_and_reads_back_in_the_agents_process() -> None:
    tool = ToolSpec("look", "Look.", {"type": "object"}, "read")
    task = TaskView("t", "Go.", "Text.", (tool,), Budget(actions=3), "n", "c")
    sent = json.loads(wire.task_message(task, Sampling(temperature=0.5)))
    assert set(sent) == {"type", "sampling", *TaskView.__struct_fields__}
    episode = Episode(sent)
    assert episode.task.goal == "Go."
    assert episode.task.tools[0].name == "look"
    assert episode.task.budget.actions == 3
    assert episode.sampling.temperature == 0.5


def test_text_that_is_no_unicode_still_travels() -> None:
    sent = wire.observation_message(Observation(0, {"a": "\ud800"}))
    assert json.loads(sent)["fields"] == {"a": "\ud800"}


def test_an_unlimited_budget_is_not_mentioned() -> None:
    assert b"budget" not in wire.result_message(0, ToolResult(True), None, Budget())
