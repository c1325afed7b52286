"""Every file in `examples/` is executed as its docstring says, so that none of them can rot."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = REPOSITORY / "examples"
PROCTOR = Path(sys.executable).with_name("proctor")


def output(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPOSITORY, timeout=120)
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
