"""Reliability over repeated trials: pass@k (does one of k succeed?) and pass^k (do all k succeed?).

Each task has c successes in n ≥ k trials; the chance over random k of its trials is an unbiased estimate for the task
(Chen et al. 2021; Yao et al. 2024). The result is the mean over tasks with a t interval across tasks, cut to [0, 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from proctor.stats.estimate import Estimate, check_counts
from proctor.stats.intervals import mean


def task_pass_at(successes: int, trials: int, k: int) -> float | None:
    """Chance that at least one of k trials drawn without replacement succeeded; None where trials < k."""
    _check(successes, trials, k)
    return None if trials < k else 1.0 - comb(trials - successes, k) / comb(trials, k)


def task_pass_all(successes: int, trials: int, k: int) -> float | None:
    """Chance that all of k trials drawn without replacement succeeded; None where trials < k."""
    _check(successes, trials, k)
    return None if trials < k else comb(successes, k) / comb(trials, k)


def pass_at_k(successes: Sequence[int], trials: Sequence[int], *, k: int, confidence: float = 0.95) -> Estimate:
    """Mean pass@k over tasks; `n` counts tasks, and tasks with fewer than k trials are missing."""
    values = [task_pass_at(c, n, k) for c, n in zip(successes, trials, strict=True)]
    return _over_tasks(values, f"pass@{k}", confidence)


def pass_all_k(successes: Sequence[int], trials: Sequence[int], *, k: int, confidence: float = 0.95) -> Estimate:
    """Mean pass^k over tasks; `n` counts tasks, and tasks with fewer than k trials are missing."""
    values = [task_pass_all(c, n, k) for c, n in zip(successes, trials, strict=True)]
    return _over_tasks(values, f"pass^{k}", confidence)


def _over_tasks(values: Sequence[float | None], name: str, confidence: float) -> Estimate:
    tasks = mean(values, confidence=confidence)
    return Estimate(
        estimate=tasks.estimate,
        low=None if tasks.low is None else max(tasks.low, 0.0),
        high=None if tasks.high is None else min(tasks.high, 1.0),
        n=tasks.n,
        missing=tasks.missing,
        method=f"{name}, {tasks.method} across tasks",
        confidence=confidence,
        reason=tasks.reason,
    )


def _check(successes: int, trials: int, k: int) -> None:
    check_counts(successes, trials)
    if k < 1:
        raise ValueError(f"k {k} must be at least 1")
