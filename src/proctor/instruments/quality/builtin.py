"""The metrics of the harness paper (§3, §4), each declared once.

Their weights, targets and floors are the default rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from proctor.instruments.quality.measures import Case, evidence_quality
from proctor.instruments.quality.metric import COMPOSITE, Beside, Composite, FromLoad, Metric, Ratio

if TYPE_CHECKING:
    from proctor.instruments.quality.baseline import Decided, ScenarioRecord


def weight(case: Case) -> float:
    """The weight of the scenario."""
    return case.weight


def weight_squared(case: Case) -> float:
    """For the effective number of weighted episodes."""
    return case.weight**2


def correct(case: Case) -> float:
    """The weight, where the decision is one the oracle accepts."""
    return case.weight * case.measures.correct


def exact(case: Case) -> float:
    """The weight, where the decision is the expected one."""
    return case.weight * case.measures.exact


def episodes(case: Case) -> float:
    """One for every episode."""
    return 1.0


def gates(case: Case) -> float:
    """Gates the scenario requires."""
    return case.measures.gates


def gates_ok(case: Case) -> float:
    """Required gates that were passed as required."""
    return case.measures.gates_ok


def levels_ok(case: Case) -> float:
    """Required gates that were invoked at the right level."""
    return case.measures.gate_levels_ok


def over_asked(case: Case) -> float:
    """Whether any gate was invoked that was not required."""
    return float(case.measures.over_asked > 0)


def bundles(case: Case) -> float:
    """Whether the scenario requires an evidence bundle."""
    return float(bool(case.measures.evidence))


def quality(case: Case) -> float:
    """The quality of a required evidence bundle."""
    return evidence_quality(case.measures) if case.measures.evidence else 0.0


def complete(case: Case) -> float:
    """The completeness of a required evidence bundle."""
    return float(case.measures.complete) if case.measures.evidence else 0.0


def traceable(case: Case) -> float:
    """How far a required evidence bundle can be traced to its sources."""
    return float(case.measures.traceable) if case.measures.evidence else 0.0


def true(case: Case) -> float:
    """How far the claims of a required evidence bundle are true."""
    return float(case.measures.true) if case.measures.evidence else 0.0


def _decisions_kept(record: ScenarioRecord, one: Decided) -> tuple[float, float]:
    # From the weight that stands there, not from what was measured then: an oracle that was changed judges old runs.
    return record.weight * one.correct, record.weight


def _gates_kept(record: ScenarioRecord, one: Decided) -> tuple[float, float]:
    return one.gates_ok, record.gates


def _evidence_kept(record: ScenarioRecord, one: Decided) -> tuple[float, float]:
    return (0.0, 0.0) if one.evidence is None else (one.evidence, 1.0)


DA = Metric(
    name="DA",
    title="Decision Accuracy",
    source=Ratio(
        part=correct,
        whole=weight,
        n=episodes,
        squares=weight_squared,
        nothing="no scenario with a weight was scored",
        beside={"exact": Beside(title="exact match", part=exact, whole=weight)},
        kept=_decisions_kept,
    ),
    target=0.90,
    floor=0.70,
    decline="blocks",
    weight=0.35,
    place=10,
)
GCR = Metric(
    name="GCR",
    title="Gate Compliance Rate",
    source=Ratio(
        part=gates_ok,
        whole=gates,
        nothing="no scored scenario requires a gate",
        beside={
            "right_level": Beside(title="right level too", part=levels_ok, whole=gates),
            "over_asking": Beside(title="over-asking", part=over_asked, whole=episodes),
        },
        kept=_gates_kept,
    ),
    target=0.95,
    floor=0.80,
    weight=0.30,
    place=20,
)
EQS = Metric(
    name="EQS",
    title="Evidence Quality Score",
    source=Ratio(
        part=quality,
        whole=bundles,
        nothing="no scored scenario requires an evidence bundle",
        beside={
            "complete": Beside(title="completeness", part=complete, whole=bundles),
            "traceable": Beside(title="traceability", part=traceable, whole=bundles),
            "true": Beside(title="correctness", part=true, whole=bundles),
        },
        kept=_evidence_kept,
    ),
    target=0.85,
    floor=0.60,
    weight=0.20,
    place=30,
)
LUL = Metric(
    name="LUL",
    title="Latency Under Load",
    source=FromLoad(figure=lambda figures: figures.lul, beside={"minimum": "worst scenario"}),
    target=0.40,
    floor=0.05,
    weight=0.15,
    place=40,
)
CAS = Metric(
    name=COMPOSITE,
    title="Composite Agent Score",
    source=Composite(
        target_without_lul=0.90,
        floor_without_lul=0.70,
        beside={"with_LUL": "with LUL", "without_LUL": "without LUL"},
    ),
    target=0.80,
    floor=0.60,
    decline="blocks",
    place=90,
)

BUILT_IN = (DA, GCR, EQS, LUL, CAS)
