"""Trace metrics, the binding curve and the robustness arms from rows."""

from __future__ import annotations

from typing import Any

import pytest
from scipy import stats
from tests.unit.instruments.binding.rows import evidence

from proctor.instruments.binding.curve import curve, slopes
from proctor.instruments.binding.robustness import robustness
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.table import table_of
from proctor.instruments.binding.traces import trace_directions, trace_means, trace_metrics


def table(given: list[dict[str, Any]]) -> Any:
    return table_of({"m": evidence(given)}).table


def test_metrics_per_dataset_condition_and_replicate() -> None:
    traced: dict[str, Any] = {"rsi": 1, "vei": 0, "sci": "0.4", "aci": "0.5"}
    given: list[dict[str, Any]] = [
        {"event": "e1", **traced, "raw": "a"},
        {"event": "e2", **traced, "rsi": 0, "raw": "b"},
        {"event": "e3", **traced, "sci": None, "raw": "b"},
        {"event": "e1", "replicate": 1, **traced, "raw": "a"},
        {"event": "e1", "condition": "stochastic", "rsi": 0, "vei": 1, "sci": "0", "aci": "0.5", "raw": "c"},
        {"event": "e1", "condition": "no-reason", "raw": "c"},
    ]
    found = {(one.condition, one.replicate): one for one in trace_metrics(table(given))}
    assert set(found) == {("structured", 0), ("structured", 1), ("stochastic", 0)}
    first = found["structured", 0]
    assert first.metrics == {"SCI": 0.4, "RSI": pytest.approx(2 / 3), "VEI": 0.0, "ACI": 0.5}
    assert first.unpredictability == pytest.approx(0.9182958340544896)
    assert first.distance == 0.0
    other = found["stochastic", 0]
    assert other.distance == pytest.approx((0.4**2 + (2 / 3) ** 2 + 1.0) ** 0.5)
    assert other.composite == pytest.approx(0.375)


def test_the_distance_is_to_the_same_scaffold() -> None:
    given = [
        {"condition": f"{style}-{variant}", "rsi": 1, "vei": 0, "sci": value, "aci": "0"}
        for style, value in (("react", "0.1"), ("planner", "0.9"))
        for variant in ("structured", "no-fields")
    ]
    assert {one.distance for one in trace_metrics(table(given))} == {0.0}


def test_a_trace_that_lacks_a_metric_has_neither_composite_nor_distance() -> None:
    traced: dict[str, Any] = {"rsi": 1, "vei": 0, "sci": "0.4", "aci": "0.5"}
    given = [{"event": "e1", **traced}, {"event": "e1", "condition": "stochastic", **traced, "sci": None}]
    found = {one.condition: one for one in trace_metrics(table(given))}
    assert found["structured"].composite == pytest.approx(0.475)
    assert found["stochastic"].metrics["SCI"] is None
    assert (found["stochastic"].composite, found["stochastic"].distance) == (None, None)
    alone = trace_metrics(table(given[1:]))
    assert [(one.metrics["RSI"], one.distance, one.rows) for one in alone] == [(1.0, None, 1)]


def test_means_and_directions_are_over_datasets_and_replicates() -> None:
    def traced(dataset: str, condition: str, sci: str | None, replicate: int = 0) -> dict[str, Any]:
        place = {"dataset": dataset, "condition": condition, "replicate": replicate}
        return {"event": f"{dataset}e", "rsi": 1, "vei": 0, "aci": "0.5", "sci": sci, **place}

    found = trace_metrics(
        table(
            [
                traced("a", "structured", "0.4"),
                traced("a", "structured", "0.8", replicate=1),
                traced("b", "structured", "0.5"),
                traced("a", "stochastic", "0.1"),
                traced("b", "stochastic", None),
            ]
        )
    )
    means = {one.condition: one for one in trace_means(found)}
    assert means["structured"].metrics["SCI"] == pytest.approx(1.7 / 3)
    assert (means["structured"].rows, means["stochastic"].rows) == (3, 2)
    assert means["stochastic"].metrics["SCI"] == pytest.approx(0.1), "b has none, which is not zero"
    assert means["structured"].unpredictability == 0.0
    assert means["stochastic"].distance == pytest.approx(0.3)
    assert trace_directions(found, "SCI", "structured", "stochastic") == {"a": pytest.approx(0.5)}
    assert trace_directions(found, "H", "structured", "stochastic") == {"a": 0.0, "b": 0.0}


