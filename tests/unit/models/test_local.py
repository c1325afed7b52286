"""A real language model: in this process, and behind its own server through the official client."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from proctor.agents.structured.form import form
from proctor.core.errors import BenchError, InputError
from proctor.models import local
from proctor.models.connection import Connection
from proctor.models.contract import Message, ModelString, Reply, Request, open_model
from proctor.models.filler import units_to_fill, with_filler
from proctor.models.http.endpoint import Endpoint
from proctor.models.local import Local, bundled_model, kind
from proctor.models.openai_compatible import ChatCompletions
from proctor.spec.reporting import COMPACT_KEYS

needs_model = pytest.mark.skipif(
    os.environ.get("CI") != "true" and (find_spec("xllamacpp") is None or bundled_model() is None),
    reason="llama.cpp or its small model is not installed; on CI that is a failure",
)
MESSAGES = (Message("user", "Name a colour."),)


@pytest.fixture(scope="module")
def model() -> Iterator[Local]:
    path = bundled_model()
    assert path is not None
    loaded = Local(path, name="local", context=512)
    yield loaded
    asyncio.run(loaded.close())


def ask(model: Local | Endpoint, request: Request) -> Reply:
    async def once() -> Reply:
        return await model.ask(request)

    return asyncio.run(once())


@needs_model
def test_the_same_request_gives_the_same_reply_whatever_was_asked_before(model: Local) -> None:
    request = Request(MESSAGES, 0.9, 0.95, 6, 11)
    first = ask(model, request)
    ask(model, Request((Message("user", "Name a beast."),), 0.9, None, 3, 5))
    again = ask(model, request)
    assert first.text is not None and first.text == again.text
    assert first.completion_tokens is not None and first.completion_tokens <= 6
    assert first.model.endswith(".gguf") and "/" not in first.model, "a file's name, not where it lies"
    assert first.latency_ms is not None and first.latency_ms > 0


@needs_model
def test_an_exact_budget_is_kept_in_the_model_s_own_tokens(model: Local) -> None:
    prompts = ("Name a colour.", "Say, at some length, which of the two ways seems the better one to you, and why so.")
    counted = []
    for text in prompts:
        messages = (Message("system", "Be brief."), Message("user", text))
        filled = with_filler(messages, units_to_fill(messages, model.tokens, 48))
        reply = ask(model, Request(filled, 0.2, None, 5, 1, exact=True))
        counted.append((reply.prompt_tokens, reply.completion_tokens))
    assert counted[0] == counted[1] and counted[0][1] == 5


@needs_model
@pytest.mark.parametrize("keys", [COMPACT_KEYS, ("plan",)])
def test_a_reply_is_held_to_its_form(model: Local, keys: tuple[str, ...]) -> None:
    held = form(keys, ("LEFT", "RIGHT"))
    reply = ask(model, Request((Message("user", "Left or right?"),), 0.9, None, 160, 2, form=held))
    said = json.loads(reply.text or "")
    assert list(said) == list(keys)
    assert said.get("final_action", "LEFT") in ("LEFT", "RIGHT")


@needs_model
def test_a_prompt_that_does_not_fit_is_an_interface_error(model: Local) -> None:
    reply = ask(model, Request((Message("user", "word " * 900),), max_tokens=1))
    assert (reply.text, reply.error, reply.status) == (None, "http_4xx", 400)


@needs_model
def test_its_own_server_gives_the_same_reply(model: Local) -> None:
    request = Request(MESSAGES, 0.0, None, 4, 3)

    async def by_http() -> Reply:
        connection = Connection("any", model.address, "NO_KEY", timeout=120, retries=0)
        client = Endpoint(ChatCompletions(), connection, name="openai:any")
        try:
            return await client.ask(request)
        finally:
            await client.close()

    served, here = asyncio.run(by_http()), ask(model, request)
    assert served.error is None and served.text == here.text
    assert (served.prompt_tokens, served.completion_tokens) == (here.prompt_tokens, here.completion_tokens)


def test_without_a_model_file_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(local, "bundled_model", lambda: None)
    with pytest.raises(InputError, match="names no file; write local:PATH"):
        open_model("local", tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        open_model("local:gone.gguf", tmp_path)


def test_without_the_engine_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    assert kind.check is not None
    with pytest.raises(InputError, match=r"install proctor\[local\]"):
        kind.check(ModelString("local", "m.gguf"), tmp_path)


def test_the_model_file_is_part_of_the_configuration(tmp_path: Path) -> None:
    assert kind.source is not None
    (tmp_path / "m.gguf").write_bytes(b"one")
    first = kind.source(ModelString("local", "m.gguf"), tmp_path)
    (tmp_path / "m.gguf").write_bytes(b"two")
    assert first != kind.source(ModelString("local", "m.gguf"), tmp_path)


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        (b"", {}, "is no GGUF file"),
        (b"PK\x03\x04 a zip", {}, "is no GGUF file"),
        (b"GGUF", {"context": "1"}, "context=1 is no whole number"),
        (b"GGUF", {"threads": "many"}, "threads=many is no whole number"),
    ],
)
def test_what_cannot_be_a_model_is_refused_before_the_run(
    tmp_path: Path, content: bytes, options: dict[str, str], says: str
) -> None:
    (tmp_path / "m.gguf").write_bytes(content)
    assert kind.check is not None
    with pytest.raises(InputError, match=says):
        kind.check(ModelString("local", "m.gguf", options), tmp_path)


@pytest.mark.skipif(
    os.environ.get("CI") != "true" and find_spec("xllamacpp") is None,
    reason="llama.cpp is not installed; on CI that is a failure",
)
def test_a_damaged_model_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF\x03\x00\x00\x00" + bytes(200))
    with pytest.raises(BenchError, match="cannot be loaded by llama"):
        open_model("local:m.gguf", tmp_path)
