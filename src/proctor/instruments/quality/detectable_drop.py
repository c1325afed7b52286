"""What the regression test of one metric can see: how large a drop is caught, how large a one is blocked.

Caught: significant in the run, so that it is not deployed. Blocked: significant again in the immediate rerun. Each is
said of one metric's test by itself; the gate looks at several, so it catches and blocks no less.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from proctor.instruments.quality.runs import RunMetrics
from proctor.stats.prediction_power import RunDrops, detectable_drops


def chance_variance(metric: str, accepted: Sequence[RunMetrics]) -> float | None:
    """The part of a run's variance that chance in its episodes makes, since replicates share everything else.

    None where a run has a single replicate, which cannot tell.
    """
    within = []
    for run in accepted:
        values = [value for one in run.replicates if (value := one[metric]) is not None]
        if len(values) < 2:
            return None
        within.append(float(np.var(values, ddof=1)) / len(values))
    return float(np.mean(within))


def smallest_drops(
    mean: float, deviation: float, chance: float | None, runs: int, *, alpha: float, power: float
) -> RunDrops:
    """The smallest drops from this mean that are caught (`once`) and blocked (`twice`) with the given power.

    `deviation` is that between the accepted runs, `chance` what `chance_variance` gives. A worse agent is less
    predictable: what chance in episodes makes of the variance (all of it, where that is not known) is taken to follow
    m·(1 − m), as a share's does, and so grows as the mean m falls from near 1.
    """
    part = deviation**2 if chance is None else min(chance, deviation**2)
    usual = mean * (1.0 - mean)

    def excess(drop: float) -> float:
        worse = max(mean - drop, 0.0)
        return max(part * (worse * (1.0 - worse) / usual - 1.0), 0.0) if usual > 0.0 else 0.0

    return detectable_drops(deviation, runs, alpha=alpha, power=power, largest=max(mean, 0.0), excess=excess)
