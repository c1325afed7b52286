"""A first project: scenarios in a file, no code, and a gate that says what it would freeze before it freezes it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import yaml

from proctor.reports.gate_comment import marker_of
from tests.e2e.command import accept_baseline, proctor, proctor_json
from tests.unit.pipeline.small_quality import RULES, scenario, write_agent

AGENT = "python:agent.py:make"


def test_from_a_file_of_scenarios_to_a_decision(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "cases").mkdir(parents=True)
    cases = {"name": "desk", "title": "A desk", "scenarios": [scenario(number) for number in range(6)]}
    (project / "cases" / "desk.yaml").write_text(yaml.safe_dump(cases))
    suite = {"name": "first", "version": "1.0", "title": "First", "epoch": "today"}
    entries = [{"family": "cases/desk.yaml", "n": 4}]
    (project / "first.yaml").write_text(yaml.safe_dump({**suite, "entries": entries}))
    (project / "proctor.rules.yaml").write_text(yaml.safe_dump(RULES))
    write_agent(project)
    running = ("run", "first.yaml", "--agent", AGENT, "--seed")
    assert proctor_json(*running, "0", cwd=project)["episodes"] == 4
    assert "first.yaml: 4 scenarios" in proctor("lint", "first.yaml", cwd=project, code=None).stdout

    done = proctor("gate", "--comment", "ci/comment.md", "--junit", "ci/junit.xml", cwd=project, code=101)
    comment = (project / "ci" / "comment.md").read_text()
    assert comment.startswith(f"{marker_of('first')}\n"), "the comment of a decision takes its place"
    assert "A first gate would freeze " in comment and "request-1" not in comment, "counted, not listed"
    (case,) = ElementTree.parse(project / "ci" / "junit.xml").getroot().iter("testcase")
    assert case.get("name") == "gate (dry run)" and case.find("failure") is not None
    assert done.stdout.startswith(
        "escalate-to-human (dry run): there is no accepted baseline. A first gate would freeze "
    )
    assert "6 scenarios, 3 sample sizes and clock" in done.stdout
    assert "nothing was recorded and nothing is governed yet" in done.stdout
    assert not (project / ".proctor" / "ledger.jsonl").exists()
    report = next((project / ".proctor" / "pipeline").glob("*/report.md")).read_text()
    assert "| run.desk.n | 6 |" in report

    (project / "first.yaml").write_text(yaml.safe_dump({**suite, "entries": [{**entries[0], "n": 6}]}))
    accept_baseline(project, *(proctor_json(*running, str(seed), cwd=project)["run"] for seed in range(1, 6)))
    (project / "first.yaml").write_text(yaml.safe_dump({**suite, "entries": entries}))
    assert proctor_json(*running, "7", cwd=project)["episodes"] == 6, "what is approved runs, whatever n says"
    assert "first.yaml: 6 scenarios" in proctor("lint", "first.yaml", cwd=project, code=None).stdout
    done = proctor("gate", cwd=project, code=0)
    assert done.stdout.startswith("deploy: ")
    assert "6 of 6 governed scenarios of first@1.0" in done.stderr
    refused = proctor("gate", "--expect-head", "f" * 64, cwd=project, code=2)
    assert "put back to an earlier state" in refused.stderr
    head = proctor_json("govern", "verify", cwd=project)["head"]
    proctor("gate", "--expect-head", head, cwd=project, code=0)
