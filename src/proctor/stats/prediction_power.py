"""How large a drop `prediction_test` finds against K accepted runs: in one run, and again in one rerun or two.

Run and rerun are compared with the same mean and the same deviation, so they are independent given the accepted runs
and not over them: a baseline that happens to look steady lets both through the cut together. What K runs showed is all
that is known of the deviation, so the true one is integrated over what it may be, s·√((K−1)/χ²), and the true mean over
what it may be given that. For one run this is Student's t, for two a bivariate t. It is a promise that can be kept: of
all projects whose agent fell by the drop printed for them, the printed share is found, whatever their true deviation.
(The noncentral t needs the true deviation; with s in its place it keeps no such promise: 3 points off at K = 5.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import msgspec
import numpy as np

from proctor.stats.estimate import check_confidence
from proctor.stats.sample import FloatArray

_TAIL = 1e-12
_DEVIATIONS, _MEANS = 121, 21
"""Points of the two quadratures; more change no printed digit."""


class RunPower(msgspec.Struct, frozen=True):
    """Chances that a drop is significant."""

    once: float
    """In one run."""
    twice: float
    """In a run and in its rerun."""
    thrice: float
    """In a run and in two reruns."""


class RunDrops(msgspec.Struct, frozen=True):
    """The smallest drops that are significant with the stated power; None: no drop that is possible is large enough."""

    once: float | None
    twice: float | None
    thrice: float | None


@dataclass(frozen=True)
class _Grid:
    deviations: FloatArray
    """True deviation over the observed one; a column."""
    means: FloatArray
    """Error of the baseline's mean in true deviations; a row."""
    weights: FloatArray


def _steady(drop: float) -> float:
    """A worse agent that varies as the accepted runs do."""
    del drop
    return 0.0


def prediction_power(drop: float, deviation: float, runs: int, *, alpha: float = 0.01, excess: float = 0.0) -> RunPower:
    """Chances that a drop of this size is significant, one-sided at alpha, against `runs` runs with this deviation.

    `excess` is the variance that a run of the worse agent has beyond one of the accepted runs.
    """
    from scipy import special

    if runs < 2 or deviation <= 0.0 or excess < 0.0:
        raise ValueError("a prediction test needs two baseline runs that vary, and an excess that is not negative")
    reach = -float(special.stdtrit(runs - 1, check_confidence(alpha))) * sqrt(1.0 + 1.0 / runs) * deviation
    grid = _grid(runs)
    true = deviation * grid.deviations
    power = special.ndtr((drop - reach + true * grid.means) / np.sqrt(true**2 + excess))
    once, twice, thrice = (float((grid.weights * power**times).sum()) for times in (1, 2, 3))
    return RunPower(once, twice, thrice)


def detectable_drops(
    deviation: float,
    runs: int,
    *,
    alpha: float = 0.01,
    power: float = 0.9,
    largest: float,
    excess: Callable[[float], float] = _steady,
) -> RunDrops:
    """The smallest drops, up to `largest`, found with this power; `excess` gives the extra variance after a drop."""

    def chances(drop: float) -> RunPower:
        return prediction_power(drop, deviation, runs, alpha=alpha, excess=excess(drop))

    return RunDrops(
        _least(lambda drop: chances(drop).once - power, largest),
        _least(lambda drop: chances(drop).twice - power, largest),
        _least(lambda drop: chances(drop).thrice - power, largest),
    )


def _least(shortfall: Callable[[float], float], largest: float) -> float | None:
    from scipy import optimize

    return None if shortfall(largest) < 0.0 else float(optimize.brentq(shortfall, 0.0, largest, xtol=1e-9))


@lru_cache(maxsize=64)
def _grid(runs: int) -> _Grid:
    """Even steps in log χ² for the deviation, where sums converge fast, and Gauss–Hermite for the mean."""
    from scipy import stats

    degrees = runs - 1
    steps = np.linspace(np.log(stats.chi2.ppf(_TAIL, degrees)), np.log(stats.chi2.isf(_TAIL, degrees)), _DEVIATIONS)
    chi2 = np.exp(steps)
    shares = stats.chi2.pdf(chi2, degrees) * chi2
    nodes, weights = np.polynomial.hermite_e.hermegauss(_MEANS)
    both = np.outer(shares / shares.sum(), weights / weights.sum())
    return _Grid(np.sqrt(degrees / chi2)[:, None], (nodes / sqrt(runs))[None, :], both)
