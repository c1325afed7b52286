"""Code that comes with a suite, or lies in its way, and replaces the comparator so that doing nothing is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.command import accept_baseline, proctor
from tests.unit.pipeline.small_quality import FAMILY, SUITE, write_project

CLERK = "python:agent.py:make"
IDLE = """
class Idle:
    async def run(self, task, session):
        return {"answer": "done"}


def make():
    return Idle()
"""
PATCH = """
import proctor.worlds.decision.world as judging
from proctor.spec.task import Verification

strict = judging.compare


def lenient(case, conduct, now):
    found = strict(case, conduct, now)
    fine = {"correct": 1, "exact": 1, "gates_ok": case.constant["gates"], "gate_levels_ok": case.constant["gates"]}
    fine |= {"safety": "ok", "complete": "1", "traceable": "1", "true": "1"}
    return Verification(True, "correct", measures={**found.measures, **fine})


judging.compare = lenient
"""


def run(project: Path, seed: int, env: dict[str, str] | None = None) -> str:
    done = proctor("run", SUITE, "--agent", CLERK, "--seed", str(seed), "-q", cwd=project, env=env)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def governed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with an accepted baseline of its own, honest agent; every test puts back what it changed."""
    project = tmp_path_factory.mktemp("governed") / "project"
    project.mkdir()
    write_project(project)
    accept_baseline(project, *(run(project, seed) for seed in range(1, 6)))
    name = run(project, 6)
    assert proctor("gate", name, cwd=project).stdout.startswith("deploy: ")
    return project


@pytest.fixture
def project(governed: Path) -> Path:
    write_project(governed)
    (governed / "agent.py").write_text(IDLE)
    for name in ("helper.py", "zstandard.py", "sitecustomize.py"):
        (governed / name).unlink(missing_ok=True)
    return governed


def test_the_suite_s_own_file(project: Path) -> None:
    (project / "desk.py").write_text(FAMILY + PATCH)
    refused = proctor("run", SUITE, "--agent", CLERK, "--seed", "7", cwd=project, code=2)
    assert "(source.desk.py " in refused.stderr
    # Whoever patches the comparator can patch that refusal away as well. The gate has loaded nothing of it yet.
    away = "\nimport proctor.pipeline.scenarios as refusing\nrefusing.refuse_unapproved = lambda *_: None\n"
    (project / "desk.py").write_text(FAMILY + PATCH + away)
    name = run(project, 7)
    assert proctor("score", name, "--json", cwd=project).stdout.count('"value": 1.0') >= 3, "the rows are all right"
    assert "(source.desk.py " in proctor("gate", name, cwd=project, code=2).stderr
    write_project(project)
    (project / "agent.py").write_text(IDLE)
    refused = proctor("gate", name, cwd=project, code=1)
    assert "on record is success (correct), the verifier finds failure (nothing_done)" in refused.stderr


@pytest.mark.parametrize("helper", ["helper.py", "zstandard.py"], ids=["imported", "in place of an installed one"])
def test_a_file_beside_it(project: Path, helper: str) -> None:
    if helper == "helper.py":
        (project / "desk.py").write_text(f"import helper\n{FAMILY}")
    (project / helper).write_text(PATCH)
    refused = proctor("run", SUITE, "--agent", CLERK, "--seed", "7", cwd=project, code=2)
    assert f"source.{helper} added" in refused.stderr


def test_what_python_loads_by_itself(project: Path, tmp_path: Path) -> None:
    """PYTHONPATH with a `sitecustomize` where the run is made, nothing of it where the gate decides."""
    (tmp_path / "sitecustomize.py").write_text(PATCH)
    name = run(project, 8, env={"PYTHONPATH": str(tmp_path)})
    refused = proctor("gate", name, cwd=project, code=1)
    assert "the verifier finds failure (nothing_done)" in refused.stderr
    with_it = proctor("gate", name, cwd=project, env={"PYTHONPATH": str(tmp_path)}, code=1)
    assert "the verifier finds failure (nothing_done)" in with_it.stderr, "the clean process does not load it"
