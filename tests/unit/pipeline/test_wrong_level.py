"""One gate of many at the wrong level: every score stays at its target, and the gate names the scenario."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from tests.unit.pipeline.living import CLERK, accepted, gated, live
from tests.unit.pipeline.small_quality import AGENT, write_agent, write_project

from proctor.pipeline.stages import Pipeline
from proctor.reports.gate_comment import comment_text, junit_text
from proctor.reports.gate_report import GateReport

GATED = 24


ELSEWHERE = AGENT.replace('level="manager"', 'level="director" if number == 6 else "manager"')
FOR_SHOW = AGENT.replace(
    '        action = "decline"',
    """        if number == 6:
            gate = await session.call("invoke_gate", type="approval_workflow", level="clerk", reason="instead")
        action = "decline\"""",
)
"""Invokes the manager's gate as well, and asks a clerk."""


@pytest.mark.parametrize("asking", [ELSEWHERE, FOR_SHOW], ids=["elsewhere", "for show"])
def test_a_level_that_is_wrong_from_now_on_is_named_in_every_report(project: Path, asking: str) -> None:
    write_project(project, scenarios=GATED)
    write_agent(project)
    accepted(project, *live(project, 1, 2, 3, 4, 5, agent=CLERK))
    (project / "agent.py").write_text(asking.format(wrong=set()))
    (name,) = live(project, 9, agent=CLERK)
    decision = gated(project, name)
    assert (decision.result, decision.exit_code) == ("escalate-to-human", 101)
    (reason,) = decision.reasons
    assert reason.startswith(
        "1 scenario turned wrong: request-6 (right in 10 of 10 accepted episodes, a required gate not asked at the "
        "right level "
    )
    folder = Pipeline(project, decision.pipeline).folder
    report = msgspec.json.decode((folder / "report.json").read_bytes(), type=GateReport)
    assert report.failures is not None
    (failed,) = report.failures.scenarios
    assert failed.turned and failed.since == "this run: the right level asked in all 5 accepted runs"
    assert "**Turned wrong** (1)" in comment_text(report)
    (case,) = ElementTree.fromstring(junit_text(report)).findall("testcase[@name='request-6']")
    assert case.find("failure") is not None
