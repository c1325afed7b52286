"""The Agency Vector recovers what was planted. The tables stand in `docs/validity.md`."""

from __future__ import annotations

import pytest

from proctor.suites.agency import agency
from tests.validity.agency import DIMENSIONS, in_memory, levels_of, mechanisms, recovery, retest, separation

WITHOUT_E = tuple(name for name in DIMENSIONS if name != "E")


@pytest.mark.slow
def test_sixty_graded_simulants_are_recovered_in_memory() -> None:
    found = recovery(in_memory(), 60, WITHOUT_E)
    assert found.recovered >= 0.95 * found.readings, found.misses
    assert found.exceeded <= 0.025 * found.readings, found.misses


@pytest.mark.slow
def test_twelve_graded_simulants_are_recovered_on_all_families() -> None:
    found = recovery(agency(), 12, DIMENSIONS)
    assert found.recovered >= 0.95 * found.readings, found.misses
    assert found.exceeded <= 0.025 * found.readings, found.misses


@pytest.mark.slow
def test_planting_one_dimension_leaves_the_others() -> None:
    found = separation(in_memory(), WITHOUT_E)
    assert found.moved <= 0.05 * found.readings


@pytest.mark.slow
def test_a_second_test_mostly_agrees_with_the_first() -> None:
    found = retest(in_memory(), 6)
    assert found.within_one >= 0.8 * found.readings


@pytest.mark.slow
def test_mechanism_simulants_match_their_predicted_profiles() -> None:
    """Misses are reported, not retuned; here only that most of what was predicted holds."""
    found = mechanisms(agency())
    pairs = [(profile[name], read[name]) for profile, read in found.values() for name in profile]
    assert sum(expected == got for expected, got in pairs) >= 0.8 * len(pairs), found


@pytest.mark.slow
@pytest.mark.parametrize(
    "agent", ["null", "random", "ask", "first", "infeasible", "keyword", "last", "refuse", "retry"]
)
def test_baselines_reach_nothing(agent: str) -> None:
    levels = levels_of(agency(), agent, seed=1)
    most = 0 if agent == "null" else 1
    assert all(level is not None and level <= most for level in levels.values()), levels
