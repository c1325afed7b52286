"""The metrics of kept runs, on the scenarios they share.

Runs pair on scenario ids of equal content hash. LUL is not among the metrics here: a p95 varies by 7 % from run to run
and would drown everything else, so the composite of comparisons is the one without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from proctor.instruments.quality.baseline import Decided, RunSummary, ScenarioRecord
from proctor.instruments.quality.composite import Parts, composite_value

COMPARED = ("CAS", "DA", "GCR", "EQS")


class Shared(Struct, frozen=True):
    """What a run has in common with the runs it is compared with."""

    scenarios: tuple[str, ...]
    overlap: float
    """Of the scenarios of either side."""


class RunMetrics(Struct, frozen=True):
    """One run on the shared scenarios."""

    whole: dict[str, float | None]
    replicates: tuple[dict[str, float | None], ...]
    """The same for each replicate by itself."""
    stray: dict[str, float]
    """The most that a single episode gone wrong takes from each metric, if all others were right."""


def shared(run: RunSummary, others: Sequence[RunSummary]) -> Shared:
    """Scenarios with the same id and content in the run and in every other."""
    everything = set(run.scenarios).union(*(other.scenarios for other in others))
    common = tuple(
        name
        for name, record in sorted(run.scenarios.items())
        if record.hash
        and all(name in other.scenarios and other.scenarios[name].hash == record.hash for other in others)
    )
    return Shared(common, len(common) / len(everything) if everything else 0.0)


class _Sums:
    """Numerators and denominators of DA, GCR and EQS."""

    __slots__ = ("bundles", "correct", "gates", "gates_ok", "heaviest", "most_gates", "quality", "weight")

    def __init__(self) -> None:
        self.correct = self.weight = self.quality = self.heaviest = 0.0
        self.gates = self.gates_ok = self.bundles = self.most_gates = 0

    def add(self, record: ScenarioRecord, one: Decided) -> None:
        self.heaviest = max(self.heaviest, record.weight)
        self.most_gates = max(self.most_gates, record.gates)
        self.weight += record.weight
        self.correct += record.weight * one.correct
        self.gates += record.gates
        self.gates_ok += one.gates_ok
        if one.evidence is not None:
            self.bundles += 1
            self.quality += one.evidence

    def values(self, parts: Parts) -> dict[str, float | None]:
        found = {
            "DA": self.correct / self.weight if self.weight else None,
            "GCR": self.gates_ok / self.gates if self.gates else None,
            "EQS": self.quality / self.bundles if self.bundles else None,
        }
        return {"CAS": composite_value(found, parts), **found}

    def stray(self, parts: Parts) -> dict[str, float]:
        found = {
            "DA": self.heaviest / self.weight if self.weight else 0.0,
            "GCR": self.most_gates / self.gates if self.gates else 0.0,
            "EQS": 1.0 / self.bundles if self.bundles else 0.0,
        }
        # Near 1 the composite loses what its metrics lose, each by its weight.
        return {"CAS": sum(weight * found[name] for name, weight in parts.weights.items()), **found}


def run_metrics(run: RunSummary, scenarios: Iterable[str], parts: Parts) -> RunMetrics:
    """The metrics of a run on these scenarios; `parts` never holds LUL."""
    whole = _Sums()
    replicates: dict[int, _Sums] = {}
    for name in scenarios:
        record = run.scenarios[name]
        for one in record.decided:
            whole.add(record, one)
            replicates.setdefault(one.replicate, _Sums()).add(record, one)
    return RunMetrics(
        whole.values(parts),
        tuple(replicates[number].values(parts) for number in sorted(replicates)),
        whole.stray(parts),
    )
