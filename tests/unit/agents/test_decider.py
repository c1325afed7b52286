"""Planted deciders: each lapse shows where it was planted, at the planted rate, and nowhere else."""

from __future__ import annotations

import asyncio
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from tests.unit.suites.quality.decisions import SET

import proctor
from proctor.agents.kind import AgentContext, AgentString
from proctor.agents.planted import decider
from proctor.core.canonical import decode
from proctor.core.errors import InputError
from proctor.core.seeds import Stream
from proctor.engine.build import Bench
from proctor.engine.lifetime import live
from proctor.engine.run import freeze
from proctor.evidence.bundle import export_bundle, verify_bundle
from proctor.evidence.row import Row
from proctor.evidence.store.store import Store
from proctor.plugins import registry
from proctor.spec.suite import Suite
from proctor.spec.system import System

FOLDER = Path(__file__).parents[1] / "suites" / "quality"
N = 20 * len(SET.scenarios)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it were declared already."""
    point = EntryPoint("decider", "proctor.agents.planted.decider:kind", "proctor.agents")
    monkeypatch.setitem(registry._points("agents"), "decider", point)


def suite(n: int = N, regime: str = "baseline", **more: Any) -> Suite:
    facts = {"name": "decided", "version": "1.0", "title": "Decided", "epoch": "2026-01-01T00:00:00Z"}
    entries = [{"family": "decisions.py:family", "n": n, "regimes": [regime]}]
    return Suite.parse({**facts, "entries": entries, **more}, source="test")


def rows(options: str, n: int = N, regime: str = "baseline") -> list[Row]:
    bench = Bench(freeze(suite=suite(n, regime), agent=f"decider:{options}", folder=FOLDER), FOLDER)

    async def everything() -> list[Row]:
        return [record.row for index in range(n) for record in await live(bench, bench.plan.lifetime(index))]

    return asyncio.run(everything())


def column(found: list[Row], name: str) -> list[Any]:
    return [decode(row.measures or "")[name] for row in found if name in decode(row.measures or "")]


def test_an_excellent_decider_makes_no_mistake() -> None:
    found = rows("accuracy=1")
    assert {row.reason for row in found} == {"correct"}
    assert decider.kind.label == "planted, not a result"


def test_accuracy_is_what_was_planted_and_wrong_is_not_unsafe() -> None:
    found = rows("accuracy=.8")
    right = column(found, "correct")
    assert abs(sum(right) / N - 0.8) < 0.06
    assert set(column(found, "safety")) <= {"ok", "S3"}
    assert column(found, "gates_ok") == column(found, "gates")
    worse = column(rows("accuracy=.6"), "correct")
    assert all(one >= two for one, two in zip(right, worse, strict=True)), "the same draws, a lower rate"


def test_one_that_never_invokes_a_gate() -> None:
    found = rows("gates=0")
    assert sum(column(found, "gates")) > 0
    assert sum(column(found, "gates_ok")) == 0
    assert all(column(found, "correct"))
    assert "missed_gate" in {row.reason for row in found}


def test_levels_evidence_truth_handoffs_and_asking_too_much() -> None:
    wrong_level = rows("levels=0", 21)
    assert column(wrong_level, "gates_ok") == column(wrong_level, "gates")
    assert sum(column(wrong_level, "gate_levels_ok")) == 0
    assert set(column(rows("evidence=0", 21), "complete")) == {"0"}
    untrue = rows("truth=0", 21)
    assert set(column(untrue, "true")) == {"0"} and set(column(untrue, "complete")) == {"1"}
    assert "lost_handoff" in {row.reason for row in rows("handoffs=0", 21)}
    assert set(column(rows("overask=1", 21), "over_asked")) == {1}


def test_unsafe_in_one_instance_and_nowhere_else() -> None:
    found = rows("unsafe_at=small-domain/17")
    assert [row.violations for row in found].count('{"S1":1}') == 1
    assert column(found, "safety").count("S1") == 1
    assert column(rows("unsafe_at=other/17", 21), "safety").count("S1") == 0
    share = column(rows("unsafe=.3"), "safety").count("S1") / N
    assert 0.2 < share < 0.4


def test_an_unsafe_act_stops_the_run_and_the_bundle_says_so(tmp_path: Path) -> None:
    facts: dict[str, Any] = {"seed": 7, "store": str(tmp_path / "s.db"), "folder": FOLDER}
    rules = {"fail_fast": True}
    result = proctor.run(suite(rules=rules, shuffle="mulberry32"), agent="decider:unsafe_at=17", **facts)
    assert result.status == "failed-safety" and result.episodes < N
    with Store(str(tmp_path / "s.db"), create=False) as store:
        export_bundle(store, 1, tmp_path / "run.proctor")
    assert verify_bundle(tmp_path / "run.proctor").ok


@pytest.mark.parametrize("load", ["same", "wrong", "escalate"])
def test_under_load(load: str) -> None:
    found = rows(f"load={load}", 42, "moderate-standard")
    calm = rows(f"load={load}", 42)
    assert {row.reason for row in calm} == {"correct"}
    if load == "same":
        assert sum(column(found, "correct")) >= 40
    elif load == "wrong":
        assert sum(column(found, "correct")) == 0 and max(row.calls for row in found) <= 4
    else:
        assert set(column(found, "action")) == {"escalate"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("decider:accuracy=2", "no share from 0 to 1"),
        ("decider:accuracy=much", "no share from 0 to 1"),
        ("decider:luck=1", "option 'luck' is unknown"),
        ("decider:good", "options only"),
        ("decider:load=panic", "load is one of"),
        ("decider:unsafe_at=first", "number of an instance"),
    ],
)
def test_options_that_make_no_sense(text: str, sentence: str) -> None:
    context = AgentContext(System(name="s"), Stream.keyed("planted"), ("fam", 0, 0, 0), Path())
    assert decider.kind.check is not None
    with pytest.raises(InputError, match=sentence):
        decider.kind.check(AgentString.parse(text), context)
