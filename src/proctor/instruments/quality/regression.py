"""Is this run worse, or better, than the accepted ones? (harness paper §5.4)

The run is the unit: what its episodes share (one server, one day, one model version) is in the spread between runs, so
one new run is tested against K accepted ones with the prediction t test. Scenario-paired tests and Welch's test on
replicates take episodes for independent and alarm too often once runs vary; they are reported, and Welch decides only
under the profile `paper`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from proctor.instruments.quality.baseline import RunSummary
from proctor.instruments.quality.composite import parts_of
from proctor.instruments.quality.detectable_drop import chance_variance, smallest_drops
from proctor.instruments.quality.metrics import SEED
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.runs import RunMetrics, compared, run_metrics, shared
from proctor.instruments.quality.turned import is_still
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_difference
from proctor.stats.differences import prediction_test, welch
from proctor.stats.estimate import Significance
from proctor.stats.paired import holm, mcnemar
from proctor.stats.sample import FloatArray

STILL = "the accepted runs hardly vary; one stray episode is taken as their deviation"
STILL_SCENARIO = "no scenario changed between the accepted runs; one stray scenario is taken as their deviation"
EQUAL = 1e-12
"""Values that differ by less are the same but for rounding."""
TWICE_BELOW = 14
"""With fewer accepted runs a block needs two confirming reruns: with one, an unchanged agent would be blocked in more
than one run of a thousand (validity.md has the simulation; ten, the number of the decision, is just not enough)."""


def confirmations(runs: int) -> int:
    """How many reruns have to confirm a decline before it blocks, with so many accepted runs."""
    return 2 if runs < TWICE_BELOW else 1


class MetricTest(Struct, frozen=True, kw_only=True):
    """One metric of the new run against the accepted runs."""

    metric: str
    current: float | None
    baseline: float | None
    """Mean of the accepted runs."""
    deviation: float | None = None
    """Standard deviation between them."""
    runs: int
    p_lower: float | None = None
    """One-sided p that it is worse, by the prediction t test."""
    p_higher: float | None = None
    p_lower_holm: float | None = None
    tolerance: float | None = None
    """A drop up to this is within what runs differ by at the declared α."""
    detectable: float | None = None
    """The smallest drop that this test by itself finds in one run with the declared power: it is caught."""
    detectable_blocked: float | None = None
    """The smallest drop that it finds in the run and in every confirming rerun with that power: it is blocked."""
    welch_lower: float | None = None
    """One-sided p of Welch's test on replicates."""
    welch_lower_holm: float | None = None
    reason: str | None = None
    """Why there is no test, or how it was made possible."""

    @property
    def change(self) -> float | None:
        """Current minus baseline."""
        return None if self.current is None or self.baseline is None else self.current - self.baseline


class Paired(Struct, frozen=True):
    """Scenario by scenario; reported, never deciding."""

    mcnemar: Significance
    """Scenarios mostly right before and not now, against the reverse; greater: it got worse."""
    bootstrap: BootstrapEstimate
    """Mean change of correctness over scenarios, templates resampled."""
    worse: tuple[str, ...]
    """Scenarios mostly right before and mostly wrong now."""
    better: tuple[str, ...]


class Regression(Struct, frozen=True, kw_only=True):
    """A run against one set of accepted runs."""

    against: str
    runs: int
    overlap: float
    scenarios: int
    alpha: float
    power: float
    deciding_test: Literal["prediction", "welch"]
    tests: dict[str, MetricTest]
    """By metric; empty where there is no baseline, and `reason` says why."""
    paired: Paired | None = None
    reason: str | None = None

    def lower(self, metric: str) -> bool:
        """Whether the metric declined significantly by the test that decides."""
        test = self.tests.get(metric)
        if test is None:
            return False
        p = test.welch_lower if self.deciding_test == "welch" else test.p_lower
        return p is not None and p <= self.alpha

    def higher(self, metric: str) -> bool:
        """Whether the metric rose significantly, run against runs."""
        test = self.tests.get(metric)
        return test is not None and test.p_higher is not None and test.p_higher <= self.alpha


def compare(
    run: RunSummary, accepted: Sequence[RunSummary], governed: QualityRules, *, against: str, profile: str = "default"
) -> Regression:
    """Test a run against accepted ones on the scenarios they all share."""
    common = shared(run, accepted)
    regression = Regression(
        against=against,
        runs=len(accepted),
        overlap=common.overlap,
        scenarios=len(common.scenarios),
        alpha=governed.alpha,
        power=governed.power,
        deciding_test="welch" if profile == "paper" else "prediction",
        tests={},
    )
    if len(accepted) < governed.least_runs:
        return replace(regression, reason=f"{len(accepted)} accepted runs; a baseline needs {governed.least_runs}")
    if common.overlap < governed.overlap:
        return replace(
            regression,
            reason=f"only {100 * common.overlap:.0f} % of the scenarios are the same as in the accepted runs; "
            f"under {100 * governed.overlap:.0f} % there is no baseline",
        )
    parts = parts_of(governed, lul=False)
    current = run_metrics(run, common.scenarios, parts)
    before = [run_metrics(one, common.scenarios, parts) for one in accepted]
    still = is_still(accepted, common.scenarios)
    tests = [_test(metric, current, before, governed, still=still) for metric in compared(governed)]
    prediction = holm([test.p_lower for test in tests])
    by_welch = holm([test.welch_lower for test in tests])
    adjusted = {
        test.metric: replace(test, p_lower_holm=one, welch_lower_holm=two)
        for test, one, two in zip(tests, prediction, by_welch, strict=True)
    }
    return replace(regression, tests=adjusted, paired=_paired(run, accepted, common.scenarios))


