"""The mixed-effect summary: right where groups differ, silent where it cannot be trusted."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.stats.mixed import mixed_mean

GROUPS = np.repeat(np.arange(12), 30)


def drawn(spread: float, seed: int = 1) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    rng = np.random.default_rng(seed)
    return np.asarray(0.4 + rng.normal(0.0, spread, 12)[GROUPS] + rng.normal(0.0, 0.3, GROUPS.size))


def test_balanced_groups_give_the_mean_of_their_means() -> None:
    values = drawn(0.3)
    found = mixed_mean(values, GROUPS)
    means = np.array([values[number == GROUPS].mean() for number in range(12)])
    assert found.estimate == pytest.approx(means.mean(), abs=1e-6)
    assert found.low is not None
    assert found.high is not None
    # Balanced: the error is that of the group means.
    assert (found.high - found.low) / (2 * 1.96) == pytest.approx(means.std(ddof=1) / 12**0.5, rel=0.02)


def test_groups_without_spread_are_on_the_boundary() -> None:
    values = np.tile([0.0, 1.0], GROUPS.size // 2)
    found = mixed_mean(values, GROUPS)
    assert found.estimate is None
    assert found.reason


@pytest.mark.parametrize(
    ("values", "groups"),
    [([], []), ([1.0, 2.0], ["a", "a"]), ([0.5] * 4, ["a", "a", "b", "b"]), ([None, None], [1, 2])],
)
def test_what_cannot_be_fitted_says_so(values: list[float | None], groups: list[str]) -> None:
    found = mixed_mean(values, groups)
    assert found.estimate is None
    assert found.reason
