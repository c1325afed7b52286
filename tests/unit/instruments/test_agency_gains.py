"""Learning levels: gains with intervals, controls, headroom, retention."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.made import Cell
from tests.unit.instruments.test_agency_vector import MODERATE, SEVERE, names, read

from proctor.instruments.agency.dimension import DimensionReading
from proctor.spec.system import Boundary, Memory, MemoryPersistence


def phases(cell: str, regime: str = "baseline", family: str = "fam", **rates: int) -> list[Cell]:
    return [
        Cell(cell, k, 100, phase=phase.replace("_", "-"), regime=regime, family=family) for phase, k in rates.items()
    ]


L1 = phases("L1", first=5, later=90)
CONTROLS: dict[str, Any] = {"reset": 10, "untrained": 10}
L2 = phases("L2", family="b", pretest=10, posttest=90, **CONTROLS)
L3 = phases("L3", family="c", early=30, late=90, **CONTROLS)
L4 = phases("L4", MODERATE, "d", pretest=10, pretest_shifted=10, posttest=90, **CONTROLS)
L5 = phases("L5", SEVERE, "e", pretest=10, posttest=90, prior=90, retest=85, **CONTROLS)


def learning(*cells: Cell, **given: Any) -> DimensionReading:
    return read(*cells, **given).vector["L"]


def test_every_level_met_is_five() -> None:
    found = learning(*L1, *L2, *L3, *L4, *L5)
    assert (found.level, names(found)) == (5, [])
    assert found.levels[1].difference is not None
    assert found.levels[1].difference.estimate == pytest.approx(0.8)


@pytest.mark.parametrize(("later", "level"), [(14, 0), (15, 1), (30, 1)])
def test_a_gain_needs_its_points(later: int, level: int) -> None:
    found = learning(*phases("L1", first=5, later=later))
    assert found.level == level
    gain = found.levels[0].difference
    assert gain is not None
    assert gain.low is not None
    # Ten points exactly: Newcombe's interval from 5 to 15 of 100 excludes zero, so it counts.
    assert later != 15 or 0 < gain.low < 0.02


def test_a_lucky_gain_in_a_small_test_is_provisional() -> None:
    cells = [Cell("L1", 2, 10, phase="first"), Cell("L1", 4, 10, phase="later")]
    found = learning(*cells)
    assert (found.level, names(found)) == (0, ["Provisional"])
    assert "does not exclude 0" in found.reasons[-1]


def test_a_high_pre_test_leaves_no_headroom_and_is_never_zero() -> None:
    found = learning(*phases("L1", first=80, later=100))
    assert found.level is None
    assert "no headroom" in found.reasons[-1]
    later = learning(*L1, *phases("L2", family="b", pretest=80, posttest=99, **CONTROLS))
    assert later.level == 1
    assert "no headroom" in later.reasons[-1]


@pytest.mark.parametrize("control", ["reset", "untrained"])
def test_a_gain_that_survives_a_control_is_not_learning(control: str) -> None:
    surviving = phases("L3", family="c", early=30, late=90, **{**CONTROLS, control: 80})
    found = learning(*L1, *L2, *surviving)
    assert found.level == 1, "L is at most 1 then, whatever lower levels say"
    assert any("survives" in reason for reason in found.reasons)


def test_a_control_says_nothing_where_there_is_no_gain() -> None:
    without = phases("L3", family="c", early=30, late=32, reset=80, untrained=10)
    found = learning(*L1, *L2, *without)
    assert (found.level, found.levels[2].survives_control) == (2, False)


@pytest.mark.parametrize("control", ["reset", "untrained"])
def test_a_control_that_was_not_run_makes_it_provisional(control: str) -> None:
    rates: dict[str, Any] = {name: k for name, k in CONTROLS.items() if name != control}
    found = learning(*L1, *phases("L2", family="b", pretest=10, posttest=90, **rates))
    assert (found.level, names(found)) == (1, ["Provisional"])
    assert f"the control {control} was not run" in found.reasons[-1]


def test_a_control_that_is_not_evaluable_is_no_broken_verifier() -> None:
    broken = Cell("L2", 0, 100, family="b", phase="reset", changes={"outcome": "infrastructure", "reason": "memory"})
    found = learning(*L1, *phases("L2", family="b", pretest=10, posttest=90, untrained=10), broken)
    assert (found.level, names(found)) == (1, ["Provisional"])
    assert "could not be run" in found.reasons[-1]


def test_the_shifted_pre_test_must_be_exceeded_too() -> None:
    cells = phases("L4", MODERATE, "d", pretest=10, pretest_shifted=80, posttest=90, **CONTROLS)
    assert learning(*L1, *L2, *L3, *cells).level == 3
    without = phases("L4", MODERATE, "d", pretest=10, posttest=90, **CONTROLS)
    assert learning(*L1, *L2, *L3, *without).levels[3].status == "not tested"


def test_what_was_mastered_must_be_kept() -> None:
    lost = phases("L5", SEVERE, "e", pretest=10, posttest=90, prior=90, retest=79, **CONTROLS)
    found = learning(*L1, *L2, *L3, *L4, *lost)
    assert found.level == 4
    assert "11 points lost on earlier tasks, at most 10 allowed" in found.reasons[-1]


def test_undeclared_memory_bounds_learning_at_two() -> None:
    found = learning(*L1, *L2, *L3, boundary=Boundary(tools=()))
    assert found.level == 2
    none = Boundary(tools=(), memory=Memory(persistence=MemoryPersistence.NONE))
    assert learning(*L1, *L2, *L3, boundary=none).level == 3, "`none` is a declaration"


def test_lifetimes_that_differ_make_a_gain_provisional() -> None:
    def life(number: int, before: int, after: int) -> list[Cell]:
        # Ten units before and ten after, all of one lifetime.
        return [
            Cell("L2", before, 10, family="b", phase="pretest", changes={"lifetime": 9000 + number}),
            Cell("L2", after, 10, family="b", phase="posttest", changes={"lifetime": 9000 + number}),
        ]

    cells = [*life(0, 0, 10), *life(1, 0, 10), *life(2, 6, 0), *life(3, 0, 1), *life(4, 0, 1), *life(5, 0, 0)]
    controls = [Cell("L2", 0, 60, family="b", phase=phase) for phase in ("reset", "untrained")]
    found = learning(*L1, *cells, *controls)
    assert (found.level, names(found)) == (2, ["Provisional"])
    assert "clustering by template (or lifetime)" in found.flags[0].reason
