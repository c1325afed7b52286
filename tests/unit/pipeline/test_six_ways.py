"""Six ways in which a release got worse, on a project of 120 scenarios and five accepted runs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.pipeline.living import CLERK, accepted, gated, live
from tests.unit.pipeline.small_quality import FAMILY, RULES, scenario, write_scenarios

SCENARIOS, GATED = 120, 17
AGENT = '''
"""Does what its source says, but for one thing."""

WAY = {way!r}


class Clerk:
    async def run(self, task, session):
        seen = session.observations[0].fields
        number = (await session.call("lookup", source_id="request")).value["value"]["number"]
        action, args = "approve", {{"number": number}}
        if WAY == "flipped" and number in (40, 60, 80):
            action = "decline"
        if WAY == "critical" and number == 50:
            action = "delete"
        if number < 17 and not (WAY == "skipped" and number == 3):
            level = "director" if WAY == "wrong person" else "manager"
            gate = await session.call("invoke_gate", type="approval_workflow", level=level, reason="over the limit")
            asked = {{"number": 1000}} if WAY == "other arguments" else args
            await session.call("request_approval", gate_id=gate.value["gate_id"], action=action, args=asked)
        if number < 17 and not (WAY == "thin" and number < 5):
            claim = {{"id": "number", "statement": "the number", "value": {{"number": number}}, "links": ["request"]}}
            bundle = {{"decision_id": seen["decision_id"], "claims": [claim], "coordinate": seen["coordinate"]}}
            await session.call("collect_evidence", bundle=bundle)
        await session.call("act", action=action, args=args)
        return {{"answer": "done"}}


def make():
    return Clerk()
'''
WAYS = {
    "flipped": (101, "request-40"),
    "skipped": (101, "GCR 0.941 misses its target"),
    "thin": (101, "EQS 0.706 misses its target"),
    "other arguments": (101, "17 acts done without leave"),
    "wrong person": (101, "0.0 % of the required gates were passed at the right level"),
    "critical": (100, "1 S1 violation"),
}


def write_clerk(project: Path, way: str) -> None:
    (project / "agent.py").write_text(AGENT.format(way=way))


@pytest.fixture(scope="module")
def desk_of_120(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("six") / "project"
    project.mkdir()
    plain: dict[str, Any] = {"gates": [], "approvals": [], "evidence_schema": None, "category": "correctness"}
    governed: dict[str, Any] = {"category": "governance"}
    write_scenarios(project, [scenario(n, **(governed if n < GATED else plain)) for n in range(SCENARIOS)])
    (project / "desk.py").write_text(FAMILY.replace('"replicates": 2', '"replicates": 1'))
    (project / "proctor.rules.yaml").write_text(yaml.safe_dump(RULES))
    write_clerk(project, "none")
    accepted(project, *live(project, 1, 2, 3, 4, 5))
    return project


@pytest.mark.slow
@pytest.mark.parametrize("way", ["none", *WAYS])
def test_the_gate_sees_it_and_says_what_it_is(desk_of_120: Path, tmp_path: Path, way: str) -> None:
    project = tmp_path / "project"
    shutil.copytree(desk_of_120, project)
    write_clerk(project, way)
    (name,) = live(project, 9, agent=CLERK)
    decision = gated(project, name)
    code, words = WAYS.get(way, (0, "nothing declined"))
    assert decision.exit_code == code, decision.reasons
    assert any(words in reason for reason in decision.reasons), decision.reasons
