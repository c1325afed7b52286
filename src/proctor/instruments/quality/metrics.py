"""Metrics that are worked out from episodes, with their intervals (harness paper §3).

Each is a ratio of sums over episodes, so that scoring the union of rows equals scoring them together, in any order.
Intervals resample templates, so that what a template's scenarios share is in them, and are never narrower than Wilson's
at the effective n: an agent without a mistake is not known to make none. What has nothing to measure is None with a
reason, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np
from msgspec import Struct, field

from proctor.core.errors import ProctorError
from proctor.instruments.quality.installed import ratios
from proctor.instruments.quality.measures import Case
from proctor.instruments.quality.metric import Count, Ratio
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


BILLION = 1e9
"""Every number is counted in billionths: whole numbers, whose sums are exact in any order."""


@dataclass(frozen=True)
class Layout:
    """Which column of a table holds which number of an episode; a number that two metrics need stands there once."""

    columns: Mapping[Count, int]

    @classmethod
    def of(cls, declared: Iterable[Ratio]) -> Layout:
        """The columns that these metrics need."""
        needed = dict.fromkeys(count for one in declared for count in one.counts)
        return cls({count: index for index, count in enumerate(needed)})


@dataclass(frozen=True)
class Counted:
    """Every episode as a line of numbers, so that any part of a run is summed without looking at its rows again."""

    numbers: FloatArray
    codes: IntArray
    clusters: int
    layout: Layout
    ratios: Mapping[str, Ratio]
    """The metrics whose numbers are there, by name."""
    broken: Mapping[str, str]
    """By name: the metrics of packages that failed in an episode, and how."""

    @classmethod
    def of(cls, cases: Sequence[Case]) -> Counted:
        """These episodes, with the numbers that the installed metrics need; clusters are coded in sorted order."""
        columns: dict[Count, list[float]] = {}
        counted: dict[str, Ratio] = {}
        broken: dict[str, str] = {}
        for name, ratio in ratios().items():
            try:
                columns |= {count: [count(case) for case in cases] for count in ratio.counts if count not in columns}
            except ProctorError as error:
                # Of a package: it costs its own result and no other.
                broken[name] = str(error)
            else:
                counted[name] = ratio
        layout = Layout({count: index for index, count in enumerate(columns)})
        lines = np.array(list(columns.values()), dtype=np.float64).reshape(len(columns), len(cases)).T
        groups = group([case.cluster for case in cases])
        return cls(np.rint(lines * BILLION), groups.codes, groups.count, layout, counted, broken)

    def sums(self, positions: Sequence[int] | None = None) -> Sums:
        """The sums over all episodes, or over those at these positions; clusters without one fall away."""
        numbers, codes = (
            (self.numbers, self.codes) if positions is None else (self.numbers[positions], self.codes[positions])
        )
        table = np.stack([np.bincount(codes, weights=column, minlength=self.clusters) for column in numbers.T], axis=1)
        return Sums(table[np.bincount(codes, minlength=self.clusters) > 0] / BILLION, int(codes.size), self.layout)


@dataclass(frozen=True)
class Sums:
    """Sums of every column by cluster; clusters in sorted order."""

    table: FloatArray
    episodes: int
    layout: Layout

    @property
    def clusters(self) -> int:
        """How many templates there are."""
        return int(self.table.shape[0])

    def column(self, count: Count) -> FloatArray:
        """The sums of one number, by cluster."""
        column: FloatArray = self.table[:, self.layout.columns[count]]
        return column

    def total(self, count: Count) -> float:
        """The sum over everything."""
        return fsum(self.column(count).tolist())

    def share(self, part: Count, whole: Count) -> float | None:
        """One sum over another; None where there is nothing."""
        below = self.total(whole)
        return self.total(part) / below if below else None

    def value(self, metric: Ratio) -> float | None:
        """The value of a metric."""
        return self.share(metric.part, metric.whole)

    def statistic(self, metric: Ratio) -> Statistic:
        """The metric over resamples of the clusters; NaN where a resample has nothing to measure."""
        part, whole = self.column(metric.part), self.column(metric.whole)

        def ratio(multiplicities: FloatArray) -> FloatArray:
            above, below = multiplicities @ part, multiplicities @ whole
            return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0.0)

        return ratio

    def bounds(self, metric: Ratio, n: int, confidence: float) -> Bounds | None:
        """Wilson's interval of the metric at its effective n; None below two templates that have something of it."""
        squares = 0.0 if metric.squares is None else self.total(metric.squares)
        # Unequal weights are worth fewer equal ones.
        worth = self.total(metric.whole) ** 2 / squares if squares else n
        part, whole = self.column(metric.part), self.column(metric.whole)
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
    estimate = percentile_estimate(
        drawn, observed=value, n=n, missing=missing, clusters=sums.clusters, method="templates", confidence=confidence
    )
    low, high = estimate.low, estimate.high
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
        reason=estimate.reason,
        note="; ".join(part for part in (note, SAME if same else "") if part),
        beside=dict(beside or {}),
    )


def measure(metric: Ratio, sums: Sums, *, missing: int = 0, draws: int, confidence: float) -> Measured:
    """A metric of these sums."""
    value = sums.value(metric)
    n = int(sums.total(metric.observations))
    if value is None:
        return Measured(value=None, n=n, missing=missing, clusters=sums.clusters, reason=metric.nothing)
    return with_interval(
        sums,
        sums.statistic(metric),
        value,
        sums.bounds(metric, n, confidence),
        n=n,
        missing=missing,
        draws=draws,
        confidence=confidence,
        beside={name: sums.share(one.part, one.whole) for name, one in metric.beside.items()},
    )
