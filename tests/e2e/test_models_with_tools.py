"""Models with tools behind real servers: what a script can do passes, through each interface."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from proctor.models.local import bundled_model
from tests.e2e.command import proctor, proctor_json
from tests.fake_models import Answer, Asked, Call, Refuse, Say, serving
from tests.unit.agents.model.follower import follow

needs_model = pytest.mark.skipif(
    os.environ.get("CI") != "true" and (find_spec("xllamacpp") is None or bundled_model() is None),
    reason="llama.cpp or its small model is not installed; on CI that is a failure",
)


def literal(asked: Asked) -> Answer:
    calls = tuple(Call(name, arguments) for name, arguments in follow(asked.messages))
    # A model takes its time, so that episodes wait for it together however busy the machine is.
    return Say(calls=calls, prompt_tokens=100, delay=0.05)


KEYS = {"OPENAI_API_KEY": "sk-planted-0123456789abcdef", "ANTHROPIC_API_KEY": "sk-planted-0123456789abcdef"}


@pytest.mark.parametrize("interface", ["openai", "anthropic"])
def test_a_model_that_follows_the_prompt_passes_what_it_can_do(interface: str, tmp_path: Path) -> None:
    with serving(literal) as fake:
        address = fake.base_url if interface == "openai" else fake.address
        agent = f"model:{interface}:literal,base_url={address}"
        ran = proctor_json("run", "hello", "--only", "files", "--agent", agent, cwd=tmp_path, env=KEYS)
        rows = proctor_json("show", ran["run"], cwd=tmp_path)
        assert fake.peak > 1, "several episodes wait at once"
        assert all(asked.key == KEYS["OPENAI_API_KEY"] for asked in fake.requests)
        offered = set(fake.requests[0].tools)
    assert {"read_file", "move_file", "write_file", "submit"} <= offered
    assert ran["status"] == "complete" and ran["outcomes"]["infrastructure"] == 0, rows
    assert ran["outcomes"]["success"] >= 20, "all of the baseline; papers that noise has garbled it cannot read"
    usage = ran["usage"]
    assert usage["requests"] == len(fake.requests) and usage["uncounted"] == 0
    assert usage["tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] and usage["cost"] is None
    # Nobody is there any more: replies come from the record, tool calls and all.
    again = proctor_json(
        "run", "hello", "--only", "files", "--agent", agent, "--replay", ran["run"], cwd=tmp_path, env=KEYS
    )
    assert again["root"] == ran["root"] and again["usage"]["replayed"] == usage["requests"]
    proctor("verify", ran["run"], cwd=tmp_path)
    bundle = tmp_path / "run.proctor"
    proctor("export", ran["run"], "-o", bundle, cwd=tmp_path)
    proctor("verify", bundle, cwd=tmp_path)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEYS["OPENAI_API_KEY"].encode() not in path.read_bytes(), path
    shown = proctor("show", ran["run"], "0", cwd=tmp_path).stdout
    assert "→ read_file(" in shown and "→ submit(" in shown and "tool (answers call00001)" in shown


def test_a_server_that_is_not_there_ends_the_run_and_no_rate_is_printed(tmp_path: Path) -> None:
    with serving(literal) as fake:
        address = fake.base_url
    agent = f"model:openai:gone,base_url={address},retries=0"
    done = proctor("run", "hello", "--agent", agent, cwd=tmp_path, env=KEYS, code=1)
    assert "openai:gone" in done.stderr + done.stdout and "could not be reached" in done.stderr + done.stdout
    assert "100 %" not in done.stdout


@pytest.mark.parametrize(
    ("status", "message", "said"),
    [(401, "bad key", "refuses the key"), (400, "this model does not support tools", "no tool calling")],
)
def test_a_refused_key_and_a_model_without_tools_end_the_run(
    status: int, message: str, said: str, tmp_path: Path
) -> None:
    def refuse(asked: Asked) -> Answer:
        return Refuse(status, message) if status == 401 or asked.tools else Say("5")

    with serving(refuse) as fake:
        agent = f"model:openai:any,base_url={fake.base_url}"
        done = proctor("run", "hello", "--agent", agent, cwd=tmp_path, env=KEYS, code=1)
    assert said in done.stderr + done.stdout and fake.count < 60, "it does not knock for ever"


def test_two_hundred_slow_agents_wait_in_one_process(tmp_path: Path) -> None:
    def slow(asked: Asked) -> Answer:
        return Say(calls=(Call("submit", {"answer": "done"}),), delay=1.0)

    with serving(slow, keep=False) as fake:
        agent = f"model:openai:slow,base_url={fake.base_url}"
        arguments = ("run", "hello", "--agent", agent, "--concurrency", "200")
        ran = proctor_json(*arguments, cwd=tmp_path, env=KEYS)
    assert fake.peak >= 150, fake.peak
    assert ran["outcomes"]["infrastructure"] == ran["outcomes"]["limit"] == 0, "nothing timed out by our own doing"


@needs_model
def test_a_small_model_with_native_tools_lives_its_episodes(tmp_path: Path) -> None:
    arguments = ("run", "hello", "--only", "extract", "--only", "track", "--agent", "model:local,tokens=24,turns=2")
    (tmp_path / "proctor.yaml").write_text(json.dumps({"system": {"name": "small"}, "limits": {"run_episodes": 2}}))
    ran = proctor_json(*arguments, cwd=tmp_path)
    assert ran["outcomes"]["infrastructure"] == 0 and ran["episodes"] == 2
    assert ran["usage"]["requests"] >= 2 and ran["usage"]["uncounted"] == 0
