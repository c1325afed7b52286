"""The Composite Agent Score: a weighted geometric mean, so that nothing can hide a zero (harness paper §4).

On a machine that is not declared dedicated, latency says more about the neighbours than about the agent: LUL is then
left out, the other weights are renormalised, and the result says so. Where a metric it needs was not measured the
composite is withheld.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, hypot, inf, log

import numpy as np
from msgspec import Struct

from proctor.instruments.quality.installed import load_metrics, ratios
from proctor.instruments.quality.metrics import Measured, Sums, with_interval
from proctor.instruments.quality.rules import QualityRules
from proctor.stats.intervals import Bounds
from proctor.stats.sample import FloatArray

WITHOUT_LUL = "without LUL, weights renormalised: the machine is not declared dedicated"


class Parts(Struct, frozen=True):
    """Which metrics make the composite, with what weights."""

    weights: dict[str, float]
    with_lul: bool
    note: str = ""


def parts_of(rules: QualityRules, *, lul: bool) -> Parts:
    """The metrics of the composite under these rules, with LUL or without (never with it in regressions)."""
    with_lul = rules.asks_for_load and lul
    kept = {name: weight for name, weight in rules.weights.items() if with_lul or name not in load_metrics()}
    total = sum(kept.values())
    note = WITHOUT_LUL if rules.asks_for_load and not with_lul else ""
    return Parts({name: weight / total for name, weight in kept.items()}, with_lul, note)


def geometric(values: Mapping[str, FloatArray | float], weights: Mapping[str, float]) -> FloatArray:
    """The weighted geometric mean of metrics, number by number."""
    product = np.ones(())
    for name, weight in weights.items():
        product = product * np.power(values[name], weight)
    return np.asarray(product, dtype=np.float64)


def composite_value(values: Mapping[str, float | None], parts: Parts) -> float | None:
    """The composite; None where a part is not there."""
    known = {name: value for name in parts.weights if (value := values.get(name)) is not None}
    if not parts.weights or len(known) < len(parts.weights):
        return None
    return float(geometric(known, parts.weights))


def composite(
    metrics: Mapping[str, Measured], sums: Sums, rules: QualityRules, *, dedicated: bool, confidence: float
) -> Measured:
    """The composite with its interval: templates are resampled for all metrics at once, LUL is held as it is.

    The interval is no narrower than those of the metrics make it (`_recovered`).
    """
    values = {name: measured.value for name, measured in metrics.items()}
    parts = parts_of(rules, lul=dedicated)
    beside = {
        "with_LUL": composite_value(values, parts_of(rules, lul=True)) if rules.asks_for_load else None,
        "without_LUL": composite_value(values, parts_of(rules, lul=False)),
    }
    beside |= {f"weight_{name}": weight for name, weight in parts.weights.items()}
    value = composite_value(values, parts)
    if value is None:
        lacking = [name for name in parts.weights if values.get(name) is None]
        why = "; ".join(f"{name} was not measured: {metrics[name].reason}" for name in lacking)
        reason = f"withheld: {why or 'no metric is left without LUL'}"
        return Measured(value=None, n=sums.episodes, reason=reason, note=parts.note, beside=beside)
    statistics = {name: sums.statistic(one) for name, one in ratios().items() if name in parts.weights}
    held = {name: values[name] or 0.0 for name in parts.weights if name not in statistics}

    def resampled(multiplicities: FloatArray) -> FloatArray:
        # NaN to a power is NaN: a resample without a gate has no composite.
        drawn: dict[str, FloatArray | float] = {name: of(multiplicities) for name, of in statistics.items()}
        drawn |= held
        return np.broadcast_to(geometric(drawn, parts.weights), multiplicities.shape[:1]).copy()

    return with_interval(
        sums,
        resampled,
        value,
        _recovered(value, [(metrics[name], weight) for name, weight in parts.weights.items() if name in statistics]),
        n=sums.episodes,
        missing=max(one.missing for one in metrics.values()),
        draws=rules.draws,
        confidence=confidence,
        note=parts.note,
        beside=beside,
    )


def _recovered(value: float, metrics: Sequence[tuple[Measured, float]]) -> Bounds | None:
    """Bounds of the composite from the bounds of its metrics; None where one of them has none.

    Distances on the scale of logarithms add as squares, as variances do: what Newcombe does for a difference of rates.
    """
    down, up, highest = 0.0, 0.0, 1.0
    for measured, weight in metrics:
        if measured.value is None or measured.low is None or measured.high is None:
            return None
        highest *= measured.high**weight
        down = hypot(down, weight * log(measured.value / measured.low) if measured.low else inf)
        up = hypot(up, weight * log(measured.high / measured.value) if measured.value else inf)
    # Of a composite of 0 only the highest values its metrics may have say how far it may be from that.
    return Bounds(value * exp(-down), min(value * exp(up), 1.0) if value else highest)
