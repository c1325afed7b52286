"""Whose refusal it is: one innocuous question, asked once for many refusals."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.fake_models import Answer, Asked, Refuse, Say, serving

from proctor.models.canary import CANARY, HOLDS_FOR, Canary, Judged, canary_of, is_refusal
from proctor.models.contract import Message, Reply, Request, open_model
from proctor.models.scripted import Scripted

ODD = Request((Message("user", "something odd"),))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(None, error="http_4xx", status=401), True),
        (Reply(None, error="http_4xx", status=403), True),
        (Reply(None, error="declined"), True),
        (Reply(None, error="http_4xx", status=400), True),
        (Reply(None, error="no_tools", status=400), True),
        (Reply(None, error="rate_limit", status=429), False),
        (Reply(None, error="connection"), False),
        (Reply("no", finish="refusal"), False),
    ],
)
def test_only_refusals_need_a_canary(reply: Reply, expected: bool) -> None:
    assert is_refusal(reply) is expected


def judged(script: object, refusals: int) -> tuple[list[Judged], int]:
    with serving(script) as fake:  # type: ignore[arg-type]

        async def whole() -> list[Judged]:
            model = open_model(f"openai:m,retries=0,base_url={fake.base_url}", Path())
            try:
                replies = await asyncio.gather(*(model.ask(ODD) for _ in range(refusals)))
                assert all(map(is_refusal, replies))
                return list(await asyncio.gather(*(canary_of(model).judge(model) for _ in range(refusals))))
            finally:
                await model.close()

        found = asyncio.run(whole())
        return found, sum(CANARY.messages[0].content in asked.text for asked in fake.requests)


def test_a_model_that_declines_one_content_answers_the_next() -> None:
    def script(asked: Asked) -> Answer:
        return Say("", finish="content_filter") if "odd" in asked.text else Say("5")

    found, canaries = judged(script, 30)
    assert {one.verdict for one in found} == {"answer"}
    assert canaries == sum(one.asked for one in found) == 1, "one for all that were refused at once"


def test_a_provider_that_forbids_everything_forbids_the_canary() -> None:
    found, canaries = judged(lambda _: Refuse(401), 30)
    assert {(one.verdict, one.reply.status) for one in found} == {("service", 401)}
    assert canaries == 1


def test_a_verdict_holds_for_so_many_refusals_and_is_then_renewed() -> None:
    async def whole() -> list[bool]:
        model, canary = Scripted(["5"]), Canary()
        return [(await canary.judge(model)).asked for _ in range(HOLDS_FOR + 1)]

    asked = asyncio.run(whole())
    assert [place for place, one in enumerate(asked) if one] == [0, HOLDS_FOR]
