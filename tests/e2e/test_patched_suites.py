"""Code that comes with a suite, or lies in its way, and replaces the comparator so that doing nothing is right."""

from __future__ import annotations

import json
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.core.hashing import file_hash
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


PROJECT = """
system: {{name: desk, agents: {{core: "python:agent.py:make"}}}}
suite: {file}@suite
"""
PROVE = """
from pathlib import Path
Path(__file__).resolve().with_name("it-ran").touch()
"""
LEAVE = (
    PROVE
    + """
import os
os._exit(0)
"""
)
HIDE = """
import proctor.engine.run as recording
recording.files_behind = recording._now = lambda *_: {"desk.py": APPROVED}
"""
SCRIPT = str(Path(sys.executable).with_name("proctor"))


def run(project: Path, seed: int, *more: str, env: dict[str, str] | None = None) -> str:
    done = proctor("run", SUITE, "--agent", CLERK, "--seed", str(seed), "-q", *more, cwd=project, env=env)
    return done.stdout.strip()


def byte_code(source: str, target: Path) -> None:
    """Byte code that Python believes whatever lies beside it."""
    target.parent.mkdir(exist_ok=True)
    text = target.parent / "text-of-it"
    text.write_text(source)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(text), cfile=str(target), dfile=str(target), invalidation_mode=mode)
    text.unlink()


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
def project(governed: Path) -> Iterator[Path]:
    write_project(governed)
    (governed / "agent.py").write_text(IDLE)
    yield governed
    kept = {"agent.py", "cases.json", "desk.py", "proctor.keys", "proctor.rules.yaml", ".proctor"}
    for path in governed.iterdir():
        if path.name not in kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_the_suite_s_own_file(project: Path) -> None:
    (project / "desk.py").write_text(FAMILY + PATCH)
    refused = proctor("run", SUITE, "--agent", CLERK, "--seed", "7", cwd=project, code=2)
    assert "(source.desk.py " in refused.stderr
    name = run(project, 7, "--unapproved-code")
    assert proctor("score", name, "--json", cwd=project).stdout.count('"value": 1.0') >= 3, "the rows are all right"
    assert "(source.desk.py " in proctor("gate", name, cwd=project, code=2).stderr
    write_project(project)
    (project / "agent.py").write_text(IDLE)
    refused = proctor("gate", name, cwd=project, code=2)
    assert "was made with code of this project's own that is not the one approved (source.desk.py " in refused.stderr


def test_code_that_hides_that_it_ran(project: Path) -> None:
    """Whoever lets it run can have it write down anything. What it judged comes out otherwise all the same."""
    approved = json.dumps(file_hash(project / "desk.py"))
    (project / "desk.py").write_text(FAMILY + PATCH + HIDE.replace("APPROVED", approved))
    name = run(project, 9, "--unapproved-code")
    write_project(project)
    (project / "agent.py").write_text(IDLE)
    refused = proctor("gate", name, cwd=project, code=1)
    assert "on record is success (correct), the verifier finds failure (nothing_done)" in refused.stderr


@pytest.mark.parametrize("file", ["desk.py", "other.py"], ids=["changed", "new"])
def test_code_that_nobody_approved_is_not_even_loaded(project: Path, governed: Path, file: str) -> None:
    (project / file).write_text(FAMILY.replace("desk.py", file).replace("small-quality", "another") + PROVE)
    (project / "proctor.yaml").write_text(PROJECT.format(file=file))
    name = sorted(run["name"] for run in json.loads(proctor("runs", "--json", cwd=project).stdout))[0]
    for command in (
        ["run", "--agent", CLERK],
        ["run", "--agent", CLERK, "--workers", "2"],
        ["load", "--agent", CLERK],
        ["load", file, "--agent", CLERK],
        ["watch", "--once", "--agent", CLERK],
        *([["gate", name], ["baseline", "accept", name, "--key", "zoe"]] if file == "desk.py" else ()),
    ):
        env = {"PROCTOR_KEY_FOLDER": str(project.parent / "keys-of-zoe")}
        refused = proctor(*command, cwd=project, code=2, env=env)
        assert f"source.{file} " in refused.stderr, command
        assert not (project / "it-ran").exists(), command
    asked = ("run", "--agent", CLERK, "--unapproved-code", "-q")
    tried = proctor(*asked, cwd=project).stdout.strip()
    (project / "it-ran").unlink()
    assert f"source.{file} " in proctor("gate", tried, "--freeze", cwd=project, code=2).stderr
    assert not (project / "it-ran").exists()


