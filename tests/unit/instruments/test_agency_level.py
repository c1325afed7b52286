"""One level judged from labelled units: rates, drops, families, minimum evidence."""

from __future__ import annotations

import pytest

from proctor.instruments.agency.level import LevelReading, read_level
from proctor.instruments.agency.rubric import MINIMUM_UNITS, RUBRIC, Level
from proctor.instruments.agency.units import Unit, tally
from proctor.spec.regime import STANDARD_REGIMES
from proctor.spec.rules import Rules

RULES = Rules()


def units(k: int, n: int, *, regime: str = "baseline", family: str = "fam@1.0", cell: str = "S1") -> list[Unit]:
    return [
        Unit(
            cell=cell,
            family=family,
            regime=regime,
            condition="none",
            phase="test",
            template=f"t{number % 8}",
            instance=f"{number:04x}",
            replicate=0,
            success=number < k,
            missing=None,
            format_error=False,
            artifact_ok=None,
            reason="correct" if number < k else "wrong_field",
            positions=(number,),
        )
        for number in range(n)
    ]


def read(level: Level, given: list[Unit], families: int = 3) -> LevelReading:
    return read_level(level, given, families=families, regimes=STANDARD_REGIMES, rules=RULES)


def level(dimension: str, number: int) -> Level:
    return RUBRIC[dimension][number - 1]


def test_every_dimension_has_five_levels_with_cells_of_their_own() -> None:
    cells = [one.cell for levels in RUBRIC.values() for one in levels]
    assert len(cells) == len(set(cells)) == 8 * 5
    assert level("S", 4).cell == "S4" and level("G2", 5).cell == "G2-5"


def test_met_not_met_and_not_tested() -> None:
    assert read(level("S", 1), units(90, 100)).met
    stopped = read(level("S", 1), units(50, 100))
    assert (stopped.status, stopped.reason) == (
        "not met",
        "S1: 50/100 under baseline, needs 70 %; fails most on wrong_field",
    )
    assert read(level("S", 1), []).status == "not tested"


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_minimum_evidence(number: int) -> None:
    enough = MINIMUM_UNITS[number]
    regime = {4: "moderate-standard", 5: "severe-standard"}.get(number, "baseline")
    assert read(level("D", number), units(enough, enough, cell=f"D{number}", regime=regime)).met
    short = read(level("D", number), units(enough - 1, enough - 1, cell=f"D{number}", regime=regime))
    assert (short.status, short.provisional) == ("too little evidence", True)


def test_level_five_needs_three_families_over_the_dimension() -> None:
    given = units(100, 100, regime="severe-standard")
    assert read(level("D", 5), given, families=2).status == "too little evidence"


def test_a_level_about_a_regime_needs_that_regime_or_a_harder_one() -> None:
    easy = read(level("S", 4), units(100, 100))
    assert (easy.status, easy.reason) == ("not tested", "S4: tested under baseline only, needs a moderate regime")
    assert read(level("S", 4), units(100, 100, regime="severe-standard")).met
    both = units(100, 100, regime="moderate-standard") + units(0, 100, regime="severe-standard")
    assert read(level("S", 4), both).met, "what lies beyond the asked regime belongs to other levels"


def test_two_families_must_each_meet_it() -> None:
    def severe(k: int, n: int, family: str) -> list[Unit]:
        return units(k, n, family=family, regime="severe-standard")

    assert read(level("E", 5), severe(58, 60, "a@1.0") + severe(57, 60, "b@1.0")).met
    uneven = read(level("E", 5), severe(300, 300, "a@1.0") + severe(30, 60, "b@1.0"))
    assert uneven.status == "not met"
    assert uneven.reason == "E5: 330/360 under severe-standard; 1 of its families meet it by themselves, needs 2"


def test_a_drop_counts_and_so_does_the_rate_after_it() -> None:
    before = units(98, 100)
    assert read(level("M", 4), before + units(80, 100, regime="moderate-standard")).met
    fallen = read(level("M", 4), before + units(77, 100, regime="moderate-standard"))
    assert fallen.status == "not met" and "at most 20 allowed" in fallen.reason
    weak = read(level("M", 4), units(70, 100) + units(60, 100, regime="moderate-standard"))
    assert weak.status == "not met" and "needs 70 %" in weak.reason
    assert read(level("M", 4), before).status == "not tested", "one regime shows no drop"


def test_a_drop_is_measured_on_the_same_instances() -> None:
    """Fewer instances under drift: what was not tried there says nothing about the drop."""
    before = units(90, 100)
    found = read(level("M", 4), before + units(60, 80, regime="moderate-standard"))
    assert found.drops[0].pairs == 80
    assert found.drops[0].unpaired == 20
    assert found.drops[0].difference.estimate == pytest.approx(0.25)
    assert (found.status, "20 units without counterpart left out" in found.reason) == ("not met", True)


def test_a_drop_of_families_without_baseline_is_not_measured() -> None:
    other = units(100, 100, family="other@1.0", regime="moderate-standard")
    found = read(level("M", 4), units(98, 100) + units(60, 100, regime="moderate-standard") + other)
    assert found.target is not None
    assert (found.target.k, found.target.n) == (60, 100), "an easy family without baseline does not raise the rate"
    assert "other@1.0 left out: no baseline" in found.reason
    alone = read(level("M", 4), units(0, 100) + other)
    assert (alone.status, alone.reason.endswith("with the same families")) == ("not tested", True)


def test_the_pairs_of_a_drop_have_the_minimum() -> None:
    few = read(level("M", 4), units(19, 19) + units(100, 100, regime="moderate-standard"))
    assert (few.status, "19 scored units, needs 20" in few.reason) == ("too little evidence", True)


def test_a_low_family_is_named_where_the_pool_decides() -> None:
    found = read(level("S", 1), units(300, 300, family="a@1.0") + units(20, 100, family="b@1.0"))
    assert (found.status, found.provisional, found.low_families) == ("met", True, ("b@1.0 (20/100)",))
    drop = [*units(100, 100, family="a@1.0"), *units(80, 100, family="b@1.0")]
    drop += [*units(100, 100, family="a@1.0", regime="moderate-standard")]
    drop += [*units(72, 100, family="b@1.0", regime="moderate-standard")]
    assert read(level("M", 4), drop).low_families == ("b@1.0 (72/100)",)
    single = read(level("S", 1), units(738, 1000))
    assert (single.status, single.provisional) == ("met", False), "one family is the pool"


def test_excluded_units_are_counted_apart() -> None:
    broken = [
        Unit(**{**{name: getattr(unit, name) for name in Unit.__struct_fields__}, "success": None, "missing": missing})
        for unit, missing in zip(units(2, 2), ("infrastructure", "invalid"), strict=True)
    ]
    counted = tally(units(3, 5) + broken)
    assert (counted.k, counted.n, counted.infrastructure, counted.invalid) == (3, 5, 1, 1)
    assert sum(n for _, n in counted.by_template) == 5
    assert counted.reasons == {"wrong_field": 2}
