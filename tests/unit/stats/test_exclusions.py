"""The band of a rate with units that were not measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.stats.exclusions import exclusion_band, too_many_excluded


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.data())
def test_it_holds_however_they_would_have_come_out(n: int, excluded: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    more = data.draw(st.integers(0, excluded))
    band = exclusion_band(k, n, excluded)
    assert band is not None
    assert band.low <= (k + more) / (n + excluded) <= band.high
    assert band.low <= k / n <= band.high
    assert (band.low, band.high) == (k / (n + excluded), (k + excluded) / (n + excluded))


def test_there_is_none_where_nothing_is_missing_or_nothing_there() -> None:
    assert exclusion_band(3, 4, 0) is None
    assert exclusion_band(0, 0, 5) is None


def test_in_words() -> None:
    band = exclusion_band(30, 30, 10)
    assert band is not None
    assert band.words == "75 – 100 % with the 10 not measured"


@pytest.mark.parametrize(
    ("n", "excluded", "many"), [(95, 5, False), (94, 6, True), (19, 1, False), (18, 1, True), (9, 0, False)]
)
def test_more_than_five_percent_are_too_many(n: int, excluded: int, many: bool) -> None:
    assert too_many_excluded(n, excluded) is many
