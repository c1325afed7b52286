"""A model with tools passes every check of agents: with a script that works, and with one that never stops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proctor.conformance import AGENT_CHECKS, check_agent

LOOK = {"name": "list_crates", "arguments": {}}
SUBMIT = {"name": "submit", "arguments": {"answer": 0, "confidence": 0.5, "claims": [{"action": "looked"}]}}
WORKS = [
    {"turn": 1, "reply": "I look.", "calls": [LOOK, {"name": "weigh", "arguments": {"label": "none such"}}]},
    {"turn": 2, "calls": [{"name": "weigh", "arguments": "{"}, LOOK]},
    {"turn": 3, "calls": [SUBMIT]},
]
NOTES = [{"turn": 1, "calls": [{"name": "write_notes", "arguments": {"text": "looked"}}, LOOK]}, *WORKS[1:]]
NEVER_STOPS = [{"calls": [LOOK]}]
SILENT = ["Let me think about it."]


@pytest.mark.parametrize(
    ("script", "options", "unmeasured"),
    [
        (WORKS, "", ()),
        (NOTES, ",notes=yes", ()),
        (NEVER_STOPS, ",turns=6", ("submission",)),
        (SILENT, "", ("limits",)),
    ],
    ids=["works", "notes", "never stops", "silent"],
)
def test_a_scripted_model_passes(
    script: list[object], options: str, unmeasured: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "replies.json").write_text(json.dumps(script))
    report = check_agent(f"model:scripted:replies.json{options}", folder=tmp_path)
    assert report.failed == (), [finding.detail for finding in report.findings]
    skipped = {check.id for check in AGENT_CHECKS if report.result(check.id).status == "not measured"}
    assert skipped == set(unmeasured)
