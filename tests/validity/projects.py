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
from proctor.instruments.quality.regression import tolerance
from proctor.instruments.quality.rules import QualityRules

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
RULES = QualityRules()
SCENARIOS, REPLICATES = 500, 4
EPISODES = SCENARIOS * REPLICATES
CLASSES = np.array([350, 100, 50])
RATES = np.array([0.995, 0.90, 0.64])
GATE_RATE, EVIDENCE, EVIDENCE_SPREAD = 0.975, 0.93, 0.15
DA, CAS = 0, 1


class Run(NamedTuple):
    """Metrics of one run in each project."""

    da: Floats
    gcr: Floats
    eqs: Floats

    @property
    def pair(self) -> Floats:
        """What decides: DA and the composite without LUL."""
        cas = geometric({"DA": self.da, "GCR": self.gcr, "EQS": self.eqs}, parts_of(RULES, lul=False).weights)
        return np.stack([self.da, cas])


def _shifted(rates: Floats | float, shift: Floats | float) -> Floats:
    return np.asarray(1.0 / (1.0 + (1.0 - rates) / rates * np.exp(-np.asarray(shift))), dtype=np.float64)


def shift_for(drop: float) -> float:
    """The shift of all scenarios that lowers the true accuracy by this much, by bisection."""

    def lost(shift: float) -> float:
        return float((CLASSES * (RATES - _shifted(RATES, shift))).sum() / SCENARIOS)

    low, high = -8.0, 0.0
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if lost(middle) > drop else (low, middle)
    return high if drop else 0.0


def draw(rng: np.random.Generator, shape: tuple[int, ...], *, run_sd: float, drop: float = 0.0) -> Run:
    """Runs of agents whose true accuracy lies `drop` below the first one's."""
    level = shift_for(drop)
    rates = _shifted(RATES, level)
    slope = float((CLASSES * rates * (1.0 - rates)).sum() / SCENARIOS)
    effect = rng.normal(0.0, run_sd / slope, shape)
    shift = effect + level
    hits = np.zeros(shape)
    for size, rate in zip(CLASSES, RATES, strict=True):
        hits += rng.binomial(REPLICATES * size, _shifted(float(rate), shift))
    gates = rng.binomial(EPISODES, _shifted(GATE_RATE, effect / 2.0))
    evidence = np.clip(rng.normal(EVIDENCE, EVIDENCE_SPREAD / np.sqrt(EPISODES), shape), 0.0, 1.0)
    return Run(hits / EPISODES, gates / EPISODES, evidence)


@dataclass
class Reference:
    """Accepted runs of each project: metric × run × project."""

    runs: Floats
    mean: Floats = field(init=False)
    reach: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.mean = self.runs.mean(axis=1)
        deviation = np.maximum(self.runs.std(axis=1, ddof=1), 1.0 / EPISODES)
        self.reach = tolerance(deviation, self.runs.shape[1], RULES.alpha)

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

    def blocked(self, today: Floats, again: Floats) -> Bools:
        """Projects whose decline the rerun confirms, for the same metric against the same runs."""
        confirmed = [(one.lower(today) & one.lower(again)).any(axis=0) for one in (self.baseline, self.anchor)]
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
