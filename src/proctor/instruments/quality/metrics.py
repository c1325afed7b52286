"""Decision Accuracy, Gate Compliance Rate and Evidence Quality Score with their intervals (harness paper §3).

Each is a ratio of sums over episodes, so that scoring the union of rows equals scoring them together, in any order.
Intervals resample templates: what a template's scenarios share is in the interval. What has nothing to measure is
None with a reason, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from proctor.instruments.quality.measures import Case
from proctor.stats.bootstrap import percentile_estimate
from proctor.stats.resampling import resample
from proctor.stats.sample import FloatArray

SEED = 7
"""Of the resampling: the same rows give the same interval everywhere."""

Statistic = Callable[[FloatArray], FloatArray]


class Measured(Struct, frozen=True, kw_only=True):
    """A metric: value, interval and what stands beside it. None: not measured, and `reason` says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int
    """Episodes, decision points, bundles or requests, as the metric counts."""
    missing: int = 0
    clusters: int = 0
    """Templates resampled."""
    confidence: float = 0.95
    method: str = ""
    reason: str | None = None
    """Why there is no value, or no interval."""
    note: str = ""
    beside: dict[str, float | None] = field(default_factory=dict)
    """What has to be read with it."""


class Column(NamedTuple):
    """A sum over episodes, by its name in the table of sums."""

    name: str
    of: Callable[[Case], float]


COLUMNS = (
    Column("weight", lambda case: case.weight),
    Column("correct", lambda case: case.weight * case.measures.correct),
    Column("exact", lambda case: case.weight * case.measures.exact),
    Column("episodes", lambda case: 1.0),
    Column("over_asked", lambda case: float(case.measures.over_asked > 0)),
    Column("gates", lambda case: float(case.measures.gates)),
    Column("gates_ok", lambda case: float(case.measures.gates_ok)),
    Column("levels_ok", lambda case: float(case.measures.gate_levels_ok)),
    Column("bundles", lambda case: float(case.measures.evidence)),
    Column("quality", lambda case: case.measures.evidence * case.measures.evidence_quality),
    Column("complete", lambda case: case.measures.evidence * float(case.measures.complete)),
    Column("traceable", lambda case: case.measures.evidence * float(case.measures.traceable)),
    Column("true", lambda case: case.measures.evidence * float(case.measures.true)),
)
PLACE = {column.name: place for place, column in enumerate(COLUMNS)}
RATIOS = {"DA": ("correct", "weight"), "GCR": ("gates_ok", "gates"), "EQS": ("quality", "bundles")}
NOTHING = {
    "DA": "no scenario with a weight was scored",
    "GCR": "no scored scenario requires a gate",
    "EQS": "no scored scenario requires an evidence bundle",
}


@dataclass(frozen=True)
class Sums:
    """Sums of every column by cluster; clusters in sorted order, sums exact whatever the order of rows."""

    table: FloatArray
    episodes: int

    @classmethod
    def of(cls, cases: Iterable[Case]) -> Sums:
        """The sums of these episodes."""
        by_cluster: dict[str, list[Case]] = {}
        for case in cases:
            by_cluster.setdefault(case.cluster, []).append(case)
        rows = [[fsum(map(column.of, by_cluster[name])) for column in COLUMNS] for name in sorted(by_cluster)]
        table = np.array(rows, dtype=np.float64).reshape(len(rows), len(COLUMNS))
        return cls(table, sum(map(len, by_cluster.values())))

    @property
    def clusters(self) -> int:
        """How many templates there are."""
        return int(self.table.shape[0])

    def total(self, name: str) -> float:
        """The sum over everything."""
        return fsum(self.table[:, PLACE[name]].tolist())

    def share(self, part: str, whole: str) -> float | None:
        """One sum over another; None where there is nothing."""
        below = self.total(whole)
        return self.total(part) / below if below else None

    def value(self, metric: str) -> float | None:
        """DA, GCR or EQS."""
        return self.share(*RATIOS[metric])

    def statistic(self, metric: str) -> Statistic:
        """The metric over resamples of the clusters; NaN where a resample has nothing to measure."""
        part, whole = (self.table[:, PLACE[name]] for name in RATIOS[metric])

        def ratio(multiplicities: FloatArray) -> FloatArray:
            above, below = multiplicities @ part, multiplicities @ whole
            return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0.0)

        return ratio


def with_interval(
    sums: Sums,
    statistic: Statistic,
    value: float,
    *,
    n: int,
    missing: int,
    draws: int,
    confidence: float,
    note: str = "",
    beside: Mapping[str, float | None] | None = None,
) -> Measured:
    """A value with its percentile interval over resampled templates."""
    drawn = None
    if sums.clusters > 1:
        drawn = resample(statistic, clusters=sums.clusters, draws=draws, rng=np.random.default_rng(SEED))
    found = percentile_estimate(
        drawn,
        observed=value,
        n=n,
        missing=missing,
        clusters=sums.clusters,
        method="templates resampled",
        confidence=confidence,
    )
    return Measured(
        value=value,
        low=found.low,
        high=found.high,
        n=n,
        missing=missing,
        clusters=sums.clusters,
        confidence=confidence,
        method=found.method,
        reason=found.reason,
        note=note,
        beside=dict(beside or {}),
    )


def measure(metric: str, sums: Sums, *, missing: int = 0, draws: int, confidence: float) -> Measured:
    """DA, GCR or EQS of these sums."""
    value = sums.value(metric)
    n = int(sums.total({"DA": "episodes", "GCR": "gates", "EQS": "bundles"}[metric]))
    if value is None:
        return Measured(value=None, n=n, missing=missing, clusters=sums.clusters, reason=NOTHING[metric])
    return with_interval(
        sums,
        sums.statistic(metric),
        value,
        n=n,
        missing=missing,
        draws=draws,
        confidence=confidence,
        beside=_beside(metric, sums),
    )


def _beside(metric: str, sums: Sums) -> dict[str, float | None]:
    if metric == "DA":
        return {"exact": sums.share("exact", "weight")}
    if metric == "GCR":
        return {"right_level": sums.share("levels_ok", "gates"), "over_asking": sums.share("over_asked", "episodes")}
    return {part: sums.share(part, "bundles") for part in ("complete", "traceable", "true")}
