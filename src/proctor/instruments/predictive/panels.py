"""Reading probabilities: are they calibrated, and what would be gained by acting on them?"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from proctor.core.seeds import Stream
from proctor.instruments.predictive.folds import Floats
from proctor.stats.bootstrap import BootstrapEstimate, bootstrap_mean

THRESHOLDS = tuple(round(0.50 + 0.05 * step, 2) for step in range(10))
"""0.50 … 0.95."""


class Bin(msgspec.Struct, frozen=True):
    """A tenth of the records, by predicted probability."""

    predicted: float
    """Mean prediction."""
    observed: BootstrapEstimate
    """Share of successes, clusters resampled."""


class Acceptance(msgspec.Struct, frozen=True):
    """What accepting every record predicted at `threshold` or more would mean."""

    threshold: float
    accepted: BootstrapEstimate
    """Share of records accepted."""
    success: BootstrapEstimate
    """Success among the accepted."""
    violations: BootstrapEstimate | None
    """Hard violations among the accepted, where they are recorded."""
    net_benefit: BootstrapEstimate
    """TP/n − FP/n · t/(1−t)."""


def reliability(
    labels: Sequence[int], predicted: Sequence[float], clusters: Sequence[str], *, bins: int = 10, draws: int = 2_000
) -> tuple[Bin, ...]:
    """Deciles of the prediction with what was observed in each."""
    order = np.argsort(np.asarray(predicted), kind="stable")
    points = []
    for rows in np.array_split(order, bins):
        if rows.size:
            observed = bootstrap_mean(
                [labels[row] for row in rows], [clusters[row] for row in rows], draws=draws, rng=_generator(rows.size)
            )
            points.append(Bin(float(np.mean([predicted[row] for row in rows])), observed))
    return tuple(points)


def acceptances(
    labels: Sequence[int],
    predicted: Sequence[float],
    clusters: Sequence[str],
    *,
    violations: Sequence[int] | None = None,
    thresholds: Sequence[float] = THRESHOLDS,
    draws: int = 2_000,
) -> tuple[Acceptance, ...]:
    """The four panels over thresholds."""
    truth, chance = np.asarray(labels, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    accepted_at = []
    for threshold in thresholds:
        taken = chance >= threshold
        odds = threshold / (1.0 - threshold)
        benefit = np.where(taken, truth - (1.0 - truth) * odds, 0.0)
        accepted_at.append(
            Acceptance(
                threshold,
                _mean(taken.astype(np.float64), clusters, draws),
                _mean(np.where(taken, truth, np.nan), clusters, draws),
                None
                if violations is None
                else _mean(np.where(taken, np.asarray(violations, dtype=np.float64), np.nan), clusters, draws),
                _mean(benefit, clusters, draws),
            )
        )
    return tuple(accepted_at)


def _mean(values: Floats, clusters: Sequence[str], draws: int) -> BootstrapEstimate:
    given = [None if np.isnan(value) else float(value) for value in values]
    return bootstrap_mean(given, list(clusters), draws=draws, rng=_generator(len(given)))


def _generator(size: int) -> np.random.Generator:
    return Stream.keyed("predictive", "panels", size).numpy()
