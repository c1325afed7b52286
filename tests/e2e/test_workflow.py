"""The workflow that `proctor init --github` writes: its shape, and its steps carried out one after another by bash.

Actions of others (checkout, Python, artifact) are not carried out; `sudo` and `pip` are stand-ins that note how they
were called. A step's condition is decided by its text, so a condition this test does not know fails it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.e2e.command import accept_baseline, proctor, proctor_json
from tests.unit.pipeline.small_quality import write_agent, write_project

WORKFLOW = {"name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs"}
JOB = {
    "name", "permissions", "needs", "if", "runs-on", "environment", "concurrency", "outputs", "env", "defaults",
    "steps", "timeout-minutes", "strategy", "continue-on-error", "container", "services", "uses", "with", "secrets",
}  # fmt: skip
STEP = {
    "id",
    "if",
    "name",
    "uses",
    "run",
    "working-directory",
    "shell",
    "with",
    "env",
    "continue-on-error",
    "timeout-minutes",
}
EVENTS = {"push", "pull_request", "schedule", "workflow_dispatch"}
"""The keys of the documented syntax; of events those that this workflow may use."""
CLERK = "python:agent.py:make"
STAND_IN = '#!/bin/sh\necho "$(basename "$0") $*" >> "$CALLS"\n'
DELETES = """

async def _delete(self, task, session):
    request = (await session.call("lookup", source_id="request")).value
    await session.call("act", action="delete", args={"number": request["value"]["number"]})
    return {"answer": "done"}


Clerk.run = _delete
"""


class Job(NamedTuple):
    """How a job ended: the exit code of every step that was carried out, by name, and what it left."""

    codes: dict[str, int]
    summary: str
    calls: str
    output: str

    @property
    def title(self) -> str:
        """Of the comment that is shown, which begins with a marker."""
        return self.summary.splitlines()[2]

    @property
    def green(self) -> bool:
        return not any(self.codes.values())


def written(project: Path) -> dict[str, Any]:
    """The workflow; YAML 1.1 reads the key `on` as true."""
    found = yaml.safe_load((project / ".github" / "workflows" / "proctor.yml").read_text())
    return {"on" if name is True else name: value for name, value in found.items()}


def wanted(condition: str | None, project: Path, codes: dict[str, int]) -> bool:
    """Whether a step is carried out."""
    if condition is None:
        return not any(codes.values())
    if condition == "always()":
        return True
    if condition == "hashFiles('proctor.baseline') != ''":
        return not any(codes.values()) and (project / "proctor.baseline").is_file()
    assert condition == "${{ !cancelled() && steps.examine.conclusion != 'skipped' }}"
    return "Examine the agent" in codes


def carried_out(project: Path, place: Path, number: int = 9) -> Job:
    """The job in a fresh clone: nothing of `.proctor` is there."""
    place.mkdir()
    for name in ("sudo", "pip"):
        (place / name).write_text(STAND_IN)
        (place / name).chmod(0o755)
    summary, calls = place / "summary.md", place / "calls.txt"
    env = {
        **os.environ,
        "PATH": f"{place}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(summary),
        "RUNNER_TEMP": str(place),
        "GITHUB_RUN_NUMBER": str(number),
        "CALLS": str(calls),
    }
    codes: dict[str, int] = {}
    output = ""
    for step in written(project)["jobs"]["gate"]["steps"]:
        if "run" not in step or not wanted(step.get("if"), project, codes):
            continue
        script = place / "step.sh"
        script.write_text(step["run"])
        done = subprocess.run(
            ["bash", "-e", script], cwd=project, env=env, capture_output=True, text=True, check=False, timeout=300
        )
        codes[step["name"]] = done.returncode
        output += done.stdout + done.stderr
    text = summary.read_text() if summary.is_file() else ""
    return Job(codes, text, calls.read_text(), output)


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The baseline that a repository carries, from five runs elsewhere."""
    project = tmp_path_factory.mktemp("accepting")
    write_project(project)
    runs = [
        proctor_json("run", "desk.py@suite", "--agent", CLERK, "--seed", str(seed), cwd=project)["run"]
        for seed in range(1, 6)
    ]
    accept_baseline(project, *runs)
    proctor("baseline", "export", "proctor.baseline", cwd=project)
    return project / "proctor.baseline"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository as it is checked out."""
    project = tmp_path / "clone"
    project.mkdir()
    write_project(project)
    proctor("init", "--agent", CLERK, "--suite", "desk.py@suite", "--github", "--name", "desk", cwd=project)
    return project


def carry(baseline: Path, clone: Path) -> None:
    """What a repository has beside its code: the baseline, and the public keys of those who may sign."""
    shutil.copy(baseline, clone)
    shutil.copytree(baseline.parent / "proctor.keys", clone / "proctor.keys")


def test_its_shape_is_the_documented_one(clone: Path) -> None:
    workflow = written(clone)
    assert workflow.keys() <= WORKFLOW
    assert workflow["on"].keys() <= EVENTS
    assert all(re.fullmatch(r"(\S+ ){4}\S+", one["cron"]) for one in workflow["on"]["schedule"])
    assert set(workflow["permissions"].values()) <= {"read", "write", "none"}
    ids = []
    for job in workflow["jobs"].values():
        assert job.keys() <= JOB
        assert isinstance(job["runs-on"], str) and isinstance(job["timeout-minutes"], int)
        for step in job["steps"]:
            assert step.keys() <= STEP
            assert ("uses" in step) != ("run" in step)
            assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"])
            assert all(isinstance(value, str | bool | int) for value in step.get("with", {}).values())
            ids += [step["id"]] if "id" in step else []
        text = yaml.safe_dump(job)
        assert set(re.findall(r"steps\.(\w+)\.", text)) <= set(ids), "a condition asks only about steps that are there"
    assert len(ids) == len(set(ids))


def test_the_store_is_in_no_artifact(clone: Path) -> None:
    steps = written(clone)["jobs"]["gate"]["steps"]
    (kept,) = [step["with"]["path"].split() for step in steps if "upload-artifact" in step.get("uses", "")]
    assert kept == [".proctor/pipeline/", ".proctor/ledger.jsonl"], "the store holds seeds, hidden ones too"


def test_deploy_is_green_and_the_report_is_shown(clone: Path, carried: Path, tmp_path: Path) -> None:
    carry(carried, clone)
    job = carried_out(clone, tmp_path / "job")
    assert job.green, job.output
    assert list(job.codes) == ["Install", "Take in the baseline", "Examine the agent", "Gate", "Report"]
    assert job.title.startswith("### May be deployed: ")
    assert f"pip install proctor=={version('proctor')}\n" in job.calls, "what it was written with"
    assert "sudo apt-get install --yes bubblewrap\n" in job.calls
    store = ("--store", str(tmp_path / "job" / "proctor.db"))
    (run,) = proctor_json("runs", *store, cwd=clone)
    found = proctor_json("report", run["name"], *store, cwd=clone)
    assert found["seed"]["value"] == 9, "the number of the workflow's run"


def test_the_run_of_the_job_is_decided_about_and_no_store_that_was_committed(
    clone: Path, carried: Path, tmp_path: Path
) -> None:
    """A later run of a better agent lies in the store that the repository brings along."""
    carry(carried, clone)
    proctor("baseline", "import", "proctor.baseline", cwd=clone)
    proctor("run", "--seed", "9", "-q", cwd=clone)
    shutil.rmtree(clone / ".proctor" / "baselines")
    (clone / ".proctor" / "ledger.jsonl").unlink()
    write_agent(clone, *range(8))
    job = carried_out(clone, tmp_path / "job")
    assert (job.green, job.codes["Gate"]) == (False, 100)


def test_block_is_red_and_the_report_is_shown(clone: Path, carried: Path, tmp_path: Path) -> None:
    carry(carried, clone)
    write_agent(clone, *range(8))
    job = carried_out(clone, tmp_path / "job")
    assert (job.green, job.codes["Gate"], job.codes["Report"]) == (False, 100, 0)
    assert job.title.startswith("### Blocked: ")


def test_nothing_that_was_committed_is_shown_or_kept(clone: Path, carried: Path, tmp_path: Path) -> None:
    """A report that says deploy, and links to the store of the job, whose seed is nobody's to read."""
    carry(carried, clone)
    write_agent(clone, *range(8))
    store = tmp_path / "job" / "proctor.db"
    for name in ("a", "z"):
        (clone / ".proctor" / "pipeline" / name).mkdir(parents=True)
    (clone / ".proctor" / "pipeline" / "z" / "report.md").write_text("# deploy: all is well\n")
    (clone / ".proctor" / "pipeline" / "a" / "report.md").symlink_to(store)
    (clone / ".proctor" / "pipeline" / "b").symlink_to(store.parent)
    job = carried_out(clone, tmp_path / "job")
    assert (job.codes["Gate"], job.codes["Report"]) == (100, 0), job.output
    assert job.title.startswith("### Blocked: ")
    assert "all is well" not in job.summary and "SQLite" not in job.summary
    assert not [path for path in (clone / ".proctor").rglob("*") if path.is_symlink()], "the artifact follows links"
    assert store.is_file()


