"""Resampling: enumeration equals brute force over ordered draws, blocks continue one stream."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from proctor.stats import resampling
from proctor.stats.resampling import Distribution, distinct_resamples, resample
from proctor.stats.sample import FloatArray


def test_number_of_distinct_resamples() -> None:
    assert [distinct_resamples(c) for c in (1, 2, 3, 7)] == [1, 3, 10, 1716]


def test_enumeration_equals_every_ordered_draw() -> None:
    values = np.array([0.1, 0.4, 0.9, 0.2])
    exact = resample(lambda weights: (weights @ values) / 4, clusters=4)
    ordered = np.array([values[list(pick)].mean() for pick in product(range(4), repeat=4)])
    assert exact.exact and exact.values.size == distinct_resamples(4)
    assert exact.probability is not None and exact.probability.sum() == pytest.approx(1.0)
    for cut in (0.15, 0.35, 0.41, 0.6):
        share = (ordered <= cut + 1e-9).mean()
        assert exact.probability[exact.values <= cut + 1e-9].sum() == pytest.approx(share)
    bounds = exact.interval(0.9)
    assert bounds is not None
    assert bounds == pytest.approx(tuple(np.quantile(ordered, [0.05, 0.95], method="inverted_cdf")))


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.linspace(0, 1, 13)

    def drawn() -> FloatArray:
        return resample(lambda w: w @ values / 13, clusters=13, draws=501, rng=np.random.default_rng(3)).values

    whole = drawn()
    monkeypatch.setattr(resampling, "_BLOCK", 13 * 7)
    assert np.allclose(drawn(), whole, rtol=0, atol=1e-12)
    plain = np.random.default_rng(3).integers(0, 13, (501, 13))
    assert np.allclose(whole, values[plain].mean(axis=1))


def test_undefined_resamples_are_left_out_and_counted() -> None:
    def only_first(weights: FloatArray) -> FloatArray:
        return np.where(weights[:, 0] > 0, weights[:, 0], np.nan)

    exact = resample(only_first, clusters=3)
    assert (exact.undefined, exact.values.size) == (4, 6)
    assert Distribution(np.array([]), None, 5).interval(0.95) is None


def test_interval_of_undefined_draws_uses_the_remaining_probability() -> None:
    half = Distribution(np.array([1.0, 2.0]), np.array([0.25, 0.25]), 1)
    assert half.interval(0.2) == (1.0, 2.0)


def test_random_draws_need_a_generator() -> None:
    with pytest.raises(ValueError, match="rng"):
        resample(lambda w: w[:, 0], clusters=30)
    with pytest.raises(ValueError, match="at least one"):
        resample(lambda w: w[:, 0], clusters=0)
    with pytest.raises(ValueError, match="at least one"):
        resample(lambda w: w[:, 0], clusters=3, draws=0)
