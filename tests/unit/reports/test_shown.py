"""What is shown of a dimension: the level credited and the next one, each with the numbers that decided it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.reports.material import FAMILIES, MODERATE, SEVERE, entries_of, ran, report_of

from proctor.instruments.agency.criterion import Criterion
from proctor.reports.data import Report
from proctor.reports.sections.agency.derived import with_criteria
from proctor.reports.sections.agency.shown import Dimension, Level, Vector, vector_shown
from proctor.reports.sections.agency.words import MEANING, criterion_text, value_text

ADVERSARIAL = "severe-adversarial"


def vector_of(report: Report) -> Vector:
    return vector_shown(report.sections[0].data)


def decided(level: Level | None) -> Criterion:
    assert level is not None and level.deciding is not None
    return level.deciding


def test_credited_and_next_are_two_levels_with_rates_of_their_own(report: Report) -> None:
    sensing = vector_of(report).vector["S"]
    assert sensing.credited is not None and sensing.next is not None
    assert (sensing.level, sensing.credited.cell, sensing.next.cell) == (4, "S4", "S5")
    met, stopped = decided(sensing.credited), decided(sensing.next)
    assert (met.what, met.n, met.needs) == (f"rate under {MODERATE}", 100, 0.7)
    assert (stopped.what, stopped.n, stopped.needs) == (f"rate under {SEVERE}", 100, 0.7)
    assert met.met and not stopped.met
    for found, level in ((met, sensing.credited), (stopped, sensing.next)):
        own = level.rates[-1]
        assert (found.k, found.value, found.low, found.high) == (own.k, own.rate, own.low, own.high)
    assert met.value is not None and stopped.value is not None and met.value >= 0.7 > stopped.value


def test_a_level_that_was_not_tested_has_no_number(report: Report) -> None:
    decision = vector_of(report).vector["D"]
    assert decision.credited is not None and decision.next is not None
    assert (decision.credited.cell, decision.next.cell, decision.next.status) == ("D3", "D4", "not tested")
    assert decision.next.deciding is None


def test_a_gain_is_shown_as_a_gain(report: Report) -> None:
    found = decided(vector_of(report).all()["L"].levels[1])
    assert (found.kind, found.what, found.needs) == ("gain", "posttest above pretest", 0.1)


def test_nothing_measured_decides_nothing(report: Report) -> None:
    every = vector_of(report).all()
    for name in ("E", "G3"):
        assert every[name].credited is None and every[name].next is None
        assert every[name].rungs == ("not tested",) * 5


def robust(levels: dict[str, list[int]]) -> list[dict[str, Any]]:
    """R entries: for each regime a skill per family."""
    return [
        {"family": family, "n": 40, "cell": "R", "knobs": {"skill": skill}, "regimes": [regime]}
        for regime, skills in levels.items()
        for family, skill in zip(FAMILIES, skills, strict=False)
    ]


def robustness(tmp_path: Path, levels: dict[str, list[int]]) -> Dimension:
    ran(tmp_path / "store.db", robust(levels))
    return vector_of(report_of(tmp_path / "store.db")).vector["R"]


def test_r1_is_decided_by_the_family_that_passes_and_not_by_the_pool(tmp_path: Path) -> None:
    found = robustness(tmp_path, {"baseline": [100, 0, 0], MODERATE: [55, 0, 0]})
    assert (found.level, found.credited and found.credited.cell) == (1, "R1")
    best = decided(found.credited)
    assert (best.what, best.value, best.k, best.n) == ("rate of graded@1.0 under baseline", 1.0, 40, 40) and best.met
    assert best.value is not None and best.value >= best.needs, (
        "a level that is met never stands beside a rate below what it needs"
    )


def test_r1_of_a_reading_without_criteria_is_decided_by_the_best_family(tmp_path: Path) -> None:
    ran(tmp_path / "store.db", robust({"baseline": [100, 0, 0], MODERATE: [55, 0, 0]}))
    data = msgspec.json.decode(msgspec.json.encode(report_of(tmp_path / "store.db").sections[0].data))
    for level in data["vector"]["R"]["levels"]:
        del level["criteria"]
    best = decided(vector_shown(data).vector["R"].credited)
    assert best.value == 1.0 and best.met and "best of " in best.what and best.value >= best.needs


def test_r2_is_decided_by_the_family_that_loses_least(tmp_path: Path) -> None:
    found = decided(robustness(tmp_path, {"baseline": [100, 0, 0], MODERATE: [65, 0, 0]}).credited)
    assert found.kind == "loss" and found.value == pytest.approx(0.35) and found.needs == 0.4 and found.met


@pytest.mark.parametrize(("baseline", "skill", "kind"), [(90, 52, "rate"), (100, 72, "loss"), (100, 65, "loss")])
def test_robustness_shows_what_failed(tmp_path: Path, baseline: int, skill: int, kind: str) -> None:
    """The rate where it is clearly too low; a rate too close to call gives way to a loss that is not."""
    found = robustness(tmp_path, {"baseline": [baseline, baseline], MODERATE: [skill, skill]})
    assert found.next is not None and found.next.cell == "R3"
    assert decided(found.next).kind == kind


def test_losses_are_shown_under_every_regime_of_the_level(tmp_path: Path) -> None:
    levels = {"baseline": [100, 100], MODERATE: [95, 95], SEVERE: [85, 85], ADVERSARIAL: [75, 75]}
    found = robustness(tmp_path, levels)
    for level in found.levels[3:]:
        losses = [one.what for one in level.criteria if one.kind == "loss"]
        assert any(SEVERE in what for what in losses) and any(ADVERSARIAL in what for what in losses), level.cell


def test_every_rung_has_one_state_and_every_state_one_meaning(report: Report) -> None:
    every = vector_of(report).all()
    for one in every.values():
        assert len(one.rungs) == 5 and set(one.rungs) <= MEANING.keys()
    assert every["S"].rungs == ("credited",) * 4 + ("not met",)
    assert every["D"].rungs == ("credited",) * 3 + ("not tested",) * 2
    assert every["G"].rungs == ("credited",) + ("above the mean",) * 4, "what no part reached is not 'not tested'"
    assert every["G2"].rungs[:2] == ("credited", "not met")


def test_a_level_met_above_one_too_close_to_call(tmp_path: Path) -> None:
    """A rate near the threshold is not enough; what is met above it is shown and not credited."""
    ran(tmp_path / "store.db", [*entries_of("S1", 69, n=60), *entries_of("S2", 95, n=60), *entries_of("S3", 5, n=60)])
    sensing = vector_of(report_of(tmp_path / "store.db")).vector["S"]
    assert sensing.level == 0 and sensing.credited is None
    assert sensing.rungs == ("undecided", "met, not credited", "not met", "not tested", "not tested")


def test_families_under_regimes_of_their_own_are_counted_together(tmp_path: Path) -> None:
    own = {"id": "loud", "intensity": "moderate", "stability": {"noise": {"share": 0.25}}}
    entries = [
        *entries_of("S1", 100),
        *entries_of("S2", 100),
        *entries_of("S3", 100),
        {"family": FAMILIES[0], "n": 30, "cell": "S4", "regimes": ["loud"], "knobs": {"skill": 50}},
        {"family": FAMILIES[1], "n": 30, "cell": "S4", "regimes": ["baseline", MODERATE], "knobs": {"skill": 40}},
    ]
    ran(tmp_path / "store.db", entries, regimes=[own])
    sensing = vector_of(report_of(tmp_path / "store.db")).vector["S"]
    assert sensing.next is not None and sensing.next.cell == "S4"
    assert decided(sensing.next).n == 60 and f"loud and {MODERATE}" in decided(sensing.next).what


def test_criteria_that_the_reading_brings_are_kept(report: Report) -> None:
    """Only where a reading has none are they worked out from its rates."""
    data = msgspec.json.decode(msgspec.json.encode(report.sections[0].data))
    own = {"kind": "share", "what": "injections ignored", "value": 0.5, "low": None, "high": None, "needs": 0.9}
    data["vector"]["S"]["levels"][4]["criteria"] = [{**own, "met": False, "text": "half", "k": 10, "n": 20}]
    found = vector_shown(data).vector["S"].next
    assert found is not None and [one.what for one in found.criteria] == ["injections ignored"]
    assert criterion_text(found.criteria[0]) == "injections ignored: 50.0\u00a0%, 10/20, needs ≥\u00a090\u00a0%"


def test_criteria_are_worked_out_once(report: Report) -> None:
    once = vector_of(report)
    assert with_criteria(once) == once


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("rate", 0.696, "69.6\u00a0%"),
        ("gain", 0.12, "12.0\u00a0points gained"),
        ("gain", -0.05, "5.0\u00a0points lost"),
        ("loss", 0.12, "12.0\u00a0points lost"),
        ("loss", -0.05, "5.0\u00a0points gained"),
        ("families", 2.0, "2 families"),
        ("rate", None, "not measured"),
    ],
)
def test_numbers_read_without_turning_signs_around(kind: Any, value: float | None, text: str) -> None:
    assert value_text(Criterion(kind, "x", value, None, None, 0.1, False)) == text
