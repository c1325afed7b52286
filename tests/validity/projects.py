"""Many projects at once, each with an agent, a baseline and a run a day: the gate's rules on arrays.

An agent has 500 scenarios × 4 replicates in three classes of difficulty; a run shifts all of them together, by so
much that its true accuracy varies by `run_sd`, whatever its level; what chance in episodes does comes on top. The
rules are those of `proctor.instruments.quality`, whose `tolerance` is used here as it is; a test proves the rest of
them equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from proctor.instruments.quality.composite import geometric, parts_of
from proctor.instruments.quality.installed import ratios
from proctor.instruments.quality.measures import EVIDENCE_WEIGHTS
from proctor.instruments.quality.metrics import Layout, Sums
from proctor.instruments.quality.regression import confirmations, tolerance
from proctor.instruments.quality.rules import QualityRules

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
RULES = QualityRules()
SCENARIOS, REPLICATES = 500, 4
EPISODES = SCENARIOS * REPLICATES
CLASSES = np.array([350, 100, 50])
RATES = np.array([0.995, 0.90, 0.64])
GATE_RATE, EVIDENCE_RATE, TRUTH_RATE = 0.975, 0.98, 0.83
"""Shares of gates passed, of bundles filed, and of claims in them that are true."""
DA, CAS = 0, 1


class Run(NamedTuple):
    """Metrics of one run in each project, by replicate where the run was drawn so: replicate × project."""

    hits: Floats
    """Shares of right decisions."""
    gates: Floats
    """Shares of passed gates."""
    quality: Floats
    """Means of evidence quality."""

    @property
    def da(self) -> Floats:
        return np.asarray(self.hits.mean(axis=0))

    @property
    def gcr(self) -> Floats:
        return np.asarray(self.gates.mean(axis=0))

    @property
    def eqs(self) -> Floats:
        return np.asarray(self.quality.mean(axis=0))

    @property
    def pair(self) -> Floats:
        """What decides: DA and the composite without LUL."""
        return _pair(self.da, self.gcr, self.eqs)

    @property
    def chance(self) -> Floats:
        """What chance in episodes makes of the variance of `pair`, by the spread between replicates."""
        found = _pair(self.hits, self.gates, self.quality)
        return np.asarray(found.var(axis=1, ddof=1) / found.shape[1])


def _pair(da: Floats, gcr: Floats, eqs: Floats) -> Floats:
    return np.stack([da, geometric({"DA": da, "GCR": gcr, "EQS": eqs}, parts_of(RULES, lul=False).weights)])


def _shifted(rates: Floats | float, shift: Floats | float) -> Floats:
    return np.asarray(1.0 / (1.0 + (1.0 - rates) / rates * np.exp(-np.asarray(shift))), dtype=np.float64)


def _mean_rate(shift: Floats) -> Floats:
    return np.asarray((CLASSES * _shifted(RATES, shift[..., None])).sum(axis=-1) / SCENARIOS)


def shift_for(drop: Floats | float) -> Floats:
    """The shift of all scenarios that lowers the true accuracy by this much, by bisection."""
    wanted = _mean_rate(np.zeros(())) - np.asarray(drop)
    low, high = np.full(wanted.shape, -12.0), np.zeros(wanted.shape)
    for _ in range(60):
        middle = (low + high) / 2.0
        under = _mean_rate(middle) < wanted
        low, high = np.where(under, middle, low), np.where(under, high, middle)
    return np.where(np.asarray(drop) == 0.0, 0.0, high)


class Rates(NamedTuple):
    """True rates of one run in each project."""

    classes: tuple[Floats, ...]
    gates: Floats


def run_rates(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    *,
    run_sd: float,
    drop: Floats | float = 0.0,
    anywhere: bool = False,
) -> Rates:
    """The rates of agents whose true accuracy lies `drop` below the first one's, each run with an effect of its own.

    What is lost is lost where decisions were hard already; or `anywhere`, by the same share of every scenario.
    """
    level = np.zeros(()) if anywhere else shift_for(drop)
    left = 1.0 - np.asarray(drop) / _mean_rate(np.zeros(())) if anywhere else np.ones(())
    slope = (CLASSES * _shifted(RATES, level[..., None]) * (1.0 - _shifted(RATES, level[..., None]))).sum(axis=-1)
    effect = rng.normal(0.0, 1.0, shape) * run_sd / (slope / SCENARIOS)
    classes = tuple(np.asarray(left * _shifted(float(rate), effect + level)) for rate in RATES)
    return Rates(classes, _shifted(GATE_RATE, effect / 2.0))


def draw_at(rng: np.random.Generator, rates: Rates, *, replicates: bool = False) -> Run:
    """Runs with these rates: the episodes of each class, or of each class in each replicate."""
    parts = REPLICATES if replicates else 1
    each, shape = EPISODES // parts, (parts, *rates.gates.shape)
    hits = np.zeros(shape)
    for size, rate in zip(CLASSES, rates.classes, strict=True):
        hits += rng.binomial(REPLICATES * size // parts, rate, shape)
    gates = rng.binomial(each, rates.gates, shape)
    filed = rng.binomial(each, EVIDENCE_RATE, shape)
    quality = _quality(filed, rng.binomial(filed, TRUTH_RATE))
    return Run(hits / each, gates / each, quality / each)


def draw(
    rng: np.random.Generator,
    shape: tuple[int, ...],
    *,
    run_sd: float,
    drop: Floats | float = 0.0,
    anywhere: bool = False,
    replicates: bool = False,
) -> Run:
    """Runs of agents whose true accuracy lies `drop` below the first one's."""
    rates = run_rates(rng, shape, run_sd=run_sd, drop=drop, anywhere=anywhere)
    return draw_at(rng, rates, replicates=replicates)


