"""Trace metrics: what replies say about their own making, per dataset, Condition and replicate.

RSI: a reason graph and an action other than the first impulse. VEI: a veto was applied. SCI: identity and continuity
weights. ACI: how much of its window memory recalled. H: entropy of the emitted actions as strings, in bits. A metric
without rows is absent. The distance to the structured Condition is Euclidean over the four metrics; it is ours, and not
the paper's, which cannot be recomputed from its tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from msgspec import Struct

from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.variants import references
from proctor.stats.entropy import entropy_of_counts
from proctor.stats.sample import IntArray

METRICS = ("SCI", "RSI", "VEI", "ACI")


class TraceMetrics(Struct, frozen=True, kw_only=True):
    """The metrics of one dataset, Condition and replicate."""

    dataset: str
    condition: str
    replicate: int
    metrics: dict[str, float | None]
    unpredictability: float | None
    distance: float | None
    """Ours: Euclidean, to the structured Condition of the same scaffold style, dataset and replicate."""
    rows: int

    @property
    def composite(self) -> float | None:
        """The mean of the four; None where one is absent."""
        known = [value for value in self.metrics.values() if value is not None]
        return sum(known) / len(METRICS) if len(known) == len(METRICS) else None


class TraceMean(Struct, frozen=True, kw_only=True):
    """The mean of a Condition over its datasets and replicates."""

    condition: str
    metrics: dict[str, float | None]
    unpredictability: float | None
    distance: float | None
    rows: int
    """Dataset–replicate units that entered."""


def trace_metrics(table: BindingTable) -> tuple[TraceMetrics, ...]:
    """Every dataset, Condition and replicate that has at least one trace."""
    rows = table.where(table.is_in("arm_of", ("",)))
    groups = rows.groups("dataset", "condition", "replicate")
    sizes = groups.total()
    means = {}
    for name in METRICS:
        values = rows.numbers[name.lower()]
        known = ~np.isnan(values)
        count = groups.total(known)
        total = groups.total(np.where(known, values, 0.0))
        means[name] = [float(t / n) if n else None for t, n in zip(total, count, strict=True)]
    bits = _entropies(rows, len(groups.keys), groups.codes)
    read = []
    for index, (dataset, condition, replicate) in enumerate(groups.keys):
        metrics = {name: means[name][index] for name in METRICS}
        if any(value is not None for value in metrics.values()):
            read.append((dataset, condition, int(replicate), metrics, bits[index], round(sizes[index])))
    compared = references({condition for _, condition, *_ in read})
    metrics_of = {(dataset, condition, replicate): metrics for dataset, condition, replicate, metrics, _, _ in read}
    return tuple(
        TraceMetrics(
            dataset=dataset,
            condition=condition,
            replicate=replicate,
            metrics=metrics,
            unpredictability=bit,
            distance=_distance(metrics, metrics_of.get((dataset, compared.get(condition, ""), replicate))),
            rows=size,
        )
        for dataset, condition, replicate, metrics, bit, size in read
    )


def trace_means(metrics: Sequence[TraceMetrics]) -> tuple[TraceMean, ...]:
    """Condition by Condition."""
    return tuple(
        TraceMean(
            condition=condition,
            metrics={name: _mean([one.metrics[name] for one in mine]) for name in METRICS},
            unpredictability=_mean([one.unpredictability for one in mine]),
            distance=_mean([one.distance for one in mine]),
            rows=len(mine),
        )
        for condition in sorted({one.condition for one in metrics})
        for mine in ([one for one in metrics if one.condition == condition],)
    )


def trace_directions(metrics: Sequence[TraceMetrics], metric: str, first: str, second: str) -> dict[str, float]:
    """First minus second of a metric (or `H`), dataset by dataset, replicates averaged."""
    sides: dict[str, dict[str, list[float]]] = {first: {}, second: {}}
    for one in metrics:
        value = one.unpredictability if metric == "H" else one.metrics[metric]
        if one.condition in sides and value is not None:
            sides[one.condition].setdefault(one.dataset, []).append(value)
    shared = sorted(set(sides[first]) & set(sides[second]))
    return {name: float(np.mean(sides[first][name]) - np.mean(sides[second][name])) for name in shared}


def _entropies(rows: BindingTable, groups: int, codes: IntArray) -> list[float | None]:
    raw = rows.text["raw"]
    width = max(len(raw.labels), 1)
    keys, counts = np.unique(codes * width + raw.codes, return_counts=True)
    group_of = keys // width
    return [entropy_of_counts(counts[group_of == group].tolist()).estimate for group in range(groups)]


def _distance(one: dict[str, float | None], other: dict[str, float | None] | None) -> float | None:
    if other is None:
        return None
    pairs = [(one[name], other[name]) for name in METRICS]
    known = [(a - b) ** 2 for a, b in pairs if a is not None and b is not None]
    return sqrt(sum(known)) if len(known) == len(METRICS) else None


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