def test_an_escalation_is_red_and_the_report_is_shown(clone: Path, tmp_path: Path) -> None:
    job = carried_out(clone, tmp_path / "job")
    assert "Take in the baseline" not in job.codes
    assert (job.green, job.codes["Gate"]) == (False, 101)
    assert job.title.startswith("### Dry run: ")


def test_a_run_that_a_critical_action_stopped_is_decided_about_too(clone: Path, tmp_path: Path) -> None:
    family = clone / "desk.py"
    family.write_text(family.read_text() + 'suite["rules"] = {"fail_fast": True}\n')
    (clone / "agent.py").write_text((clone / "agent.py").read_text() + DELETES)
    job = carried_out(clone, tmp_path / "job")
    assert (job.codes["Examine the agent"], job.codes["Gate"]) == (1, 100), job.output
    assert "S1 violation" in job.summary
    assert job.title.startswith("### Dry run: "), "nothing is governed in a clone that carries no baseline"


def test_a_project_that_cannot_run_is_red_without_a_decision(clone: Path, tmp_path: Path) -> None:
    (clone / "agent.py").unlink()
    job = carried_out(clone, tmp_path / "job")
    assert job.codes["Examine the agent"] == 2
    assert job.codes["Gate"] not in (0, 100, 101)
    assert (job.green, job.codes["Report"], job.summary) == (False, 0, "")


def test_rules_that_nobody_approved_are_red(clone: Path, carried: Path, tmp_path: Path) -> None:
    carry(carried, clone)
    (clone / "proctor.rules.yaml").write_text("weights: {DA: 1.0}\ndraws: 1000\n")
    job = carried_out(clone, tmp_path / "job")
    assert (job.green, job.codes["Examine the agent"]) == (False, 2)
    assert "propose the change" in job.output
