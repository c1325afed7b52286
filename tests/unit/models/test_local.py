"""A real language model: in this process, and behind its own server through the official client."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import pytest

from proctor.agents.structured.form import form
from proctor.core.errors import BenchError, InputError
from proctor.models import local
from proctor.models.connection import Connection
from proctor.models.contract import Message, ModelCall, ModelString, ModelTool, Reply, Request, open_model
from proctor.models.filler import units_to_fill, with_filler
from proctor.models.http.endpoint import Endpoint
from proctor.models.local import Local, bundled_model, kind
from proctor.models.local_server import main, open_server
from proctor.models.openai_compatible import ChatCompletions, chat_message, function_tools
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
    assert (reply.text, reply.error, reply.status) == (None, "too_long", 400)


@needs_model
def test_its_own_server_gives_the_same_reply(model: Local) -> None:
    request = Request(MESSAGES, 0.0, None, 4, 3)

    async def by_http() -> Reply:
        connection = Connection("any", model.address, "NO_KEY", timeout=300, retries=0)
        client = Endpoint(ChatCompletions(), connection, name="openai:any")
        try:
            return await client.ask(request)
        finally:
            await client.close()

    served, here = asyncio.run(by_http()), ask(model, request)
    assert served.error is None and served.text == here.text
    assert (served.prompt_tokens, served.completion_tokens) == (here.prompt_tokens, here.completion_tokens)


LOOKUP = ModelTool(
    "lookup",
    "Looks up a record by its number.",
    {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
)


def calling_again(times: int) -> tuple[Message, ...]:
    """A conversation in which a record was looked up so many times; even the smallest model goes on like that."""
    messages = [Message("system", "Call lookup.")]
    for number in range(1, times + 1):
        messages += [
            Message("user", f"Look up record {number}."),
            Message("assistant", "", (ModelCall(f"c{number}", "lookup", f'{{"id": {number}}}'),)),
            Message("tool", f"Record {number} is {('red', 'blue', 'green')[number % 3]}.", answers=f"c{number}"),
        ]
    return (*messages, Message("user", f"Look up record {times + 1}."))


CALLING = Request(calling_again(4), 0.0, None, 60, 1, tools=(LOOKUP,))


def prompt(model: Local, request: Request) -> str:
    """What the model is shown."""
    tools = {"tools": function_tools(request)} if request.tools else {}
    body = {"messages": [chat_message(one) for one in request.messages], **tools}
    address = model.address.removesuffix("/v1") + "/apply-template"
    asked = HttpRequest(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(asked, timeout=300) as answer:
        return str(json.load(answer)["prompt"])


@pytest.fixture(scope="module")
def calling() -> Iterator[Local]:
    loaded = Local.from_string(ModelString("local", "", {"context": "1024"}), Path())
    yield loaded
    asyncio.run(loaded.close())


@needs_model
def test_a_real_model_calls_a_tool_by_its_chat_template(calling: Local) -> None:
    reply = ask(calling, CALLING)
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [("lookup", {"id": 5})]
    assert (reply.text, reply.error, reply.finish) == ("", None, "tool_calls")
    assert ask(calling, CALLING).calls == reply.calls, "ids included"


@needs_model
def test_calls_and_answers_are_part_of_what_the_model_is_shown(calling: Local) -> None:
    turn = Message("assistant", "", (ModelCall("a", "lookup", '{"id": 3}'), ModelCall("b", "lookup", "{broken")))
    answers = (Message("tool", "blue", answers="a"), Message("tool", "no such record", answers="b"))
    request = Request((*CALLING.messages, turn, *answers), 0.0, None, 4, 1, tools=(LOOKUP,))
    shown = prompt(calling, request)
    for part in ("Looks up a record by its number.", '"arguments": {"id": 3}', "{broken", "blue", "no such record"):
        assert part in shown, part
    assert ask(calling, request).error is None


@needs_model
def test_without_tools_the_template_shows_what_the_model_s_own_does(calling: Local, model: Local) -> None:
    """What was measured before this model had tools is measured the same way now."""
    for messages in (
        MESSAGES,
        (Message("system", "Be brief."), *MESSAGES),
        (*MESSAGES, Message("assistant", "Red."), Message("user", "Another."), Message("system", "Note.")),
    ):
        assert prompt(calling, Request(messages)) == prompt(model, Request(messages))


@needs_model
def test_a_model_whose_template_knows_no_tools_says_so(model: Local) -> None:
    reply = ask(model, CALLING)
    assert (reply.text, reply.error, reply.calls) == (None, "no_tools", ())


@needs_model
def test_the_official_client_calls_tools_at_the_server_for_local_models() -> None:
    import openai

    served = open_server("local,context=1024", 0, Path())
    try:
        with openai.OpenAI(base_url=served.address, api_key="none") as client:
            messages: list[Any] = [chat_message(one) for one in CALLING.messages]
            tools: list[Any] = function_tools(CALLING)
            said = client.chat.completions.create(
                model="any", messages=messages, tools=tools, temperature=0, max_tokens=60, seed=1
            )
        calls = said.choices[0].message.tool_calls or []
        assert [call.function.name for call in calls if call.type == "function"] == ["lookup"]
    finally:
        asyncio.run(served.close())


def test_only_local_models_are_served(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["openai:m"]) == 2 and "only models of kind 'local'" in capsys.readouterr().err
    assert main(["local:gone.gguf"]) == 2 and "no such file" in capsys.readouterr().err
    assert main(["local", "80000"]) == 2 and "port=80000 is no whole number" in capsys.readouterr().err
    assert main(["--help"]) == 0 and "usage:" in capsys.readouterr().out


def test_a_template_is_a_file_or_one_of_two_names_and_part_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    (tmp_path / "t.jinja").write_text("{{ messages }}")
    assert kind.source is not None
    hashes = set()
    for options in ({}, {"template": "chatml-tools"}, {"template": "t.jinja"}):
        hashes.add(kind.source(ModelString("local", "m.gguf", options), tmp_path))
    assert len(hashes) == 3
    assert kind.source(ModelString("local", "m.gguf", {"template": "own"}), tmp_path) in hashes
    with pytest.raises(InputError, match="template names a Jinja file"):
        kind.source(ModelString("local", "m.gguf", {"template": "gone.jinja"}), tmp_path)


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
