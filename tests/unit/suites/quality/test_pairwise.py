"""Covering arrays: every pair of values meets, in few rows, the same ones every time."""

from __future__ import annotations

from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proctor.core.errors import InputError
from proctor.suites.quality.pairwise import Row, covering_array

SIZES = st.lists(st.integers(1, 6), max_size=7)


def missing(sizes: list[int], rows: tuple[Row, ...]) -> list[tuple[int, int, int, int]]:
    """Pairs of values that meet nowhere: counted the slow and obvious way."""
    return [
        (i, a, j, b)
        for i, j in combinations(range(len(sizes)), 2)
        for a, b in product(range(sizes[i]), range(sizes[j]))
        if not any(row[i] == a and row[j] == b for row in rows)
    ]


@settings(deadline=None, max_examples=60)
@given(SIZES, st.integers(0, 2**32 - 1))
def test_every_pair_is_covered_and_nothing_else_is_made_up(sizes: list[int], seed: int) -> None:
    rows = covering_array(sizes, seed=seed)
    assert not missing(sizes, rows)
    assert len(set(rows)) == len(rows) <= prod(sizes)
    assert all(len(row) == len(sizes) and all(0 <= v < s for v, s in zip(row, sizes, strict=True)) for row in rows)
    assert rows == covering_array(sizes, seed=seed)


def test_every_value_is_there_even_with_one_parameter() -> None:
    assert covering_array([4]) == ((0,), (1,), (2,), (3,))
    assert covering_array([]) == ((),)
    assert covering_array([1, 1]) == ((0, 0),)


@pytest.mark.parametrize(
    ("sizes", "best", "worst"),
    [
        ([3] * 4, 9, 11),
        ([3] * 13, 15, 23),
        ([4] * 15 + [3] * 17 + [2] * 29, 29, 49),
        ([4] + [3] * 39 + [2] * 35, 21, 33),
        ([2] * 100, 10, 18),
        ([10] * 20, 180, 245),
    ],
)
def test_arrays_are_as_small_as_those_of_published_tools(sizes: list[int], best: int, worst: int) -> None:
    """Fewest and most rows of the fourteen tools listed on pairwise.org, for its six standard cases."""
    assert best <= len(covering_array(sizes)) <= worst


def test_a_parameter_without_values_is_refused() -> None:
    with pytest.raises(InputError, match="without values"):
        covering_array([2, 0])
