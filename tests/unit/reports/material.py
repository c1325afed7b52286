"""Runs to report on: a whole vector with something of everything, and small ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import proctor
from proctor.evidence.evidence import evidence_of
from proctor.evidence.result import RunResult
from proctor.evidence.store.store import Store
from proctor.plugins import registry
from proctor.reports.build import build_report
from proctor.reports.data import Report
from proctor.spec.suite import Suite

FOLDER = Path(__file__).parent
FILE = "graded_family.py"
FAMILIES = (f"{FILE}:family", f"{FILE}:second", f"{FILE}:third")
MODERATE, SEVERE = "moderate-standard", "severe-standard"


def entries_of(cell: str, skill: int, n: int = 100, regime: str = "baseline", **more: Any) -> list[dict[str, Any]]:
    """One cell, shared by the three families."""
    each = [{"family": name, "n": n // 3 + (place < n % 3), "cell": cell} for place, name in enumerate(FAMILIES)]
    return [{**entry, "regimes": [regime], "knobs": {"skill": skill}, **more} for entry in each if entry["n"]]


def learning(cell: str, before: int, after: int, family: str = FAMILIES[0]) -> dict[str, Any]:
    """A lifetime with pre-test, post-test and both controls."""
    phases = {"pretest": before, "untrained": before, "train": before, "posttest": after, "reset": before}
    program = [{"phase": phase, "episodes": 2, "knobs": {"skill": skill}} for phase, skill in phases.items()]
    return {"family": family, "n": 40, "cell": cell, "program": program}


def whole_vector(texts: str = "plain") -> list[dict[str, Any]]:
    """S 4, M Provisional at 1, D 5 tested to 3, E not measured, L from gains, R with drops, G from two parts."""
    found = [
        *entries_of("S1", 98), *entries_of("S2", 91), *entries_of("S3", 84), *entries_of("S4", 79, regime=MODERATE),
        *entries_of("S5", 41, regime=SEVERE),
        *entries_of("M1", 88), *entries_of("M2", 72, n=60), *entries_of("M3", 90),
        *entries_of("D1", 100), *entries_of("D2", 97), *entries_of("D3", 93),
        learning("L2", 20, 70), learning("L3", 25, 35, FAMILIES[1]),
        *entries_of("G1-1", 95), *entries_of("G1-2", 55), *entries_of("G2-1", 90), *entries_of("G2-2", 12, n=12),
    ]  # fmt: skip
    for name in FAMILIES[:2]:
        found.append({"family": name, "n": 40, "cell": "R", "knobs": {"skill": 92}})
        found.append({"family": name, "n": 40, "cell": "R", "knobs": {"skill": 62}, "regimes": [MODERATE]})
    for entry in found:
        entry.setdefault("knobs", {})["texts"] = texts
    return found


def declared(entries: list[dict[str, Any]], **more: Any) -> Suite:
    """A suite of these entries."""
    facts = {"name": "graded", "version": "1.0", "title": "Graded", "epoch": "2026-01-01T00:00:00Z"}
    return Suite.parse({**facts, "entries": entries, **more}, source="test")


def ran(store: Path, entries: list[dict[str, Any]], *, agent: str = "oracle", seed: Any = 7, **more: Any) -> RunResult:
    """A finished run of them."""
    return proctor.run(declared(entries, **more), store=str(store), folder=FOLDER, agent=agent, seed=seed)


def report_of(store: Path, run: str = "latest") -> Report:
    """Its report with every instrument that is installed."""
    with Store(str(store), create=False) as opened:
        evidence = evidence_of(opened, run)
        rules = evidence.frozen.rules
        readings = [registry.load("instruments", name).read(evidence, rules) for name in registry.names("instruments")]
        return build_report(opened, evidence, readings)
