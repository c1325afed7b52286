"""Commands that read evidence load nothing that could run an agent: no session, no sandbox, no suite."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.pipeline.living import CLERK, accepted, live
from tests.unit.pipeline.small_quality import write_agent, write_project

ENGINE = (
    "proctor.engine.run",
    "proctor.engine.batch",
    "proctor.engine.build",
    "proctor.engine.session",
    "proctor.engine.episode",
    "proctor.engine.lifetime",
    "proctor.engine.executors",
    "proctor.worlds.sandbox",
    "proctor.worlds.bubblewrap",
    "proctor.agents.process",
)
"""What runs an agent."""
SUITES = "proctor.suites"
CODE = """
import contextlib, io, sys
from proctor.cli.main import main
sys.argv = ["proctor", *sys.argv[1:]]
with contextlib.redirect_stdout(io.StringIO()):
    try:
        main()
    except SystemExit as ending:
        code = ending.code
print(code or 0)
print("\\n".join(sys.modules))
"""


def loaded(folder: Path, *words: str) -> tuple[int, set[str]]:
    """The exit code of a command in a project, and the modules it loaded."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, *words, "--store", "store.db"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    code, *modules = done.stdout.splitlines()
    return int(code), set(modules)


def of(modules: set[str], *packages: str) -> list[str]:
    """Those that are one of these, or inside one."""
    return sorted(name for name in modules if any(name == one or name.startswith(f"{one}.") for one in packages))


@pytest.fixture(scope="module")
def examined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an accepted baseline, and a run of a user's own agent, which lived in a sandbox."""
    folder = tmp_path_factory.mktemp("examined")
    write_project(folder)
    accepted(folder, *live(folder, 1, 2, 3, 4, 5, agent=CLERK))
    live(folder, 9, agent=CLERK)
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("show", "latest"),
        ("show", "latest", "0"),
        ("show", "latest", "--failed"),
        ("score", "latest"),
        ("score", "latest", "--json"),
        ("report", "latest", "-o", "page.html"),
        ("report", "latest", "-o", "page.json"),
        ("verify", "latest"),
        ("export", "latest", "-o", "run.proctor"),
    ],
    ids=" ".join,
)
def test_reading_a_run_loads_no_engine_and_no_suite(examined: Path, words: tuple[str, ...]) -> None:
    code, modules = loaded(examined, *words)
    assert code == 0
    assert f"proctor.cli.{words[0]}" in modules
    assert of(modules, *ENGINE, SUITES) == []


@pytest.mark.parametrize("agent", ["oracle", "cmd:./agent", "structured:simulated", "chat:openai:m", "human"])
def test_the_label_of_an_agent_loads_no_engine(agent: str) -> None:
    code = (
        f"from proctor.agents.lookup import label_of; label_of({agent!r}); import sys; print('\\n'.join(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert of(set(done.stdout.splitlines()), *ENGINE, SUITES) == []


def test_a_gate_on_evidence_that_is_there_loads_no_engine(examined: Path, tmp_path: Path) -> None:
    """It does load the suite's families, which hold the oracle, and what tells whether the agent is still the same."""
    project = Path(shutil.copytree(examined, tmp_path / "project"))
    code, modules = loaded(project, "gate", "latest", "-q", "--rehearsal")
    assert code == 0
    assert of(modules, *(name for name in ENGINE if name.startswith("proctor.engine"))) == []
    assert of(modules, SUITES) != []


def test_a_gate_loads_the_engine_where_a_decline_has_to_be_confirmed(examined: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(examined, tmp_path / "project"))
    write_agent(project, 1, 2, 3)
    live(project, 9, agent=CLERK)
    code, modules = loaded(project, "gate", "latest", "-q", "--rehearsal")
    assert code == 101
    assert {"proctor.engine.run", "proctor.engine.session"} <= modules
