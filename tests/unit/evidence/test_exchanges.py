"""Conversations on record: whole again when read, and as large as what was said in them."""

from __future__ import annotations

from typing import Any

import pytest

from proctor.core.canonical import chainable, encode, unchain
from proctor.core.errors import IntegrityError
from proctor.core.hashing import sha256_hex
from proctor.evidence.events import ModelAsked, decode_event
from proctor.evidence.exchanges import LONG, WHOLE, ExchangeReader, ExchangeRecorder, contents_named
from proctor.spec.exchange import Exchange

TOOLS = [{"name": "look", "description": "Look. " * 300, "parameters": {"type": "object", "properties": {}}}]


class Contents:
    """What was stored by content."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def keep(self, data: bytes) -> str:
        name = sha256_hex(data)
        self.kept[name] = data
        return name


def message(text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": text, **more}


def conversation(turns: int, length: int) -> list[dict[str, Any]]:
    """The requests of a conversation in which each turn adds a call and an answer of some length."""
    messages = [message("Be plain.", "system"), message("Begin.")]
    requests = []
    for turn in range(turns):
        requests.append({"messages": list(messages), "temperature": 0.5, "tools": TOOLS, "seed": turn})
        call = {"id": f"c{turn}", "name": "look", "arguments": "{}"}
        messages += [
            message("", "assistant", calls=[call]),
            message(f"{turn} " + "x" * length, "tool", answers=f"c{turn}"),
        ]
    return requests


def record(requests: list[dict[str, Any]]) -> tuple[list[bytes], Contents]:
    contents = Contents()
    recorder = ExchangeRecorder(contents.keep)
    return [encode(recorder.event(Exchange("m", request, "ok"))) for request in requests], contents


def asked(line: bytes) -> ModelAsked:
    event = decode_event(line)
    assert isinstance(event, ModelAsked)
    return event


@pytest.mark.parametrize("length", [10, 3 * LONG])
def test_requests_are_read_back_whole(length: int) -> None:
    requests = conversation(12, length)
    lines, contents = record(requests)
    reader = ExchangeReader(contents.kept.get)
    assert [unchain(reader.whole(asked(line))) for line in lines] == requests


@pytest.mark.parametrize("length", [10, 500, 3 * LONG])
def test_the_record_grows_with_what_was_said(length: int) -> None:
    def size(turns: int) -> int:
        lines, contents = record(conversation(turns, length))
        return sum(map(len, lines)) + sum(map(len, contents.kept.values()))

    first, second, fourth = size(50), size(100), size(200)
    assert fourth - second == pytest.approx(2 * (second - first), rel=0.05)
    assert second < 100 * (length + 400) + 4000


def test_small_requests_without_tools_stand_in_their_event_as_ever() -> None:
    request = {"messages": [message("Be plain.", "system"), message("é" * 50)], "temperature": 0.2, "max_tokens": 5}
    lines, contents = record([request, request])
    plain = encode(ModelAsked("m", chainable(request), "ok"))
    assert lines == [plain, plain] and not contents.kept
    assert b"shared" not in plain and b"stored" not in plain and b"calls" not in plain


def test_a_large_request_without_tools_is_stored_by_content() -> None:
    request = {"messages": [message("x" * (WHOLE + 1))], "form": {"enum": ["y" * LONG]}}
    (line,), contents = record([request])
    assert len(line) < 400 and set(contents_named(asked(line))) == set(contents.kept)
    assert ExchangeReader(contents.kept.get).whole(asked(line)) == request


def test_two_conversations_in_turns_are_told_apart() -> None:
    one = conversation(6, 800)
    other = [{**request, "messages": [message("Other.", "system"), *request["messages"][1:]]} for request in one]
    mixed = [request for pair in zip(one, other, strict=True) for request in pair]
    lines, contents = record(mixed)
    reader = ExchangeReader(contents.kept.get)
    assert [unchain(reader.whole(asked(line))) for line in lines] == mixed
    assert [asked(line).follows for line in lines[2:]] == list(range(10))


def test_a_list_of_messages_may_have_another_name_and_hold_texts() -> None:
    request = {"input": ["a text", {"type": "message", "content": [{"text": "z" * LONG}]}], "tools": TOOLS, "x": 0.5}
    (line,), contents = record([request])
    assert unchain(ExchangeReader(contents.kept.get).whole(asked(line))) == request


@pytest.mark.parametrize("request_", [{"messages": "none"}, {"messages": [], "ключ": 1, "tools": TOOLS}, {"$x": [1.5]}])
def test_requests_of_no_known_shape_stand_whole(request_: dict[str, Any]) -> None:
    (line,), contents = record([request_])
    assert unchain(asked(line).request) == request_ and not contents.kept


def test_what_is_missing_is_said() -> None:
    lines, _ = record(conversation(3, 3 * LONG))
    reader = ExchangeReader(lambda digest: None)
    with pytest.raises(IntegrityError, match="missing"):
        reader.whole(asked(lines[0]))
    lost = ModelAsked("m", {"messages": []}, shared=2, follows=7)
    with pytest.raises(IntegrityError, match="not on record"):
        ExchangeReader(lambda digest: None).whole(lost)
