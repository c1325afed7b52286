"""The GitHub Action: its steps in bash, as a runner takes them, with a stand-in for `gh` and nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import yaml

from proctor.reports.gate_comment import marker_of
from tests.e2e.command import proctor
from tests.unit.pipeline.living import accepted, live
from tests.unit.pipeline.small_quality import SUITE, write_agent, write_project

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GH = f"""#!{sys.executable}
import json, os, pathlib, sys
home = pathlib.Path(os.environ["FAKE_GITHUB"])
arguments = sys.argv[1:]
place = next(one for one in arguments if one.startswith("repos/"))
method = arguments[arguments.index("--method") + 1] if "--method" in arguments else "GET"
if method == "GET":
    for path in sorted(home.glob("*.json")):
        comment = json.loads(path.read_text())
        if comment["body"].startswith(os.environ["MARKER"]):
            print(comment["id"])
    sys.exit()
body = next(one for one in arguments if one.startswith("body=@"))[6:]
known = place.rsplit("/", 1)[1] if method == "PATCH" else str(len(list(home.glob("*.json"))) + 1)
(home / (known + ".json")).write_text(json.dumps({{"id": known, "body": pathlib.Path(body).read_text()}}))
with (home / "calls.txt").open("a") as calls:
    calls.write(method + " " + place + "\\n")
"""


def run_action(project: Path, github: Path, **inputs: str) -> dict[str, Any]:
    """Every step of the action in order, as a runner would carry it out; its outputs and the last exit code."""
    defaults = {name: given.get("default", "") for name, given in ACTION["inputs"].items()}
    known = {
        "github.action_path": str(ROOT),
        "github.repository": "owner/project",
        "github.event.pull_request.number": "7",
        "github.token": "none",
        "github.run_number": "1",
    }
    values = {**defaults, "install": "none", **inputs}
    outputs: dict[str, str] = {}

    def filled(text: str) -> str:
        def value(found: re.Match[str]) -> str:
            name = found[1].strip()
            if name.startswith("inputs."):
                return filled(values[name.removeprefix("inputs.")])
            return outputs.get(re.sub(r"^steps\.\w+\.outputs\.", "", name), known.get(name, ""))

        return re.sub(r"\$\{\{(.*?)\}\}", value, text)

    path = os.pathsep.join([str(github), str(Path(sys.executable).parent), os.environ["PATH"]])
    written = github / "outputs.txt"
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        written.write_text("")
        env = {
            **os.environ,
            **{name: filled(text) for name, text in step.get("env", {}).items()},
            "PATH": path,
            "FAKE_GITHUB": str(github),
            "GITHUB_OUTPUT": str(written),
            "RUNNER_TEMP": str(github),
            "GITHUB_STEP_SUMMARY": str(github / "summary.md"),
        }
        assert "${{" not in step["run"], "expressions reach a script through its environment alone"
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)
        outputs |= dict(line.partition("=")[::2] for line in written.read_text().splitlines())
        if step["name"] != "Decide":
            assert done.returncode == 0, f"{step['name']}\n{done.stdout}\n{done.stderr}"
    return {**outputs, "ended": done.returncode}


def test_the_steps_leave_one_comment_that_names_what_broke(tmp_path: Path) -> None:
    project, github = tmp_path / "project", tmp_path / "github"
    project.mkdir()
    github.mkdir()
    (github / "gh").write_text(GH)
    (github / "gh").chmod(0o755)
    write_project(project)
    accepted(project, *live(project, 1, 2, 3, 4, 5))
    proctor("baseline", "export", "proctor.baseline", cwd=project)
    write_agent(project, 1, 2, 3)
    (project / ".proctor" / "ci").mkdir()
    (project / ".proctor" / "ci" / "comment.md").write_text("# deploy: all is well")
    (project / ".proctor" / "pipeline" / "a").mkdir(parents=True)
    (project / ".proctor" / "pipeline" / "a" / "report.md").symlink_to(github)
    agent = {"suite": SUITE, "agent": "python:agent.py:make", "baseline": "nowhere.baseline", "workers": "1"}
    first = run_action(project, github, seed="9", **agent)
    assert Path(first["store"]).is_relative_to(github), "not the one of the repository"
    assert first["ended"] == int(first["code"]) == 101
    assert first["result"] == "escalate-to-human"
    (comment,) = github.glob("*.json")
    text = json.loads(comment.read_text())["body"]
    assert text.startswith(marker_of("small-quality"))
    for number in (1, 2, 3):
        line = next(line for line in text.splitlines() if f"`request-{number}`" in line and line.startswith("|"))
        assert f"Request {number} is over your limit" in line, "the title"
        assert f'approve {{"number":{number}}}' in line and f'decline {{"number":{number}}}' in line
        assert "right in all 5 accepted runs" in line
        assert "`proctor show " in line
    assert "**Turned wrong** (3)" in text
    assert all(Path(first[one]).is_relative_to(github) for one in ("comment", "junit")), "not in the repository"
    assert "all is well" not in (github / "summary.md").read_text()
    assert not [path for path in (project / ".proctor").rglob("*") if path.is_symlink()], "an artifact follows links"
    junit = ElementTree.parse(first["junit"]).getroot()
    assert {case.get("name") for case in junit.iter("testcase")} == {"gate", "request-1", "request-2", "request-3"}
    assert junit.get("failures") == "4"
    second = run_action(project, github, seed="10", **agent)
    assert second["ended"] == 101
    assert [path.name for path in github.glob("*.json")] == [comment.name], "updated in place"
    assert json.loads(comment.read_text())["body"] != text, "of the newer run"
    assert (github / "calls.txt").read_text().split("\n")[:2] == [
        "POST repos/owner/project/issues/7/comments",
        "PATCH repos/owner/project/issues/comments/1",
    ]
    assert text in (github / "summary.md").read_text()
