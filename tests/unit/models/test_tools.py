"""Native tools in both interfaces: what goes out is what the official clients send, what comes back is read in full."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from tests.fake_models import Answer, Asked, Call, Fake, Raw, Refuse, Say, serving

from proctor.core.errors import InputError
from proctor.models.contract import Message, ModelCall, ModelString, ModelTool, Reply, Request, load_kind, open_model

READ = ModelTool("read", "Reads a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
WRITE = ModelTool("write", "Writes a file.", {"type": "object"})
ASK = Request((Message("system", "Be brief."), Message("user", "Go.")), tools=(READ, WRITE), max_tokens=9)
TALK = Request(
    (
        *ASK.messages,
        Message("assistant", "", (ModelCall("a", "read", '{"path":"x"}'), ModelCall("b", "write", "{broken"))),
        Message("tool", "text of x", answers="a"),
        Message("tool", "", answers="b"),
        Message("user", "Go on."),
    ),
    tools=(READ, WRITE),
)


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "openai-key-1234")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "anthropic-key-1234")


def model_string(kind: str, fake: Fake) -> str:
    return f"{kind}:m,retries=0,base_url={fake.base_url if kind == 'openai' else fake.address}"


def ask(kind: str, fake: Fake, request: Request = ASK) -> Reply:
    async def once() -> Reply:
        model = open_model(model_string(kind, fake), Path())
        try:
            return await model.ask(request)
        finally:
            await model.close()

    return asyncio.run(once())


def answered(kind: str, answer: Answer, request: Request = ASK) -> Reply:
    with serving(lambda _: answer) as fake:
        return ask(kind, fake, request)


both = pytest.mark.parametrize("kind", ["openai", "anthropic"])


@both
def test_parallel_calls_come_back_in_order(kind: str) -> None:
    said = Say("", (Call("read", {"path": "x"}), Call("read", {"path": "y"})), prompt_tokens=20, cached_tokens=8)
    reply = answered(kind, said)
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [
        ("read", {"path": "x"}),
        ("read", {"path": "y"}),
    ]
    assert len({call.id for call in reply.calls}) == 2
    assert (reply.text, reply.error, reply.finish) == ("", None, "tool_calls")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cached_tokens) == (20, 3, 8)


@both
def test_text_beside_calls_is_kept_and_thinking_is_no_text(kind: str) -> None:
    reply = answered(kind, Say("I will look.", (Call("read", {}),), thinking="hm"))
    assert (reply.text, len(reply.calls), reply.finish) == ("I will look.", 1, "tool_calls")


@both
def test_a_conversation_with_calls_goes_out_whole(kind: str) -> None:
    with serving(lambda _: Say("ok")) as fake:
        ask(kind, fake, TALK)
    sent = fake.requests[0].messages
    assert [message.role for message in sent] == ["system", "user", "assistant", "tool", "tool", "user"]
    assert [call.id for call in sent[2].calls] == ["a", "b"]
    assert [json.loads(call.arguments) for call in sent[2].calls] == [{"path": "x"}, {"arguments": "{broken"}], (
        "many servers refuse a history in which arguments are no object"
    )
    assert [(one.answers, one.content) for one in sent[3:5]] == [("a", "text of x"), ("b", "")]
    assert fake.requests[0].tools == ("read", "write")


def test_chat_completions_are_as_the_official_client_s_types_have_them() -> None:
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

    with serving(lambda _: Say("ok")) as fake:
        ask("openai", fake, TALK)
        ask("openai", fake, ASK)
    for asked in fake.requests:
        TypeAdapter(CompletionCreateParamsNonStreaming).validate_python(asked.body)
    assert fake.requests[0].headers["authorization"] == "Bearer openai-key-1234"


def test_messages_are_as_the_official_client_s_types_have_them() -> None:
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    with serving(lambda _: Say("ok")) as fake:
        for request in (TALK, ASK, Request(ASK.messages, form={"type": "object"})):
            ask("anthropic", fake, request)
    for asked in fake.requests:
        TypeAdapter(MessageCreateParamsNonStreaming).validate_python(asked.body)
    talk, plain, held = (asked.body for asked in fake.requests)
    assert [one["role"] for one in talk["messages"]] == ["user", "assistant", "user"]
    assert [block["type"] for block in talk["messages"][2]["content"]] == ["tool_result", "tool_result", "text"]
    assert (talk["max_tokens"], plain["max_tokens"], plain["system"]) == (8192, 9, "Be brief.")
    assert held["output_config"]["format"]["type"] == "json_schema"
    headers = fake.requests[0].headers
    assert (headers["x-api-key"], headers["anthropic-version"]) == ("anthropic-key-1234", "2023-06-01")
    assert "authorization" not in headers


def test_what_a_model_thought_before_its_calls_goes_back_with_them() -> None:
    with serving(
        lambda asked: Say("", (Call("read", {}),), thinking="because") if not asked.number else Say("ok")
    ) as fake:
        first = ask("anthropic", fake)
        turn = Message("assistant", first.text or "", first.calls, kept=first.kept)
        ask("anthropic", fake, Request((*ASK.messages, turn, Message("tool", "r", answers=first.calls[0].id))))
    blocks = fake.requests[1].body["messages"][1]["content"]
    assert blocks[0] == {"type": "thinking", "thinking": "because", "signature": "signed"}
    assert blocks[1]["type"] == "tool_use"
    assert "because" in turn.plain()["kept"], "what is sent is on record"


@pytest.mark.parametrize("kept", ["nonsense", "{}", '[{"type": "text", "text": "forged"}]', "[1]", "[" * 100_000])
def test_only_thoughts_go_back_as_thoughts(kept: str) -> None:
    with serving(lambda _: Say("ok")) as fake:
        turn = Message("assistant", "hm", kept=kept)
        ask("anthropic", fake, Request((Message("user", "a"), turn, Message("user", "b"))))
    assert fake.requests[0].body["messages"][1]["content"] == [{"type": "text", "text": "hm"}]


def completion(message: dict[str, Any], finish: str = "tool_calls") -> Raw:
    return Raw(json.dumps({"choices": [{"finish_reason": finish, "message": message}]}).encode())


def function(**more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "read", **more}}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": None, "tool_calls": [function(arguments='{"a":1}')]}, [("call_0", '{"a":1}')]),
        ({"content": None, "tool_calls": [function(arguments={"a": 1})]}, [("call_0", '{"a":1}')]),
        ({"tool_calls": [{"id": "", **function(arguments="")}]}, [("call_0", "{}")]),
        ({"tool_calls": [{"id": 7, **function(arguments=None)}]}, [("call_0", "{}")]),
        ({"tool_calls": [{"id": "x", **function()}, {"id": "x", **function()}]}, [("x", "{}"), ("x_1", "{}")]),
        ({"content": "", "tool_calls": [{"id": "x", **function(arguments="{bad")}]}, [("x", "{bad")]),
        ({"content": [{"type": "text", "text": ""}], "tool_calls": [{"id": "x", **function()}]}, [("x", "{}")]),
    ],
)
def test_quirks_of_servers_are_read(message: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    reply = answered("openai", completion(message))
    assert [(call.id, call.arguments) for call in reply.calls] == expected
    assert (reply.text, reply.error) == ("", None)


def test_calls_count_whatever_the_finish_reason_says() -> None:
    reply = answered("openai", completion({"content": None, "tool_calls": [function()]}, "stop"))
    assert len(reply.calls) == 1 and reply.finish == "stop"


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": {}},
        {"content": None, "tool_calls": "read"},
        {"content": None, "tool_calls": [None]},
        {"content": None, "tool_calls": [{"id": "x"}]},
        {"content": None, "tool_calls": [{"id": "x", "function": {"name": ""}}]},
        {"content": None, "tool_calls": [{"id": "x", "function": {"name": {"a": 1}}}]},
        {"content": None, "tool_calls": [function()] * 257},
        {"content": [{"type": "text", "text": 3}]},
    ],
)
def test_calls_that_are_none_are_no_reply(message: dict[str, Any]) -> None:
    assert answered("openai", completion(message)).error == "payload_not_object"


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        "text",
        ["text"],
        [{"type": "text"}],
        [{"type": "text", "text": 3}],
        [{"type": "tool_use", "id": "x", "input": {}}],
        [{"type": "tool_use", "id": "x", "name": "read"}] * 257,
    ],
)
def test_blocks_that_are_none_are_no_reply(content: Any) -> None:
    body = {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
    assert answered("anthropic", Raw(json.dumps(body).encode())).error == "payload_not_object"


def test_anthropic_s_words_for_an_ending_are_ours() -> None:
    for word, ours in [
        ("end_turn", "stop"),
        ("max_tokens", "length"),
        ("stop_sequence", "stop"),
        ("pause_turn", "pause_turn"),
    ]:
        assert answered("anthropic", Say("hi", finish=word)).finish == ours


def test_declined_content_is_named_and_words_of_refusal_are_words() -> None:
    assert answered("anthropic", Say("", finish="refusal")).error == "declined"
    begun = answered("anthropic", Say("", (Call("read", {}),), finish="refusal"))
    assert (begun.error, begun.calls) == ("declined", ()), "nobody stands for a call that was stopped"
    assert answered("openai", Say("", finish="content_filter")).error == "declined"
    told = answered("openai", completion({"content": None, "refusal": "I can't help with that."}, "stop"))
    assert (told.text, told.finish, told.error) == ("I can't help with that.", "refusal", None)
    partly = answered("anthropic", Say("Well,", finish="refusal"))
    assert (partly.text, partly.finish, partly.error) == ("Well,", "refusal", None)


@both
def test_a_server_without_tools_says_so_by_name(kind: str) -> None:
    reply = answered(kind, Refuse(400, "this model does not support tools"))
    assert (reply.error, reply.status) == ("no_tools", 400)


@both
def test_a_key_is_taken_out_of_calls_too(kind: str) -> None:
    key = f"{kind}-key-1234"
    reply = answered(
        kind, Say(f"see {key}", (Call(f"read{key}", {"path": key}, f"id-{key}"),), thinking=f"{key} it is")
    )
    assert key not in repr(reply) and "[key]" in reply.calls[0].arguments
    assert reply.kept == "", "what is sealed is not changed but dropped"


@both
def test_a_limit_on_tokens_has_the_word_the_server_knows(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from proctor.models import anthropic_messages, openai_compatible

    if kind == "openai":
        assert openai_compatible.read_connection(ModelString("openai", "m")).limit == "max_completion_tokens"
        assert (
            openai_compatible.read_connection(ModelString("openai", "m", {"base_url": "http://h/v1"})).limit
            == "max_tokens"
        )
    else:
        for base_url in ("http://h", "http://h/", "http://h/v1", "http://h/v1/"):
            text = ModelString("anthropic", "m", {"base_url": base_url})
            assert anthropic_messages.read_connection(text).base_url == "http://h"


@both
def test_a_model_without_name_key_or_known_option_is_one_sentence(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check = load_kind(kind).check
    assert check is not None
    check(ModelString(kind, "m"), Path())
    with pytest.raises(InputError, match="needs a name"):
        check(ModelString(kind, ""), Path())
    with pytest.raises(InputError, match="has no option 'sed'"):
        check(ModelString(kind, "m", {"sed": "1"}), Path())
    monkeypatch.delenv(f"{kind.upper()}_API_KEY")
    with pytest.raises(InputError, match=f"set the environment variable {kind.upper()}_API_KEY"):
        check(ModelString(kind, "m"), Path())


def test_the_script_sees_what_was_asked() -> None:
    """A model that reads what it is told, through both interfaces, to the same end."""

    def script(asked: Asked) -> Answer:
        if asked.answers:
            return Say(f"it says {asked.answers[0].content}")
        return Say("", (Call("read", {"path": "x"}),))

    for kind in ("openai", "anthropic"):
        with serving(script) as fake:
            first = ask(kind, fake)
            history = (
                *ASK.messages,
                Message("assistant", "", first.calls),
                Message("tool", "42", answers=first.calls[0].id),
            )
            assert ask(kind, fake, Request(history, tools=ASK.tools)).text == "it says 42"
