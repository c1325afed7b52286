"""The fake is right: the official clients of both providers talk to it, plain and streaming, and take its trouble."""

from __future__ import annotations

from typing import Any

import anthropic
import httpx
import openai
import pytest

from tests.fake_models import Answer, Asked, Bomb, Call, Drop, Raw, Refuse, Say, serving, storm

LOOKUP = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
CHAT_TOOL: Any = {"type": "function", "function": {"name": "lookup", "description": "Look up.", "parameters": LOOKUP}}
RESPONSE_TOOL: Any = {
    "type": "function",
    "name": "lookup",
    "description": "Look up.",
    "parameters": LOOKUP,
    "strict": False,
}
MESSAGE_TOOL: Any = {"name": "lookup", "description": "Look up.", "input_schema": LOOKUP}


def script(asked: Asked) -> Answer:
    if asked.answers:
        said = "; ".join(f"{one.answers}={one.content}" for one in asked.answers)
        return Say(f"found {said}", cached_tokens=4)
    return Say("looking", (Call("lookup", {"id": 3}), Call("lookup", {"id": 4})), thinking="hm")


def openai_client(address: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=address, api_key="k", max_retries=0)


def anthropic_client(address: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=address, api_key="k", max_retries=0)


def test_chat_completions_with_tools_through_the_official_client() -> None:
    with serving(script) as fake, openai_client(fake.base_url) as client:
        messages: list[Any] = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
        first = client.chat.completions.create(model="m", messages=messages, tools=[CHAT_TOOL]).choices[0]
        assert first.finish_reason == "tool_calls" and first.message.content == "looking"
        calls = first.message.tool_calls or []
        assert [call.function.arguments for call in calls if call.type == "function"] == ['{"id":3}', '{"id":4}']
        messages.append(first.message.model_dump(exclude_none=True))
        messages += [{"role": "tool", "tool_call_id": call.id, "content": f"r{n}"} for n, call in enumerate(calls)]
        last = client.chat.completions.create(model="m", messages=messages, tools=[CHAT_TOOL])
        assert last.choices[0].message.content == "found call_0_0=r0; call_0_1=r1"
        assert last.usage is not None and last.usage.prompt_tokens_details is not None
        assert last.usage.prompt_tokens_details.cached_tokens == 4
    assert fake.requests[0].tools == ("lookup",) and fake.requests[0].key == "k"
    assert [message.role for message in fake.requests[1].messages] == ["system", "user", "assistant", "tool", "tool"]


def test_chat_completions_stream_through_the_official_client() -> None:
    with serving(script) as fake, openai_client(fake.base_url) as client:
        with client.chat.completions.stream(
            model="m", messages=[{"role": "user", "content": "u"}], stream_options={"include_usage": True}
        ) as stream:
            for _ in stream:
                pass
            whole = stream.get_final_completion()
        assert fake.requests[0].stream
    calls = whole.choices[0].message.tool_calls or []
    assert whole.choices[0].message.content == "looking"
    assert [call.function.arguments for call in calls] == ['{"id":3}', '{"id":4}']
    assert whole.usage is not None and whole.usage.total_tokens == 14


def test_responses_plain_and_streaming_through_the_official_client() -> None:
    with serving(script) as fake, openai_client(fake.base_url) as client:
        first = client.responses.create(model="m", instructions="s", input="u", tools=[RESPONSE_TOOL])
        calls = [item for item in first.output if item.type == "function_call"]
        assert first.output_text == "looking" and [call.arguments for call in calls] == ['{"id":3}', '{"id":4}']
        history: list[Any] = [{"role": "user", "content": "u"}, *(item.to_dict() for item in first.output)]
        history += [{"type": "function_call_output", "call_id": call.call_id, "output": "r"} for call in calls]
        with client.responses.stream(model="m", input=history, tools=[RESPONSE_TOOL]) as stream:
            for _ in stream:
                pass
            last = stream.get_final_response()
        assert last.output_text == "found call_0_0=r; call_0_1=r"
        assert last.usage is not None and last.usage.input_tokens_details.cached_tokens == 4
    assert [message.role for message in fake.requests[1].messages] == ["user", "assistant", "tool", "tool"]
    assert len(fake.requests[1].messages[1].calls) == 2


