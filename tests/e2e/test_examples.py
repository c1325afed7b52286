"""Every file in `examples/` is executed as its docstring says, so that none of them can rot."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from proctor.evidence.store.store import Store
from tests.scripted_server import TOKENS, van_driver

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = REPOSITORY / "examples"
PROCTOR = Path(sys.executable).with_name("proctor")


def output(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def examined(store: Path, *arguments: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(output(PROCTOR, "run", *arguments, "--store", str(store), "--json"))
    assert result["complete"]
    assert not result["outcomes"]["infrastructure"]
    return result


def rates(store: Path) -> dict[str, float]:
    reading = json.loads(output(PROCTOR, "score", "--store", str(store), "--json"))["rates"]
    return {value["where"]["regime"]: value["estimate"]["estimate"] for value in reading["values"]}


def test_every_example_is_executed_here() -> None:
    tested = set(re.findall(r"examples/(\w+\.\w+)", Path(__file__).read_text(encoding="utf-8")))
    assert {path.name for path in EXAMPLES.iterdir() if path.is_file()} <= tested


def test_the_page_shows_the_recipes_as_they_are() -> None:
    page = (REPOSITORY / "docs" / "how-to" / "real-agents.md").read_text(encoding="utf-8")
    for name in (
        "pydantic_ai_agent.py",
        "openai_agents_agent.py",
        "langgraph_agent.py",
        "smolagents_agent.py",
        "node_agent.mjs",
        "shell_agent.sh",
    ):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        code = text.split('"""\n', 2)[-1].strip() if name.endswith(".py") else text.strip()
        assert code in page, name


def test_the_ten_line_agent_gets_something_right(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    examined(store, "hello", "--only", "pipeline", "--agent", "python:examples/ten_lines.py:make")
    assert rates(store)["baseline"] >= 0.2


def test_the_ten_line_agent_has_ten_lines() -> None:
    module = ast.parse((EXAMPLES / "ten_lines.py").read_text(encoding="utf-8"))
    lines = {node.lineno for part in module.body[1:] for node in ast.walk(part) if hasattr(node, "lineno")}
    assert len(lines) == 10


def test_an_agent_in_any_language_finds_its_way(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    examined(store, "hello", "--only", "route", "--agent", "cmd:python3 examples/plain_agent.py")
    assert rates(store)["baseline"] >= 0.8


def test_an_agent_behind_http_finds_its_way(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    command = [sys.executable, "examples/http_agent.py", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) as service:
        try:
            assert service.stdout is not None
            address = service.stdout.readline().strip()
            result = examined(store, "hello", "--only", "route", "--agent", address)
        finally:
            service.terminate()
    assert result["label"] == "remote service"
    assert rates(store)["baseline"] >= 0.8


def test_an_agent_that_is_an_mcp_client_finds_its_way(tmp_path: Path) -> None:
    suite = tmp_path / "once.yaml"
    suite.write_text(
        'name: once\nversion: "1.0"\ntitle: Two ways\nepoch: "2026-01-01T00:00:00Z"\nentries: [{family: route, n: 2}]\n'
    )
    agent = "mcp:python3 examples/mcp_agent.py,start_seconds=120"
    assert examined(tmp_path / "store.db", str(suite), "--agent", agent)["outcomes"]["success"] == 2


@pytest.mark.parametrize("command", ["node examples/node_agent.mjs", "sh examples/shell_agent.sh"])
def test_agents_in_other_languages_find_the_same_way(command: str, tmp_path: Path) -> None:
    if shutil.which(command.partition(" ")[0]) is None and os.environ.get("CI") != "true":
        pytest.skip("not installed; on CI that is a failure")
    store = tmp_path / "store.db"
    examined(store, "hello", "--only", "route", "--agent", f"cmd:{command}")
    assert rates(store)["baseline"] >= 0.8


SMALL = """
name: roads
version: "1.0"
title: A few roads
epoch: "2026-01-01T00:00:00Z"
entries: [{family: route, n: 2}]
"""
DECLARED = """
system:
  name: van driver
  agents: {{core: "python:{file}:Examined"}}
  network: full
  env: [OPENAI_API_KEY, OPENAI_BASE_URL]
suite: roads.yaml
"""


@pytest.mark.parametrize(
    "example",
    [
        "examples/pydantic_ai_agent.py",
        "examples/openai_agents_agent.py",
        "examples/langgraph_agent.py",
        "examples/smolagents_agent.py",
    ],
)
def test_an_agent_of_a_framework_calls_the_tasks_tools(example: str, tmp_path: Path) -> None:
    name = Path(example).name
    shutil.copy(REPOSITORY / example, tmp_path / name)
    (tmp_path / "roads.yaml").write_text(SMALL)
    (tmp_path / "proctor.yaml").write_text(DECLARED.format(file=name))
    with van_driver() as asked:
        env = {**os.environ, "OPENAI_API_KEY": "planted-key", "OPENAI_BASE_URL": asked.url}
        done = subprocess.run(
            [PROCTOR, "run", "--json"], capture_output=True, text=True, check=False, cwd=tmp_path, env=env, timeout=300
        )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert result["outcomes"]["success"] == result["episodes"] == 2
    assert asked.keys == {"Bearer planted-key"}
    offered = {tool["function"]["name"] for tool in asked.requests[-1]["tools"]}
    assert offered - {"final_answer"} == {"look", "map", "move"}
    # The key is used, and found nowhere in what the run left.
    left = [path.read_bytes() for path in (tmp_path / ".proctor").rglob("*") if path.is_file()]
    assert left
    assert not any(b"planted-key" in data for data in left)
    with Store(str(tmp_path / ".proctor" / "store.db")) as store:
        rows = list(store.rows(store.run(result["run"]).number))
        trial = store.run(result["run"]).execution["preflight"]
    # Every request is counted: those of the episodes in their rows, those of the trial beside them.
    counted = [*(row.tokens for row in rows), trial["tokens"]]
    assert sum(counted) == TOKENS * len(asked.requests)


def test_a_family_of_ones_own_holds_and_runs(tmp_path: Path) -> None:
    assert "every check holds" in output(PROCTOR, "check", "examples/parcels.py")
    solved = examined(tmp_path / "store.db", "examples/parcels.py@suite", "--agent", "oracle")
    assert solved["outcomes"]["success"] == solved["episodes"] == 20


def test_evidence_is_read_from_python(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    run = examined(store, "hello", "--only", "extract", "--agent", "first")
    shown = output(sys.executable, "examples/read_evidence.py", store)
    assert "extract@1.0" in shown
    assert "of 20)" in shown
    assert f"{run['run']}, episode 0, root {run['root']}" in shown
    assert "EpisodeClosed(" in shown
