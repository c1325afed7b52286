"""Intervals as they are shown lie within what a score can be; readings keep them as computed."""

from __future__ import annotations

import pytest

from proctor.instruments.base import Value
from proctor.instruments.binding.benchmark import TITLES
from proctor.instruments.binding.ranges import range_of_contrast, range_of_value, shown_values, within
from proctor.stats.intervals import mean


def test_what_each_value_can_be() -> None:
    assert {range_of_value(title) for title in TITLES.values()} == {(-2.0, 1.0)}
    assert range_of_value("contrast: veto") == range_of_contrast("veto") == (-3.0, 3.0)
    assert range_of_value("structured over no-state") == range_of_contrast("structured over no-state") == (-2.0, 2.0)
    assert range_of_value("coupling over compressed") == (-1.0, 1.0)
    assert range_of_value("sufficiency accuracy") == (0.0, 1.0)


@pytest.mark.parametrize(("bound", "shown"), [(1.3, 1.0), (-1.3, -1.0), (0.4, 0.4), (1.0, 1.0)])
def test_a_bound_beyond_the_range_is_shown_at_its_end(bound: float, shown: float) -> None:
    assert within(bound, (-1.0, 1.0)) == shown


def test_a_t_interval_that_leaves_the_range_is_shown_within_it_and_kept_as_computed() -> None:
    raw = Value(TITLES["VEI"], mean([1.0, 1.0, 0.5], confidence=0.95), where={"unit": "event"})
    assert raw.estimate.high is not None
    assert raw.estimate.high > 1.0
    (shown,) = shown_values([raw])
    assert shown.estimate.high == 1.0
    assert (shown.estimate.low, shown.estimate.estimate) == (raw.estimate.low, raw.estimate.estimate)
    assert raw.estimate.high > 1.0


def test_a_value_without_an_interval_is_left_as_it_is() -> None:
    raw = Value("contrast: veto", mean([1.0], confidence=0.95))
    assert shown_values([raw]) == [raw]
