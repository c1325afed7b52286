"""Decision Accuracy, Gate Compliance Rate and Evidence Quality Score with their intervals (harness paper §3).

Each is a ratio of sums over episodes, so that scoring the union of rows equals scoring them together, in any order.
Intervals resample templates, so that what a template's scenarios share is in them, and are never narrower than Wilson's
at the effective n: an agent without a mistake is not known to make none. What has nothing to measure is None with a
reason, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from msgspec import Struct, field

from proctor.instruments.quality.measures import Case, evidence_quality
from proctor.stats.bootstrap import percentile_estimate
from proctor.stats.clustered_ratio import ratio_bounds
from proctor.stats.intervals import Bounds
from proctor.stats.resampling import resample
from proctor.stats.sample import FloatArray, IntArray, group

SEED = 7
"""Of the resampling: the same rows give the same interval everywhere."""
SAME = "every template gives the same: the interval takes each for one observation"
METHOD = "templates resampled, or Wilson's at the effective n where that is wider"

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


COLUMNS = (
    "weight",
    "weight_squared",
    "correct",
    "exact",
    "episodes",
    "over_asked",
    "gates",
    "gates_ok",
    "levels_ok",
    "bundles",
    "quality",
    "complete",
    "traceable",
    "true",
)
PLACE = {name: place for place, name in enumerate(COLUMNS)}
BILLION = 1e9
"""Every number is counted in billionths: whole numbers, whose sums are exact in any order."""
RATIOS = {"DA": ("correct", "weight"), "GCR": ("gates_ok", "gates"), "EQS": ("quality", "bundles")}
NOTHING = {
    "DA": "no scenario with a weight was scored",
    "GCR": "no scored scenario requires a gate",
    "EQS": "no scored scenario requires an evidence bundle",
}


@dataclass(frozen=True)
class Counted:
    """Every episode as a line of numbers, so that any part of a run is summed without looking at its rows again."""

    numbers: FloatArray
    codes: IntArray
    clusters: int

    @classmethod
    def of(cls, cases: Sequence[Case]) -> Counted:
        """These episodes; clusters are coded in sorted order."""
        lines = np.array([_line(case) for case in cases], dtype=np.float64).reshape(len(cases), len(COLUMNS))
        groups = group([case.cluster for case in cases])
        return cls(np.rint(lines * BILLION), groups.codes, groups.count)

    def sums(self, places: Sequence[int] | None = None) -> Sums:
        """The sums over all episodes, or over those at these places; clusters without one fall away."""
        numbers, codes = (self.numbers, self.codes) if places is None else (self.numbers[places], self.codes[places])
        table = np.stack([np.bincount(codes, weights=column, minlength=self.clusters) for column in numbers.T], axis=1)
        return Sums(table[np.bincount(codes, minlength=self.clusters) > 0] / BILLION, int(codes.size))


def _line(case: Case) -> tuple[float, ...]:
    """In the order of `COLUMNS`."""
    found, weight = case.measures, case.weight
    proven = (
        (1.0, evidence_quality(found), float(found.complete), float(found.traceable), float(found.true))
        if found.evidence
        else (0.0,) * 5
    )
    return (
        weight,
        weight**2,
        weight * found.correct,
        weight * found.exact,
        1.0,
        float(found.over_asked > 0),
        found.gates,
        found.gates_ok,
        found.gate_levels_ok,
        *proven,
    )


@dataclass(frozen=True)
class Sums:
    """Sums of every column by cluster; clusters in sorted order."""

    table: FloatArray
    episodes: int

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

    def bounds(self, metric: str, n: int, confidence: float) -> Bounds | None:
        """Wilson's interval of the metric at its effective n; None below two templates that have something of it."""
        part, whole = (self.table[:, PLACE[name]] for name in RATIOS[metric])
        squares = self.total("weight_squared")
        # Unequal weights are worth fewer equal ones.
        worth = self.total("weight") ** 2 / squares if metric == "DA" and squares else n
        return ratio_bounds(part, whole, n=min(float(n), worth), confidence=confidence)


def with_interval(
    sums: Sums,
    statistic: Statistic,
    value: float,
    widest: Bounds | None,
    *,
    n: int,
    missing: int,
    draws: int,
    confidence: float,
    note: str = "",
    beside: Mapping[str, float | None] | None = None,
) -> Measured:
    """A value with its percentile interval over resampled templates, stretched to hold `widest`.

    None for that says that there are too few templates, and so no interval.
    """
    drawn = None
    if widest is not None:
        drawn = resample(statistic, clusters=sums.clusters, draws=draws, rng=np.random.default_rng(SEED))
    found = percentile_estimate(
        drawn, observed=value, n=n, missing=missing, clusters=sums.clusters, method="templates", confidence=confidence
    )
    low, high = found.low, found.high
    same = low is not None and low == high
    if widest is not None and low is not None and high is not None:
        low, high = min(low, widest.low), max(high, widest.high)
    return Measured(
        value=value,
        low=low,
        high=high,
        n=n,
        missing=missing,
        clusters=sums.clusters,
        confidence=confidence,
        method=METHOD,
        reason=found.reason,
        note="; ".join(part for part in (note, SAME if same else "") if part),
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
        sums.bounds(metric, n, confidence),
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
