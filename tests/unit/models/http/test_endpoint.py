"""A request until an answer counts: what is tried again and what never is, storms, and many at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.fake_models import Answer, Asked, Call, Fake, Hang, Raw, Refuse, Say, Script, serving, storm

from proctor.models.connection import Connection
from proctor.models.contract import Message, Reply, Request
from proctor.models.http.endpoint import Endpoint
from proctor.models.openai_compatible import ChatCompletions

HELLO = Request((Message("user", "hello"),))


def endpoint(fake: Fake, **more: Any) -> Endpoint:
    settings = {"first_pause": 0.001, **more}
    return Endpoint(ChatCompletions(), Connection("m", fake.base_url, "NO_KEY", **settings), name="openai:m")


def ask_all(script: Script, number: int, **more: Any) -> tuple[list[Reply], Fake]:
    with serving(script) as fake:

        async def whole() -> list[Reply]:
            models = [endpoint(fake, **more) for _ in range(number)]
            try:
                async with asyncio.timeout(300):
                    return list(await asyncio.gather(*(model.ask(HELLO) for model in models)))
            finally:
                for model in models:
                    await model.close()

        return asyncio.run(whole()), fake


def test_two_hundred_at_once_need_one_another_s_patience_only() -> None:
    replies, fake = ask_all(lambda _: Say("hi", delay=1.0), 200)
    assert {reply.text for reply in replies} == {"hi"}
    assert fake.peak == 200
    assert {(reply.attempts, reply.waited_ms, reply.at_once) for reply in replies} == {(1, None, None)}


@pytest.mark.parametrize("status", [429, 529])
def test_a_storm_ends_in_progress(status: int) -> None:
    """Three of four are turned away, for ever; everybody gets an answer, and fewer are sent at once."""
    script = storm(lambda _: Say("hi"), share=3, every=4, retry_after="0", status=status)
    replies, fake = ask_all(script, 60)
    assert {reply.text for reply in replies} == {"hi"}
    assert sum(reply.attempts for reply in replies) == fake.count
    assert max(reply.attempts for reply in replies) > 1
    assert any(reply.at_once is not None and reply.at_once < 30 for reply in replies)


def test_a_provider_with_room_for_five_is_found_out() -> None:
    def five(asked: Asked) -> Answer:
        return Say("hi", delay=0.005) if asked.in_flight <= 5 else Refuse(429, "slow down", {"retry-after": "0"})

    replies, _ = ask_all(five, 80)
    assert {reply.text for reply in replies} == {"hi"}
    assert any(reply.at_once is not None and reply.at_once < 80 for reply in replies)


def test_patience_with_a_storm_that_never_ends_has_an_end() -> None:
    replies, _ = ask_all(lambda _: Refuse(429, "no", {"retry-after": "0"}), 5, patience=0.05)
    assert {(reply.error, reply.status) for reply in replies} == {("rate_limit", 429)}


def test_nobody_waits_for_a_pause_that_lasts_longer_than_their_patience() -> None:
    replies, fake = ask_all(lambda _: Refuse(429, "no", {"retry-after": "60"}), 1, patience=5.0)
    assert (replies[0].error, replies[0].attempts, fake.count) == ("rate_limit", 1, 1)


@pytest.mark.parametrize("said", ["99999999999", "40", "inf", "nan", "-1", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_what_one_request_is_asked_to_wait_holds_the_others_within_their_patience(said: str) -> None:
    """The first is turned away; all that the server would answer are answered, and nothing hangs."""

    def first_refused(asked: Asked) -> Answer:
        return Refuse(429, "no", {"retry-after": said}) if asked.number == 0 else Say("hi")

    replies, fake = ask_all(first_refused, 4, patience=0.4, at_once=1)
    assert sum(reply.text == "hi" for reply in replies) >= 3
    assert fake.count >= 4
    # A pause of two minutes, the longest that a server is heard with, would show here.
    assert all((reply.waited_ms or 0) < 20_000 for reply in replies)


def test_a_server_that_turns_everybody_away_costs_each_their_own_patience() -> None:
    replies, fake = ask_all(lambda _: Refuse(429, "no", {"retry-after": "3600"}), 30, patience=0.2, at_once=1)
    assert {reply.error for reply in replies} == {"rate_limit"}
    assert fake.count < 30, "whose patience was over was not sent any more"


def test_a_failing_server_asks_for_no_more_than_patience() -> None:
    replies, fake = ask_all(lambda _: Refuse(503, "no", {"retry-after": "3600"}), 1, patience=0.05, retries=3)
    assert (replies[0].error, fake.count) == ("http_5xx", 4)


def test_content_is_never_asked_for_twice() -> None:
    """Whatever a provider answered is its answer: empty, broken, declined, cut off, refused."""
    answers: list[Answer] = [
        Say(""),
        Say("", finish="content_filter"),
        Say("cut", finish="length"),
        Raw(b"garbage"),
        Raw(b'{"choices": []}'),
        Refuse(400),
        Refuse(401),
        Refuse(403),
        Refuse(404),
        Refuse(422),
        Say("", (Call("tool", "{broken"),)),
    ]
    replies, fake = ask_all(lambda asked: answers[asked.number], len(answers), retries=3)
    assert [reply.attempts for reply in replies] == [1] * len(answers)
    assert fake.count == len(answers)


@pytest.mark.parametrize("passing", [Refuse(408), Refuse(500), Refuse(502), Refuse(503), Hang()])
def test_what_failed_on_its_way_is_tried_again(passing: Answer) -> None:
    replies, fake = ask_all(lambda asked: passing if asked.number < 2 else Say("at last"), 1, retries=2, timeout=0.3)
    assert (replies[0].text, replies[0].attempts, fake.count) == ("at last", 3, 3)


def test_a_request_that_is_given_up_leaves_no_trace_in_the_count() -> None:
    with serving(lambda asked: Hang() if asked.number == 0 else Say("hi")) as fake:

        async def whole() -> Reply:
            model = endpoint(fake, at_once=1)
            given_up = asyncio.ensure_future(model.ask(HELLO))
            while not fake.count:
                await asyncio.sleep(0.005)
            waiting = asyncio.ensure_future(model.ask(HELLO))
            await asyncio.sleep(0.01)
            given_up.cancel()
            try:
                async with asyncio.timeout(300):
                    return await waiting
            finally:
                await model.close()

        assert asyncio.run(whole()).text == "hi"
