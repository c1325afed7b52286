"""Models behind HTTP: what is sent, every way a request can fail, patience with limits, and a key that stays put."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from tests.unit.models.loopback import Answer, completion, serving

from proctor.core.errors import InputError
from proctor.models import reading
from proctor.models.connection import Connection
from proctor.models.contract import INTERFACE_ERRORS, Message, ModelString, Reply, Request
from proctor.models.http.endpoint import Endpoint
from proctor.models.openai_compatible import KEY_VARIABLE, ChatCompletions, kind, read_connection

KEY = "sk-" + "f4ke" * 8
HELLO = Request((Message("system", "be brief"), Message("user", "hello")), 0.2, 0.9, 32, 7)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)


def to(base_url: str, **more: Any) -> Connection:
    """A connection to a server of the test's own."""
    return Connection("m", base_url, KEY_VARIABLE, **more)


def ask(connection: Connection, request: Request = HELLO) -> Reply:
    async def once() -> Reply:
        model = Endpoint(ChatCompletions(), connection, name="openai:m")
        try:
            return await model.ask(request)
        finally:
            await model.close()

    return asyncio.run(once())


def test_a_request_goes_out_whole_and_a_reply_comes_back_counted() -> None:
    with serving(lambda *_: completion("hi")) as served:
        reply = ask(to(served.base_url))
    assert served.bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}],
            "temperature": 0.2,
            "top_p": 0.9,
            "max_tokens": 32,
            "seed": 7,
        }
    ]
    assert served.keys == [f"Bearer {KEY}"]
    assert (reply.text, reply.model, reply.finish, reply.attempts) == ("hi", "served-1", "stop", 1)
    assert (reply.prompt_tokens, reply.completion_tokens, reply.error) == (11, 3, None)
    assert reply.latency_ms is not None


def test_what_a_server_does_not_take_can_be_left_out_or_renamed() -> None:
    text = ModelString("openai", "m", {"omit": "seed|top_p", "limit": "max_completion_tokens"})
    with serving(lambda *_: completion("hi")) as served:
        text.options["base_url"] = served.base_url
        ask(read_connection(text))
    assert set(served.bodies[0]) == {"model", "messages", "temperature", "max_completion_tokens"}


def test_exact_replies_ask_the_server_to_ignore_the_end_of_text() -> None:
    with serving(lambda *_: completion("hi")) as served:
        ask(to(served.base_url), Request(HELLO.messages, max_tokens=8, exact=True))
    assert served.bodies[0]["ignore_eos"] is True


def test_a_form_goes_out_as_a_schema_to_decode_under_without_bounds_that_some_refuse() -> None:
    form = {"type": "object", "properties": {"why": {"type": "string", "maxLength": 9}}, "required": ["why"]}
    with serving(lambda *_: completion("{}")) as served:
        ask(to(served.base_url), Request(HELLO.messages, form=form))
    sent = served.bodies[0]["response_format"]
    assert sent["type"] == "json_schema" and sent["json_schema"]["strict"] is True
    assert sent["json_schema"]["schema"] == {**form, "properties": {"why": {"type": "string"}}}
    assert "form" not in served.bodies[0]


def test_tokens_nobody_reported_stay_unknown() -> None:
    with serving(lambda *_: completion("hi", usage=None)) as served:
        reply = ask(to(served.base_url))
    assert reply.prompt_tokens is None and reply.completion_tokens is None


@pytest.mark.parametrize(
    ("answer", "error", "attempts"),
    [
        ((400, {"error": {"message": f"bad key {KEY}"}}), "http_4xx", 1),
        ((401, {"error": {"message": f"bad key {KEY}"}}), "http_4xx", 1),
        ((429, {"error": {"message": "slow down"}}), "rate_limit", 1),
        ((529, {"error": {"message": "overloaded"}}), "rate_limit", 1),
        ((429, {"error": {"message": "pay", "code": "insufficient_quota"}}), "quota", 1),
        ((402, {"error": {"message": "pay"}}), "quota", 1),
        ((400, {"error": {"message": "no", "code": "content_filter"}}), "declined", 1),
        ((307, {}), "http_4xx", 1),
        ((500, {"error": {"message": "broken"}}), "http_5xx", 3),
        ((503, "not even JSON"), "http_5xx", 3),
        ((200, []), "payload_not_object", 1),
        ((200, '"a text"'), "payload_not_object", 1),
        ((200, {}), "payload_not_object", 1),
        ((200, {"choices": []}), "payload_not_object", 1),
        ((200, "{broken"), "payload_not_object", 1),
        ((200, "<html>maintenance</html>"), "payload_not_object", 1),
        ((200, b"\xff\xfe"), "payload_not_object", 1),
        ((200, "[" * 100_000 + "]" * 100_000), "payload_not_object", 1),
        ((200, '{"choices": ' + "[" * 100_000 + "]" * 100_000 + "}"), "payload_not_object", 1),
        ((200, {"choices": [None]}), "payload_not_object", 1),
        ((200, {"choices": [{"message": None}]}), "payload_not_object", 1),
        ((200, {"choices": [{"message": "hi"}]}), "payload_not_object", 1),
        ((200, {"choices": [{"message": {"content": 3}}]}), "payload_not_object", 1),
        ((200, {"choices": [{"message": {"content": ["hi"]}}]}), "payload_not_object", 1),
        ((200, {"error": {"message": f"bad key {KEY}", "code": 500}}), "payload_not_object", 1),
        ((408, {}), "timeout", 3),
        (completion(""), "empty", 1),
        (completion(None), "empty", 1),
    ],
)
def test_every_failure_has_its_name_and_only_passing_ones_are_tried_again(
    answer: Answer, error: str, attempts: int
) -> None:
    with serving(lambda *_: answer) as served:
        reply = ask(to(served.base_url, retries=2, patience=0.0, first_pause=0.001))
    assert (reply.text, reply.error, reply.attempts) == (None, error, attempts)
    assert len(served.bodies) == attempts
    assert reply.status == (answer[0] if answer[0] != 200 else None)
    assert error in INTERFACE_ERRORS
    assert KEY not in repr(reply)


