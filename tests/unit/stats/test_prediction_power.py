"""What one run and its rerun find against accepted runs: Student's t, its bivariate form, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.prediction_power import detectable_drops, prediction_power


@pytest.mark.parametrize("runs", [2, 5, 20, 100])
@pytest.mark.parametrize("drop", [0.0, 1.5, 4.0, 7.0])
def test_one_run_is_students_t_and_two_are_bivariate(runs: int, drop: float) -> None:
    found = prediction_power(0.01 * drop, 0.01, runs, alpha=0.01)
    at = drop / np.sqrt(1 + 1 / runs) - stats.t.isf(0.01, runs - 1)
    assert found.once == pytest.approx(stats.t.cdf(at, runs - 1), abs=1e-6)
    shape = [[1.0, 1 / (runs + 1)], [1 / (runs + 1), 1.0]]
    both = stats.multivariate_t(shape=shape, df=runs - 1, seed=3).cdf([at, at])
    assert found.twice == pytest.approx(float(both), abs=5e-4)


@pytest.mark.parametrize("runs", [5, 20])
@pytest.mark.parametrize("excess", [0.0, 0.5])
def test_the_printed_drops_are_found_as_often_as_promised(runs: int, excess: float) -> None:
    """Every simulated project has its own drops, made from its own deviation."""
    rng = np.random.default_rng(7)
    count, true = 400_000, 0.5
    baseline = rng.normal(0.0, true, (runs, count))
    mean, deviation = baseline.mean(axis=0), baseline.std(axis=0, ddof=1)
    reach = stats.t.isf(0.01, runs - 1) * np.sqrt(1 + 1 / runs) * deviation
    # With an extra variance in proportion to the observed one, drops are in proportion to the deviation too.
    drops = detectable_drops(1.0, runs, alpha=0.01, power=0.9, largest=100.0, excess=lambda _: excess)
    assert drops.once is not None and drops.twice is not None
    worse = np.sqrt(true**2 + excess * deviation**2)

    def found(drop: float) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.asarray(rng.normal(0.0, worse, count) - drop * deviation <= mean - reach)

    assert found(drops.once).mean() == pytest.approx(0.9, abs=0.002)
    assert (found(drops.twice) & found(drops.twice)).mean() == pytest.approx(0.9, abs=0.002)


@given(
    drop=st.floats(0.0, 10.0),
    more=st.floats(0.0, 5.0),
    deviation=st.floats(0.1, 3.0),
    runs=st.integers(2, 60),
    excess=st.floats(0.0, 4.0),
)
def test_larger_drops_are_found_more_often_and_twice_is_rarer(
    drop: float, more: float, deviation: float, runs: int, excess: float
) -> None:
    small, large = (prediction_power(one, deviation, runs, excess=excess) for one in (drop, drop + more))
    assert small.once <= large.once + 1e-12
    assert small.twice <= large.twice + 1e-12
    assert small.once**2 - 1e-9 <= small.twice <= small.once + 1e-12


def test_a_drop_that_cannot_be_is_none() -> None:
    found = detectable_drops(0.1, 5, largest=0.6)
    assert (found.once is not None, found.twice) == (True, None)
    assert detectable_drops(0.1, 5, largest=0.5).once is None


def test_what_makes_no_sense_is_refused() -> None:
    for deviation, runs, excess in ((0.5, 1, 0.0), (0.0, 5, 0.0), (0.5, 5, -1.0)):
        with pytest.raises(ValueError, match="two baseline runs that vary"):
            prediction_power(1.0, deviation, runs, excess=excess)
