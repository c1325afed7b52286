"""The Agency Vector from evidence made by hand: worked examples, cumulative levels, caps, flags, tuple."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from tests.unit.instruments.made import Cell, evidence
from tests.unit.instruments.rated import rated

from proctor.evidence.ratings import Rating
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.instrument import AgencyInstrument, AgencyReading
from proctor.spec.rules import Adjusted, Rules
from proctor.spec.system import Boundary, BoundaryKind, HumanPolicy

MODERATE, SEVERE = "moderate-standard", "severe-standard"


def read(*cells: Cell, rules: Rules | None = None, **given: Any) -> AgencyReading:
    rules = rules or Rules()
    return AgencyInstrument().read(evidence(*cells, rules=rules, **given), rules)


def names(reading: DimensionReading) -> list[str]:
    return [flag.name for flag in reading.flags]


def lower(dimension: str, upto: int, n: int = 100) -> list[Cell]:
    """Levels below, met beyond doubt, by another family."""
    hard = {4: MODERATE, 5: SEVERE}
    return [
        Cell(f"{dimension}{level}", n, n, family="other", regime=hard.get(level, "baseline"))
        for level in range(1, upto + 1)
    ]


def test_worked_example_1_comes_out_as_printed() -> None:
    """15 of 20 on prediction-gated choice, M4 not tested: M = 3, no flag."""
    cells = [*lower("M", 2), Cell("M3", 15, 20, family="debugging")]
    found = read(*cells).vector["M"]
    assert (found.level, names(found)) == (3, [])
    assert found.other_policy_level == 2
    assert found.reasons[-1] == "M4: not tested"
    strict = read(*cells, rules=Rules(borderline="strict")).vector["M"]
    assert (strict.level, names(strict), strict.other_policy_level) == (2, ["Provisional"], 3)


def test_worked_example_2_comes_out_as_printed() -> None:
    """14 of 20 under Moderate, 3 of 20 labels disputed by one evaluator: D = 3, Provisional."""
    cells = [*lower("D", 3), Cell("D4", 14, 20, family="allocation", regime=MODERATE)]
    first = 300
    # Disagreement on three failures: they stay failures, and 17 of 20 agree.
    ratings = rated(
        *(
            Rating(rater, "success", str(first + n), "yes" if n < 14 or (rater == "b" and n < 17) else "no")
            for rater in "ab"
            for n in range(20)
        )
    )
    for policy in ("worked", "strict"):
        found = read(*cells, rules=Rules(borderline=policy), ratings=ratings).vector["D"]
        assert (found.level, names(found)) == (3, ["Provisional"])
        assert found.reasons[-1].startswith("D4: 14/20 under moderate-standard, needs 70 %")
    assert "a lower bound that clears it" in found.reasons[-1]


def test_levels_are_cumulative_and_what_is_met_above_a_gap_is_shown() -> None:
    found = read(Cell("S1", 100, 100), Cell("S2", 10, 100, family="b"), Cell("S3", 100, 100, family="c")).vector["S"]
    assert (found.level, found.uncredited) == (1, (3,))
    assert any("not credited" in reason for reason in found.reasons)


def test_every_level_says_how_it_stands() -> None:
    cells = [
        Cell("S1", 100, 100),
        Cell("S2", 10, 100, family="b"),
        Cell("S3", 100, 100, family="c"),
        Cell("S4", 5, 5, family="c", regime=MODERATE),
    ]
    reading = read(*cells)
    found = reading.vector["S"]
    assert found.statuses == ("met", "not met", "met, not credited", "too little evidence", "not tested")
    assert tuple(level.status for level in found.levels) == found.statuses
    assert found.levels[2].met, "its own criteria hold"
    assert reading.vector["M"].statuses == ("not tested",) * 5


def test_the_credited_and_the_next_level_stand_side_by_side() -> None:
    found = read(Cell("S1", 90, 100), Cell("S2", 30, 100, family="b")).vector["S"]
    assert found.credited is not None and found.next is not None
    assert (found.credited.cell, found.credited.status) == ("S1", "met")
    assert (found.next.cell, found.next.status) == ("S2", "not met")
    assert found.credited.criterion is not None and found.next.criterion is not None
    assert (found.credited.criterion.value, found.credited.criterion.what) == (0.9, "rate under baseline")
    assert (found.next.criterion.value, found.next.criterion.needs) == (0.3, 0.7)
    nothing = read(Cell("S1", 30, 100)).vector["S"]
    assert nothing.credited is None
    assert nothing.next is not None
    assert nothing.next.cell == "S1"
    untested = read(Cell("S1", 90, 100)).vector["S"].next
    assert untested is not None
    assert (untested.status, untested.criterion) == ("not tested", None)


def test_what_a_cap_takes_away_is_met_and_not_credited() -> None:
    cells = [Cell(f"E{n}", 100, 100, family=f"e{n}", regime=MODERATE if n > 2 else "baseline") for n in (1, 2, 3, 4)]
    bounded = read(*cells, boundary=Boundary(kind=BoundaryKind.CORE)).vector["E"]
    assert bounded.level == 3
    assert bounded.statuses == ("met", "met", "met", "met, not credited", "not tested")
    assert bounded.next is not None
    assert (bounded.next.cell, bounded.next.status) == ("E4", "met, not credited")


def test_an_invalid_dimension_credits_nothing() -> None:
    reading = read(Cell("S1", 100, 100), boundary=Boundary(kind=BoundaryKind.EXTENDED))
    assert reading.vector["S"].statuses[0] == "met, not credited"
    assert reading.vector["S"].credited is None


def test_the_levels_of_g_stand_in_its_parts() -> None:
    cells = [Cell(f"{part}-{n}", 100, 100, family=f"{part}{n}".lower()) for part in ("G1", "G2") for n in (1, 2)]
    found = read(*cells).vector["G"]
    assert (found.level, found.statuses) == (1, ("met", *("not tested",) * 4)), "G3 was not tested"
    whole = read(*cells, *(Cell(f"G3-{n}", 50, 100, family=f"g3{n}") for n in (1, 2))).vector["G"]
    assert whole.statuses == ("met", *("not met",) * 4)
    assert whole.parts["G1"].statuses[:3] == ("met", "met", "not tested")


def test_a_family_that_carries_a_named_pair_needs_units_of_its_own() -> None:
    cells = [
        *(Cell(f"E{n}", 100, 100, family=f"e{n}", regime=MODERATE if n > 2 else "baseline") for n in (1, 2, 3, 4)),
        Cell("E5", 99, 99, family="a", regime=SEVERE),
        Cell("E5", 1, 1, family="b", regime=SEVERE),
    ]
    found = read(*cells).vector["E"]
    assert (found.level, names(found)) == (4, ["Provisional"])
    assert "too close or too few to say: b@1.0 (1/1)" in found.flags[0].reason


def test_under_the_profile_paper_the_highest_level_met_counts() -> None:
    cells = [Cell("S1", 100, 100), Cell("S2", 10, 100, family="b"), Cell("S3", 100, 100, family="c")]
    found = read(*cells, rules=Rules(profile="paper")).vector["S"]
    assert (found.level, found.uncredited) == (3, ())
    assert found.reasons[-1] == "S4: not tested"


@pytest.mark.parametrize(("k", "level"), [(69, 0), (39, 0), (50, 0), (80, 1)])
def test_between_forty_and_seventy_percent_the_level_is_zero(k: int, level: int) -> None:
    assert read(Cell("S1", k, 100)).vector["S"].level == level


def test_what_was_not_tested_is_not_zero() -> None:
    reading = read(Cell("S1", 100, 100))
    assert reading.vector["M"].level is None
    assert reading.vector["M"].reasons == ("not tested: the run has no such cells",)
    assert reading.reporting_tuple["scores"]["M"] is None
    gap = read(Cell("S2", 100, 100)).vector["S"]
    assert gap.level is None, "without the first level nothing can be credited, and zero would be a claim"


def test_nothing_of_the_vector_in_the_suite_is_not_measured() -> None:
    reading = read(Cell("X1", 1, 1))
    assert not reading.measured
    assert reading.vector == {}


def test_minimum_families_stop_at_the_level_that_has_them() -> None:
    cells = [Cell(f"S{level}", 100, 100, family="one") for level in (1, 2, 3)]
    found = read(*cells).vector["S"]
    assert (found.level, names(found)) == (2, ["Provisional"])
    assert "1 family over the dimension, needs 2" in found.flags[0].reason


def test_a_provisional_says_how_many_units_would_settle_it() -> None:
    found = read(Cell("S1", 73, 100)).vector["S"]
    assert (found.level, names(found)) == (0, ["Provisional"])
    settles = found.levels[0].settles_at
    assert settles is not None
    assert 700 < settles < 1200
    assert f"About {settles} units" in found.moves


def test_clustered_templates_make_a_level_provisional() -> None:
    uneven = [Cell("S1", 20, 20, changes={"template": template}) for template in ("a", "b", "c", "d")] + [
        Cell("S1", 0, 20, changes={"template": "e"})
    ]
    found = read(*uneven).vector["S"]
    assert (found.level, names(found)) == (1, ["Provisional"])
    assert "clustering by template" in found.flags[0].reason


def test_undeclared_tools_and_memory_bound_e_and_l() -> None:
    cells = [
        Cell("E1", 100, 100, family="a"),
        Cell("E2", 100, 100, family="b"),
        Cell("E3", 100, 100, family="c", regime=MODERATE),
        Cell("E4", 100, 100, family="d", regime=MODERATE),
    ]
    assert read(*cells).vector["E"].level == 4
    bounded = read(*cells, boundary=Boundary(kind=BoundaryKind.CORE)).vector["E"]
    assert bounded.level == 3
    assert "bounded at 3: the system's tools are not declared" in bounded.reasons[-1]


def test_an_outcome_without_artifact_bounds_e_at_two() -> None:
    cells = [
        Cell("E1", 100, 100, family="a"),
        Cell("E2", 100, 100, family="b"),
        Cell("E3", 100, 100, family="c", regime=MODERATE),
        Cell("E3", 0, 1, family="c", regime=MODERATE, changes={"artifact_ok": False, "reason": "missing_artifact"}),
    ]
    found = read(*cells).vector["E"]
    assert found.level == 2
    assert "1 credited outcomes left no verified artifact" in found.reasons[-1]


def test_too_many_broken_verifications_are_invalid() -> None:
    broken = Cell("S1", 0, 31, changes={"outcome": "infrastructure", "reason": "verifier"})
    found = read(Cell("S1", 69, 69), broken, Cell("M1", 100, 100)).vector
    assert (found["S"].level, names(found["S"])) == (
        None,
        ["Invalid (Verification Infrastructure)", "Provisional"],
    )
    assert found["M"].level == 1, "what was measured of the rest stands"


def test_success_rules_touched_afterwards_are_invalid() -> None:
    found = read(Cell("S1", 79, 79), Cell("S1", 0, 21, changes={"outcome": "invalid"})).vector["S"]
    assert names(found) == ["Invalid (Post-Hoc Criteria)"]
    assert read(Cell("S1", 80, 80), Cell("S1", 0, 20, changes={"outcome": "invalid"})).vector["S"].level == 1


def test_undeclared_fields_that_carry_a_success_are_invalid() -> None:
    found = read(Cell("S1", 99, 99), Cell("S1", 1, 1, changes={"undeclared": 1})).vector["S"]
    assert names(found) == ["Invalid (Schema)"]
    failed = Cell("S1", 0, 9, changes={"undeclared": 1})
    assert read(Cell("S1", 91, 91), failed).vector["S"].level == 1, "at most a tenth, and nothing rests on it"
    many = Cell("S1", 0, 11, changes={"undeclared": 1})
    assert names(read(Cell("S1", 89, 89), many).vector["S"]) == ["Invalid (Schema)"]


def test_an_action_schema_that_omits_a_used_tool_is_invalid() -> None:
    found = read(Cell("S1", 100, 100), system={"action_schema": {"other": {}}}).vector["S"]
    assert names(found) == ["Invalid (Schema)"]
    assert read(Cell("S1", 100, 100), system={"action_schema": {"look": {}}}).vector["S"].level == 1


def test_leaving_out_a_family_of_a_counted_cell_is_selective_disclosure() -> None:
    left = {"family": "hard", "n": 1, "cell": "S1"}
    found = read(Cell("S1", 100, 100), only=("fam",), extra_entries=(left,))
    assert names(found.vector["S"]) == ["Invalid (Selective Disclosure)"]
    assert "hard (S1)" in found.vector["S"].flags[0].reason
    elsewhere = {"family": "hard", "n": 1, "cell": "M1"}
    fine = read(Cell("S1", 100, 100), only=("fam",), extra_entries=(elsewhere,))
    assert fine.vector["S"].level == 1
    assert [flag.name for flag in fine.flags] == ["Limited Comparability (part of the suite)"]


def test_an_extended_boundary_needs_a_human_policy() -> None:
    reading = read(Cell("S1", 100, 100), boundary=Boundary(kind=BoundaryKind.EXTENDED))
    assert reading.vector["S"].level is None
    assert reading.reporting_tuple["flags"] == "[Flags: Invalid (Missing Inputs)]"
    policy = HumanPolicy(allowed=False)
    declared = read(Cell("S1", 100, 100), boundary=Boundary(kind=BoundaryKind.EXTENDED, human_policy=policy))
    assert declared.vector["S"].level == 1


def test_an_adjusted_threshold_counts_and_is_named() -> None:
    adjusted = {"fam": Adjusted(threshold=0.6, justification="labels of this family are noisy by design")}
    rules = Rules(adjusted=adjusted)
    reading = read(Cell("S1", 72, 100), rules=rules)
    assert reading.vector["S"].level == 1
    assert reading.reporting_tuple["flags"] == "[Flags: Limited Comparability (adjusted threshold)]"
    assert "noisy by design" in reading.flags[0].reason
    pooled = read(Cell("S1", 66, 100), Cell("S1", 66, 100, family="b"), rules=rules).vector["S"]
    assert pooled.levels[0].rates[0].threshold == pytest.approx(0.65)


def test_the_tuple_has_everything_and_the_line_says_it() -> None:
    reading = read(Cell("S1", 73, 100), Cell("M1", 100, 100))
    made = reading.reporting_tuple
    assert made["version"] == "v.10"
    assert made.keys() >= {"boundary", "families", "regimes", "observation_schema", "action_schema", "scores", "flags"}
    assert made["flags"] == "[Flags: S=Provisional]"
    assert reading.text == (
        "(Framework v.10, Core Boundary, [fam@1.0], baseline, A = [0, 1, –, –, –, –, –], [Flags: S=Provisional])"
    )
    assert read(Cell("S1", 100, 100)).reporting_tuple["flags"] == "[Flags: None]"


def test_the_reading_is_plain_json_with_the_promised_keys() -> None:
    data = msgspec.json.decode(msgspec.json.encode(read(Cell("S1", 61, 100))))
    found = data["vector"]["S"]
    assert found.keys() >= {"level", "flags", "n", "families", "credited", "next", "reasons", "other_policy_level"}
    assert found["pooled_over_levels"]["baseline"]["k"] == 61
    assert found["reasons"] == ["S1: 61/100 under baseline, needs 70 %; fails most on wrong_field"]
    assert data["tuple"]["scores"]["S"] == 0
    assert data["expected_false_promotions"] > 0


def test_an_incomplete_run_is_provisional() -> None:
    assert [flag.reason for flag in read(Cell("S1", 100, 100), complete=False).flags] == ["the run is not complete"]


@pytest.mark.parametrize("rates", [{}, {"threshold": 0.59}, {"threshold": 0.81}])
def test_thresholds_outside_their_range_are_refused(rates: dict[str, float]) -> None:
    if rates:
        with pytest.raises(ValueError, match="threshold"):
            Rules(**rates)
    with pytest.raises(ValueError, match="justification"):
        Adjusted(threshold=0.6, justification="why not")
