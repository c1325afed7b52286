"""The metrics of kept runs, on the scenarios they share.

Runs pair on scenario ids of equal content hash. LUL is not among the metrics here: a p95 varies by 7 % from run to run
and would drown everything else, so the composite of comparisons is the one without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from proctor.instruments.quality.baseline import RunSummary
from proctor.instruments.quality.composite import Parts, composite_value
from proctor.instruments.quality.installed import metrics, ratios
from proctor.instruments.quality.metric import COMPOSITE
from proctor.instruments.quality.rules import QualityRules


def compared(governed: QualityRules) -> tuple[str, ...]:
    """The metrics on which runs are compared: those of the default rules, and whatever else these rules ask for."""
    known = metrics()
    asked = [name for name in ratios() if known[name].weight is not None or governed.asks_for_metric(name)]
    return (COMPOSITE, *asked)


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
    stray_scenario: dict[str, float]
    """The same of a scenario that goes wrong in all its episodes."""


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
    """Numerators and denominators of the metrics that are worked out from episodes."""

    __slots__ = ("largest", "largest_scenario", "part", "whole")

    def __init__(self) -> None:
        self.part = dict.fromkeys(ratios(), 0.0)
        self.whole = dict.fromkeys(ratios(), 0.0)
        self.largest = dict.fromkeys(ratios(), 0.0)
        self.largest_scenario = dict.fromkeys(ratios(), 0.0)

    def add(self, counted: Iterable[tuple[str, tuple[float, float]]]) -> None:
        """Add an episode: part and whole of each metric."""
        for name, (part, whole) in counted:
            self.part[name] += part
            self.whole[name] += whole
            if whole > self.largest[name]:
                self.largest[name] = whole

    def values(self, parts: Parts) -> dict[str, float | None]:
        values = {name: self.part[name] / whole if whole else None for name, whole in self.whole.items()}
        return {COMPOSITE: composite_value(values, parts), **values}

    def close_scenario(self, before: Mapping[str, float]) -> None:
        """All episodes of a scenario have been added; `before` is what `whole` was before them."""
        for name, whole in self.whole.items():
            self.largest_scenario[name] = max(self.largest_scenario[name], whole - before[name])

    def stray(self, parts: Parts, *, scenario: bool = False) -> dict[str, float]:
        largest = self.largest_scenario if scenario else self.largest
        taken = {name: largest[name] / whole if whole else 0.0 for name, whole in self.whole.items()}
        # Near 1 the composite loses what its metrics lose, each by its weight.
        return {COMPOSITE: sum(weight * taken[name] for name, weight in parts.weights.items()), **taken}


def run_metrics(run: RunSummary, scenarios: Iterable[str], parts: Parts) -> RunMetrics:
    """The metrics of a run on these scenarios; `parts` never holds LUL."""
    chosen = tuple(scenarios)
    # A run that was kept before a metric was installed cannot be compared on it.
    held = {
        name: metric
        for name, metric in ratios().items()
        if metric.kept is not None or all(name in run.scenarios[one].counted for one in chosen)
    }
    whole = _Sums()
    replicates: dict[int, _Sums] = {}
    for name in chosen:
        record = run.scenarios[name]
        before = dict(whole.whole)
        for number, one in enumerate(record.decided):
            counted = [
                (metric, record.counted[metric][number] if ratio.kept is None else ratio.kept(record, one))
                for metric, ratio in held.items()
            ]
            whole.add(counted)
            if one.replicate not in replicates:
                replicates[one.replicate] = _Sums()
            replicates[one.replicate].add(counted)
        whole.close_scenario(before)
    return RunMetrics(
        whole.values(parts),
        tuple(replicates[number].values(parts) for number in sorted(replicates)),
        whole.stray(parts),
        whole.stray(parts, scenario=True),
    )
