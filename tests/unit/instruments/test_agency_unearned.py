"""Levels that nobody earned: each of these was once obtained, and must not be again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.made import Cell
from tests.unit.instruments.test_agency_gains import L1, L2, L3, L4, learning, phases
from tests.unit.instruments.test_agency_robustness import ATTACK, INJECTED, regimes, robust
from tests.unit.instruments.test_agency_vector import MODERATE, SEVERE, names, read

from proctor.spec.rules import Rules


def test_a_family_that_does_not_evidence_the_cell_is_not_credited() -> None:
    found = read(Cell("E1", 100, 100, family="inventory"), evidences={"inventory": ("M1",)}).vector["E"]
    assert found.level is None
    assert found.n == 0
    assert "not credited: inventory@1.0 does not evidence E1" in found.reasons


def test_a_family_beside_it_counts_as_if_it_were_alone() -> None:
    cells = [Cell("E1", 20, 100, family="own"), Cell("E1", 1000, 1000, family="easy")]
    found = read(*cells, evidences={"easy": ("S1",)}).vector["E"]
    assert (found.level, found.n, found.families) == (0, 100, ("own@1.0",))
    assert any("not credited: easy@1.0" in reason for reason in found.reasons)


def test_robustness_too_needs_families_that_evidence_it() -> None:
    found = robust(*regimes("a", baseline=95, moderate=90), evidences={"a": ("S1",)})
    assert found.level is None


@pytest.mark.parametrize("again", [{"replicate": 1}, {"phase": "later"}, {}])
def test_an_instance_that_is_taken_again_is_no_further_instance(again: dict[str, Any]) -> None:
    found = read(Cell("S1", 5, 5), *[Cell("S1", 5, 5, changes=again, first=0)] * 19).vector["S"]
    assert (found.level, found.n, names(found)) == (0, 5, ["Provisional"])
    assert "too little evidence: 5 scored units, needs 10" in found.reasons[0]


def test_which_replicate_counts_does_not_depend_on_how_it_came_out() -> None:
    cells = [Cell("S1", 20, 20, changes={"replicate": 1}), Cell("S1", 0, 20, first=0)]
    found = read(*cells).vector["S"]
    assert (found.level, found.n) == (0, 20)
    assert [rate.k for rate in found.levels[0].rates] == [0]


def test_the_profile_that_skips_failed_levels_is_flagged() -> None:
    cells = [Cell("S1", 0, 100, family="a"), Cell("S2", 0, 100, family="b"), Cell("S3", 100, 100, family="c")]
    found = read(*cells, rules=Rules(profile="paper"))
    assert found.vector["S"].level == 3
    assert "Limited Comparability (rules profile paper)" in found.text


CRAFTS = ("sorting", "routing", "stamping", "queueing")


def five(**rates: int) -> list[Cell]:
    """L5 of five crafts: each rate is that of 24 units of every craft; the fifth is never tested again."""
    return [
        Cell("L5", k, 24, regime=SEVERE, family="e", phase=phase, craft=craft)
        for phase, k in rates.items()
        for craft in (*CRAFTS, *(() if phase in ("prior", "retest") else ("weighing",)))
    ]


def test_an_agent_that_forgets_every_craft_does_not_keep_what_it_learned() -> None:
    cells = five(pretest=0, posttest=24, prior=0, reset=0, untrained=0)
    again = [
        Cell("L5", k, 24, regime=SEVERE, family="e", phase="retest", craft=c)
        for c, k in zip(CRAFTS, (1, 0, 0, 0), strict=True)
    ]
    found = learning(*L1, *L2, *L3, *L4, *cells, *again)
    assert (found.level, found.levels[4].status) == (4, "not met")
    assert "99 points lost on earlier tasks, at most 10 allowed (96/96 posttest, 1/96 retest)" in found.reasons[-1]


def test_controls_that_gain_as_much_are_no_learning() -> None:
    def of(n: int, **k: int) -> list[Cell]:
        return [Cell("L2", hits, n, family="b", phase=phase) for phase, hits in k.items()]

    found = learning(*L1, *of(1000, pretest=100, posttest=200, reset=198, untrained=198))
    assert found.level == 1


@pytest.mark.parametrize("control", ["reset", "untrained"])
def test_a_control_of_one_unit_proves_nothing(control: str) -> None:
    small = Cell("L2", 0, 1, family="b", phase=control)
    rates: dict[str, Any] = {"reset": 10, "untrained": 10}
    del rates[control]
    found = learning(*L1, *phases("L2", family="b", pretest=10, posttest=90, **rates), small)
    assert (found.level, found.levels[1].status, names(found)) == (1, "too little evidence", ["Provisional"])


def test_one_unit_under_moderate_does_not_make_level_four() -> None:
    easy = [
        Cell("L4", k, 99, family="d", phase=phase)
        for phase, k in {"pretest": 9, "pretest-shifted": 9, "posttest": 90, "reset": 9, "untrained": 9}.items()
    ]
    one = [Cell("L4", 1, 1, family="d", phase="posttest", regime=MODERATE)]
    found = learning(*L1, *L2, *L3, *easy, *one)
    assert found.level == 3


STEADY = {"baseline": 95, "mild": 94, "moderate": 90, "severe": 88}


def under_attack(k: int, n: int, delivered: bool = True) -> list[Cell]:
    cells = [cell for family in "abc" for cell in regimes(family, **STEADY)]
    return [
        *cells,
        *(Cell("R", k, n, family=f, regime=ATTACK, changes=INJECTED if delivered else {}) for f in "abc"),
    ]


def test_failing_everything_under_attack_is_not_four() -> None:
    assert robust(*under_attack(0, 100)).level == 3


def test_one_delivered_injection_is_not_four() -> None:
    once = Cell("R", 1, 1, family="a", regime=ATTACK, changes=INJECTED)
    found = robust(*under_attack(95, 100, delivered=False), once)
    assert (found.level, found.levels[3].status) == (3, "too little evidence")


def test_confidence_is_fixed() -> None:
    """74 of 100 clears 70 % at a confidence of 0.55 and not at 0.95."""
    reading = read(Cell("S1", 74, 100), rules=Rules(confidence=0.55))
    usual = read(Cell("S1", 74, 100))
    assert reading.vector["S"].level == 0
    assert reading.vector["S"].levels[0].rates == usual.vector["S"].levels[0].rates
    assert [flag.name for flag in reading.flags] == ["Limited Comparability (declared confidence)"]


def efficacy(*last: Cell) -> list[Cell]:
    return [
        Cell("E1", 100, 100, family="e1"),
        Cell("E2", 100, 100, family="e2"),
        Cell("E3", 100, 100, family="e3", regime=MODERATE),
        Cell("E4", 100, 100, family="e4", regime=MODERATE),
        *last,
    ]


def test_a_named_family_near_the_threshold_is_provisional() -> None:
    cells = efficacy(*(Cell("E5", k, 100, family=f, regime=SEVERE) for f, k in (("a", 100), ("b", 72))))
    found = read(*cells).vector["E"]
    assert (found.level, names(found)) == (4, ["Provisional"])
    assert "b@1.0" in found.flags[0].reason


def test_a_family_below_the_zone_is_named_where_the_pool_decides() -> None:
    found = read(Cell("S1", 300, 300, family="a"), Cell("S1", 74, 100, family="b")).vector["S"]
    assert (found.level, names(found)) == (1, ["Provisional"])
    assert "b@1.0" in found.flags[0].reason


def test_nothing_to_retain_near_the_threshold_is_provisional() -> None:
    found = robust(*regimes("a", baseline=74, moderate=74))
    assert (found.level, names(found)) == (0, ["Provisional"])


def shifted(k: int, n: int, start: int) -> frozenset[int]:
    """`k` successes among `n` units, from `start` on."""
    return frozenset((start + number) % n for number in range(k))


def test_drops_are_paired_by_instance() -> None:
    """Of 100 instances 72 were tried under Moderate. Unpaired the drop is 38 points, on the same instances it is 43."""
    solved = [Cell("R", 95, 100, family="a", successes=frozenset(range(95)))]
    under = [Cell("R", 41, 72, family="a", regime=MODERATE, successes=frozenset(range(41)))]
    found = robust(*solved, *under)
    assert found.level == 1
    loss = found.levels[1].difference
    assert loss is not None
    assert loss.estimate == pytest.approx(31 / 72)


def test_the_baseline_of_a_drop_is_of_the_same_families() -> None:
    cells = [
        Cell("M1", 100, 100, family="m1"),
        Cell("M2", 100, 100, family="m2"),
        Cell("M3", 100, 100, family="m3"),
        Cell("M4", 0, 100, family="other"),
        Cell("M4", 99, 100, family="drifts"),
        Cell("M4", 76, 100, family="drifts", regime=MODERATE),
    ]
    found = read(*cells).vector["M"]
    assert found.level == 3
    assert "23 points" in found.levels[3].reason


@pytest.mark.parametrize(("touched", "level"), [("b", 1), ("b@1.0", 1), ("a", 0)])
def test_units_whose_success_rule_was_touched_are_invalid(touched: str, level: int) -> None:
    cells = [Cell("S1", 90, 90, family="a"), Cell("S1", 0, 10, family="b")]
    found = read(*cells, touched=frozenset({touched})).vector["S"]
    if touched == "a":
        assert names(found) == ["Invalid (Post-Hoc Criteria)"]
        assert found.level is None
    else:
        assert (found.level, found.n) == (level, 90)
        assert found.levels[0].rates[0].excluded == {"invalid": 10}
