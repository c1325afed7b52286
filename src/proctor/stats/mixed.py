"""A mixed-effect summary of values in groups: an intercept with a random part for each group.

Auxiliary by nature: it assumes normal groups, and with seven of them its interval is too short. A fit that does not
converge, is singular or sits on its boundary is not reported as a number.
"""

from __future__ import annotations

import warnings
from math import isfinite

import numpy as np

from proctor.stats.estimate import Estimate, check_confidence
from proctor.stats.external import statsmodels
from proctor.stats.intervals import NOTHING_SCORED, normal_quantile
from proctor.stats.sample import Labels, Values, group, sample

METHOD = "mixed-effect intercept with a random part per group, auxiliary"


def mixed_mean(values: Values, groups: Labels, *, confidence: float = 0.95) -> Estimate:
    """The intercept with its interval; no estimate, and the reason, where the fit is not stable."""
    check_confidence(confidence)
    given = sample(values)
    codes = group(groups).codes[given.kept]

    def nothing(reason: str) -> Estimate:
        return Estimate(
            estimate=None,
            n=int(given.values.size),
            missing=given.missing,
            method=METHOD,
            confidence=confidence,
            reason=reason,
        )

    if given.values.size == 0:
        return nothing(NOTHING_SCORED)
    if np.unique(codes).size < 2:
        return nothing("one group has no spread between groups")
    if np.ptp(given.values) <= 1e-12:
        return nothing("the values do not vary")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            model = statsmodels("regression.mixed_linear_model").MixedLM(
                given.values, np.ones((given.values.size, 1)), groups=codes
            )
            fit = model.fit(reml=True)
        except (np.linalg.LinAlgError, ValueError):
            return nothing("singular: the fit broke down")
    centre, error = float(fit.params[0]), float(fit.bse[0])
    between = float(np.asarray(fit.cov_re)[0, 0])
    if not fit.converged or not isfinite(centre) or not isfinite(error):
        return nothing("the fit did not converge")
    if between <= 1e-10:
        return nothing("on the boundary: no spread between groups can be estimated")
    if said:
        return nothing(f"not stable: {type(said[0].message).__name__}")
    reach = normal_quantile(confidence) * error
    return Estimate(
        estimate=centre,
        low=centre - reach,
        high=centre + reach,
        n=int(given.values.size),
        missing=given.missing,
        method=METHOD,
        confidence=confidence,
    )
