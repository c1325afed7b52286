"""Binding runs to report on: a small real one, made readings of every kind, and records to predict from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from tests.unit.instruments.binding.test_instrument import RUNS
from tests.unit.instruments.binding.test_instrument import reading as made

import proctor
from proctor.conformance.evidence import practice_evidence
from proctor.evidence.result import RunResult
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.predictive.design import Design
from proctor.instruments.predictive.gain import Study, study
from proctor.instruments.predictive.localisation import GuardEffect
from proctor.instruments.predictive.records import Records
from proctor.reports.data import Section
from proctor.reports.section import section_kind
from proctor.spec.suite import Suite
from proctor.stats.bootstrap import bootstrap_difference
from proctor.suites.binding import conditions

FAMILIES = ("binding-ds000210", "binding-ds000212", "binding-narratives")
PLANTED = "structured:simulated,reason=.9,memory=.8,veto=.95,self=.9,cue=.05"
HOSTILE = "<script>alert('$x^2$')</script>\u202e$\\frac{1}{0}$"
KINDS = tuple(RUNS)


def small_run(store: Path) -> RunResult:
    """Three corpora, four events each under the six probes and the four Conditions."""
    entries = [
        {"family": name, "n": 24, "conditions": [one.id for one in conditions.MAIN], "replicates": 2}
        for name in FAMILIES
    ]
    facts = {"name": "small-binding", "version": "1.0", "title": "Small", "epoch": "2026-01-01T00:00:00Z"}
    declared = [one.model_dump(mode="json", exclude_defaults=True) | {"id": one.id} for one in conditions.MAIN]
    suite = Suite.parse({**facts, "conditions": declared, "entries": entries}, source="test")
    return proctor.run(suite, store=str(store), agent=PLANTED, seed=3)


def reading(name: str) -> BindingReading:
    """A made reading: benchmark, families, sufficiency, interface, …"""
    return made(name)


def everything() -> BindingReading:
    """The tables of all kinds of runs together: no run has all, but every figure has something to draw."""
    from msgspec.structs import replace

    found: dict[str, Any] = {}
    for name in KINDS:
        found |= {table: one for table, one in reading(name).data.items() if table not in found}
    return replace(reading("benchmark"), data=found)


def hostile(given: BindingReading, text: str = HOSTILE) -> BindingReading:
    """The same reading with something before every text in its tables, and for those of gates and claims."""
    from msgspec.structs import replace

    from proctor.instruments.binding.tables import Table

    kept = frozenset({"probe", "kind", "contrast", "above_zero", "control", "selected", "status"})
    data = {
        name: Table(
            text,
            {
                column: [text + value if isinstance(value, str) and column not in kept else value for value in values]
                for column, values in table.columns.items()
            },
        )
        for name, table in given.data.items()
    }
    gates = tuple(
        replace(gate, name=text, criteria=tuple(replace(one, name=text, rule=text) for one in gate.criteria))
        for gate in given.gates
    )
    claims = tuple(replace(one, block=text, result=text, contrary=text) for one in given.claims)
    return replace(given, data=data, gates=gates, claims=claims, scope=text, conditions={"suite": text, "agent": text})


def section_of(given: BindingReading) -> Section:
    """The section of a report that shows it."""
    kind = section_kind("binding")
    return Section(
        instrument="binding",
        version=given.version,
        title=kind.title(given),
        measured=given.measured,
        reason=given.reason,
        headline=kind.headline(given),
        flags=tuple(kind.flags(given)),
        data=kind.data(given, practice_evidence()),
    )


def records(count: int = 240) -> Records:
    """Synthetic records in which the score tells something."""
    rng = np.random.default_rng(11)
    score, known = rng.random(count), rng.normal(size=count)
    chance = 1 / (1 + np.exp(-(4 * (score - 0.5) + known)))
    return Records(
        {
            "hit": (rng.random(count) < chance).astype(int).tolist(),
            "issue": [f"i{place // 3}" for place in range(count)],
            "model": [("small", "large")[place % 2] for place in range(count)],
            "rank": (known + rng.normal(size=count)).tolist(),
            "binding": score.tolist(),
            "violation": (rng.random(count) < 0.2).astype(int).tolist(),
        },
        "made records",
    )


def studied(given: Records) -> Study:
    """The study of these records, with few draws."""
    design = Design("hit", "issue", ("model", "rank"), "binding", "model", ("model",), draws=200, shuffles=20)
    return study(given, design)


def guard_of(given: Records) -> GuardEffect:
    """A guard that mends every violation and changes no hit."""
    issues, hits = given["issue"], [float(value) for value in given["hit"]]
    broken = [float(value) for value in given["violation"]]
    rng = np.random.default_rng(5)
    none = [0.0] * given.count
    return GuardEffect(
        bootstrap_difference(hits, hits, issues, draws=200, rng=rng),
        bootstrap_difference(none, broken, issues, draws=200, rng=rng),
    )
