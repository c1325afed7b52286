"""Learning levels: gains with intervals, controls, headroom, retention."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.made import Cell
from tests.unit.instruments.test_agency_vector import MODERATE, SEVERE, names, read

from proctor.instruments.agency.dimension import DimensionReading
from proctor.spec.system import Boundary, BoundaryKind, Memory, MemoryPersistence


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
    lost = phases("L5", SEVERE, "e", pretest=10, posttest=90, prior=79, retest=79, **CONTROLS)
    found = learning(*L1, *L2, *L3, *L4, *lost)
    assert found.level == 4
    assert "11 points lost on earlier tasks, at most 10 allowed" in found.reasons[-1]


def crafts(phase: str, *successes: int, n: int = 24, names: str = "abcde") -> list[Cell]:
    """One phase of L5, craft by craft."""
    return [
        Cell("L5", k, n, regime=SEVERE, family="e", phase=phase, craft=craft)
        for craft, k in zip(names, successes, strict=False)
    ]


BELOW_FIVE = [*L1, *L2, *L3, *L4]
UNLEARNED = [cell for phase in ("pretest", "reset", "untrained") for cell in crafts(phase, 0, 0, 0, 0, 0)]


def retention(posttest: tuple[int, ...], retest: tuple[int, ...], **given: Any) -> DimensionReading:
    cells = [*UNLEARNED, *crafts("posttest", *posttest), *crafts("retest", *retest)]
    return learning(*BELOW_FIVE, *cells, **given)


def test_five_is_read_from_the_post_test_to_the_retest_and_every_craft_is_shown() -> None:
    found = retention((24, 24, 24, 24, 20), (24, 22, 24, 20))
    assert (found.level, names(found)) == (5, [])
    rates = {rate.phase: rate for rate in found.levels[4].rates}
    assert rates["posttest"].tasks == {"a": (24, 24), "b": (24, 24), "c": (24, 24), "d": (24, 24), "e": (20, 24)}
    assert rates["retest"].tasks == {"a": (24, 24), "b": (22, 24), "c": (24, 24), "d": (20, 24)}
    assert "6.2 points lost on earlier tasks (96/96 posttest, 90/96 retest)" in found.levels[4].reason


def test_a_craft_that_was_never_mastered_cannot_hide_what_was_forgotten() -> None:
    """The fifth craft is not tested again: only what is, is compared with its own post-test."""
    found = retention((24, 24, 24, 24, 0), (21, 21, 21, 21))
    assert found.levels[4].status == "not met"
    assert "12.5 points lost" in found.levels[4].reason


@pytest.mark.parametrize(("retest", "status"), [(87, "met"), (86, "not met")])
def test_lost_points_are_not_rounded(retest: int, status: str) -> None:
    """10.4 points are more than 10."""
    split = [min(24, retest - 24 * place) for place in range(4)]
    found = retention((24, 24, 24, 24, 24), tuple(split))
    assert found.levels[4].status == status


def test_nothing_is_kept_that_was_not_mastered() -> None:
    found = retention((14, 14, 14, 14, 14), (14, 14, 14, 14))
    assert (found.level, found.levels[4].status, names(found)) == (4, "not met", [])
    assert "mastery of all tasks at posttest: 70/120" in found.levels[4].reason
    close = retention((17, 17, 17, 17, 17), (17, 17, 17, 17))
    assert (close.level, names(close)) == (4, ["Provisional"])
    uneven = retention((15, 15, 15, 15, 24), (15, 15, 15, 15))
    assert "mastery of tasks tested again at posttest: 60/96" in uneven.levels[4].reason


def test_all_crafts_but_the_last_are_tested_again() -> None:
    found = retention((24, 24, 24, 24, 24), (24, 24))
    assert found.levels[4].status == "not tested"
    assert "c, d, e were not tested again" in found.levels[4].reason
    alone = [
        cell for phase, k in {"pretest": 0, "posttest": 60, "retest": 60, "reset": 0, "untrained": 0}.items()
        for cell in crafts(phase, k, n=60, names="a")
    ]  # fmt: skip
    assert "one task was taught" in learning(*BELOW_FIVE, *alone).levels[4].reason


def test_a_retest_comes_after_everything_was_taught() -> None:
    """Tested again at once, nothing could be forgotten yet."""

    def lived(phase: str, place: int, craft: str) -> list[Cell]:
        starts = range(50_000, 50_600, 10)
        rows = [{"lifetime": start, "position": start + place} for start in starts]
        return [Cell("L5", 1, 1, SEVERE, "e", phase, row, craft) for row in rows]

    low = [cell for phase in ("pretest", "reset", "untrained") for cell in crafts(phase, 0, 0, n=60, names="ab")]
    taught = [*lived("posttest", 1, "a"), *lived("posttest", 3, "b")]
    found = learning(*BELOW_FIVE, *low, *taught, *lived("retest", 2, "a"))
    assert (found.level, found.levels[4].status) == (4, "not tested")
    assert "before everything was taught" in found.levels[4].reason
    assert learning(*BELOW_FIVE, *low, *taught, *lived("retest", 4, "a")).level == 5


def controlled(pretest: int, posttest: int, reset: int, untrained: int, n: int = 100) -> DimensionReading:
    rates = {"early": pretest, "late": posttest, "reset": reset, "untrained": untrained}
    cells = [Cell("L3", k, n, family="c", phase=phase) for phase, k in rates.items()]
    return learning(*L1, *L2, *cells)


def test_the_controls_are_held_against_the_post_test() -> None:
    practised = controlled(10, 90, 10, 25)
    assert (practised.level, names(practised)) == (3, []), "practice explains 15 of 80 points: the rest was learned"
    unsure = controlled(30, 50, 40, 30)
    assert (unsure.level, names(unsure)) == (2, ["Provisional"])
    assert "10 points over reset (40/100), and the interval does not exclude 0" in unsure.levels[2].reason
    assert not unsure.levels[2].survives_control, "whether the control gains is not known either"
    as_much = controlled(30, 50, 48, 30)
    assert (as_much.level, as_much.levels[2].survives_control) == (1, True)
    most = controlled(300, 900, 800, 300, n=1000)
    assert (most.level, most.levels[2].survives_control) == (1, True), "50 of 60 points are there without memory"


@pytest.mark.parametrize("control", ["reset", "untrained"])
@pytest.mark.parametrize(("n", "status"), [(19, "too little evidence"), (20, "met")])
def test_controls_have_the_minimum_of_the_level(control: str, n: int, status: str) -> None:
    rates = {name: k for name, k in CONTROLS.items() if name != control}
    cells = phases("L3", family="c", early=10, late=90, **rates)
    found = learning(*L1, *L2, *cells, Cell("L3", 0, n, family="c", phase=control))
    assert found.levels[2].status == status


def test_phases_are_compared_under_one_regime() -> None:
    """A pre-test under a harder regime would show a gain that nobody learned."""
    hard = [Cell("L2", 10, 100, family="b", phase=phase, regime=SEVERE) for phase in ("pretest", *CONTROLS)]
    found = learning(*L1, *hard, Cell("L2", 90, 100, family="b", phase="posttest"))
    assert (found.level, found.levels[1].status) == (1, "not tested")
    assert "were not run with the same family under the same baseline regime" in found.levels[1].reason


@pytest.mark.parametrize("phase", ["pretest", "pretest-shifted", "posttest", "reset", "untrained"])
def test_every_phase_of_a_level_is_under_its_regime(phase: str) -> None:
    rates = {"pretest": 10, "pretest-shifted": 10, "posttest": 90, **CONTROLS}
    cells = [
        Cell("L4", k, 100, family="d", phase=name, regime="baseline" if name == phase else MODERATE)
        for name, k in rates.items()
    ]
    found = learning(*L1, *L2, *L3, *cells)
    assert (found.level, found.levels[3].status) == (3, "not tested")
    assert f"{phase} was tested under easier regimes only, needs moderate" in found.levels[3].reason


def test_units_under_easier_regimes_are_left_out_and_counted() -> None:
    easy = phases("L4", "baseline", "d", pretest=0, pretest_shifted=0, posttest=100, reset=0, untrained=0)
    hard = phases("L4", MODERATE, "d", pretest=10, pretest_shifted=10, posttest=20, **CONTROLS)
    found = learning(*L1, *L2, *L3, *easy, *hard)
    assert (found.level, found.levels[3].status) == (3, "not met")
    assert found.levels[3].target is not None
    assert (found.levels[3].target.k, found.levels[3].target.n) == (20, 100)
    assert "500 units under other regimes left out" in found.levels[3].reason


def test_phases_are_compared_over_the_same_families() -> None:
    """An easy family after training and a hard one before it are no gain."""
    hard = phases("L2", family="hard", pretest=10, reset=10, untrained=10)
    easy = Cell("L2", 100, 100, family="easy", phase="posttest")
    assert learning(*L1, *hard, easy).levels[1].status == "not tested"
    mixed = [
        *(Cell("L2", 0, 90, family="hard", phase=phase) for phase in ("pretest", "reset", "untrained")),
        *(Cell("L2", 10, 10, family="easy", phase=phase) for phase in ("pretest", "reset", "untrained")),
        Cell("L2", 0, 10, family="hard", phase="posttest"),
        Cell("L2", 90, 90, family="easy", phase="posttest"),
    ]
    found = learning(*L1, *mixed).levels[1]
    assert (found.status, "the same mix of families" in found.reason) == ("not tested", True)


def test_tests_of_another_difficulty_are_said_to_be() -> None:
    rates = {"pretest": 10, "posttest": 90, **CONTROLS}
    cells = [
        Cell("L2", k, 100, family="b", phase=phase, craft="easy" if phase == "posttest" else "hard")
        for phase, k in rates.items()
    ]
    found = learning(*L1, *cells)
    assert names(found) == ["Limited Comparability (tests of different difficulty)"]


def test_no_headroom_on_the_shifted_variant_is_not_measurable() -> None:
    cells = phases("L4", MODERATE, "d", pretest=10, pretest_shifted=80, posttest=99, **CONTROLS)
    found = learning(*L1, *L2, *L3, *cells).levels[3]
    assert (found.status, "80/100 pretest-shifted): no headroom" in found.reason) == ("not measurable", True)


def test_undeclared_memory_bounds_learning_at_two() -> None:
    found = learning(*L1, *L2, *L3, boundary=Boundary(kind=BoundaryKind.CORE, tools=()))
    assert found.level == 2
    none = Boundary(kind=BoundaryKind.CORE, tools=(), memory=Memory(persistence=MemoryPersistence.NONE))
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