def test_the_curve_over_strength_and_distance() -> None:
    given = []
    for event in range(6):
        for strength in (1, 2, 3):
            hit = strength == 3 or (strength == 2 and event < 3)
            given.append(
                {
                    "event": f"e{event}",
                    "probe": "reason_strength",
                    "strength": strength,
                    "code": "ACTION_B" if hit else "VETO",
                }
            )
        given.append({"event": f"f{event}", "probe": "distant_reason", "distance": 8})
    points = curve(table(given))
    assert [(one.strength, one.followed.estimate) for one in points if one.strength] == [
        (1.0, 0.0),
        (2.0, 0.5),
        (3.0, 1.0),
    ]
    assert [(one.distance, one.followed.clusters) for one in points if one.distance] == [(8.0, 6)]
    (slope,) = slopes(table(given))
    assert (slope.axis, slope.slope.estimate, slope.slope.n) == ("strength", 0.5, 6)


def test_places_of_a_curve_are_compared_on_the_same_events() -> None:
    """Events of another stage stand at the usual strength only, and are answered otherwise."""
    along = [{"event": f"e{event}", "probe": "reason_strength", "strength": at} for event in range(4) for at in (1, 3)]
    elsewhere = [
        {"event": f"x{event}", "probe": "reason_strength", "strength": 3, "code": "VETO"} for event in range(8)
    ]
    points = curve(table([*along, *elsewhere]))
    assert [(one.strength, one.followed.estimate, one.followed.n) for one in points] == [(1.0, 1.0, 4), (3.0, 1.0, 4)]
    alone = curve(table(elsewhere))
    assert [(one.strength, one.followed.estimate, one.followed.n) for one in alone] == [(3.0, 0.0, 8)]


def test_a_slope_is_that_of_least_squares_within_each_event() -> None:
    """Two events over strengths 1, 2 and 4; a third was met at one strength, and has no slope."""
    hits = {"e0": (0, 0, 1), "e1": (1, 1, 0), "e2": (0, 1, 1)}
    given = [
        {"event": event, "probe": "reason_strength", "strength": strength, "code": "ACTION_B" if hit else "VETO"}
        for event, row in hits.items()
        for strength, hit in zip((1, 2, 4), row, strict=True)
    ]
    once = [{"event": "e3", "probe": "reason_strength", "strength": 1}]
    (found,) = slopes(table([*given, *once]))
    by_event = [float(stats.linregress((1, 2, 4), row).slope) for row in hits.values()]
    assert found.slope.n == 3
    assert found.slope.estimate == pytest.approx(sum(by_event) / 3)
    theirs = stats.ttest_1samp(by_event, 0.0).confidence_interval(0.95)
    assert (found.slope.low, found.slope.high) == pytest.approx((theirs.low, theirs.high))


@pytest.mark.parametrize("axis", ["strength", "distance"])
def test_points_stand_in_the_order_of_their_places(axis: str) -> None:
    """What has no place on an axis stands before the smallest."""
    other = {"strength": "distance", "distance": "strength"}[axis]
    given = [
        {"event": f"e{event}", "probe": "reason_strength", other: 1, **place}
        for event in range(2)
        for place in ({axis: 10}, {axis: 2}, {axis: "0.01"}, {})
    ]
    assert [getattr(one, axis) for one in curve(table(given))] == [None, 0.01, 2.0, 10.0]


def test_no_curve_without_places() -> None:
    assert curve(table([{"event": "e1"}])) == ()
    assert slopes(table([{"event": "e1"}])) == ()


def arm(name: str, hits: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"event": f"e{place}", "arm_of": name, "code": "ACTION_B" if place < hits else "VETO", **more}
        for place in range(40)
    ]


@pytest.mark.parametrize(("hits", "status"), [(38, "met"), (37, "not met"), (40, "met")])
def test_rewording_within_its_tolerance(hits: int, status: str) -> None:
    (found,) = robustness(table([*arm("", 40), *arm("paraphrase", hits)]))
    assert found.criterion is not None
    assert found.criterion.status == status
    assert found.original == Share(40, 40)


def test_contradicting_flips_are_kept_apart() -> None:
    flips = arm("flip", 40)
    for row in flips[:10]:
        row["screen"], row["code"] = "boundary", "VETO"
    for row in flips[10:]:
        row["screen"] = "pass"
    (found,) = robustness(table([*arm("", 40), *flips]))
    assert found.boundary == 10
    assert found.accuracy == Share(30, 30)
    # Compared with the untouched rows of the same events.
    assert found.original == Share(30, 30)
    assert (found.cells, found.cells_held) == (1, 1)


def test_only_the_structured_condition_has_a_criterion() -> None:
    found = robustness(table([*arm("", 40, condition="stochastic"), *arm("placebo", 3, condition="stochastic")]))
    assert [one.criterion for one in found] == [None]
    assert found[0].difference == pytest.approx(-37 / 40)
