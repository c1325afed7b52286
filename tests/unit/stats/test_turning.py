"""How often a scenario that turned must be wrong, and Fisher's test where nothing ever changed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from proctor.stats.turning import beyond_chance, false_turn, few_wrong, repeats, still_p


@pytest.mark.parametrize(("scenarios", "episodes"), [(120, 5), (120, 20), (500, 5), (500, 80), (2280, 20)])
def test_s_is_the_smallest_that_keeps_the_bound(scenarios: int, episodes: int) -> None:
    s = repeats(scenarios, episodes)
    assert scenarios * false_turn(episodes, s) <= 0.01 < scenarios * false_turn(episodes, s - 1)
    rates = np.linspace(0.001, 0.999, 997)
    eligible = stats.binom.sf(episodes - few_wrong(episodes) - 1, episodes, rates)
    assert (scenarios * eligible * (1 - rates) ** s).max() <= 0.01
    assert 4 <= s <= 14


@pytest.mark.parametrize(("scenarios", "episodes"), [(1, 5), (60, 10), (120, 80), (2280, 20), (10**12, 3)])
def test_beyond_chance_is_the_smallest_that_is_so_unlikely(scenarios: int, episodes: int) -> None:
    m = beyond_chance(scenarios, episodes)
    assert scenarios * stats.binom.sf(m - 1, episodes, 0.05) <= 0.01 < scenarios * stats.binom.sf(m - 2, episodes, 0.05)


def test_few_is_a_twentieth_rounded_down() -> None:
    assert [few_wrong(n) for n in (5, 19, 20, 39, 40, 60, 80)] == [0, 0, 1, 1, 2, 3, 4]


@pytest.mark.parametrize(("right", "wrong", "runs"), [(120, 1, 5), (120, 3, 5), (500, 2, 20), (12, 0, 5)])
def test_still_p_is_fishers(right: int, wrong: int, runs: int) -> None:
    table = np.array([[wrong, right - wrong], [0, runs * right]])
    assert still_p(right, wrong, runs) == pytest.approx(stats.fisher_exact(table, alternative="greater").pvalue)


def test_three_of_120_at_five_runs_are_significant_and_two_are_not() -> None:
    assert still_p(120, 3, 5) == pytest.approx(0.0045, abs=5e-5)
    assert still_p(120, 2, 5) > 0.01
