"""Intervals of quality hold the truth near 1 too, where resampling alone does not: 500 episodes in 25 templates."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.instruments.quality import builtin
from proctor.instruments.quality.installed import ratios
from proctor.instruments.quality.metrics import Layout, Measured, Sums, measure
from tests.validity.projects import Floats

TEMPLATES, EACH, SAMPLES, DRAWS = 25, 20, 1_500, 1_000
pytestmark = pytest.mark.slow


def counts(rate: float, icc: float) -> Floats:
    """Right answers by template in every sample; what a template's answers share is drawn for it."""
    rng = np.random.default_rng(41)
    shape = (SAMPLES, TEMPLATES)
    weight = 1.0 / icc - 1.0 if icc else 0.0
    rates = rng.beta(rate * weight, (1.0 - rate) * weight, shape) if icc else np.full(shape, rate)
    return rng.binomial(EACH, rates).astype(np.float64)


def measured(hits: Floats) -> Measured:
    layout = Layout.of(ratios().values())
    table = np.zeros((TEMPLATES, len(layout.columns)))
    for count in (builtin.weight, builtin.weight_squared, builtin.episodes):
        table[:, layout.columns[count]] = EACH
    table[:, layout.columns[builtin.correct]] = hits
    return measure(ratios()["DA"], Sums(table, TEMPLATES * EACH, layout), draws=DRAWS, confidence=0.95)


@pytest.mark.parametrize("icc", [0.0, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("rate", [0.90, 0.97, 0.99, 0.995])
def test_the_interval_covers(rate: float, icc: float) -> None:
    found = [measured(hits) for hits in counts(rate, icc)]
    covered = np.mean([one.low is not None and one.high is not None and one.low <= rate <= one.high for one in found])
    assert covered >= 0.935


def test_resampling_alone_would_not() -> None:
    """What the widening is for: the same samples, percentiles only."""
    rng = np.random.default_rng(42)
    weights = rng.multinomial(TEMPLATES, [1 / TEMPLATES] * TEMPLATES, size=DRAWS).astype(np.float64)
    drawn = counts(0.995, 0.1) @ weights.T / (TEMPLATES * EACH)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=1)
    assert ((low <= 0.995) & (high >= 0.995)).mean() < 0.80
