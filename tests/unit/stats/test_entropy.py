"""Entropy in bits against textbook distributions and SciPy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from proctor.stats.entropy import Entropy, entropy, entropy_of_counts


def test_textbook_distribution() -> None:
    # Cover and Thomas, Elements of Information Theory, example 2.1.1: (1/2, 1/4, 1/8, 1/8) has 7/4 bits.
    assert entropy_of_counts([4, 2, 1, 1]).estimate == pytest.approx(1.75, abs=1e-12)
    assert entropy(["ACT_A"] * 5 + ["ACT_B"] * 5).estimate == 1.0


def test_certainty_is_zero_bits_and_silence_is_none() -> None:
    certain = entropy(["a"] * 9)
    assert certain.estimate == 0.0 and math.copysign(1.0, certain.estimate) == 1.0
    silent = entropy([None, None])
    assert (silent.estimate, silent.missing, silent.reason) == (None, 2, "no scored observation")
    assert (silent.n, silent.categories, silent.corrected) == (0, 0, None)
    assert entropy_of_counts([]).estimate is None
    assert Entropy(estimate=None, corrected=None, n=0, categories=0).missing == 0, (
        "nothing is missing unless it is said"
    )
    assert entropy_of_counts([2, 0, 2]) == entropy_of_counts([2, 2], missing=0)
    with pytest.raises(ValueError, match="negative"):
        entropy_of_counts([3, -1])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 500), min_size=1, max_size=12).filter(lambda counts: sum(counts) > 0))
def test_equals_scipy_and_stays_in_range(counts: list[int]) -> None:
    result = entropy_of_counts(counts)
    assert result.estimate == pytest.approx(float(stats.entropy(counts, base=2)), abs=1e-9)
    assert result.categories == sum(1 for count in counts if count)
    assert 0.0 <= (result.estimate or 0.0) <= math.log2(result.categories) + 1e-9


def test_miller_madow_adds_one_less_than_the_categories() -> None:
    """(m − 1) / 2n in nats: by hand for 2 + 1 + 1 of three labels, and nothing where there is one."""
    three = entropy_of_counts([2, 1, 1])
    assert (three.estimate, three.categories) == (1.5, 3)
    assert three.corrected == pytest.approx(1.5 + 2 / (2 * 4) / math.log(2))
    assert entropy_of_counts([7]).corrected == 0.0


def test_miller_madow_halves_the_bias() -> None:
    """Eight equal labels, sixteen draws: the plug-in estimate is low by about a third of a bit on average."""
    import numpy as np

    rng = np.random.default_rng(0)
    results = [entropy_of_counts(row) for row in rng.multinomial(16, [1 / 8] * 8, size=500).tolist()]
    plain = float(np.mean([r.estimate or 0.0 for r in results]))
    corrected = float(np.mean([r.corrected or 0.0 for r in results]))
    assert plain < 2.8
    assert abs(corrected - 3.0) < 0.5 * abs(plain - 3.0)
