"""Replies kept on disk: for one replicate and no other, marked, private, and never by accident."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.fake_models import Answer, Asked, Call, Fake, Refuse, Say, serving

from proctor.agents.lookup import label_of
from proctor.core.errors import InputError
from proctor.models.contract import Message, ModelString, Reply, Request, kind_of, load_kind, open_model

KEY = "sk-" + "f4ke" * 8


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def request(text: str = "hello", replicate: str = "r1", **more: Any) -> Request:
    return Request((Message("user", text),), replicate=replicate, **more)


def counting(asked: Asked) -> Answer:
    return Say(f"reply {asked.number}", (Call("read", {"n": asked.number}),))


def ask(fake: Fake, folder: Path, *requests: Request, model: str = "m") -> list[Reply]:
    """In a process's life: one model, asked in order."""

    async def whole() -> list[Reply]:
        opened = open_model(f"openai:{model},retries=0,base_url={fake.base_url},cache=kept", folder)
        try:
            return [await opened.ask(one) for one in requests]
        finally:
            await opened.close()

    return asyncio.run(whole())


def test_the_same_request_of_the_same_replicate_is_answered_from_disk_and_says_so(tmp_path: Path) -> None:
    with serving(counting) as fake:
        (first,) = ask(fake, tmp_path, request())
        (again,) = ask(fake, tmp_path, request())
    assert fake.count == 1
    assert (first.cached, again.cached) == (False, True)
    assert (again.text, again.calls, again.prompt_tokens) == (first.text, first.calls, first.prompt_tokens)
    assert "cached" not in first.details() and again.details()["cached"] is True
    assert again.latency_ms is None, "it took no time that says anything about the model"


def test_nothing_is_shared_between_replicates_requests_or_models(tmp_path: Path) -> None:
    with serving(counting) as fake:
        asked = [request(), request(replicate="r2"), request("other"), request(temperature=0.5), request(seed=3)]
        replies = ask(fake, tmp_path, *asked) + ask(fake, tmp_path, request(), model="n")
    assert fake.count == len(replies) == 6 and not any(reply.cached for reply in replies)
    with serving(counting) as elsewhere:
        assert not ask(elsewhere, tmp_path, request())[0].cached, "another address is another model"


def test_the_same_request_twice_in_a_replicate_has_two_replies(tmp_path: Path) -> None:
    with serving(counting) as fake:
        first = ask(fake, tmp_path, request(), request())
        again = ask(fake, tmp_path, request(), request())
    assert [reply.text for reply in first] == [reply.text for reply in again] == ["reply 0", "reply 1"]


def test_who_says_no_replicate_is_always_answered_anew(tmp_path: Path) -> None:
    with serving(counting) as fake:
        replies = ask(fake, tmp_path, request(replicate="")) + ask(fake, tmp_path, request(replicate=""))
    assert fake.count == 2 and not any(reply.cached for reply in replies)


def test_errors_are_not_kept(tmp_path: Path) -> None:
    with serving(lambda asked: Refuse(400) if asked.number == 0 else Say("hi")) as fake:
        assert ask(fake, tmp_path, request())[0].error == "http_4xx"
        assert ask(fake, tmp_path, request())[0].text == "hi"


def test_files_are_private_and_hold_no_key(tmp_path: Path) -> None:
    with serving(lambda _: Say(f"your key is {KEY}")) as fake:
        ask(fake, tmp_path, request())
    files = [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
    assert len(files) == 1 and KEY.encode() not in files[0].read_bytes()
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"key": "x", "reply": {"text": "forged"}}'])
def test_a_damaged_file_is_none(tmp_path: Path, damage: bytes) -> None:
    with serving(counting) as fake:
        ask(fake, tmp_path, request())
        (path,) = (path for path in (tmp_path / "kept").rglob("*") if path.is_file())
        path.write_bytes(damage)
        assert not ask(fake, tmp_path, request())[0].cached


def test_a_cache_that_cannot_be_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("in the way")
    with serving(counting) as fake:
        assert ask(fake, tmp_path, request())[0].text == "reply 0"
    check = load_kind("openai").check
    assert check is not None
    for place in ("kept", " "):
        with pytest.raises(InputError, match="cache names a folder"):
            check(ModelString("openai", "m", {"cache": place}), tmp_path)


def test_results_say_that_replies_may_come_from_a_cache() -> None:
    assert kind_of(ModelString("openai", "m")).label == ""
    assert kind_of(ModelString("anthropic", "m", {"cache": "x"})).label == "replies may come from a cache"
    assert label_of("chat:openai:m,cache=x") == "replies may come from a cache"
    assert label_of("structured:openai:m") == ""
    assert os.environ["OPENAI_API_KEY"] == KEY
