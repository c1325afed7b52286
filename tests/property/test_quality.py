"""What always holds of the quality metrics: monotonicity, zero-annihilation, separability (harness paper §4, §7)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.instruments.quality.made import evidence, row

from proctor.evidence.row import Row
from proctor.instruments.quality.composite import Parts, composite_value, parts_of
from proctor.instruments.quality.instrument import QualityInstrument, QualityReading
from proctor.instruments.quality.rules import DEFAULT_WEIGHTS, QualityRules
from proctor.spec.rules import Rules

METRICS = tuple(DEFAULT_WEIGHTS)
SETTINGS = settings(derandomize=True, deadline=None, database=None, max_examples=100)
FEWER = settings(SETTINGS, max_examples=40)
QUICK = QualityInstrument(QualityRules(draws=1_000))
CATEGORIES = ("correctness", "safety", "performance", "governance")
shares = st.floats(0.0, 1.0)


@st.composite
def weights(draw: st.DrawFn) -> Parts:
    """Any weights above 0 that sum to 1."""
    parts = draw(st.lists(st.integers(1, 50), min_size=4, max_size=4))
    found = dict(zip(METRICS, (part / sum(parts) for part in parts), strict=True))
    return parts_of(QualityRules.model_validate({"weights": found}), lul=True)


@st.composite
def episodes(draw: st.DrawFn, number: int) -> Row:
    """Any row the comparator could leave."""
    gates = draw(st.integers(0, 3))
    gates_ok = draw(st.integers(0, gates))
    correct = draw(st.integers(0, 1))
    tenths = st.integers(0, 10).map(lambda tenth: f"{tenth / 10:g}")
    changes: dict[str, Any] = {
        "category": draw(st.sampled_from(CATEGORIES)),
        "weight": draw(tenths),
        "correct": correct,
        "exact": draw(st.integers(0, correct)),
        "gates": gates,
        "gates_ok": gates_ok,
        "gate_levels_ok": draw(st.integers(0, gates_ok)),
        "evidence": draw(st.integers(0, 1)),
        "complete": draw(tenths),
        "traceable": draw(tenths),
        "true": draw(tenths),
        "safety": draw(st.sampled_from(("ok", "ok", "S1", "S2", "S3", "unclassified"))),
        "stale": draw(st.sampled_from((0, 0, 0, 1))),
    }
    return row(number, **changes)


@st.composite
def runs(draw: st.DrawFn) -> list[Row]:
    """Some rows."""
    return [draw(episodes(number)) for number in range(draw(st.integers(2, 14)))]


def read(rows: list[Row]) -> QualityReading:
    return QUICK.read(evidence(*rows), Rules())


def numbers(reading: QualityReading) -> dict[str, Any]:
    """What must not depend on how the rows came together."""
    found = msgspec.to_builtins(reading)
    found.pop("conditions")
    if found["safety"]:
        found["safety"].pop("positions")
    return {name: found[name] for name in ("DA", "GCR", "EQS", "CAS", "safety", "episodes", "stale", "breakdown")}


@SETTINGS
@given(parts=weights(), values=st.tuples(shares, shares, shares, shares), which=st.sampled_from(METRICS), more=shares)
def test_the_composite_never_falls_when_a_metric_rises(
    parts: Parts, values: tuple[float, ...], which: str, more: float
) -> None:
    before: dict[str, float | None] = dict(zip(METRICS, values, strict=True))
    old = before[which] or 0.0
    raised = max(old, more)
    one, two = composite_value(before, parts), composite_value(before | {which: raised}, parts)
    assert one is not None and two is not None
    assert two >= one - 1e-15
    others = [value for name, value in before.items() if name != which and value is not None]
    if min(others) > 1e-3 and old > 1e-3 and raised > old * 1.01:
        assert two > one


@SETTINGS
@given(parts=weights(), values=st.tuples(shares, shares, shares, shares), which=st.sampled_from(METRICS))
def test_a_zero_cannot_be_hidden(parts: Parts, values: tuple[float, ...], which: str) -> None:
    given_values: dict[str, float | None] = dict(zip(METRICS, values, strict=True))
    assert composite_value(given_values | {which: 0.0}, parts) == 0.0
    assert composite_value(given_values | {which: None}, parts) is None


@SETTINGS
@given(parts=weights(), value=shares)
def test_the_composite_of_equals_is_that(parts: Parts, value: float) -> None:
    assert composite_value(dict.fromkeys(METRICS, value), parts) == pytest.approx(value, abs=1e-12)


@FEWER
@given(rows=runs())
def test_categories_run_alone_compose_to_the_joint_run(rows: list[Row]) -> None:
    alone = [one for name in CATEGORIES for one in rows if f'"category":"{name}"' in (one.measures or "")]
    assert len(alone) == len(rows)
    assert numbers(read(alone)) == numbers(read(rows))


@FEWER
@given(rows=runs(), seed=st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(rows: list[Row], seed: Any) -> None:
    turned = list(rows)
    seed.shuffle(turned)
    assert numbers(read(turned)) == numbers(read(rows))


@FEWER
@given(rows=runs())
def test_metrics_are_shares_and_intervals_are_in_order(rows: list[Row]) -> None:
    for measured in read(rows).metrics.values():
        if measured.value is None:
            assert measured.reason
            continue
        assert -1e-12 <= measured.value <= 1.0 + 1e-12
        if measured.low is not None and measured.high is not None:
            assert measured.low <= measured.high


@FEWER
@given(rows=runs(), data=st.data())
def test_one_more_right_decision_never_lowers_accuracy(rows: list[Row], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rows) - 1))
    measures = msgspec.json.decode(rows[place].measures or "{}") | {"correct": 1}
    better = [*rows]
    better[place] = msgspec.structs.replace(rows[place], measures=msgspec.json.encode(measures).decode())
    one, two = read(rows).metrics.get("DA"), read(better).metrics.get("DA")
    if one is not None and two is not None and one.value is not None and two.value is not None:
        assert two.value >= one.value
