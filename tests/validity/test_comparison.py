"""Does `compare` keep its level, and does it find a drop that is there? Through rows, as runs leave them."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.evidence.evidence import Evidence
from proctor.instruments.comparing.comparison import compare
from proctor.stats.sample import FloatArray
from tests.unit.instruments.made import Cell, evidence

pytestmark = pytest.mark.slow


def _lived(rng: np.random.Generator, abilities: FloatArray, drop: float = 0.0) -> Evidence:
    """A run of an agent that succeeds at each task with its own probability, sampled anew."""
    per = len(abilities) // 10
    cells = []
    for family in range(10):
        own = abilities[family * per : (family + 1) * per] - drop
        lucky = np.flatnonzero(rng.random(per) < own)
        cells.append(Cell("S1", 0, per, family=f"f{family}", successes=frozenset(lucky.tolist())))
    return evidence(*cells)


def test_the_same_stochastic_agent_twice_differs_in_at_most_8_of_100_comparisons() -> None:
    rng = np.random.default_rng(11)
    found = 0
    for _ in range(200):
        abilities = rng.beta(2.0, 1.0, 300)
        compared = compare(_lived(rng, abilities), _lived(rng, abilities))
        found += compared.primary is not None and compared.primary.verdict in ("better", "worse")
    assert found <= 16, f"{found} of 200"


def test_a_drop_from_80_to_70_points_at_n_500_is_found() -> None:
    rng = np.random.default_rng(12)
    found = 0
    for _ in range(200):
        abilities = np.full(500, 0.8)
        compared = compare(_lived(rng, abilities), _lived(rng, abilities, 0.1))
        found += compared.primary is not None and compared.primary.verdict == "worse"
    assert found >= 176, f"{found} of 200"
