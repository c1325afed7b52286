"""Whole runs through the command line: what passed the proxy is on record, can be replayed, and holds no key."""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from tests.fake_models import Answer, Asked, Call, Raw, Refuse, Say, serving
from tests.unit.cli.conftest import Cli, cli

from proctor.cli.options import open_store
from proctor.core.secrecy import forms

__all__ = ["cli"]
KEY = "sk-planted+0123456789/abcdefghijklmnop=="
AGENTS = Path(__file__).parents[1] / "agents_process" / "model_agents.py"
FAMILIES = Path(__file__).parents[1] / "agents_process" / "families.py"


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def adding(asked: Asked) -> Answer:
    if asked.answers:
        return Say(str(sum(int(re.sub(r"\D", "", one.content) or "0") for one in asked.answers)))
    return Say(calls=tuple(Call("number", {"index": place}) for place in range(3)))


def write_project(folder: Path, address: str, agent: str) -> None:
    (folder / "model_agents.py").write_text(AGENTS.read_text())
    (folder / "families.py").write_text(FAMILIES.read_text())
    entries = [{"family": "families.py:sums", "n": 2}]
    suite = {"name": "tiny", "version": "1.0", "title": "Tiny", "epoch": "2026-01-01T00:00:00Z", "entries": entries}
    (folder / "tiny.json").write_text(json.dumps(suite))
    models = [
        {"provider": "openai", "name": "gpt-x", "base_url": f"{address}/v1", "timeout": 5},
        {"provider": "anthropic", "name": "claude-x", "base_url": f"{address}/v1", "timeout": 5},
    ]
    agents = {"extended": f"python:model_agents.py:{agent},start_seconds=30"}
    system = {"name": "adder", "models": models, "agents": agents, "prices": {"gpt-x": {"input": "2", "output": "8"}}}
    (folder / "proctor.yaml").write_text(json.dumps({"system": system, "suite": "tiny.json"}))


@pytest.mark.parametrize("agent", ["OpenAIChatStreamed", "Anthropic", "OpenAIAgents"])
def test_a_run_is_replayed_without_model_or_key(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str
) -> None:
    with serving(adding) as fake:
        write_project(tmp_path, fake.address, agent)
        done = cli("run", "--json")
        assert done.code == 0, done.err
        assert done.json["outcomes"]["success"] == 2
        asked = fake.count
    assert asked >= 4
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name)
    again = cli("run", "--replay", "latest", "--json")
    assert again.code == 0, again.err
    assert again.json["root"] == done.json["root"]
    assert again.json["outcomes"]["success"] == 2


def test_a_replay_that_asks_something_else_says_so(cli: Cli, tmp_path: Path) -> None:
    with serving(adding) as fake:
        write_project(tmp_path, fake.address, "OpenAIChat")
        assert cli("run", "--json").code == 0
    text = (tmp_path / "model_agents.py").read_text()
    (tmp_path / "model_agents.py").write_text(text.replace('"content": task.goal', '"content": "other " + task.goal'))
    again = cli("run", "--replay", "latest")
    assert again.code == 1
    assert "not on record" in again.err


def test_tokens_and_cost_are_those_of_the_provider(cli: Cli, tmp_path: Path) -> None:
    with serving(adding) as fake:
        write_project(tmp_path, fake.address, "OpenAIChat")
        assert cli("run", "--json").code == 0
    with open_store(None) as store:
        rows = list(store.rows(store.run("latest").number))
    assert [row.tokens for row in rows] == [28, 28]
    # 22 tokens in at 2, 6 out at 8, per million.
    assert [row.cost for row in rows] == ["0.000092", "0.000092"]


def shapes() -> Iterator[bytes]:
    """Everything that must not be found."""
    yield from (form.encode() for form in forms(KEY))
    yield KEY.encode().hex().encode()


def files_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("model_agents.py", "families.py"):
            yield str(path.relative_to(folder)), path.read_bytes()


def read_back(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Rows and traces as they read once unpacked, and replies once unpacked again."""
    with open_store(None) as opened:
        store: Any = opened
        for record in store.runs():
            for row in store.rows(record.number):
                yield f"row {row.position}", msgspec.json.encode(row)
                events = store.events(record.number, row.position)
                yield f"trace {row.position}", msgspec.json.encode(events)
                yield f"aside {row.position}", row.aside or b""
                for _, details in msgspec.json.decode(row.aside or b"[]"):
                    if "packed" in details:
                        yield f"reply {row.position}", zlib.decompress(base64.b64decode(details["packed"]))


def echoing(asked: Asked) -> Answer:
    """A provider that gives the key away in every way it can."""
    key = asked.key
    encoded = base64.b64encode(f"authorization: Bearer {key}".encode()).decode()
    said = f"raw {key} url {quote(key, safe='')} base64 {encoded} long {'x' * 5000}{key}"
    if "refuse" in asked.text:
        return Refuse(400, said, {"x-echo": key, "retry-after": key})
    if asked.number % 2:
        body = {"model": key, "choices": [{"index": 0, "finish_reason": key, "message": {"content": said}}], key: said}
        return Raw(msgspec.json.encode(body), headers={"x-echo": key, "content-type": f"application/json; k={key}"})
    return Say(said, model=key)


def test_a_planted_key_is_found_nowhere(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(echoing) as fake:
        write_project(tmp_path, fake.address, "EchoingEverything")
        printed = [cli("run"), cli("run", "--json")]
        assert {asked.key for asked in fake.requests} == {KEY}
    printed += [cli("show", "latest"), cli("report", "latest", "--output", "report.html")]
    printed += [cli("export", "latest", "--output", "run.proctor"), cli("runs"), cli("show", "latest", "--json")]
    monkeypatch.setenv("OPENAI_API_KEY", "")
    printed.append(cli("run"))
    outputs = [(f"output {number}", (one.out + one.err).encode()) for number, one in enumerate(printed)]
    looked = [*files_of(tmp_path), *read_back(tmp_path), *outputs]
    names = [name for name, _ in looked]
    assert "report.html" in names
    assert "model traffic through Proctor" in (tmp_path / "report.html").read_text()
    assert "run.proctor" in names and any(name.startswith("report") for name in names)
    found = [(name, shape) for name, data in looked for shape in shapes() if shape in data]
    assert found == []
    assert any(b"raw [key] url [key]" in data for _, data in looked), "what was echoed is there, without the key"
    assert KEY not in json.dumps(dict(os.environ, OPENAI_API_KEY="", ANTHROPIC_API_KEY=""))