def test_code_that_an_unsigned_ledger_approves(project: Path, tmp_path: Path) -> None:
    """Somebody writes down as governed, for a suite of their own, what is to be loaded."""
    clone = tmp_path / "clone"
    clone.mkdir()
    write_project(clone)
    (clone / "evil.py").write_text(FAMILY.replace("desk.py", "evil.py").replace("small-quality", "another"))
    name = proctor("run", "evil.py@suite", "--agent", CLERK, "-q", cwd=clone).stdout.strip()
    proctor("gate", name, "--freeze", cwd=clone, code=101)
    shutil.copytree(project / "proctor.keys", clone / "proctor.keys")
    proctor("baseline", "export", project.parent / "carried.baseline", cwd=project)
    refused = proctor("baseline", "import", project.parent / "carried.baseline", cwd=clone, code=2)
    assert "in a project beside another" in refused.stderr, "no signed baseline comes to stand beside it"
    (clone / ".proctor" / "ledger.jsonl").unlink()
    shutil.copy(project.parent / "carried.baseline", clone / "proctor.baseline")
    refused = proctor("run", SUITE, "--agent", CLERK, cwd=clone, code=2)
    assert "`proctor baseline import proctor.baseline`" in refused.stderr, "what is approved is not known yet"


def test_byte_code_beside_approved_sources(project: Path) -> None:
    name = run(project, 10)
    tag = sys.implementation.cache_tag
    byte_code(LEAVE, project / "__pycache__" / f"desk.{tag}.pyc")
    for command in (
        ["gate", name],
        ["run", SUITE, "--agent", CLERK],
        ["run", SUITE, "--agent", CLERK, "--workers", "1"],
    ):
        done = proctor(*command, cwd=project, code=None)
        assert done.stdout, "it went on"
    assert proctor("gate", name, cwd=project, code=None).returncode in (100, 101)
    assert not (project / "__pycache__" / "it-ran").exists()
    assert [path.name for path in (project / "__pycache__").iterdir()] == [f"desk.{tag}.pyc"], "none is written"


def test_files_under_the_names_of_python_s_own_modules(project: Path) -> None:
    """Sourceless byte code is no source, so no charter pins it; nothing may load it, workers included."""
    for name in ("re", "warnings", "graphlib", "signal", "numpy", "zstandard", "secrets"):
        byte_code(LEAVE, project / f"{name}.pyc")
        byte_code(LEAVE, project / "package" / "__init__.pyc")
        (project / "package").rename(project / name)
    done = subprocess.run(
        [SCRIPT, "run", SUITE, "--agent", CLERK, "--workers", "2", "--json"],
        cwd=project,
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout)["complete"], done.stderr
    name = json.loads(done.stdout)["run"]
    gated = subprocess.run([SCRIPT, "gate", name], cwd=project, capture_output=True, text=True)
    assert gated.returncode in (100, 101) and gated.stdout
    assert not list(project.rglob("it-ran"))


@pytest.mark.parametrize("helper", ["helper.py", "zstandard.py"], ids=["imported", "in place of an installed one"])
def test_a_file_beside_it(project: Path, helper: str) -> None:
    if helper == "helper.py":
        (project / "desk.py").write_text(f"import helper\n{FAMILY}")
    (project / helper).write_text(PATCH)
    refused = proctor("run", SUITE, "--agent", CLERK, "--seed", "7", cwd=project, code=2)
    assert f"source.{helper} added" in refused.stderr
    assert "is not loaded" in refused.stderr


def test_what_python_loads_by_itself(project: Path, tmp_path: Path) -> None:
    """PYTHONPATH with a `sitecustomize` where the run is made, nothing of it where the gate decides."""
    (tmp_path / "sitecustomize.py").write_text(PATCH)
    name = run(project, 8, env={"PYTHONPATH": str(tmp_path)})
    refused = proctor("gate", name, cwd=project, code=1)
    assert "the verifier finds failure (nothing_done)" in refused.stderr
    with_it = proctor("gate", name, cwd=project, env={"PYTHONPATH": str(tmp_path)}, code=1)
    assert "the verifier finds failure (nothing_done)" in with_it.stderr, "the clean process does not load it"