def test_a_slow_server_is_a_timeout() -> None:
    with serving(lambda *_: completion("late"), delay=0.5) as served:
        reply = ask(to(served.base_url, timeout=0.1, retries=0))
    assert (reply.error, reply.attempts) == ("timeout", 1)


def test_a_closed_port_is_a_connection_error() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    reply = ask(to(f"http://127.0.0.1:{port}/v1", retries=1, first_pause=0.001))
    assert (reply.error, reply.attempts) == ("connection", 2)


def test_what_passes_is_recovered_from() -> None:
    def flaky(number: int, _: dict[str, Any]) -> Answer:
        return (502, {}) if number < 2 else completion("at last")

    with serving(flaky) as served:
        reply = ask(to(served.base_url, retries=3, first_pause=0.001))
    assert (reply.text, reply.error, reply.attempts) == ("at last", None, 3)


def test_a_key_that_is_sent_back_is_taken_out() -> None:
    choice = {"index": 0, "finish_reason": f"for {KEY}", "message": {"content": f"your key is {KEY}!"}}
    with serving(lambda *_: completion("", model=f"for-{KEY}", choices=[choice]), headers={"X-Key": KEY}) as served:
        reply = ask(to(served.base_url))
    assert (reply.text, reply.model, reply.finish) == ("your key is [key]!", "for-[key]", "for [key]")
    assert KEY not in repr(reply)


def test_a_key_of_a_letter_is_no_secret_and_spoils_no_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "A")
    with serving(lambda *_: completion("ACT_A")) as served:
        assert ask(to(served.base_url)).text == "ACT_A"


def test_a_key_is_sent_without_the_line_break_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, f"{KEY}\n")
    with serving(lambda *_: completion("hi")) as served:
        ask(to(served.base_url))
    assert served.keys == [f"Bearer {KEY}"]


def test_words_and_counts_a_server_makes_up_are_kept_within_bounds() -> None:
    usage = {"prompt_tokens": 10**30, "completion_tokens": -1}
    choice = {"index": 0, "finish_reason": {"a": 1}, "message": {"content": "hi"}}
    with serving(lambda *_: completion("", model="m" * 100_000, usage=usage, choices=[choice])) as served:
        reply = ask(to(served.base_url))
    assert (reply.text, reply.model, reply.finish) == ("hi", "m" * 200, "")
    assert (reply.prompt_tokens, reply.completion_tokens) == (None, None)


def test_a_reply_no_model_can_have_written_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_TEXT", 100)
    with serving(lambda *_: completion("x" * 101)) as served:
        assert ask(to(served.base_url)).error == "payload_not_object"


def test_a_server_that_sends_a_byte_now_and_then_is_a_timeout() -> None:
    with serving(lambda *_: completion("late"), drip=0.02) as served:
        reply = ask(to(served.base_url, timeout=0.3, retries=0))
    assert (reply.error, reply.attempts) == ("timeout", 1)


def test_the_key_s_variable_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_KEY", "another")
    with serving(lambda *_: completion("hi")) as served:
        ask(Connection("m", served.base_url, "OTHER_KEY"))
    assert served.keys == ["Bearer another"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"base_url": "127.0.0.1:80"}, "no http address"),
        ({"base_url": "http://[::1/v1"}, "no http address"),
        ({"base_url": "http://host:99999/v1"}, "no http address"),
        ({"base_url": "http://a host/v1"}, "no http address"),
        ({"base_url": "http://host/\x00"}, "no http address"),
        ({"base_url": "http://host/v1#secret"}, "would go on record"),
        ({"base_url": "http://me:secret@host/v1"}, "would go on record"),
        ({"base_url": "http://host/v1?key=secret"}, "would go on record"),
        ({"timeout": "soon"}, "timeout=soon is no number"),
        ({"retries": "99"}, "retries=99 is no whole number from 0 to 20"),
        ({"omit": "messages"}, "omit lists some of"),
        ({"limit": "length"}, "limit is max_tokens or"),
        ({"key_env": "NOT_SET_HERE"}, "set the environment variable NOT_SET_HERE"),
        ({"key_env": "sk-secret"}, "set the environment variable that key_env names"),
        ({"key_env": KEY}, "set the environment variable that key_env names"),
        ({"base_url": f"http://host/{KEY}/v1"}, "the key itself stands in the agent string"),
    ],
)
def test_a_connection_that_cannot_be_is_one_sentence(options: dict[str, str], complaint: str) -> None:
    assert kind.check is not None
    with pytest.raises(InputError, match=complaint) as refused:
        kind.check(ModelString("openai", "m", options), Path())
    assert "secret" not in str(refused.value)
    assert KEY not in str(refused.value)


def test_a_key_no_header_can_carry_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sk-clé-secrète")
    assert kind.check is not None
    with pytest.raises(InputError, match="characters that no request can carry") as refused:
        kind.check(ModelString("openai", "m"), Path())
    assert "secrète" not in str(refused.value)


def test_a_key_is_needed_only_where_no_server_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    assert kind.check is not None
    kind.check(ModelString("openai", "m", {"base_url": "http://127.0.0.1:9/v1"}), Path())
    with pytest.raises(InputError, match=f"set the environment variable {KEY_VARIABLE}"):
        kind.check(ModelString("openai", "m"), Path())
