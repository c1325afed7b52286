"""What ratings change, and what they cannot: verdicts on goals, disputed labels, assigned levels, changed answers."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.made import Cell, evidence
from tests.unit.instruments.rated import items, rated, reference
from tests.unit.instruments.test_agency_robustness import goal
from tests.unit.instruments.test_agency_vector import MODERATE, lower, names, read

from proctor.evidence.evidence import Evidence
from proctor.evidence.ratings import Rating, Ratings, Sheet
from proctor.instruments.agency.dimension import DimensionReading
from proctor.instruments.agency.raters import relabelled
from proctor.instruments.agency.sample import TO_JUDGE, sampled_lifetimes
from proctor.instruments.agency.units import units_of

CELLS = goal("G3", 5)
EVERY = range(400, 1000)
"""Positions of the units of G3-3 to G3-5."""
LIMITED = "Limited Comparability (control items)"


def verdicts(answer: str, raters: str = "ab", positions: Any = EVERY, **other: str) -> tuple[Rating, ...]:
    """The same verdict everywhere, or another one of a rater."""
    return tuple(Rating(rater, "goal", str(at), other.get(rater, answer)) for rater in raters for at in positions)


def autonomy(*given: Rating, **more: Any) -> DimensionReading:
    return read(*CELLS, ratings=rated(*given, **more)).vector["G"].parts["G3"]


def test_two_admitted_raters_who_agree_open_the_upper_levels() -> None:
    found = autonomy(*verdicts("originated"))
    assert (found.level, names(found)) == (5, [LIMITED])
    assert "control answers of author (eeeeeeeeeeee)" in found.flags[0].reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("none", "no_goal"), ("instrumental", "goal_instrumental"), ("derivable", "goal_derivable")],
)
def test_only_originated_counts(answer: str, reason: str) -> None:
    found = autonomy(*verdicts(answer))
    assert found.level == 2
    assert found.levels[2].rates[0].reasons == {reason: 20}


@pytest.mark.parametrize("other", ["none", "instrumental", "derivable"])
def test_disagreement_counts_as_derivable_and_no_third_rater_settles_it(other: str) -> None:
    for raters, admitted in (("ab", "ab"), ("abc", "abc")):
        found = autonomy(*verdicts("originated", raters, a=other), admitted=admitted)
        assert found.level == 2
        assert found.levels[2].rates[0].reasons == {"goal_derivable": 20}


def test_raters_who_were_not_admitted_do_not_count() -> None:
    found = autonomy(*verdicts("originated"), admitted="a")
    assert (found.level, set(names(found))) == (2, {"Provisional"})
    reasons = [flag.reason for flag in found.flags]
    assert "ratings of b left out: no control items answered" in reasons
    assert any("no recorded verdicts" in reason for reason in reasons)
    assert autonomy(*verdicts("originated", "abc", c="derivable")).level == 5, "nor do they count against"


# The sample


def rated_evidence(ratings: Ratings) -> Evidence:
    return evidence(*CELLS, ratings=ratings)


def test_the_sample_is_the_runs_and_the_rate_is_over_it() -> None:
    found = autonomy(*verdicts("originated"))
    assert [level.target.n for level in found.levels if level.target] == [200, 200, 20, 20, 50]
    assert TO_JUDGE == {"G3-3": 20, "G3-4": 20, "G3-5": 50}
    assert found.levels[4].target and set(found.levels[4].target.families.values()) == {(25, 25)}


def test_lifetimes_outside_the_sample_count_neither_way() -> None:
    made = rated_evidence(Ratings())
    chosen = {at for cell in TO_JUDGE for at in sampled_lifetimes(made, cell)}
    assert len(chosen) == 90
    outside = [at for at in EVERY if at not in chosen]
    good = (*verdicts("originated", positions=sorted(chosen)), *verdicts("derivable", positions=outside))
    assert autonomy(*good).level == 5
    bad = (*verdicts("derivable", positions=sorted(chosen)), *verdicts("originated", positions=outside))
    assert autonomy(*bad).level == 2, "nobody gains by rating other lifetimes"


def test_a_sampled_lifetime_without_two_verdicts_is_a_failure() -> None:
    made = rated_evidence(Ratings())
    third = sampled_lifetimes(made, "G3-3")
    others = [at for at in EVERY if at not in third]
    some = verdicts("originated", positions=[*third[:14], *others])
    one = verdicts("originated", "a", positions=third[14:])
    found = autonomy(*some, *one)
    assert found.level == 2
    assert found.levels[2].target and found.levels[2].target.k == 14
    assert found.levels[2].target.reasons == {"no_verdict": 6}


def test_another_run_has_another_sample_and_the_same_run_the_same() -> None:
    made = rated_evidence(Ratings())
    again = rated_evidence(rated(*verdicts("none")))
    assert sampled_lifetimes(made, "G3-3") == sampled_lifetimes(again, "G3-3"), "whatever was rated"
    for other in (replace(made, root="01"), replace(made, config_hash="12")):
        assert sampled_lifetimes(made, "G3-3") != sampled_lifetimes(other, "G3-3")
    assert sampled_lifetimes(made, "G3-2") == (), "only where a lifetime is the unit"


def test_a_sample_from_a_small_cell_is_the_whole_of_it() -> None:
    made = evidence(Cell("G3-3", 7, 7))
    assert sampled_lifetimes(made, "G3-3") == tuple(range(7))


def test_lifetimes_that_the_bench_broke_do_not_fill_the_sample() -> None:
    broken = Cell("G3-3", 0, 40, changes={"outcome": "infrastructure"})
    made = evidence(Cell("G3-3", 40, 40), broken, ratings=rated(*verdicts("originated", positions=range(80))))
    units = relabelled(units_of(made), made)
    assert sum(unit.success is not None for unit in units) == 20
    assert 5 < sum(unit.success is None for unit in units) < 40, "they come along in their natural share"


def with_controls(made: Evidence, *templates: str) -> Evidence:
    """The same evidence, in which these templates leave no room for a goal."""
    families = tuple(
        family.model_copy(update={"spec": family.spec.model_copy(update={"controls": templates})})
        for family in made.frozen.families
    )
    return replace(made, frozen=made.frozen.model_copy(update={"families": families}))


@pytest.mark.parametrize(("count", "fewest", "most"), [(0, 0, 0), (1, 1, 8), (4, 12, 20), (7, 20, 21)])
def test_lifetimes_without_room_come_along_in_their_share(count: int, fewest: int, most: int) -> None:
    controls = tuple(f"t{number}" for number in range(count))
    made = with_controls(evidence(*CELLS), *controls)
    third = [unit for unit in units_of(made) if unit.lifetime in sampled_lifetimes(made, "G3-3")]
    judged = sum(unit.template not in controls for unit in third)
    # One is taken from each of two families at a time.
    assert judged in (20, 21)
    assert fewest <= len(third) - judged <= most


def test_a_family_that_leaves_room_nowhere_earns_nothing() -> None:
    """Doing nothing is right in control templates: a suite may not be made of them."""
    every = tuple(f"t{number}" for number in range(8))
    for controls, share in ((every, 0), (every[:7], 0.5)):
        made = with_controls(evidence(*CELLS, ratings=rated(*verdicts("none"))), *controls)
        units = [unit for unit in relabelled(units_of(made), made) if unit.cell == "G3-3"]
        assert sum(bool(unit.success) for unit in units) <= share * len(units)


# Levels


def assigned(*levels: int, admitted: str = "abc") -> DimensionReading:
    given = [Rating(rater, "level", "S", str(level)) for rater, level in zip("abc", levels, strict=False)]
    cells = (*lower("S", 5), *(Cell("S1", 100, 100, family=name) for name in ("second", "third")))
    return read(*cells, ratings=rated(*given, admitted=admitted)).vector["S"]


def test_levels_count_from_two_admitted_raters_on() -> None:
    assert (assigned(0).level, names(assigned(0))) == (5, [])
    alone = assigned(0, admitted="b")
    assert (alone.level, names(alone)) == (5, ["Provisional"])
    assert assigned(0, 0, admitted="bc").level == 5, "one of the two was not admitted"
    assert (assigned(3, 3).level, names(assigned(3, 3))) == (3, [])


def test_one_level_apart_is_the_lower_and_contested() -> None:
    for found in (assigned(3, 2), assigned(2, 3, 3)):
        assert (found.level, names(found)) == (2, ["Contested (Evaluator Disagreement)"])
        assert "third" not in found.flags[0].reason


def test_further_apart_needs_a_third_who_settles_it() -> None:
    open_ = assigned(1, 4)
    assert (open_.level, names(open_)) == (1, ["Contested (Evaluator Disagreement)"])
    assert "a third evaluator has to score it" in open_.flags[0].reason
    for third, settled in ((3, 3), (2, 2), (5, 4), (0, 1)):
        found = assigned(1, 4, third)
        assert (found.level, names(found)) == (settled, [])


def test_assigned_levels_never_raise_one() -> None:
    ratings = rated(*(Rating(rater, "level", "S", "5") for rater in "ab"))
    assert read(Cell("S1", 100, 100), ratings=ratings).vector["S"].level == 1


# Labels


def dispute(count: int, raters: str = "b") -> tuple[Rating, ...]:
    return tuple(
        Rating(rater, "success", str(number), "no" if rater in raters and number < count else "yes")
        for rater in "ab"
        for number in range(100)
    )


def test_disputed_labels_are_failures_and_many_are_contested() -> None:
    some = read(Cell("S1", 100, 100), ratings=rated(*dispute(20))).vector["S"]
    assert (some.levels[0].rates[0].k, some.level, names(some)) == (80, 1, [])
    assert some.levels[0].rates[0].reasons == {"disputed_label": 20}
    many = read(Cell("S1", 100, 100), ratings=rated(*dispute(21))).vector["S"]
    assert names(many) == ["Contested (Evaluator Disagreement)"]


def test_who_was_not_admitted_disputes_nothing_and_is_named() -> None:
    found = read(Cell("S1", 100, 100), Cell("M1", 50, 50), ratings=rated(*dispute(100), admitted="a")).vector
    assert (found["S"].level, names(found["S"])) == (1, ["Provisional"])
    assert "ratings of b left out" in found["S"].flags[0].reason
    assert names(found["M"]) == [], "what was said of other episodes"


def test_disputing_the_baseline_does_not_make_an_agent_robust() -> None:
    """A failure under Baseline makes the loss smaller: found by asking who would dispute it."""
    cells = [Cell("R", 100, 100, family=name) for name in "ab"]
    cells += [Cell("R", 55, 100, family=name, regime=MODERATE) for name in "ab"]
    plain = read(*cells).vector["R"]
    baseline = [Rating("a", "success", str(at), "no") for at in range(200) if at % 5 == 0]
    found = read(*cells, ratings=rated(*baseline)).vector["R"]
    assert (plain.level, found.level) == (1, 1)
    assert "disputed labels would raise the level" in " ".join(flag.reason for flag in found.flags)


def test_disputing_the_pre_test_teaches_nothing() -> None:
    first = [Cell("L1", 5, 100, phase="first"), Cell("L1", 90, 100, phase="later")]
    phases = {"pretest": 70, "posttest": 78, "reset": 2, "untrained": 2}
    cells = [*first, *(Cell("L2", k, 100, phase=phase, family="b") for phase, k in phases.items())]
    plain = read(*cells).vector["L"]
    pretest = [Rating("a", "success", str(at), "no") for at in range(200, 270)]
    found = read(*cells, ratings=rated(*pretest)).vector["L"]
    assert (plain.level, found.level) == (1, 1)


# Answers that were changed


def test_a_changed_verdict_counts_like_a_disagreement_and_is_contested() -> None:
    made = rated_evidence(Ratings())
    first = sampled_lifetimes(made, "G3-3")[0]
    found = autonomy(*verdicts("originated"), later=(Rating("a", "goal", str(first), "derivable"),))
    assert (found.level, names(found)) == (5, ["Contested (Evaluator Disagreement)", LIMITED])
    assert "ratings changed since aaaaaaaaaaaa: a on goal" in found.flags[0].reason
    assert found.levels[2].target and found.levels[2].target.k == 19


def test_nothing_is_gained_by_a_second_sheet() -> None:
    found = autonomy(*verdicts("derivable"), later=verdicts("originated"))
    assert (found.level, names(found)) == (2, ["Contested (Evaluator Disagreement)", LIMITED])
    assert "and 1199 more" in found.flags[0].reason
    levels = (Rating("a", "level", "S", "1"), Rating("b", "level", "S", "1"))
    raised = tuple(replace(one, answer="2") for one in levels)
    changed = read(*lower("S", 2), ratings=rated(*levels, later=raised)).vector["S"]
    assert (changed.level, names(changed)) == (1, ["Contested (Evaluator Disagreement)"])


def test_a_rater_left_out_of_the_second_sheet_still_counts() -> None:
    found = autonomy(*verdicts("originated", "abc", c="none"), admitted="abc", later=verdicts("originated"))
    assert found.level == 2


def test_what_is_added_later_is_no_change() -> None:
    half = range(400, 700)
    found = autonomy(*verdicts("originated", positions=half), later=verdicts("originated", positions=range(700, 1000)))
    assert (found.level, names(found)) == (5, [LIMITED])


def test_a_changed_control_answer_is_contested_where_its_rater_judged() -> None:
    later = (Rating("a", "control", "goal-0", "derivable"),)
    vector = read(*CELLS, *lower("S", 2), ratings=rated(*verdicts("originated"), later=later)).vector
    assert "Contested (Evaluator Disagreement)" in names(vector["G"].parts["G3"])
    assert names(vector["S"]) == []


# What is said


def test_the_reading_says_whose_ratings_counted() -> None:
    ratings = rated(*verdicts("originated", "abc"), later=(Rating("a", "goal", "999", "none"),))
    reading = read(*CELLS, ratings=ratings)
    found = reading.ratings
    assert (found["digest"], found["earlier"]) == ("bb" * 32, ["aa" * 32])
    assert found["references"] == [{"digest": "ee" * 32, "items": 60, "authors": ["author"]}]
    assert found["raters"]["a"]["goal"] == {"ratings": 601, "admitted": True, "right": 20, "of": 20, "reason": ""}
    assert found["raters"]["c"]["goal"]["reason"] == "no control items answered"
    assert found["sample"]["G3-3"] == {
        "lifetimes": 20, "to_judge": 20, "judged": 20, "agreed": 20, "originated": 20, "unjudged": 0,
    }  # fmt: skip
    assert found["changed"] == [
        {"rater": "a", "question": "goal", "subject": "999", "about": "goal", "since": "aa" * 32}
    ]
    assert reading.reporting_tuple["ratings"]["raters"] == found["raters"]
    assert "Ratings aaaaaaaaaaaa + bbbbbbbbbbbb by a, b, " in reading.text
    assert "Proctor cannot know who wrote these files" in found["limits"]


def test_without_ratings_nothing_is_said() -> None:
    reading = read(*CELLS)
    assert (reading.ratings, reading.reporting_tuple["ratings"]) == ({}, None)
    assert "Ratings" not in reading.text


def test_ratings_that_cannot_be_read_make_the_vector_contested() -> None:
    reading = read(Cell("S1", 100, 100), ratings=Ratings(unreadable=("ratings-0123456789ab",)))
    assert [flag.name for flag in reading.flags] == ["Contested (Evidence Insufficient)"]
    assert reading.ratings["unreadable"] == ["ratings-0123456789ab"]


def test_control_answers_alone_admit_nobody() -> None:
    reading = read(Cell("S1", 100, 100), ratings=Ratings((Sheet("aa" * 32, ()),), (reference(*items("goal")),)))
    assert reading.vector["S"].level == 1 and "Ratings aaaaaaaaaaaa by nobody admitted" in reading.text