def draw_sums(rng: np.random.Generator, rates: Rates, run: int, *, templates: int) -> Sums:
    """The episodes of one run summed by template, as the instrument sums them; every class has these many templates."""
    layout = Layout.of(ratios().values())
    table = np.zeros((CLASSES.size * templates, len(layout.columns)))
    column = {count.__name__: table[:, place] for count, place in layout.columns.items()}
    size = np.repeat(REPLICATES * CLASSES // templates, templates)
    filed = rng.binomial(size, EVIDENCE_RATE)
    for name in ("weight", "weight_squared", "episodes", "gates", "bundles"):
        column[name][:] = size
    column["correct"][:] = rng.binomial(size, np.repeat([rate[run] for rate in rates.classes], templates))
    column["gates_ok"][:] = rng.binomial(size, rates.gates[run])
    column["quality"][:] = _quality(filed, rng.binomial(filed, TRUTH_RATE))
    return Sums(table, EPISODES, layout)


def _quality(filed: npt.NDArray[np.int64], true: npt.NDArray[np.int64]) -> Floats:
    """Bundles with a false claim are complete and traceable; those that were not filed are nothing."""
    return (EVIDENCE_WEIGHTS["complete"] + EVIDENCE_WEIGHTS["traceable"]) * filed + EVIDENCE_WEIGHTS["true"] * true


@dataclass
class Reference:
    """Accepted runs of each project: metric × run × project."""

    runs: Floats
    mean: Floats = field(init=False)
    deviation: Floats = field(init=False)
    reach: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.mean = self.runs.mean(axis=1)
        self.deviation = np.maximum(self.runs.std(axis=1, ddof=1), 1.0 / EPISODES)
        self.reach = tolerance(self.deviation, self.runs.shape[1], RULES.alpha)

    def lower(self, pair: Floats) -> Bools:
        """Which metrics declined in which projects."""
        return np.asarray(pair <= self.mean - self.reach)

    def better(self, pair: Floats) -> Bools:
        """Which projects' runs are significantly better."""
        return np.asarray((pair[CAS] >= self.mean[CAS] + self.reach[CAS]) & ~self.lower(pair)[DA])


class Projects:
    """The baseline, the anchor and a rise under way in each project."""

    def __init__(self, accepted: Floats) -> None:
        self.baseline = Reference(accepted)
        self.anchor = Reference(accepted.copy())
        self.rising = np.zeros_like(accepted)
        self.joined = np.zeros(accepted.shape[2], dtype=np.int64)
        self.raised = np.zeros(accepted.shape[2], dtype=np.int64)

    def alarmed(self, today: Floats) -> Bools:
        """Projects that are not deployed because DA or CAS declined, confirmed or not."""
        return np.asarray((self.baseline.lower(today) | self.anchor.lower(today)).any(axis=0))

    def blocked(self, today: Floats, again: Floats, once_more: Floats) -> Bools:
        """Projects whose decline every rerun confirms that has to, for the same metric against the same runs."""
        runs = [today, again, once_more][: 1 + confirmations(self.baseline.runs.shape[1])]
        references = (self.baseline, self.anchor)
        confirmed = [np.all([one.lower(run) for run in runs], axis=0).any(axis=0) for one in references]
        return np.asarray(confirmed[0] | confirmed[1])

    def ratchet(self, today: Floats, again: Floats) -> None:
        """What the day does to the baselines."""
        size = self.rising.shape[1]
        under_way = self.joined > 0
        given_up = under_way & self.baseline.lower(today).any(axis=0)
        joining = np.flatnonzero(under_way & ~given_up)
        self.rising[:, self.joined[joining], joining] = today[:, joining]
        self.joined[joining] += 1
        start = np.flatnonzero(~under_way & self.baseline.better(today) & self.baseline.better(again))
        self.rising[:, 0, start] = again[:, start]
        self.joined[start] = 1
        full = np.flatnonzero(self.joined == size)
        if full.size:
            test = stats.ttest_ind(
                self.rising[CAS][:, full],
                self.baseline.runs[CAS][:, full],
                axis=0,
                equal_var=False,
                alternative="greater",
            )
            higher = full[np.asarray(test.pvalue) <= RULES.alpha]
            self.baseline.runs[:, :, higher] = self.rising[:, :, higher]
            self.baseline = Reference(self.baseline.runs)
            self.raised[higher] += 1
        self.joined[full] = 0
        self.joined[given_up] = 0
