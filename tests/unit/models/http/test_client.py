"""One attempt over a real socket: reuse of connections, time, size, redirects, and what a stranger may send."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from tests.fake_models import Bomb, Drip, Drop, Hang, Raw, Say, serving

from proctor.core.errors import InputError
from proctor.models.http import client as module
from proctor.models.http.answer import Answer
from proctor.models.http.client import HttpClient, require_environment

BODY = msgspec.json.encode({"model": "m", "messages": []})


def with_client(work: Callable[[HttpClient], Awaitable[Any]]) -> Any:
    async def whole() -> Any:
        client = HttpClient()
        try:
            return await work(client)
        finally:
            await client.close()

    return asyncio.run(whole())


async def post(client: HttpClient, base_url: str, seconds: float = 20.0) -> Answer:
    return await client.post(f"{base_url}/chat/completions", BODY, {"x-one": "1"}, seconds=seconds)


def test_connections_are_kept_and_shared_by_the_models_of_a_loop() -> None:
    with serving(lambda _: Say("hi")) as fake:

        async def work(client: HttpClient) -> None:
            other = HttpClient()
            for one in (client, other, client, other):
                assert (await post(one, fake.base_url)).status == 200
            await other.close()
            assert (await post(client, fake.base_url)).status == 200, "the first still uses them"

        with_client(work)
    assert (fake.connections, fake.count) == (1, 5)
    assert fake.requests[0].headers["accept-encoding"] == "identity" and fake.requests[0].headers["x-one"] == "1"


def test_a_client_goes_on_in_another_loop() -> None:
    client = HttpClient()
    with serving(lambda _: Say("hi")) as fake:
        for _ in range(2):
            assert asyncio.run(post(client, fake.base_url)).status == 200


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_bomb_eats_no_memory(encoding: Any) -> None:
    with serving(lambda _: Bomb(1 << 28, encoding)) as fake:
        tracemalloc.start()
        try:
            answer = with_client(lambda client: post(client, fake.base_url))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert answer.trouble == "unreadable"
    assert peak < 64_000_000, "a quarter of what it unpacks to"


def test_an_endless_answer_is_left_where_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_BODY", 1000)
    with serving(lambda asked: Raw(b"x" * 1001, 200 if asked.number == 0 else 500)) as fake:
        assert with_client(lambda client: post(client, fake.base_url)) == Answer(200, trouble="unreadable")
        assert with_client(lambda client: post(client, fake.base_url)) == Answer(500), "its status is answer enough"


@pytest.mark.parametrize("slow", [Hang(), Drip(Say("late"), 0.02)])
def test_an_attempt_ends_after_its_time(slow: Any) -> None:
    with serving(lambda _: slow) as fake:
        assert with_client(lambda client: post(client, fake.base_url, 0.2)) == Answer(trouble="timeout")


@pytest.mark.parametrize("after", [0, 50])
def test_a_connection_that_breaks_is_said_to(after: int) -> None:
    with serving(lambda _: Drop(after)) as fake:
        assert with_client(lambda client: post(client, fake.base_url)) == Answer(trouble="connection")


def test_a_key_is_not_carried_on_to_another_address() -> None:
    with serving(lambda _: Say("hi")) as elsewhere:
        moved = Raw(b"", 307, {"location": f"{elsewhere.base_url}/chat/completions"})
        with serving(lambda _: moved) as fake:
            assert with_client(lambda client: post(client, fake.base_url)).status == 307
    assert elsewhere.count == 0


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://no-such-host.invalid/v1"])
def test_an_address_where_nobody_is_is_a_connection_that_cannot_be(url: str) -> None:
    assert with_client(lambda client: post(client, url)) == Answer(trouble="connection")


def test_a_proxy_that_cannot_be_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    require_environment()
    monkeypatch.setenv("ALL_PROXY", "nonsense://proxy:1")
    with pytest.raises(InputError, match="proxies and certificates the environment names"):
        require_environment()
