"""Whatever upstream or the agent's client does, one exchange is on record and the proxy goes on."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import msgspec
import openai
import pytest
from openai import AsyncOpenAI
from tests.fake_models import Answer, Asked, Bomb, Drop, Hang, Raw, Refuse, Say, Script, serving, storm
from tests.unit.model_proxy.conftest import Desk, Line, serving_proxy, system

from proctor.agents.contract import ServiceFailure

ASK: dict[str, Any] = {"model": "gpt-x", "messages": [{"role": "user", "content": "hello"}]}
MiB = 1 << 20


def is_canary(asked: Asked) -> bool:
    return "ready" in asked.text


def answering(answer: Answer, *, canary: Answer | None = None) -> Script:
    """Always the same answer; to the canary, if given, another one."""
    return lambda asked: canary if canary is not None and is_canary(asked) else answer


async def post(line: Line, body: Any = ASK, path: str = "/v1/chat/completions", **more: Any) -> httpx.Response:
    async with httpx.AsyncClient(timeout=300) as client:
        return await client.post(line.address + path, json=body, **more)


def asked_once(script: Script, body: Any = ASK, *, path: str = "/v1/chat/completions") -> tuple[Line, httpx.Response]:
    """One request through the proxy; the line still knows what became of it."""

    async def live(address: str) -> tuple[Line, httpx.Response]:
        async with serving_proxy(system(address)) as line:
            return line, await post(line, body, path)

    with serving(script) as fake:
        return asyncio.run(live(fake.address))


def error_of(response: httpx.Response) -> str:
    return str(response.json()["error"]["message"])


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_a_passing_failure_is_tried_again_and_counted(status: int) -> None:
    line, response = asked_once(storm(lambda asked: Say("at last"), share=2, every=3, status=status, retry_after="0"))
    assert response.status_code == 200
    [exchange] = line.desk.exchanges
    assert (exchange.reply, exchange.details["attempts"]) == ("at last", 3)
    line.proxy.look()


@pytest.mark.parametrize("answer", [Refuse(500), Refuse(503), Drop(), Drop(20), Hang()], ids=repr)
def test_a_dead_provider_ends_the_episode_though_the_agent_swallows_it(answer: Answer) -> None:
    line, response = asked_once(answering(answer))
    assert response.status_code >= 500
    assert response.headers["x-should-retry"] == "false"
    assert "the episode ends here" in error_of(response)
    with pytest.raises(ServiceFailure, match="openai:gpt-x") as caught:
        line.proxy.look()
    assert (caught.value.reason, caught.value.final) == ("model_unavailable", False)
    [exchange] = line.desk.exchanges
    assert exchange.reply is None


@pytest.mark.parametrize(("status", "words"), [(401, "refuses the key"), (403, "forbids"), (404, "no such model")])
def test_a_refused_key_or_model_ends_the_run(status: int, words: str) -> None:
    line, response = asked_once(answering(Refuse(status)))
    assert response.status_code == status
    with pytest.raises(ServiceFailure, match=words) as caught:
        line.proxy.look()
    assert (caught.value.reason, caught.value.final) == ("model_refused", True)


@pytest.mark.parametrize("status", [403, 500, 503])
def test_what_a_provider_refuses_for_its_content_is_the_agents_own_affair(status: int) -> None:
    line, response = asked_once(answering(Refuse(status, "not this"), canary=Say("ready")))
    assert (response.status_code, error_of(response)) == (status, "not this")
    line.proxy.look()
    [exchange] = line.desk.exchanges
    assert exchange.error == ("http_4xx" if status < 500 else "http_5xx")


def test_a_request_that_the_provider_cannot_use_is_passed_back_without_further_ado() -> None:
    with serving(answering(Refuse(400, "temperature must be a number"))) as fake:

        async def live() -> None:
            async with serving_proxy(system(fake.address)) as line:
                response = await post(line)
                assert (response.status_code, error_of(response)) == (400, "temperature must be a number")
                line.proxy.look()

        asyncio.run(live())
        assert fake.count == 1


def test_a_provider_whose_canary_only_minds_how_it_is_asked_is_there() -> None:
    line, response = asked_once(answering(Refuse(500, "no"), canary=Refuse(400)))
    assert response.status_code == 500
    line.proxy.look()


def test_a_stream_that_breaks_off_is_broken_off_for_the_agent_too() -> None:
    async def live(address: str) -> Line:
        async with serving_proxy(system(address)) as line:
            client = AsyncOpenAI(base_url=line.base_url, api_key="none", max_retries=0)
            messages: Any = ASK["messages"]
            with pytest.raises((openai.APIConnectionError, httpx.RemoteProtocolError)):
                async for _ in await client.chat.completions.create(model="gpt-x", messages=messages, stream=True):
                    pass
            await client.close()
            return line

    head = {"content-type": "text/event-stream", "transfer-encoding": "chunked"}
    said = b'data: {"model":"gpt-x","choices":[{"index":0,"delta":{"content":"half"}}]}\n\n'
    chunk = f"{len(said):x}\r\n".encode() + said + b"\r\nzz"
    # The fake adds a length: what follows the chunk is no chunk, which is as good as a broken line.
    with serving(answering(Raw(chunk, headers=head), canary=Say("ready"))) as fake:
        line = asyncio.run(live(fake.address))
    line.proxy.look()
    [exchange] = line.desk.exchanges
    assert exchange.error == "connection"
    assert exchange.details["broken_off"] is True


def test_fifty_megabytes_pass_through_and_a_bounded_copy_is_kept() -> None:
    text = "x" * (50 * MiB)
    line, response = asked_once(answering(Say(text)))
    assert len(response.json()["choices"][0]["message"]["content"]) == 50 * MiB
    [exchange] = line.desk.exchanges
    assert exchange.details["cut"] is True
    assert len(msgspec.json.encode(exchange.details)) < MiB
    assert line.desk.tokens == 14
    assert len(exchange.reply or "") <= MiB


def test_a_reply_that_unpacks_beyond_any_measure_breaks_off() -> None:
    async def live(address: str) -> Line:
        async with serving_proxy(system(address)) as line:
            with pytest.raises(httpx.RemoteProtocolError):
                await post(line)
            return line

    with serving(answering(Bomb(96 * MiB), canary=Say("ready"))) as fake:
        line = asyncio.run(live(fake.address))
    line.proxy.look()
    [exchange] = line.desk.exchanges
    assert exchange.details["broken_off"] is True


def test_a_client_that_waits_to_be_told_to_go_on_is_told() -> None:
    async def live(address: str) -> bytes:
        async with serving_proxy(system(address)) as line:
            reader, writer = await asyncio.open_connection("127.0.0.1", line.number)
            writer.write(HEAD + b"expect: 100-continue\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(BODY))
            told = await reader.readuntil(b"\r\n\r\n")
            writer.write(BODY)
            answer = await reader.read()
            writer.close()
            return told + answer

    with serving(answering(Say("yes"))) as fake:
        answer = asyncio.run(live(fake.address))
    assert answer.startswith(b"HTTP/1.1 100")
    assert b"HTTP/1.1 200" in answer


@pytest.mark.parametrize(
    "answer", [Raw(b"<html>"), Raw(b"[]"), Raw(b'{"choices": 7, "usage": []}'), Raw(b"")], ids=repr
)
def test_what_is_no_reply_is_passed_on_and_recorded_as_none(answer: Answer) -> None:
    line, response = asked_once(answering(answer))
    assert response.status_code == 200
    [exchange] = line.desk.exchanges
    assert (exchange.reply, exchange.error) == (None, "payload_not_object")


def test_a_client_that_leaves_is_counted_to_the_end() -> None:
    async def live(address: str) -> Line:
        async with serving_proxy(system(address)) as line:
            async with httpx.AsyncClient(timeout=300) as client:
                asked = asyncio.ensure_future(
                    client.post(line.base_url + "/chat/completions", json={**ASK, "stream": True})
                )
                while not line.proxy._traffic or not line.proxy._traffic._under_way:
                    await asyncio.sleep(0.01)
                asked.cancel()
            while not line.desk.exchanges:
                await asyncio.sleep(0.02)
            return line

    with serving(answering(Say("a long story " * 100, delay=0.5))) as fake:
        line = asyncio.run(live(fake.address))
    [exchange] = line.desk.exchanges
    assert exchange.details["client_left"] is True
    assert line.desk.tokens == 14


def test_a_reply_under_way_at_the_end_of_an_episode_is_dropped_and_recorded() -> None:
    async def live(address: str) -> Line:
        async with serving_proxy(system(address)) as line:
            request = asyncio.ensure_future(post(line))
            while not line.proxy._traffic or not line.proxy._traffic._under_way:
                await asyncio.sleep(0.01)
            await line.proxy.end(at_once=False)
            with pytest.raises(httpx.RemoteProtocolError):
                await request
            return line

    with serving(answering(Hang())) as fake:
        line = asyncio.run(live(fake.address))
    [exchange] = line.desk.exchanges
    assert (exchange.error, exchange.details["abandoned"]) == ("connection", True)


def test_outside_of_an_episode_nobody_is_asked() -> None:
    async def live(address: str) -> list[str]:
        desk = Desk()
        desk.loaded = False
        async with serving_proxy(system(address), desk) as line:
            found = [error_of(await post(line))]
            desk.loaded = True
            assert (await post(line)).status_code == 200
            await line.proxy.end(at_once=False)
            found.append(error_of(await post(line)))
        assert len(desk.exchanges) == 1
        return found

    with serving(answering(Say("yes"))) as fake:
        found = asyncio.run(live(fake.address))
        assert fake.count == 1
    assert all(said.startswith("no episode is under way") for said in found)


def test_limits_bind() -> None:
    async def live(address: str) -> Line:
        async with serving_proxy(system(address), Desk(tokens=20)) as line:
            assert (await post(line)).status_code == 200
            assert (await post(line)).status_code == 200
            refused = await post(line)
            assert refused.status_code == 429
            assert "limit on tokens" in error_of(refused)
            assert refused.headers["x-should-retry"] == "false"
            return line

    with serving(answering(Say("yes"))) as fake:
        line = asyncio.run(live(fake.address))
        assert fake.count == 2
    assert line.desk.refused == ["tokens"]
    assert [exchange.details.get("refused_by") for exchange in line.desk.exchanges] == [None, None, "proctor"]


def test_a_limit_on_tokens_needs_somebody_who_counts() -> None:
    async def live(address: str) -> Line:
        async with serving_proxy(system(address), Desk(tokens=20)) as line:
            await post(line)
            return line

    answer = b'{"model":"gpt-x","choices":[{"index":0,"message":{"role":"assistant","content":"uncounted"}}]}'
    with serving(answering(Raw(answer))) as fake:
        line = asyncio.run(live(fake.address))
    with pytest.raises(ServiceFailure, match="does not say how many tokens") as caught:
        line.proxy.look()
    assert caught.value.final


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({**ASK, "model": "gpt-y"}, 404, "the model 'gpt-y' is not declared; system.models declares .*: gpt-x"),
    ({**ASK, "model": 7}, 400, "no JSON object with a `model`"),
    ({**ASK, "Model": "gpt-y"}, 400, "no parameter 'Model'"),
    ({**ASK, "tools": [{"type": "web_search_preview"}]}, 400, "'web_search_preview' is carried out by the provider"),
    ({**ASK, "tools": [{"type": "mcp", "server_url": "http://x"}]}, 400, "'mcp' is carried out by the provider"),
    ({**ASK, "web_search_options": {"user_location": {}}}, 400, "'web_search' is carried out by the provider"),
    ({**ASK, "web_search_options": {}}, 400, "'web_search' is carried out by the provider"),
    ({**ASK, "search_parameters": {"mode": "auto"}}, 400, "'web_search' is carried out by the provider"),
    ({**ASK, "enable_search": True}, 400, "'web_search' is carried out by the provider"),
    ({**ASK, "plugins": [{"id": "web"}]}, 400, "'plugins' is carried out by the provider"),
    ({**ASK, "Plugins": [{"id": "web"}]}, 400, "no parameter 'Plugins'"),
    ({**ASK, "conversation": "conv_1"}, 400, "'conversation' is carried out by the provider"),
    ({**ASK, "models": ["gpt-x", "gpt-y"]}, 400, "`models` would have other models answer"),
    ({**ASK, "fallbacks": [{"model": "gpt-y"}]}, 400, "`fallbacks` would have other models answer"),
    ({**ASK, "n": 5.0}, 400, "`n` is a whole number from 1 to 128"),
    ({**ASK, "n": "5"}, 400, "`n` is a whole number from 1 to 128"),
    ({**ASK, "n": 129}, 400, "`n` is a whole number from 1 to 128"),
    ({**ASK, "best_of": True}, 400, "`best_of` is a whole number from 1 to 128"),
    ({**ASK, "background": True}, 400, "background requests"),
    (
        {
            "model": "gpt-x",
            "messages": [
                {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://192.0.2.1/x.png"}}]}
            ],
        },
        400,
        "names an address that the provider would fetch",
    ),
]


@pytest.mark.parametrize(("body", "status", "message"), REFUSED)
def test_what_is_not_declared_is_refused_in_the_providers_words(body: Any, status: int, message: str) -> None:
    with serving(answering(Say("never"))) as fake:

        async def live() -> tuple[Line, httpx.Response]:
            async with serving_proxy(system(fake.address)) as line:
                return line, await post(line, body)

        line, response = asyncio.run(live())
        assert fake.count == 0
    assert response.status_code == status
    assert re.search(message, error_of(response))
    [exchange] = line.desk.exchanges
    assert exchange.details == {"status": status, "refused_by": "proctor"}


def test_declared_hosted_tools_and_text_that_speaks_of_addresses_pass() -> None:
    async def live(address: str) -> list[int]:
        async with serving_proxy(system(address, hosted_tools=["web_search", "url"])) as line:
            found = [await post(line, {**ASK, "tools": [{"type": "web_search_20250305"}]})]
            found.append(await post(line, REFUSED[-1][0]))
        async with serving_proxy(system(address)) as line:
            arguments = '{"url": "http://192.0.2.1"}'
            call = {"id": "1", "type": "function", "function": {"name": "open", "arguments": arguments}}
            messages = [*ASK["messages"], {"role": "assistant", "content": "http://x url", "tool_calls": [call]}]
            found.append(await post(line, {**ASK, "messages": messages}))
            parameters = {"type": "object", "properties": {"url": {"type": "string"}}}
            tool = {"type": "function", "function": {"name": "open", "parameters": parameters}}
            found.append(await post(line, {**ASK, "tools": [tool]}))
            nothing: dict[str, Any] = {"web_search_options": None, "plugins": [], "enable_search": False}
            nothing |= {"models": None, "n": None}
            found.append(await post(line, {**ASK, **nothing}))
        return [response.status_code for response in found]

    with serving(answering(Say("yes"))) as fake:
        assert asyncio.run(live(fake.address)) == [200, 200, 200, 200, 200]


def test_an_unconfined_agents_port_asks_for_its_key() -> None:
    async def live(address: str) -> list[int]:
        async with serving_proxy(system(address), confined=False) as line:
            key = line.proxy.port.environment["OPENAI_API_KEY"]
            found = [await post(line), await post(line, headers={"authorization": f"Bearer {key}"})]
            found.append(await post(line, headers={"x-api-key": key}))
        return [response.status_code for response in found]

    with serving(answering(Say("yes"))) as fake:
        assert asyncio.run(live(fake.address)) == [401, 200, 200]


HEAD = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n"
BODY = msgspec.json.encode(ASK)
CHUNKED = b"transfer-encoding: chunked\r\n\r\n" + b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "status", "recorded"),
    [
        (HEAD + b"content-length: 3\r\n\r\n{no", b"400", 1),
        (HEAD + b"content-length: 2\r\n\r\n[]", b"400", 1),
        (b"\x16\x03\x01 this is no HTTP\r\n\r\n", b"400", 1),
        (HEAD + b"".join(b"x-%d: %s\r\n" % (n, b"y" * 100) for n in range(5000)) + b"\r\n", b"431", 1),
        (HEAD + b"content-length: 999999999\r\n\r\n" + b"x" * (33 * MiB), b"413", 1),
        (HEAD + b"content-length: -5\r\n\r\n", b"400", 1),
        (b"GET /v1/chat/completions HTTP/1.1\r\nhost: x\r\n\r\n", b"405", 0),
        (b"GET /etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n", b"404", 0),
        (HEAD + CHUNKED, b"200", 1),
        (HEAD + b"expect: 100-continue\r\ncontent-length: %d\r\n\r\n" % len(BODY) + BODY, b"200", 1),
        (HEAD + b"content-length: 50\r\n\r\n{", b"400", 1),
        (b"", b"", 0),
    ],
    ids=["broken", "list", "tls", "headers", "body", "length", "method", "path", "chunked", "expect", "short", "none"],
)
def test_whatever_is_sent_the_proxy_answers_and_goes_on(sent: bytes, status: bytes, recorded: int) -> None:
    async def live(address: str) -> tuple[bytes, Line]:
        async with serving_proxy(system(address)) as line:
            try:
                answer = await line.raw(sent)
            except ConnectionError:
                # It was answered and closed before everything had been sent.
                answer = b"HTTP/1.1 " + status
            count = len(line.desk.exchanges)
            assert count == recorded
            assert (await post(line)).status_code == 200
            return answer, line

    with serving(answering(Say("yes"))) as fake:
        answer, _ = asyncio.run(live(fake.address))
    assert answer[9:12] == status
