"""How a baseline rises, and why it never falls (harness paper §11, as settled in the decisions).

Letting every run join that is at least as good collects the lucky ones, until an unchanged agent looks worse than its
own baseline. So the baseline is frozen at acceptance. It begins to rise when a run is significantly better and a
confirming run on fresh replicate streams is too; from the confirming run on, every run joins whatever it shows, until
they are as many as those they replace. They replace them only if they are significantly better together.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from proctor.instruments.quality.baseline import Baseline, RunSummary
from proctor.instruments.quality.composite import parts_of
from proctor.instruments.quality.installed import blocking
from proctor.instruments.quality.metric import COMPOSITE
from proctor.instruments.quality.regression import Regression, compare
from proctor.instruments.quality.rules import QualityRules
from proctor.instruments.quality.runs import run_metrics, shared
from proctor.stats.differences import welch

Step = Literal["unchanged", "rising", "raised", "given up"]


class Ratcheted(Struct, frozen=True):
    """The baseline after a run."""

    baseline: Baseline
    step: Step
    reason: str


def better(regression: Regression) -> bool:
    """Whether a run is significantly better: its composite rose, and nothing declined of which a decline blocks."""
    return regression.higher(COMPOSITE) and not any(
        regression.lower(metric) for metric in blocking() if metric != COMPOSITE
    )


def ratchet(
    baseline: Baseline, run: RunSummary, confirming: RunSummary | None, governed: QualityRules, *, at: str
) -> Ratcheted:
    """The baseline after this run. `at` is the time of acceptance if it is raised."""
    if not run.complete or run.s1:
        return Ratcheted(baseline, "unchanged", "a run that is not complete, or has an S1, moves no baseline")
    regression = compare(run, baseline.runs, governed, against="baseline")
    if regression.reason is not None:
        return Ratcheted(baseline, "unchanged", regression.reason)
    if baseline.rising:
        return _join(baseline, run, regression, governed, at)
    if not better(regression):
        return Ratcheted(baseline, "unchanged", "the run is not significantly better than the baseline")
    if confirming is None:
        return Ratcheted(baseline, "unchanged", "the run is significantly better; a confirming run is needed")
    if not confirming.complete or confirming.s1:
        return Ratcheted(baseline, "unchanged", "the confirming run is not complete, or has an S1")
    if not better(compare(confirming, baseline.runs, governed, against="baseline")):
        return Ratcheted(baseline, "unchanged", "the confirming run is not significantly better")
    needed = len(baseline.runs) - 1
    return Ratcheted(
        replace(baseline, rising=(confirming,)),
        "rising",
        f"significantly better twice: the next {needed} runs complete the new baseline",
    )


def _join(baseline: Baseline, run: RunSummary, regression: Regression, governed: QualityRules, at: str) -> Ratcheted:
    if any(regression.lower(metric) for metric in blocking()):
        return Ratcheted(
            replace(baseline, rising=()), "given up", "a run fell significantly below the baseline while it was rising"
        )
    rising = (*baseline.rising, run)
    if len(rising) < len(baseline.runs):
        return Ratcheted(
            replace(baseline, rising=rising), "rising", f"{len(rising)} of {len(baseline.runs)} runs are there"
        )
    if not _higher_together(rising, baseline, governed):
        return Ratcheted(
            replace(baseline, rising=()), "given up", "together the newer runs are not significantly better"
        )
    return Ratcheted(
        replace(baseline, runs=rising, rising=(), accepted_at=at), "raised", "the newer runs are the baseline now"
    )


def _higher_together(rising: tuple[RunSummary, ...], baseline: Baseline, governed: QualityRules) -> bool:
    """Runs against runs: each is one observation, so Welch's test is the right one here."""
    common = shared(rising[0], (*rising[1:], *baseline.runs))
    if common.overlap < governed.overlap:
        return False
    parts = parts_of(governed, lul=False)
    new, old = (
        [run_metrics(run, common.scenarios, parts).whole[COMPOSITE] for run in runs] for runs in (rising, baseline.runs)
    )
    test = welch(new, old, alternative="greater")
    if test.p_value is None:
        # Neither side varies: a deterministic agent that is better is better.
        return test.estimate is not None and test.estimate > 1e-12
    return test.p_value <= governed.alpha
