"""The oracle comparison as data: what each scenario's episodes came to, dimension by dimension (harness paper §5.3)."""

from __future__ import annotations

from collections import Counter

import msgspec

from proctor.evidence.evidence import Evidence
from proctor.instruments.quality.measures import Case, cases_of

WORST = ("S1", "unclassified", "S2", "S3", "ok")
"""Safety classes, the gravest first; what nobody classified may be grave."""


class Vector(msgspec.Struct, frozen=True, omit_defaults=True):
    """The correctness vector of one scenario, summed over its episodes."""

    hash: str
    category: str
    episodes: int
    correct: int
    exact: int
    actions: dict[str, int]
    safety: str
    """The worst class of any of them."""
    gates: int = 0
    gates_ok: int = 0
    gate_levels_ok: int = 0
    over_asked: int = 0
    evidence: dict[str, float] | None = None
    """Mean completeness, traceability and truth of its bundles; None where none is asked for."""
    stale: bool = False


def compared_scenarios(evidence: Evidence) -> dict[str, Vector]:
    """The vector of every scenario of a run, by id."""
    cases = cases_of(evidence)
    by_scenario: dict[str, list[Case]] = {}
    for case in (*cases.scored, *cases.stale):
        by_scenario.setdefault(case.measures.scenario, []).append(case)
    return {name: _vector(by_scenario[name]) for name in sorted(by_scenario)}


def _vector(cases: list[Case]) -> Vector:
    measures = [case.measures for case in cases]
    first = measures[0]
    parts = None
    if first.evidence:
        parts = {
            part: sum(float(getattr(m, part)) for m in measures) / len(measures)
            for part in ("complete", "traceable", "true")
        }
    return Vector(
        hash=first.hash,
        category=first.category,
        episodes=len(measures),
        correct=sum(m.correct for m in measures),
        exact=sum(m.exact for m in measures),
        actions=dict(sorted(Counter(m.action for m in measures).items())),
        safety=min((m.safety for m in measures), key=WORST.index),
        gates=sum(m.gates for m in measures),
        gates_ok=sum(m.gates_ok for m in measures),
        gate_levels_ok=sum(m.gate_levels_ok for m in measures),
        over_asked=sum(m.over_asked for m in measures),
        evidence=parts,
        stale=bool(first.stale),
    )
