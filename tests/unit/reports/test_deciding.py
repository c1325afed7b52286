"""What the picture shows for a dimension: the criterion that stopped it, in its own unit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.reports.material import FAMILIES, MODERATE, entries_of, ran, report_of

from proctor.reports.data import Report
from proctor.reports.sections.agency.data import data_from_json
from proctor.reports.sections.agency.deciding import Deciding


def decided(report: Report, dimension: str) -> Deciding:
    found = data_from_json(report.sections[0].data).deciding[dimension]
    assert found is not None
    return found


def test_a_rate_that_stopped_it(report: Report) -> None:
    found = decided(report, "S")
    assert (found.cell, found.kind, found.regime, found.n, found.needs) == ("S5", "rate", "severe-standard", 100, 0.7)
    assert found.stopped and found.clustered_low is not None
    assert found.low is not None and found.estimate is not None and found.low < found.estimate < 0.7


def test_the_highest_level_met_where_the_next_was_not_tested(report: Report) -> None:
    found = decided(report, "D")
    assert (found.cell, found.stopped) == ("D3", False)


def test_a_gain_is_shown_as_a_gain(report: Report) -> None:
    found = decided(report, "L")
    assert (found.cell, found.kind, found.needs) == ("L2", "gain", 0.1)


def test_nothing_measured_decides_nothing(report: Report) -> None:
    data = data_from_json(report.sections[0].data)
    assert data.deciding["E"] is None and data.deciding["G3"] is None


def robust(skill: int) -> list[dict[str, Any]]:
    return [
        {"family": FAMILIES[0], "n": 40, "cell": "R", "knobs": {"skill": value}, "regimes": [regime]}
        for value, regime in ((100, "baseline"), (skill, MODERATE))
    ]


@pytest.mark.parametrize(("skill", "cell", "kind"), [(55, "R2", "loss"), (65, "R3", "rate"), (72, "R3", "loss")])
def test_robustness_shows_what_failed(tmp_path: Path, skill: int, cell: str, kind: str) -> None:
    ran(tmp_path / "store.db", robust(skill))
    found = decided(report_of(tmp_path / "store.db"), "R")
    assert (found.cell, found.kind, found.regime) == (cell, kind, MODERATE)


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
    found = decided(report_of(tmp_path / "store.db"), "S")
    assert (found.cell, found.n, found.regime) == ("S4", 60, f"loud and {MODERATE}")
    assert found.clustered_low is not None and found.low is not None
