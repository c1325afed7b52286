"""Whether the surface of texts tells two classes apart."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.stats.tells import power, tell


def _texts(pairs: int, shift: float, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    ones, twos = generator.normal(size=(pairs, 4)), generator.normal(size=(pairs, 4))
    ones[:, 2] += shift
    return ones, twos


def test_a_planted_difference_is_found_with_its_area() -> None:
    found = tell(*_texts(1_000, 0.742), np.arange(1_000))
    assert abs(found.auc - 0.70) < 0.03
    assert found.p < 1e-6
    assert found.upper > found.auc > 0.6


def test_texts_alike_give_one_half_exactly() -> None:
    ones, _ = _texts(200, 0.0)
    found = tell(ones, ones.copy(), np.arange(200))
    assert (found.auc, found.upper, found.p) == (0.5, 0.5, 1.0)


def test_under_nothing_the_test_keeps_its_level() -> None:
    found = [tell(*_texts(60, 0.0, seed), np.arange(60)).p for seed in range(200)]
    assert np.mean(np.array(found) <= 0.05) <= 0.09


def test_the_bound_covers() -> None:
    uppers = [tell(*_texts(200, 0.742, seed), np.arange(200)).upper for seed in range(100)]
    assert np.mean(np.array(uppers) >= 0.69) >= 0.9


def test_events_in_several_pairs_stay_in_one_fold() -> None:
    """What is peculiar to an event must not be learnt from its other pairs."""
    generator = np.random.default_rng(3)
    events = np.repeat(np.arange(60), 4)
    signs = np.where(generator.random(60) < 0.5, 1.0, -1.0)[events]
    ones = np.eye(60)[events] * signs[:, None]
    assert tell(ones, -ones, events).auc < 0.6


def test_few_pairs_say_nothing_and_power_grows() -> None:
    ones, twos = _texts(6, 5.0)
    assert tell(ones, twos, np.arange(6)).upper == 1.0
    assert power(42, 24) < 0.8 < power(250, 24)
    assert power(5_000, 24) == 1.0


@pytest.mark.parametrize("cells", [1, 24])
def test_power_is_the_same_whenever_it_is_asked(cells: int) -> None:
    assert power(60, cells) == power(60, cells)