def tolerance(deviation: FloatArray | float, runs: int, alpha: float) -> FloatArray:
    """The drop below the mean of `runs` accepted runs from which on the prediction test is significant."""
    from scipy import stats

    return np.asarray(float(stats.t.isf(alpha, runs - 1)) * sqrt(1.0 + 1.0 / runs) * deviation, dtype=np.float64)


def least_values(runs: Sequence[RunSummary], governed: QualityRules, metrics: Sequence[str]) -> dict[str, float | None]:
    """The value of each metric from which down a new run would count as declined against these as accepted runs.

    The mean less the tolerance, on the scenarios they share. None where it was not measured in all of them.
    """
    found: dict[str, float | None] = dict.fromkeys(metrics)
    if len(runs) < 2:
        return found
    names = shared(runs[0], runs).scenarios
    measured = [run_metrics(run, names, parts_of(governed, lul=False)) for run in runs]
    still = is_still(runs, names)
    for metric in metrics:
        values = [value for one in measured if (value := one.whole[metric]) is not None]
        if len(values) == len(runs):
            deviation = max(_spread(metric, values, measured[0], still=still))
            found[metric] = float(np.mean(values) - tolerance(deviation, len(runs), governed.alpha))
    return found


def _spread(metric: str, values: Sequence[float], run: RunMetrics, *, still: bool) -> tuple[float, float]:
    """What accepted runs differ by, and what a run may always differ by."""
    deviation = float(np.std(values, ddof=1))
    # Replicates of an agent that always does the same say the same: there a whole scenario is one observation.
    return deviation, run.stray_scenario[metric] if still and deviation < EQUAL else run.stray[metric]


def _test(
    metric: str, current: RunMetrics, before: Sequence[RunMetrics], governed: QualityRules, *, still: bool
) -> MetricTest:
    value = current.whole[metric]
    known = [one.whole[metric] for one in before]
    values = [one for one in known if one is not None]
    runs = len(known)
    if value is None or len(values) < runs:
        why = f"{metric} was not measured in {'this run' if value is None else 'an accepted run'}"
        return MetricTest(metric=metric, current=value, baseline=None, runs=runs, reason=why)
    (deviation, least), reason = _spread(metric, values, current, still=still), None
    if deviation >= least:
        p_lower = prediction_test(value, values, alternative="less").p_value
        p_higher = prediction_test(value, values, alternative="greater").p_value
    else:
        # A deterministic agent repeats itself to the last digit, and then a single stray episode would be a certain
        # decline. So a run may always differ as if the weightiest episode went wrong in it.
        reason = STILL_SCENARIO if still and deviation < EQUAL else STILL
        deviation = least
        p_lower, p_higher = _p_values(value - float(np.mean(values)), deviation, runs)
    mean, chance = float(np.mean(values)), chance_variance(metric, before)
    smallest = smallest_drops(mean, deviation, chance, runs, alpha=governed.alpha, power=governed.power)
    samples = [
        [one[metric] for one in current.replicates],
        [one[metric] for run in before for one in run.replicates],
    ]
    return MetricTest(
        metric=metric,
        current=value,
        baseline=mean,
        deviation=deviation,
        runs=runs,
        p_lower=p_lower,
        p_higher=p_higher,
        tolerance=float(tolerance(deviation, runs, governed.alpha)),
        detectable=smallest.once,
        detectable_blocked=smallest.twice if confirmations(runs) == 1 else smallest.thrice,
        welch_lower=_welch(*samples),
        reason=reason,
    )


def _p_values(difference: float, deviation: float, runs: int) -> tuple[float, float]:
    from scipy import stats

    statistic = difference / (deviation * sqrt(1.0 + 1.0 / runs))
    return float(stats.t.cdf(statistic, runs - 1)), float(stats.t.sf(statistic, runs - 1))


def _welch(current: list[float | None], before: list[float | None]) -> float | None:
    """Welch's p that the current replicates are lower; where nothing varies, a difference is beyond doubt."""
    test = welch(current, before, alternative="less")
    if test.p_value is None and test.reason == "neither sample varies" and test.estimate is not None:
        return 0.0 if test.estimate < -1e-12 else 1.0
    return test.p_value


def _paired(run: RunSummary, accepted: Sequence[RunSummary], scenarios: Sequence[str]) -> Paired:
    now, before, clusters = [], [], []
    for name in scenarios:
        old = [one.correct for other in accepted for one in other.scenarios[name].decided]
        new = [one.correct for one in run.scenarios[name].decided]
        now.append(sum(new) / len(new))
        before.append(sum(old) / len(old))
        clusters.append(run.scenarios[name].template)
    # A tie is not mostly right, on either side.
    turned = [(old > 0.5, new > 0.5) for old, new in zip(before, now, strict=True)]
    counts = Counter(turned)
    few = bootstrap_difference(now, before, clusters, rng=np.random.default_rng(SEED))
    return Paired(
        mcnemar(counts[True, False], counts[False, True], alternative="greater"),
        few,
        tuple(name for name, pair in zip(scenarios, turned, strict=True) if pair == (True, False)),
        tuple(name for name, pair in zip(scenarios, turned, strict=True) if pair == (False, True)),
    )
