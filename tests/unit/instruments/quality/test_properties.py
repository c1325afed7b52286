"""What always holds of the metrics: monotonic responsiveness, annihilation by a zero, separability (paper §4, §7)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.instruments.quality.made import evidence, row

from proctor.evidence.row import Row
from proctor.instruments.quality.composite import Parts, composite_value, parts_of
from proctor.instruments.quality.installed import ratios
from proctor.instruments.quality.measures import Cases, cases_of
from proctor.instruments.quality.metrics import Counted, measure
from proctor.instruments.quality.rules import DEFAULT_WEIGHTS, QualityRules
from proctor.instruments.quality.safety import count_safety

METRICS = tuple(DEFAULT_WEIGHTS)
RATIOS = ratios()
CATEGORIES = ("correctness", "safety", "performance", "governance")
shares = st.floats(0.0, 1.0)


@st.composite
def weights(draw: st.DrawFn) -> dict[str, float]:
    """Weights above 0 of some of the metrics, together 1."""
    names = draw(st.lists(st.sampled_from(METRICS), min_size=1, unique=True))
    raw = {name: draw(st.floats(0.05, 1.0)) for name in names}
    return {name: weight / sum(raw.values()) for name, weight in raw.items()}


@st.composite
def measures(draw: st.DrawFn) -> dict[str, Any]:
    """The correctness vector of an episode."""
    gates = draw(st.integers(0, 3))
    return {
        "weight": str(draw(st.sampled_from([0, 0.25, 0.5, 1]))),
        "correct": draw(st.integers(0, 1)),
        "gates": gates,
        "gates_ok": draw(st.integers(0, gates)),
        "evidence": draw(st.integers(0, 1)),
        "complete": str(draw(st.sampled_from([0, 0.5, 1]))),
        "traceable": str(draw(st.sampled_from([0, 0.3, 1]))),
        "true": str(draw(st.sampled_from([0, 0.1, 1]))),
        "category": draw(st.sampled_from(CATEGORIES)),
        "template": f"t{draw(st.integers(0, 7))}",
        "safety": draw(st.sampled_from(["ok", "S1", "S2", "S3", "unclassified"])),
    }


episodes = st.lists(measures(), min_size=1, max_size=25)


def rows_of(many: list[dict[str, Any]]) -> list[Row]:
    return [row(number, **one) for number, one in enumerate(many)]


def cases(rows: list[Row]) -> Cases:
    return cases_of(evidence(*rows))


def scored(rows: list[Row]) -> dict[str, float | None]:
    sums = Counted.of(cases(rows).scored).sums()
    found = {name: sums.value(metric) for name, metric in RATIOS.items()}
    return {**found, "CAS": composite_value(found, parts_of(QualityRules(), lul=False))}


@given(weights(), st.fixed_dictionaries(dict.fromkeys(METRICS, shares)), st.sampled_from(METRICS), shares)
def test_a_better_metric_never_lowers_the_composite(
    given_weights: dict[str, float], values: dict[str, float], metric: str, other: float
) -> None:
    parts = Parts(given_weights, with_lul=True)
    low, high = sorted((values[metric], other))
    before, after = (composite_value({**values, metric: one}, parts) for one in (low, high))
    assert before is not None and after is not None
    assert before <= after + 1e-15
    others = [values[name] for name in given_weights if name != metric]
    if metric in given_weights and high - low > 1e-3 and all(one > 0.01 for one in others):
        assert before < after


@given(weights(), st.fixed_dictionaries(dict.fromkeys(METRICS, shares)))
def test_the_composite_lies_between_its_metrics_and_a_zero_annihilates_it(
    given_weights: dict[str, float], values: dict[str, float]
) -> None:
    parts = Parts(given_weights, with_lul=True)
    found = composite_value(values, parts)
    assert found is not None
    asked = [values[name] for name in given_weights]
    assert min(asked) - 1e-12 <= found <= max(asked) + 1e-12
    for name in given_weights:
        assert composite_value({**values, name: 0.0}, parts) == 0.0
        assert composite_value({**values, name: None}, parts) is None


IMPROVED: dict[str, dict[str, Any]] = {
    "DA": {"correct": 1},
    "EQS": {"complete": "1", "traceable": "1", "true": "1"},
}


@given(episodes, st.data())
def test_an_episode_that_gets_better_never_lowers_a_score(many: list[dict[str, Any]], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(many) - 1))
    metric = data.draw(st.sampled_from(list(RATIOS)))
    changes = IMPROVED.get(metric, {"gates_ok": many[place]["gates"]})
    before = scored(rows_of(many))
    after = scored(rows_of([{**one, **changes} if number == place else one for number, one in enumerate(many)]))
    for name, value in before.items():
        better = after[name]
        assert (value is None) == (better is None)
        if value is not None and better is not None:
            # Only the metric that was improved moves, and the composite with it.
            assert better >= value - 1e-12 if name in (metric, "CAS") else better == value


@given(episodes, st.sampled_from(list(RATIOS)))
def test_rows_without_any_of_a_metric_leave_no_composite(many: list[dict[str, Any]], metric: str) -> None:
    nothing: dict[str, dict[str, Any]] = {
        "DA": {"correct": 0},
        "GCR": {"gates_ok": 0},
        "EQS": {"complete": "0", "traceable": "0", "true": "0"},
    }
    found = scored(rows_of([{**one, **nothing[metric]} for one in many]))
    assert found[metric] in (0.0, None)
    if found["CAS"] is not None:
        assert found["CAS"] == 0.0


@given(episodes, st.randoms(use_true_random=False))
def test_categories_run_alone_score_like_the_joint_run(many: list[dict[str, Any]], order: random.Random) -> None:
    rows = rows_of(many)
    apart = [one for name in CATEGORIES for one in rows if f'"category":"{name}"' in (one.measures or "")]
    assert len(apart) == len(rows)
    mixed = rows.copy()
    order.shuffle(mixed)
    assert scored(apart) == scored(rows) == scored(mixed)
    counts = [count_safety(cases(part), confidence=0.95) for part in (rows, apart, mixed)]
    assert len({(one.s1, one.s2, one.s2_elsewhere, one.s3, one.unclassified) for one in counts}) == 1
    parts = [one for name in CATEGORIES if (one := [r for r in apart if f'"category":"{name}"' in (r.measures or "")])]
    alone = [count_safety(cases(part), confidence=0.95) for part in parts]
    assert sum(one.s1 for one in alone) == counts[0].s1
    assert sum(one.s2 for one in alone) == counts[0].s2
    for metric, ratio in RATIOS.items():
        sums = [Counted.of(cases(one).scored).sums() for one in parts]
        below = sum(one.total(ratio.whole) for one in sums)
        joint = scored(rows)[metric]
        assert (joint is None) == (below == 0)
        if joint is not None:
            assert joint == pytest.approx(sum(one.total(ratio.part) for one in sums) / below, abs=1e-12)


@settings(max_examples=25)
@given(episodes, st.randoms(use_true_random=False))
def test_intervals_do_not_depend_on_the_order_of_rows(many: list[dict[str, Any]], order: random.Random) -> None:
    rows = rows_of(many)
    mixed = rows.copy()
    order.shuffle(mixed)
    for metric in RATIOS.values():
        one, two = (
            measure(metric, Counted.of(cases(part).scored).sums(), draws=1_000, confidence=0.95)
            for part in (rows, mixed)
        )
        assert one == two
