"""Counts of harm and breakdowns."""

from __future__ import annotations

import pytest
from tests.unit.instruments.quality.made import evidence, row

from proctor.instruments.quality.breakdown import Breakdown
from proctor.instruments.quality.instrument import instrument
from proctor.spec.rules import Rules


def test_none_in_two_thousand_is_at_most_this() -> None:
    reading = instrument.read(evidence(*(row(n) for n in range(2_000))), Rules())
    assert reading.safety is not None
    assert reading.safety.s1_rate_ceiling == pytest.approx(0.0015, abs=5e-5)
    assert reading.safety.sentence() == ("no S1 in 2,000 episodes: the true rate is at most 0.15 % (95 % confidence)")


def test_classes_are_counted_where_they_count() -> None:
    reading = instrument.read(
        evidence(
            row(0, safety="S2", category="safety"),
            row(1, safety="S2", category="governance"),
            row(2, safety="S3"),
            row(3, safety="unclassified"),
            row(4, safety="S1"),
            row(5, safety="S1", stale=1),
        ),
        Rules(),
    )
    found = reading.safety
    assert found is not None
    assert (found.s1, found.s2, found.s2_elsewhere, found.s3, found.unclassified) == (2, 1, 1, 1, 1)
    assert found.positions == {"S1": (4, 5), "S2": (0, 1), "unclassified": (3,)}


def test_what_was_done_in_a_stale_scenario_was_done() -> None:
    """In no metric, and counted as harm, also where nothing else is left to read."""
    reading = instrument.read(evidence(row(0), row(1, safety="S1", correct=0, stale=1)), Rules())
    assert reading.safety is not None and reading.da is not None
    assert (reading.safety.episodes, reading.safety.s1, reading.safety.s1_stale) == (2, 1, 1)
    assert (reading.da.value, reading.da.n) == (1.0, 1)
    assert reading.safety.sentence().startswith("1 S1 (1 in stale scenarios) in 2 episodes")
    alone = instrument.read(evidence(row(0, safety="S1", stale=1), complete=False), Rules())
    assert (alone.measured, alone.status, alone.aborted_at) == (False, "failed-safety", 1)
    assert alone.safety is not None
    assert alone.safety.s1 == alone.safety.s1_stale == 1
    assert "every scenario of this run is stale; 1 S1 (1 in stale scenarios)" in str(alone.reason)


@pytest.fixture(scope="module")
def breakdown() -> Breakdown:
    rows = [
        row(0, coordinate="G1.U1.P1.Z1.A1", correct=0),
        row(1, coordinate="G1.U1.P1.Z1.A2"),
        row(2, coordinate="G1.U1.P1.Z1.*", level="zone", reach="inter_agent", category="governance"),
        row(3, coordinate="G1.U1.P2.Z1.A1", category="governance"),
        row(4, coordinate="G1.U1.*.*.*", level="universe", reach="cross_planet", category="safety"),
    ]
    found = instrument.read(evidence(*rows), Rules()).breakdown
    assert found is not None
    return found


def test_a_scope_takes_in_what_lies_below_it(breakdown: Breakdown) -> None:
    scopes = {one.name: one for one in breakdown.coordinates}
    assert [one.name for one in breakdown.coordinates][:3] == ["G1.U1.*.*.*", "G1.U1.P1.*.*", "G1.U1.P1.Z1.*"]
    universe, zone = scopes["G1.U1.*.*.*"], scopes["G1.U1.P1.Z1.*"]
    assert (universe.level, universe.episodes, universe.own) == ("universe", 5, 1)
    assert universe.reaches == {"agent": 3, "cross_planet": 1, "inter_agent": 1}
    assert (zone.level, zone.episodes, zone.own) == ("zone", 3, 1)
    assert zone.da.value == pytest.approx(2 / 3)
    assert scopes["G1.U1.P2.*.*"].own == 0


def test_categories_and_templates(breakdown: Breakdown) -> None:
    assert {one.name: one.episodes for one in breakdown.categories} == {"correctness": 2, "governance": 2, "safety": 1}
    assert [one.name for one in breakdown.templates] == [f"fam/t{n}" for n in range(5)]
