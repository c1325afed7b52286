"""What did not happen is said, and never scored: dead, refusing and hanging servers, agents that do not start."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.command import proctor
from tests.unit.models.loopback import completion, serving

pytest.importorskip("openai")
SUITES = ("hello", "agency-quick", "quality", "binding-quick")
KEY = "sk-" + "k3y" * 12


def project(folder: Path, agent: str, **more: Any) -> None:
    """A project whose agent declares that it calls no tools."""
    system = {
        "name": "ours",
        "agents": {"core": agent},
        "boundaries": {"core": {"actions": "none", "tools": [], "memory": "none"}, "extended": "none"},
    }
    (folder / "proctor.yaml").write_text(yaml.safe_dump({"system": system, **more}))


@pytest.fixture(scope="module")
def dead_port() -> Iterator[int]:
    """A port at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@contextmanager
def hanging() -> Iterator[str]:
    """A server that takes every connection and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


@pytest.mark.parametrize("suite", SUITES)
def test_a_dead_server_stops_the_run_with_its_reason_in_every_suite(suite: str, tmp_path: Path, dead_port: int) -> None:
    project(tmp_path, f"chat:openai:m,base_url=http://127.0.0.1:{dead_port}/v1,retries=0")
    said = "openai:m: the provider could not be reached, or closed the connection"
    done = proctor("run", suite, cwd=tmp_path, code=1)
    assert done.stdout.startswith(f"Nothing was measured: {said}")
    score = proctor("score", cwd=tmp_path)
    assert f"Nothing was measured: {said}" in score.stdout
    proctor("report", "-o", "report.html", cwd=tmp_path)
    page = (tmp_path / "report.html").read_text()
    assert said in page
    for text in (done.stdout, score.stdout, page):
        assert "A = [" not in text, "no vector"
    proctor("verify", cwd=tmp_path)
    if suite == "agency-quick":
        card = proctor("report", "--card", "card.html", cwd=tmp_path, code=2)
        assert "has no Agency Vector: Invalid (Verification Infrastructure)" in card.stderr


def test_a_refused_key_stops_the_run_at_once(tmp_path: Path) -> None:
    with serving(lambda *_: (401, {"error": {"message": f"{KEY} is bad"}})) as served:
        project(tmp_path, f"chat:openai:m,base_url={served.base_url},key_env=THEIR_KEY")
        done = proctor("run", "hello", "--json", cwd=tmp_path, env={"THEIR_KEY": KEY}, code=1)
    result = json.loads(done.stdout)
    assert (result["status"], result["episodes"]) == ("failed", 1)
    assert result["reason"].startswith("openai:m: the provider refuses the key") and "HTTP 401" in result["reason"]
    assert len(served.bodies) < 10
    shown = proctor("show", "latest", cwd=tmp_path)
    assert shown.stdout.startswith("Nothing was measured: openai:m: the provider refuses the key")
    stored = b"".join(path.read_bytes() for path in (tmp_path / ".proctor").rglob("*") if path.is_file())
    assert KEY.encode() not in stored


def test_a_server_that_hangs_is_no_answer_of_the_model(tmp_path: Path) -> None:
    with hanging() as address:
        agent = f"structured:openai:m,base_url={address},retries=0,timeout=0.3"
        done = proctor("run", "binding-quick", "--agent", agent, cwd=tmp_path, code=1)
    assert done.stdout.startswith("Nothing was measured: openai:m: nothing came back in time")


def test_the_safety_net_ends_what_a_model_does_not(tmp_path: Path) -> None:
    """It would wait for two minutes; the declared net is two seconds, and nothing of it is scored."""
    with hanging() as address:
        agent = f"chat:openai:m,base_url={address},timeout=120"
        project(tmp_path, agent, limits={"episode_seconds": 2, "run_episodes": 4})
        done = proctor("run", "hello", "--json", cwd=tmp_path, code=None)
    result = json.loads(done.stdout)
    # A model that hangs is no agent that hangs: nothing is known of the agent.
    assert result["outcomes"]["infrastructure"] == 4
    score = json.loads(proctor("score", "--json", cwd=tmp_path).stdout)
    assert not score["rates"]["measured"]
    assert sum(value["estimate"]["missing"] for value in score["rates"]["values"]) == 4


def test_a_model_without_tools_is_refused_on_tasks_with_tools(tmp_path: Path) -> None:
    with serving(lambda *_: completion("42")) as served:
        agent = f"chat:openai:m,base_url={served.base_url}"
        done = proctor("run", "agency-quick", "--agent", agent, cwd=tmp_path, code=2)
        assert "agent 'chat' calls no tools" in done.stderr and "`actions: none`" in done.stderr
        assert served.bodies == []
        (tmp_path / "proctor.yaml").write_text("system: {name: ours}\nlimits: {run_episodes: 8}\n")
        proctor("run", "binding-quick", "--agent", agent, cwd=tmp_path)
        assert len(served.bodies) >= 8, "which has no tools"


def test_an_agent_that_does_not_start_stops_the_run_with_the_real_error(tmp_path: Path) -> None:
    """It starts when it is tried before the run, and never again: nothing of it is scored."""
    text = """
import json, sys
from pathlib import Path
started = Path(STARTED)
if started.exists():
    sys.exit("the licence server is gone")
started.touch()
print(json.dumps({"type": "ready"}), flush=True)
sys.stdin.readline()
print(json.dumps({"type": "submit", "answer": "none"}), flush=True)
"""
    (tmp_path / "agent.py").write_text(text.replace("STARTED", repr(str(tmp_path / "started"))))
    agent = "cmd:python3 agent.py,unconfined=yes"
    done = proctor("run", "hello", "--agent", agent, cwd=tmp_path, code=1)
    first, *_ = done.stdout.splitlines()
    assert first.startswith("Nothing was measured: the agent ended with status 1 before it submitted")
    assert first.endswith("the licence server is gone")
    result = json.loads(proctor("show", "latest", "--json", cwd=tmp_path).stdout)
    assert (result["status"], result["episodes"], result["outcomes"]["infrastructure"]) == ("failed", 3, 3)
