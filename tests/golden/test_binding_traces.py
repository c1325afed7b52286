"""Tables 7, 8 and 9: trace metrics by variant, and in how many datasets they point the declared way."""

from __future__ import annotations

import pytest

from proctor.instruments.binding.traces import METRICS, TraceMetrics, trace_directions, trace_means
from tests.golden.published import read

UNITS = tuple(
    TraceMetrics(
        dataset=row["dataset"],
        condition=row["variant"],
        replicate=int(row["replicate"]),
        metrics={name: float(row[name]) for name in METRICS},
        unpredictability=float(row["unpredictability"]),
        distance=float(row["distance_to_structured"]),
        rows=1,
    )
    for row in read("baseline_trace_metrics")
)


@pytest.mark.parametrize("row", read("baseline_trace_metrics_by_variant"), ids=lambda row: row["variant"])
def test_means_by_variant(row: dict[str, str]) -> None:
    found = next(one for one in trace_means(UNITS) if one.condition == row["variant"])
    assert found.rows == int(row["rows"]) == 21
    for name in METRICS:
        assert found.metrics[name] == pytest.approx(float(row[name]), abs=3e-6)
    assert found.unpredictability == pytest.approx(float(row["unpredictability"]), abs=3e-6)
    assert found.distance == pytest.approx(float(row["distance_to_structured"]), abs=3e-6)


@pytest.mark.parametrize(
    ("metric", "first", "second", "positive"),
    [("SCI", "A4", "A5", 5), ("H", "A5", "A4", 7), ("RSI", "A4", "A4_no_reason", 7), ("VEI", "A4", "A4_no_veto", 7)],
)
def test_directions(metric: str, first: str, second: str, positive: int) -> None:
    found = trace_directions(UNITS, metric, first, second)
    assert len(found) == 7
    assert sum(value > 0 for value in found.values()) == positive


def test_the_printed_distance_is_not_ours() -> None:
    from proctor.instruments.binding.traces import _distance

    structured = {(one.dataset, one.replicate): one for one in UNITS if one.condition == "A4"}
    far = [one for one in UNITS if one.condition == "A0"]
    ours = [_distance(one.metrics, structured[one.dataset, one.replicate].metrics) for one in far]
    printed = [one.distance for one in far]
    assert all(a is not None and b is not None and abs(a - b) > 0.1 for a, b in zip(ours, printed, strict=True))
