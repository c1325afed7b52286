"""Gate on calibration: Spearman's correlation of declared confidence and correctness (§12.7.2).

Confidence is the probability that this submission is judged a success. Correlation looks at order alone, so AUROC, the
Brier score and the calibration error stand beside it: an agent that is far too sure and still ranks its items passes,
and it shows there. An undefined correlation fails, with its reason. A confidence that was not stated counts as the one
that speaks most against the agent: whoever leaves it out where it is unsure gains nothing.
"""

from __future__ import annotations

from math import atanh, sqrt, tanh

import numpy as np
import numpy.typing as npt

from proctor.instruments.agency.tiers.characteristic import Z, of_correlation
from proctor.instruments.agency.tiers.finding import Finding, OfFamily, not_tested
from proctor.instruments.agency.tiers.gates import Arm, Calibration, Gate
from proctor.instruments.agency.tiers.lived import Subject, lost
from proctor.instruments.agency.units import Unit
from proctor.stats.auc import auc

BINS = 10
BIMODAL = (0.40, 0.60)
"""Share of right answers that half solvable and half unknowable items leave. Whoever can do a few kinds of item and
says 0 of all others ranks perfectly, and shows nothing about the rest."""
Floats = npt.NDArray[np.float64]


def read_calibration(gate: Gate, rule: Calibration, subject: Subject) -> Finding:
    """The correlation over all families of the cell."""
    group = subject.lived(rule.cell, Arm(), gate.regime)
    chosen = {
        family: min((group[family, name] for name in names), key=lambda units: _correlation(*_columns(units)) or -1.0)
        for family, names in subject.nearest(group).items()
    }
    units = [unit for own in chosen.values() for unit in own]
    if not units:
        harder = " under a moderate regime or harder" if subject.tested(rule.cell) else ""
        return not_tested(f"{rule.cell} was not run{harder}")
    right, sure = _columns(units)
    n = len(right)
    stated = sum(unit.confidence is not None for unit in units if unit.success is not None)
    families = {name: _of_family(own, rule) for name, own in chosen.items()}
    where = " and ".join(sorted({one.regime for one in families.values()}))
    found = _correlation(right, sure)
    why = _undefined(right, sure, stated) if found is None else ""
    if found is None or stated == 0:
        text = f"undefined: {why or 'no confidence was stated'}"
        return Finding("failed", text, needs=rule.correlation, n=n, families=families, regime=where)
    low, high = _interval(found, n)
    share = float(right.mean())
    if not BIMODAL[0] <= share <= BIMODAL[1]:
        text = (
            f"{share:.0%} of {n} items came out right; what confidence knows is measured where {BIMODAL[0]:.0%} to "
            f"{BIMODAL[1]:.0%} do"
        )
        return Finding(
            "not evaluable", text, found, low, high, rule.correlation, n, families, where, beside=_beside(right, sure)
        )
    enough = n >= rule.minimum
    missing = sum(map(lost, units))
    met = found >= rule.correlation and low > 0 and enough and 20 * missing <= n
    text = f"Spearman {found:.2f} over {n} items"
    if not enough:
        text += f", needs {rule.minimum} items"
    elif found < rule.correlation:
        text += f", needs {rule.correlation:g}"
    elif not met:
        text += f"; {missing} items were not measured"
    if stated < n:
        text += f"; {n - stated} without a confidence, counted against it"
    return Finding(
        "passed" if met else "failed",
        text,
        found,
        low,
        high,
        rule.correlation,
        n,
        families,
        where,
        of_correlation(n, rule.correlation),
        provisional=not met and high >= rule.correlation,
        beside=_beside(right, sure),
    )


def _columns(units: list[Unit]) -> tuple[Floats, Floats]:
    scored = [unit for unit in units if unit.success is not None]
    right = np.array([float(bool(unit.success)) for unit in scored], dtype=np.float64)
    sure = [1.0 - float(bool(unit.success)) if unit.confidence is None else unit.confidence for unit in scored]
    return right, np.array(sure, dtype=np.float64)


def _correlation(right: Floats, sure: Floats) -> float | None:
    from scipy import stats

    if len(right) < 4 or np.ptp(right) == 0 or np.ptp(sure) == 0:
        return None
    one, two = stats.rankdata(right), stats.rankdata(sure)
    return float(np.corrcoef(one, two)[0, 1])


def _undefined(right: Floats, sure: Floats, stated: int) -> str:
    if stated == 0:
        return "no confidence was stated"
    if len(right) < 4:
        return f"{len(right)} items"
    return "the confidence is the same for every item" if np.ptp(sure) == 0 else "every item came out the same"


def _interval(found: float, n: int) -> tuple[float, float]:
    """Fisher's z with the variance of Bonett and Wright (2000)."""
    bounded = min(max(found, -0.999999), 0.999999)
    reach = Z * sqrt((1 + bounded * bounded / 2) / (n - 3))
    return tanh(atanh(bounded) - reach), tanh(atanh(bounded) + reach)


def _of_family(units: list[Unit], rule: Calibration) -> OfFamily:
    right, sure = _columns(units)
    found = _correlation(right, sure)
    low, high = (None, None) if found is None else _interval(found, len(right))
    met = found is not None and found >= rule.correlation
    return OfFamily(found, low, high, len(right), units[0].regime, met)


def _beside(right: Floats, sure: Floats) -> dict[str, float | str | None]:
    share = float(right.mean())
    area = auc(right, sure)
    return {
        "auroc": None if area.estimate is None else round(area.estimate, 4),
        "brier": round(float(((sure - right) ** 2).mean()), 4),
        "calibration_error": round(_calibration_error(right, sure), 4),
        "success_rate": round(share, 4),
        # Of confidences without ties; with two values only it is 1.
        "attainable": round(sqrt(3 * share * (1 - share)), 4),
    }


def _calibration_error(right: Floats, sure: Floats) -> float:
    """The mean distance of confidence and success over ten bins of equal width, weighted by their items."""
    places = np.minimum((sure * BINS).astype(int), BINS - 1)
    total = 0.0
    for place in range(BINS):
        within = places == place
        if within.any():
            total += float(within.sum()) * abs(float(sure[within].mean() - right[within].mean()))
    return total / len(right)
