"""What stages hand on: the same JSON as ever, and refused where it is something else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from proctor.core.canonical import jsonable
from proctor.core.errors import IntegrityError
from proctor.evidence.result import RunResult
from proctor.reports.gate_results import (
    AgentExecution,
    DecisionBody,
    GateDecided,
    Opened,
    OwnRun,
    RunConfig,
    StageResults,
)

CONFIG = RunConfig(parallelism=4, timeout_ms=900, fail_fast=True, record_traces=False)
RESULT = RunResult(
    run="quality-oracle-1",
    suite="quality@1.0",
    agent="oracle",
    label="oracle, not a result",
    seed=7,
    timestamp="2026-01-01T00:00:00Z",
    scale=1,
    only=(),
    scope=None,
    root="ab",
    seal="cd",
    config_hash="ef",
    episodes=2,
    outcomes={"success": 2},
    complete=True,
    status="complete",
    reason=None,
    timing_dependent=0,
    skipped={},
    store="store.db",
)


def test_a_run_of_its_own_is_written_with_its_whole_result_and_read_as_any_other() -> None:
    own = OwnRun(summary="two episodes", config=CONFIG, **msgspec.structs.asdict(RESULT))
    written = jsonable(own)
    assert written == {
        **jsonable(RESULT),
        "summary": "two episodes",
        "own": True,
        "unclear": None,
        "config": {"parallelism": 4, "timeoutMs": 900, "failFast": True, "recordTraces": False},
    }
    read = StageResults({"agent-execution": written}).agent_execution
    assert read == AgentExecution(summary="two episodes", run="quality-oracle-1", root="ab", own=True, config=CONFIG)


def test_a_pipeline_begun_before_a_field_was_kept_goes_on() -> None:
    older = {"summary": "was there", "run": "r", "root": None, "own": False}
    results = StageResults({"opened": {"kind": "gate", "run": "r"}, "agent-execution": older})
    assert results.agent_execution.config is None
    assert results.opened == Opened(run="r", triggers=())


def test_the_decision_of_a_stage_is_the_ledger_entry_and_where_it_stands() -> None:
    own = set(GateDecided.__struct_fields__) - set(DecisionBody.__struct_fields__)
    assert own == {"summary", "entry", "pipeline", "baseline_step"}


@pytest.mark.parametrize(
    ("stage", "output"),
    [
        ("agent-execution", {"summary": "s", "root": None, "own": False}),
        ("scenario-generation", {"summary": "s"}),
        ("metric-calculation", {"summary": "s", "reading": {"DA": 1}}),
        ("regression-detection", []),
    ],
)
def test_an_output_of_another_shape_is_refused_with_its_stage(stage: str, output: Any) -> None:
    with pytest.raises(IntegrityError, match=stage):
        getattr(StageResults({stage: output}), stage.replace("-", "_"))
