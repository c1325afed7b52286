"""The official clients through the proxy: plain and streamed, with tools, on all three interfaces."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from tests.fake_models import Asked, Call, Say, serving
from tests.unit.model_proxy.conftest import KEY, Line, serving_proxy, system

WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def script(asked: Asked) -> Say:
    if asked.answers:
        return Say(f"It is {asked.answers[-1].content}.", prompt_tokens=20, completion_tokens=5, cached_tokens=8)
    return Say("Let me look.", calls=(Call("weather", {"city": "Bern"}),))


async def ask_chat(line: Line, stream: bool) -> str:
    client = AsyncOpenAI(base_url=line.base_url, api_key="none")
    tools: Any = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]
    messages: list[Any] = [{"role": "user", "content": "Weather in Bern?"}]
    while True:
        if stream:
            async with client.chat.completions.stream(model="gpt-x", messages=messages, tools=tools) as streamed:
                message: Any = (await streamed.get_final_completion()).choices[0].message
        else:
            done = await client.chat.completions.create(model="gpt-x", messages=messages, tools=tools)
            message = done.choices[0].message
        if not message.tool_calls:
            await client.close()
            return str(message.content)
        messages.append(
            {
                "role": "assistant",
                "content": message.content,
                "tool_calls": [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.function.name, "arguments": call.function.arguments},
                    }
                    for call in message.tool_calls
                ],
            }
        )
        messages += [{"role": "tool", "tool_call_id": call.id, "content": "sunny"} for call in message.tool_calls]


async def ask_responses(line: Line, stream: bool) -> str:
    client = AsyncOpenAI(base_url=line.base_url, api_key="none")
    tools: Any = [{"type": "function", "name": "weather", "parameters": WEATHER, "strict": False}]
    items: Any = [{"role": "user", "content": "Weather in Bern?"}]
    while True:
        if stream:
            async with client.responses.stream(model="gpt-x", input=items, tools=tools) as streamed:
                response: Any = await streamed.get_final_response()
        else:
            response = await client.responses.create(model="gpt-x", input=items, tools=tools)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            await client.close()
            return str(response.output_text)
        for call in calls:
            items.append(
                {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            )
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": "sunny"})


async def ask_messages(line: Line, stream: bool) -> str:
    client = AsyncAnthropic(base_url=line.address, api_key="none")
    tools: Any = [{"name": "weather", "input_schema": WEATHER}]
    messages: list[Any] = [{"role": "user", "content": "Weather in Bern?"}]
    while True:
        more: Any = {"model": "claude-x", "max_tokens": 50, "tools": tools}
        if stream:
            async with client.messages.stream(messages=messages, **more) as streamed:
                message: Any = await streamed.get_final_message()
        else:
            message = await client.messages.create(messages=messages, **more)
        uses = [block for block in message.content if block.type == "tool_use"]
        if not uses:
            await client.close()
            return "".join(block.text for block in message.content)
        messages.append(
            {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in message.content]}
        )
        results = [{"type": "tool_result", "tool_use_id": block.id, "content": "sunny"} for block in uses]
        messages.append({"role": "user", "content": results})


ASK = {"chat": ask_chat, "responses": ask_responses, "messages": ask_messages}


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
@pytest.mark.parametrize("interface", ASK)
def test_official_clients_call_tools_through_the_proxy(interface: str, stream: bool) -> None:
    async def live(address: str) -> Line:
        async with serving_proxy(system(address)) as line:
            assert await ASK[interface](line, stream) == "It is sunny."
        return line

    with serving(script) as fake:
        desk = asyncio.run(live(fake.address)).desk
    assert [asked.key for asked in fake.requests] == [KEY, KEY]
    first, second = desk.exchanges
    label = "anthropic:claude-x" if interface == "messages" else "openai:gpt-x"
    assert (first.model, first.request["interface"], first.error) == (label, interface, None)
    assert first.reply == "Let me look."
    [call] = first.calls
    assert (call["name"], call["arguments"].replace(" ", "")) == ("weather", '{"city":"Bern"}')
    assert second.reply == "It is sunny."
    assert second.details["prompt_tokens"] == 20
    assert second.details["completion_tokens"] == 5
    assert second.details["cached_tokens"] == 8
    assert second.details["status"] == 200
    assert second.details["attempts"] == 1
    assert desk.tokens == 11 + 3 + 20 + 5


def test_a_client_that_did_not_ask_for_counts_is_not_shown_them_but_they_count() -> None:
    async def live(address: str) -> tuple[list[Any], Line]:
        async with serving_proxy(system(address)) as line:
            client = AsyncOpenAI(base_url=line.base_url, api_key="none")
            messages: Any = [{"role": "user", "content": "hello"}]
            stream = await client.chat.completions.create(model="gpt-x", messages=messages, stream=True)
            chunks = [chunk async for chunk in stream]
            await client.close()
        return chunks, line

    with serving(lambda asked: Say("hello back")) as fake:
        chunks, line = asyncio.run(live(fake.address))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "hello back"
    assert fake.requests[0].body["stream_options"] == {"include_usage": True}
    assert "stream_options" not in line.desk.exchanges[0].request
    assert line.desk.tokens == 14


def test_only_declared_models_are_listed() -> None:
    async def live(address: str) -> list[str]:
        async with serving_proxy(system(address)) as line:
            client = AsyncOpenAI(base_url=line.base_url, api_key="none")
            found = [model.id async for model in client.models.list()]
            assert (await client.models.retrieve("gpt-x")).id == "gpt-x"
            await client.close()
            return found

    with serving(script) as fake:
        assert asyncio.run(live(fake.address)) == ["gpt-x", "claude-x"]
