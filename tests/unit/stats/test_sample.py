"""Gaps are counted, NaN is refused, clusters are sorted."""

from __future__ import annotations

import numpy as np
import pytest

from proctor.stats.sample import group, pairs, sample


def test_gaps_are_left_out_and_counted() -> None:
    given = sample([1.0, None, 3.0])
    assert given.values.tolist() == [1.0, 3.0]
    assert given.kept.tolist() == [True, False, True]
    assert given.missing == 1


@pytest.mark.parametrize("bad", [[1.0, float("nan")], np.array([1.0, np.inf])])
def test_nan_and_infinity_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="NaN or infinite"):
        sample(bad)


def test_two_dimensions_are_refused() -> None:
    with pytest.raises(ValueError, match="one dimension"):
        sample(np.ones((2, 2)))


def test_pairs_keep_rows_with_both_values() -> None:
    both = pairs([1.0, None, 3.0, 4.0], [0.5, 1.0, None, 1.5])
    assert both.first.tolist() == [1.0, 4.0]
    assert both.second.tolist() == [0.5, 1.5]
    assert both.missing == 2
    assert both.difference.values.tolist() == [0.5, 2.5]
    with pytest.raises(ValueError, match="differ in length"):
        pairs([1.0], [1.0, 2.0])


def test_clusters_are_coded_in_sorted_order() -> None:
    groups = group(["b", "a", "c", "a"])
    assert groups.labels == ("a", "b", "c")
    assert groups.codes.tolist() == [1, 0, 2, 0]
    assert group(np.array([5, 3, 5])).codes.tolist() == [1, 0, 1]