def test_messages_plain_and_streaming_through_the_official_client() -> None:
    with serving(script) as fake, anthropic_client(fake.address) as client:
        history: list[Any] = [{"role": "user", "content": "u"}]
        asked: dict[str, Any] = {"model": "m", "max_tokens": 9, "system": "s", "tools": [MESSAGE_TOOL]}
        first = client.messages.create(messages=history, **asked)
        assert first.stop_reason == "tool_use"
        assert [block.type for block in first.content] == ["thinking", "text", "tool_use", "tool_use"]
        uses = [block for block in first.content if block.type == "tool_use"]
        assert [use.input for use in uses] == [{"id": 3}, {"id": 4}]
        history.append({"role": "assistant", "content": [block.to_dict() for block in first.content]})
        results = [{"type": "tool_result", "tool_use_id": use.id, "content": "r"} for use in uses]
        history.append({"role": "user", "content": results})
        with client.messages.stream(messages=history, **asked) as stream:
            last = stream.get_final_message()
        assert [block.text for block in last.content if block.type == "text"] == ["found toolu_0_0=r; toolu_0_1=r"]
        assert (last.usage.input_tokens, last.usage.cache_read_input_tokens, last.usage.output_tokens) == (7, 4, 3)
    assert [message.role for message in fake.requests[1].messages] == ["system", "user", "assistant", "tool", "tool"]


def test_a_stream_of_calls_comes_back_whole_from_the_anthropic_client() -> None:
    with serving(script) as fake, anthropic_client(fake.address) as client:
        asked: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "u"}]}
        with client.messages.stream(**asked) as stream:
            whole = stream.get_final_message()
    assert [block.input for block in whole.content if block.type == "tool_use"] == [{"id": 3}, {"id": 4}]


@pytest.mark.parametrize(
    ("status", "raised", "other"),
    [
        (401, openai.AuthenticationError, anthropic.AuthenticationError),
        (403, openai.PermissionDeniedError, anthropic.PermissionDeniedError),
        (404, openai.NotFoundError, anthropic.NotFoundError),
        (429, openai.RateLimitError, anthropic.RateLimitError),
        (500, openai.InternalServerError, anthropic.InternalServerError),
        (529, openai.InternalServerError, anthropic.InternalServerError),
    ],
)
def test_refusals_are_the_errors_the_clients_know(status: int, raised: Any, other: Any) -> None:
    with serving(lambda _: Refuse(status, "no", {"retry-after": "2"})) as fake:
        with openai_client(fake.base_url) as client, pytest.raises(raised, match="no") as refused:
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "u"}])
        assert refused.value.response.headers["retry-after"] == "2"
        with anthropic_client(fake.address) as second, pytest.raises(other, match="no"):
            second.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "u"}])


def test_a_storm_passes() -> None:
    with (
        serving(storm(lambda _: Say("hi"), share=1, every=2, retry_after="0")) as fake,
        openai_client(fake.base_url).with_options(max_retries=2) as client,
    ):
        said = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "u"}])
    assert said.choices[0].message.content == "hi" and fake.count == 2


@pytest.mark.parametrize("after", [0, 10])
def test_a_dropped_connection_is_an_error(after: int) -> None:
    with serving(lambda _: Drop(after)) as fake, httpx.Client(base_url=fake.base_url) as client:
        refused = pytest.raises(httpx.RemoteProtocolError)
        with refused:
            client.post("/chat/completions", json={"model": "m", "messages": []})


def test_bytes_of_any_kind_and_bombs_are_sent_as_they_are() -> None:
    body = {"model": "m", "messages": []}
    with (
        serving(lambda asked: Raw(b"garbage") if asked.number == 0 else Bomb(1 << 24)) as fake,
        httpx.Client(base_url=fake.base_url) as client,
    ):
        assert client.post("/chat/completions", json=body).content == b"garbage"
        with client.stream("POST", "/chat/completions", json=body) as answer:
            packed = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip" and len(packed) < 1 << 16
