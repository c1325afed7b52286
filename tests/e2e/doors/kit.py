"""A project with the clerk behind every door, and what an examination of it left.

Inside the sandbox there is no Proctor to import the clerk from. So its modules, and whatever of Proctor's they import,
are copied into the agent's own folder under another name, and the scripts of `agents` beside them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import proctor
from proctor.evidence.events import Called, Returned, Submitted
from proctor.plugins.sources import source_files
from tests.e2e.command import proctor_json

AGENTS = Path(__file__).parent / "agents"
COPY = "clerkkit"
DOORS = ("python", "cmd", "http", "mcp")
PROJECT = """
system:
  name: clerk
  configuration: {{rules: those of the clerk}}
  boundaries: {{core: {{tools: [], memory: internal, human_policy: {{allowed: false}}}}}}
  agents: {{core: {agent}}}
"""
_OURS = re.compile(r"\bproctor\.(agents|core|models|plugins|spec)\b")


def write_project(folder: Path) -> None:
    """The clerk in a folder of its own."""
    for module, path in source_files(["proctor.agents.clerk"]).items():
        if path.suffix == ".py":
            parts = Path(*module.split(".")[1:])
            target = parts / "__init__.py" if path.name == "__init__.py" else parts.with_suffix(".py")
            _copy(path, folder / "agent" / COPY / target)
    (folder / "agent" / COPY / "__init__.py").touch()
    for path in AGENTS.glob("*_door.py"):
        _copy(path, folder / "agent" / path.name)
    _copy(AGENTS / "stepping.py", folder / "agent" / "stepping.py")


def _copy(source: Path, target: Path) -> None:
    text = _OURS.sub(rf"{COPY}.\1", source.read_text(encoding="utf-8"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text.replace("tests.e2e.doors.agents.", ""), encoding="utf-8")


@contextmanager
def agent_behind(door: str, project: Path) -> Iterator[str]:
    """The agent string of the clerk behind a door; a service runs for as long as it is needed."""
    if door != "http":
        detail = {"python": "python_door.py:make", "cmd": "python3 stdio_door.py", "mcp": "python3 mcp_door.py"}[door]
        stays = ",stays=yes" if door == "mcp" else ""
        yield f"{door}:{detail},folder=agent,start_seconds=120{stays}"
        return
    command = [sys.executable, str(project / "agent" / "http_door.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout is not None
            yield f"http://127.0.0.1:{service.stdout.readline().strip()}/clerk"
        finally:
            service.terminate()


class Examined:
    """What a run left: every call with its result and every submission, by the number of the episode."""

    def __init__(self, store: Path) -> None:
        self.calls: dict[int, list[Any]] = {}
        self.outcomes: dict[int, tuple[str, str]] = {}
        with proctor.Store(str(store), create=False) as opened:
            run = opened.run("latest")
            for row in opened.rows(run.number):
                self.outcomes[row.position] = (row.outcome, row.reason)
                self.calls[row.position] = [
                    event
                    for event in opened.events(run.number, row.position)
                    if isinstance(event, Called | Returned | Submitted)
                ]


def examine(project: Path, suite: str, agent: str, name: str) -> tuple[Examined, Path]:
    """Run a suite on an agent, which the project declares as a policy alone; what it left, and where."""
    store = project.parent / f"{name}.db"
    (project / "proctor.yaml").write_text(PROJECT.format(agent=json.dumps(agent)))
    result = proctor_json("run", suite, "--store", store, cwd=project, seconds=3600)
    assert result["complete"], result
    return Examined(store), store


def vector(project: Path, store: Path) -> dict[str, Any]:
    """The levels that the run reads."""
    levels: dict[str, Any] = proctor_json("score", "--store", store, cwd=project)["agency"]["comparison"]["vector"]
    return levels
