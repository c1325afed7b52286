"""Scripts: which entry answers, what a file may hold, and that order of asking plays no part."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from proctor.core.errors import InputError
from proctor.models.contract import Message, ModelCall, ModelTool, Reply, Request, open_model
from proctor.models.scripted import Scripted, kind, read_script


def ask(model: Any, text: str, seed: int = 0) -> Reply:
    reply: Reply = asyncio.run(model.ask(Request((Message("user", text),), seed=seed)))
    return reply


def test_the_first_entry_that_fits_answers() -> None:
    model = Scripted([{"when": ["red", "round"], "reply": "apple"}, {"when": "red", "reply": {"is": "brick"}}, "thing"])
    assert ask(model, "red and round").text == "apple"
    assert ask(model, "red").text == '{"is": "brick"}'
    assert ask(model, "blue").text == "thing"


def test_several_replies_are_taken_by_the_seed() -> None:
    model = Scripted([{"reply": ["one", "two"]}])
    assert [ask(model, "x", seed).text for seed in (0, 1, 2)] == ["one", "two", "one"]


def test_nothing_that_fits_is_an_interface_error() -> None:
    reply = ask(Scripted([{"when": "red", "reply": "x"}]), "blue")
    assert (reply.text, reply.error) == (None, "exhausted")


def test_an_error_and_an_empty_reply_can_be_scripted() -> None:
    model = Scripted([{"when": "a", "error": "http_5xx"}, ""])
    assert (ask(model, "a").text, ask(model, "a").error) == (None, "http_5xx")
    assert (ask(model, "b").text, ask(model, "b").error) == (None, "empty")


TOOL = ModelTool("read", "Reads a file.", {"type": "object"})


def test_calls_are_scripted_by_turn_and_by_what_was_answered() -> None:
    model = Scripted(
        [
            {"turn": 1, "calls": [{"name": "read", "arguments": {"path": "a"}}, {"name": "read", "arguments": "{bad"}]},
            {"when": "hello", "reply": "found it", "calls": [{"name": "submit", "id": "s"}]},
            "lost",
        ]
    )
    user = Message("user", "go")
    first = asyncio.run(model.ask(Request((user,), tools=(TOOL,))))
    assert first.calls == (ModelCall("call_1_1", "read", '{"path": "a"}'), ModelCall("call_1_2", "read", "{bad"))
    assert (first.text, first.error, first.finish) == ("", None, "tool_calls")
    turn = (user, Message("assistant", "", first.calls))
    answered = (*turn, Message("tool", "hello", answers="call_1_1"), Message("tool", "no", answers="call_1_2"))
    second = asyncio.run(model.ask(Request(answered, tools=(TOOL,))))
    assert (second.text, second.calls) == ("found it", (ModelCall("s", "submit", "{}"),))
    unanswered = asyncio.run(model.ask(Request((*turn, Message("tool", "gone", answers="call_1_1")), tools=(TOOL,))))
    assert (unanswered.text, unanswered.calls) == ("lost", ())


def test_a_model_that_is_offered_no_tools_calls_none() -> None:
    reply = ask(Scripted([{"calls": [{"name": "read"}]}]), "go")
    assert (reply.text, reply.error, reply.calls) == (None, "exhausted", ())


@pytest.mark.parametrize("suffix", [".jsonl", ".yaml", ".json"])
def test_a_file_of_any_kind_gives_the_same_script(tmp_path: Path, suffix: str) -> None:
    entries = [{"when": "red", "reply": {"a": 1}}, "other"]
    text = "\n".join(json.dumps(entry) for entry in entries) + "\n\n" if suffix == ".jsonl" else json.dumps(entries)
    (tmp_path / f"replies{suffix}").write_text(text)
    model = open_model(f"scripted:replies{suffix}", tmp_path)
    assert ask(model, "red").text == '{"a": 1}'
    assert model.name == f"scripted:replies{suffix}"
    assert ask(model, "one two three").prompt_tokens == 3


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"broken"', "line 1: not JSON"),
        ("", "at least one"),
        ('{"reply": "x", "error": "empty"}', "`reply`, `calls` or both, or `error`"),
        ('{"reply": "x", "wenn": "y"}', "`reply`, `calls` or both, or `error`"),
        ('{"error": "tired"}', "'tired' is no interface error"),
        ('{"error": ["timeout"]}', "is no interface error"),
        ('{"reply": "x", "when": 3}', "`when` is a text, or a list of texts"),
        ('{"reply": "x", "when": null}', "`when` is a text, or a list of texts"),
        ('{"reply": "x", "when": ["a", 3]}', "`when` is a text, or a list of texts"),
        ('{"reply": "x", "turn": 0}', "`turn` is a whole number from 1"),
        ('{"reply": "x", "turn": true}', "`turn` is a whole number from 1"),
        ('{"calls": {"name": "a"}}', "`calls` is a list of objects"),
        ('{"calls": [{"arguments": {}}]}', "`calls` is a list of objects"),
        ('{"calls": [{"name": "a", "with": {}}]}', "`calls` is a list of objects"),
        ('{"calls": [], "error": "empty"}', "`reply`, `calls` or both, or `error`"),
        ("[" * 100_000, "line 1: not JSON"),
    ],
)
def test_a_bad_script_is_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "replies.jsonl").write_text(text)
    with pytest.raises(InputError, match=complaint):
        open_model("scripted:replies.jsonl", tmp_path)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_script(tmp_path / "no.jsonl")
    with pytest.raises(InputError, match="needs a file"):
        open_model("scripted", tmp_path)


def test_the_file_is_part_of_the_configuration(tmp_path: Path) -> None:
    from proctor.models.contract import ModelString

    assert kind.source is not None
    text = ModelString("scripted", "replies.jsonl")
    (tmp_path / "replies.jsonl").write_text('"a"')
    first = kind.source(text, tmp_path)
    (tmp_path / "replies.jsonl").write_text('"b"')
    assert first is not None and kind.source(text, tmp_path) != first
