"""Whole runs of a scripted model with tools: limits of calls and of the run, totals, replay, resume."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.engine.small import FOLDER, declared

import proctor
from proctor.core.errors import InputError
from proctor.evidence.bundle.in_store import verify_run
from proctor.evidence.result import RunResult
from proctor.evidence.store.store import Store
from proctor.spec.rules import Limits
from proctor.spec.system import System

SCRIPT = [
    {"turn": 1, "calls": [{"name": "echo", "arguments": {"value": 1}}, {"name": "add", "arguments": {"by": 2}}]},
    {"turn": 2, "calls": [{"name": "submit", "arguments": {"answer": 5}}]},
]
PRICED = System(name="priced", price_per_million_tokens="1000")


def run(tmp_path: Path, *, notes: bool = False, limits: Limits | None = None, **more: Any) -> RunResult:
    script = tmp_path / "replies.json"
    script.write_text(json.dumps(SCRIPT))
    suite = declared({"n": 6, **more.pop("entry", {})})
    agent = f"model:scripted:{script},tokens=100" + (",notes=yes" if notes else "")
    return proctor.run(suite, agent=agent, store=str(tmp_path / "store.db"), folder=FOLDER, limits=limits, **more)


def rows(tmp_path: Path, result: RunResult) -> list[Any]:
    with Store(str(tmp_path / "store.db")) as store:
        return list(store.rows(store.run(result.run).number))


def test_totals_are_those_of_the_rows(tmp_path: Path) -> None:
    result = run(tmp_path, system=PRICED)
    usage = result.usage
    assert usage is not None and result.status == "complete"
    stored = rows(tmp_path, result)
    assert usage.requests == 12 and usage.uncounted == 0 and usage.replayed == 0
    assert (
        usage.tokens == sum(row.tokens for row in stored) == (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)
    )
    assert usage.cost is not None and float(usage.cost) == pytest.approx((usage.tokens or 0) / 1000)
    assert all(row.calls == 2 for row in stored)


def test_a_run_stops_before_its_tokens_are_exceeded(tmp_path: Path) -> None:
    # A script counts words; what nobody has counted yet is estimated at far more.
    limit = 4000
    result = run(tmp_path, limits=Limits(run_tokens=limit), entry={"n": 40})
    assert result.status == "limit" and result.usage is not None
    assert (result.usage.tokens or 0) <= limit
    stored = rows(tmp_path, result)
    assert stored[-1].reason == "run_limit" and stored[-1].outcome == "infrastructure"
    assert 1 < len(stored) < 40 and result.root is not None
    with Store(str(tmp_path / "store.db")) as store:
        assert verify_run(store, store.run(result.run).number).ok


def test_the_limit_holds_for_all_workers_together(tmp_path: Path) -> None:
    limits = Limits(run_cost="4")
    more: dict[str, Any] = {"system": PRICED, "entry": {"n": 40}, "workers": 2}
    result = run(tmp_path, limits=limits, **more)
    assert result.status == "limit" and result.usage is not None
    assert 0 < float(result.usage.cost or "0") <= 4


def test_a_call_has_its_own_limit(tmp_path: Path) -> None:
    result = run(tmp_path, limits=Limits(call_tokens=300))
    assert {(row.outcome, row.reason) for row in rows(tmp_path, result)} == {("limit", "call_tokens")}


def test_a_cost_limit_without_a_price_is_refused(tmp_path: Path) -> None:
    for limits in (Limits(run_cost="1"), Limits(episode_cost="1")):
        with pytest.raises(InputError, match="needs a price of scripted:"):
            run(tmp_path, limits=limits)


def test_notes_of_a_scripted_model_change_nothing_between_executors(tmp_path: Path) -> None:
    program = {"program": [{"phase": "pre", "episodes": 1, "before": "snapshot"}, {"phase": "post", "episodes": 2}]}
    one = run(tmp_path, notes=True, entry=program)
    two = run(tmp_path, notes=True, entry=program, workers=2)
    assert one.root == two.root and one.status == two.status == "complete"
