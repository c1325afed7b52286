"""What an agent string may say about a service, and what it must not."""

from __future__ import annotations

import pytest

from proctor.agents.http_service.address import read_address
from proctor.agents.kind import AgentString
from proctor.agents.lookup import label_of
from proctor.core.errors import InputError


def test_an_address_with_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_KEY", " secret ")
    text = "https://agent.example.com:8443/v1/agent,key_env=AGENT_KEY,key_header=x-api-key,reply_seconds=30"
    address = read_address(AgentString.parse(text))
    assert address.url == "https://agent.example.com:8443/v1/agent"
    assert address.headers() == {"x-api-key": "secret"}
    assert address.reply_seconds == 30


def test_the_usual_header_is_a_bearers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_KEY", "secret")
    assert read_address(AgentString.parse("http://h,key_env=AGENT_KEY")).headers() == {"Authorization": "Bearer secret"}
    assert read_address(AgentString.parse("http://[::1]:80")).url == "http://[::1]:80/"


REFUSED = {
    "http": "followed by no address",
    "http:": "followed by no address",
    "http://": "followed by no address",
    "http:8000": "followed by no address",
    "http://host:port/": "no host and port that there can be",
    "http://host:99999/": "no host and port that there can be",
    "http://ho st/": "no host and port that there can be",
    "http://[::1/": "no host and port that there can be",
    "http://[::1": "no host and port that there can be",
    "http://user:hunter2@[::1/": "no host and port that there can be",
    "http://xn--a-ecp.ru/": "no host and port that there can be",
    f"http://{'a' * 300}.com/": "no host and port that there can be",
    f"http://{'a.' * 200}com/": "no host and port that there can be",
    f"http://host/,reply_seconds={'9' * 5000}": "no whole number of seconds",
    "http://user:hunter2@host/": "no user or password",
    "http://host/?key=hunter2": "ends with its path",
    "http://host/#hunter2": "ends with its path",
    "http://host/,key=hunter2": "no option 'key'",
    "http://host/,key_env=sk-hunter2": "never a key itself",
    "http://host/,key_env=UNSET_KEY,key_header=Bearer hunter2": "never a key itself",
    "http://host/,key_header=X-Key": "with key_env",
    "http://host/,key_env=K,key_header=Host": "a header of the exchange itself",
    "http://host/,reply_seconds=0": "no whole number of seconds",
    "http://host/,reply_seconds=soon": "no whole number of seconds",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_makes_no_sense_or_holds_a_secret_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as refused:
        read_address(AgentString.parse(text))
    assert REFUSED[text] in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(("value", "words"), [("", "is not set"), ("two\nlines", "characters that no key has")])
def test_a_key_that_cannot_be_one(monkeypatch: pytest.MonkeyPatch, value: str, words: str) -> None:
    monkeypatch.setenv("AGENT_KEY", value)
    with pytest.raises(InputError, match=words):
        read_address(AgentString.parse("http://h,key_env=AGENT_KEY")).headers()


def test_every_report_says_that_it_lives_elsewhere() -> None:
    assert label_of("http://h/") == label_of("https://h/") == "remote service"
