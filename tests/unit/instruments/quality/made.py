"""Evidence of scenarios, made by hand: rows as the comparator would leave them, and kept runs with chosen rates."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from proctor.core.canonical import encode
from proctor.evidence.evidence import Evidence
from proctor.evidence.row import Arm, Row
from proctor.instruments.load_reading import Behaviour, LoadReading, ScenarioReading
from proctor.instruments.quality.baseline import Anchor, Baseline, Decided, RunSummary, ScenarioRecord
from proctor.spec.environment import EnvironmentClass, EnvironmentKind
from proctor.spec.family import FamilySpec
from proctor.spec.frozen import FrozenFamily, FrozenRun
from proctor.spec.performance import PAPER
from proctor.spec.rules import Rules
from proctor.spec.suite import Suite
from proctor.spec.system import System
from proctor.stats.estimate import Estimate

MEASURES: dict[str, int | str] = {
    "hash": "00" * 8,
    "category": "correctness",
    "coordinate": "G1.U1.P1.Z1.A1",
    "level": "agent",
    "reach": "agent",
    "weight": "1",
    "adversarial": "",
    "provenance": "template",
    "correct": 1,
    "exact": 1,
    "action": "approve",
    "gates": 1,
    "gates_ok": 1,
    "gate_levels_ok": 1,
    "over_asked": 0,
    "evidence": 1,
    "complete": "1",
    "traceable": "1",
    "true": "1",
    "safety": "ok",
    "escalated": 0,
    "stale": 0,
}


def row(number: int, *, template: str = "", replicate: int = 0, silent: bool = False, **changes: Any) -> Row:
    """The row of scenario `number`; `changes` are measures, or `outcome`."""
    outcome = changes.pop("outcome", None)
    measures = {"scenario": f"s-{number}", **MEASURES, **changes}
    good = bool(measures["correct"]) and not silent
    position = changes.get("position", number)
    measures.pop("position", None)
    return Row(
        position=position,
        lifetime=position,
        arm=0,
        unit=position,
        part=0,
        template=template or f"t{number % 8}",
        instance=f"{number:04x}",
        phase="test",
        replicate=replicate,
        outcome=outcome or ("success" if good else "failure"),
        reason="correct" if good else "wrong_action",
        format_error=False,
        faults=None,
        calls=1,
        retries=0,
        undeclared=0,
        violations=None,
        tokens=None,
        cost=None,
        measures=None if silent else encode(measures).decode(),
        artifact_ok=None,
        answer=None,
        head=b"",
        elapsed_us=1,
        attempts=1,
        aside=None,
    )


def evidence(*rows: Row, complete: bool = True, rules: Rules | None = None) -> Evidence:
    """A run with exactly these rows, at positions in their order."""
    spec = FamilySpec(
        id="fam",
        title="fam",
        description="made",
        environment=EnvironmentClass(kind=EnvironmentKind.TOOL_AUGMENTED),
        criterion="c",
        verification="v",
        reasons=("correct", "wrong_action", "missed_gate", "ignored_verdict", "lost_handoff"),
        templates=tuple(f"t{number}" for number in range(8)),
        observation_schema={"type": "object", "properties": {"text": {"type": "string"}}},
        answer_schema={"type": "string"},
    )
    suite = Suite.model_validate(
        {
            "name": "quality",
            "version": "1.0",
            "title": "Made by hand",
            "epoch": "2026-01-01T00:00:00Z",
            "entries": [{"family": "fam", "n": 1}],
        }
    )
    frozen = FrozenRun(
        suite=suite,
        rules=rules or Rules(),
        system=System(name="made"),
        agent="made",
        seed=1,
        timestamp="2026-01-01T00:00:00Z",
        families=(FrozenFamily(reference="fam", spec=spec, source_hash="00", actions=()),),
    )
    return Evidence(
        run="made-1",
        root="00",
        config_hash="11",
        complete=complete,
        frozen=frozen,
        arms=(Arm(0, 0, "fam@1.0", "baseline", "none", None, "main"),),
        rows=tuple(replace(one, position=place, unit=place, lifetime=place) for place, one in enumerate(rows)),
    )


def kept(
    name: str,
    *,
    da: float = 0.95,
    gcr: float = 1.0,
    eqs: float = 0.95,
    scenarios: int = 100,
    replicates: int = 4,
    seed: int | None = None,
    prefix: str = "s",
) -> RunSummary:
    """A kept run whose accuracy is `da`: to the nearest episode, or drawn from a seed."""
    total = scenarios * replicates
    hits = np.zeros(total, dtype=int)
    hits[: round(da * total)] = 1
    gates = np.zeros(total, dtype=int)
    gates[: round(gcr * total)] = 1
    if seed is not None:
        rng = np.random.default_rng(seed)
        hits = (rng.random(total) < da).astype(int)
        gates = (rng.random(total) < gcr).astype(int)
    return RunSummary(
        run=name,
        root=name,
        config_hash="11",
        timestamp="2026-01-01T00:00:00Z",
        agent="made",
        system="made 1",
        suite="quality@1.0",
        suite_hash="22",
        rules_hash="33",
        complete=True,
        s1=0,
        metrics={},
        scenarios={
            f"{prefix}-{number:04d}": ScenarioRecord(
                hash=f"{number:016x}",
                template=f"fam/t{number % 20}",
                weight=1.0,
                gates=1,
                decided=tuple(
                    Decided(
                        replicate,
                        "approve",
                        "k",
                        int(hits[number * replicates + replicate]),
                        int(gates[number * replicates + replicate]),
                        eqs,
                    )
                    for replicate in range(replicates)
                ),
            )
            for number in range(scenarios)
        },
    )


def accepted(*runs: RunSummary, anchor: tuple[RunSummary, ...] | None = None) -> Baseline:
    """A baseline of these runs."""
    return Baseline(runs=runs, anchor=Anchor("r1", anchor or runs), accepted_at="2026-01-01T00:00:00Z")


def load_reading(
    *, ok: bool | None, safety: dict[str, int], lul: float | None = 0.7, profile_hash: str = PAPER.identity
) -> LoadReading:
    """A load run of one scenario, read."""
    p95_known = Estimate(estimate=100.0, n=200, method="p95", reason="made")
    behaviour = Behaviour(ok, "12 tasks newly wrong", 12, 200, 12, 0, 0.001, 0, 0, 0, safety)
    one = ScenarioReading(
        "calm", 1, 500, "normal", lul, None, 200, {}, 50.0, p95_known, 120.0, 10.0, 1, 1.0, 0.0, 0.0, {}, behaviour
    )
    reason = None if lul is not None else "calm: too few"
    not_run = ("busy",) if ok is None else ()
    return LoadReading(
        lul, lul, reason, ok, True, "quality@1.0", "made", "", "11", "22", "paper", profile_hash, True, (one,), not_run
    )
