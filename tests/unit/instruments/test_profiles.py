"""Efficiency, reliability curves and item analysis, on evidence made by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.instruments.made import Cell, evidence

from proctor.core.errors import InputError
from proctor.evidence.evidence import Evidence
from proctor.instruments.base import Reading
from proctor.instruments.efficiency import EfficiencyInstrument
from proctor.instruments.items import analyse
from proctor.instruments.reliability import ReliabilityInstrument
from proctor.reports.terminal import values_text
from proctor.spec.rules import Rules
from proctor.stats.estimate import Estimate


def by_name(reading: Reading) -> dict[str, Estimate]:
    return {value.name: value.estimate for value in reading.values}


def test_what_is_not_reported_is_missing_and_not_zero() -> None:
    given = evidence(Cell("S1", 5, 10, changes={"calls": 4, "retries": 1, "tokens": 100, "cost": "0.25"}))
    found = by_name(EfficiencyInstrument().read(given, Rules()))
    assert {name: estimate.estimate for name, estimate in found.items()} == {
        "actions per episode": 4,
        "retries per episode": 1,
        "tokens per episode": 100,
        "cost per episode": 0.25,
        "real milliseconds per episode": pytest.approx(0.01),
    }
    silent = by_name(EfficiencyInstrument().read(evidence(Cell("S1", 5, 10)), Rules()))
    assert (silent["tokens per episode"].estimate, silent["tokens per episode"].missing) == (None, 10)
    assert silent["cost per episode"].reason == "the agent reports no cost"


def test_what_a_curve_leaves_out_is_said_beside_it() -> None:
    given = evidence(
        Cell("S1", 5, 10, changes={"calls": 4}),
        Cell("S1", 5, 10, changes={"calls": 9}, first=10),
        Cell("S1", 0, 5, changes={"calls": 2, "outcome": "infrastructure", "reason": "host"}, first=20),
    )
    values = [value for value in ReliabilityInstrument().read(given, Rules()).values if "within 9" in value.name]
    assert values
    for value in values:
        assert (value.estimate.n, value.estimate.missing) == (20, 5)
        assert value.band is not None
        assert (value.band.low, value.band.high) == (10 / 25, 15 / 25)
        assert [flag.name for flag in value.flags] == ["Provisional"]


def test_pass_at_k_and_pass_all_k_over_replicates() -> None:
    given = evidence(Cell("S1", 0, 8))
    # Two instances taken four times each: one always solved, one half the time.
    rows = tuple(
        replace(
            row,
            instance=f"i{number // 4}",
            replicate=number % 4,
            outcome="success" if number < 4 or number % 2 else "failure",
        )
        for number, row in enumerate(given.rows)
    )
    found = by_name(ReliabilityInstrument().read(replace(given, rows=rows), Rules()))
    assert found["pass@1"].estimate == pytest.approx(0.75)
    assert found["pass^1"].estimate == pytest.approx(0.75)
    # Of the half-solved one, 5 of the 6 pairs hold a success and 1 of 6 holds two.
    assert found["pass@2"].estimate == pytest.approx((1 + 5 / 6) / 2)
    assert found["pass^2"].estimate == pytest.approx((1 + 1 / 6) / 2)
    assert found["pass^4"].estimate == pytest.approx(0.5)


def test_the_band_stands_beside_every_rate_on_the_terminal() -> None:
    given = evidence(Cell("S1", 0, 9))
    # Three instances; of the second one repeat is lost, of the third all are.
    rows = tuple(
        replace(
            row,
            instance=f"i{number // 3}",
            calls=1 + number % 2,
            outcome="infrastructure" if number >= 5 else "success" if number != 3 else "failure",
        )
        for number, row in enumerate(given.rows)
    )
    reading = ReliabilityInstrument().read(replace(given, rows=rows), Rules())
    bands = {value.name: value.band for value in reading.values}
    assert all(band is not None and band.excluded == 4 for band in bands.values())
    first = bands["pass^1"]
    assert first is not None
    assert first.low == pytest.approx((1 + 1 / 3) / 3)
    assert first.high == pytest.approx((1 + 2 / 3 + 1) / 3)
    lines = values_text("reliability", reading.values).splitlines()[1:]
    shown = [line for line in lines if "pass" in line or "success" in line]
    assert len(shown) == len(bands)
    assert all("% with the 4 not measured" in line for line in shown)


def test_success_grows_with_the_budget() -> None:
    cells = [Cell("S1", 10, 10, changes={"calls": calls}) for calls in (2, 5, 9)]
    found = by_name(ReliabilityInstrument().read(evidence(*cells), Rules()))
    assert [found[f"success within {n} actions"].estimate for n in (2, 5, 9)] == pytest.approx([1 / 3, 2 / 3, 1])
    assert not any("tokens" in name for name in found), "no tokens were reported"


def test_no_repeats_and_one_budget_give_no_curve() -> None:
    reading = ReliabilityInstrument().read(evidence(Cell("S1", 5, 10)), Rules())
    assert not reading.measured
    assert reading.reason == "no arm has repeated instances or episodes of different cost"


def test_items_tell_agents_apart_or_are_marked() -> None:
    def run(easy: int, good: int, flat: int) -> Evidence:
        return evidence(
            Cell("S1", easy, 40, family="easy"),
            Cell("S2", good, 40, family="good"),
            Cell("S3", flat, 40, family="flat"),
        )

    found = {group.family: group for group in analyse([run(40, 36, 20), run(40, 4, 18), run(39, 20, 21)])}
    assert found["easy@1.0"].mark == "all at the ceiling: does not discriminate"
    assert found["good@1.0"].mark == ""
    assert found["good@1.0"].discrimination == pytest.approx(0.8)
    assert found["flat@1.0"].mark == "does not discriminate"
    assert found["easy@1.0"].difficulty == pytest.approx(1 / 120)
    assert next(iter(found)) in ("good@1.0", "flat@1.0"), "hardest first"


def test_template_variance_is_beyond_sampling() -> None:
    uneven = [Cell("S1", 10 * (place > 3), 10, changes={"template": f"t{place}"}) for place in range(8)]
    found = analyse([evidence(*uneven)])[0]
    assert found.template_variance == pytest.approx(0.25)
    assert found.hardest_template == "t0"
    assert found.mark == "one run: discrimination not measured"
    even = analyse([evidence(*[Cell("S1", 5, 10, changes={"template": f"t{place}"}) for place in range(8)])])[0]
    assert even.template_variance == 0


def test_format_errors_are_counted_apart() -> None:
    found = analyse([evidence(Cell("S1", 5, 10), Cell("S1", 0, 10, changes={"format_error": True}))])[0]
    assert found.format_error_rate == pytest.approx(0.5)


def test_runs_of_different_suites_are_not_compared() -> None:
    one = evidence(Cell("S1", 5, 10))
    other = replace(
        one, frozen=one.frozen.model_copy(update={"suite": one.frozen.suite.model_copy(update={"name": "x"})})
    )
    with pytest.raises(InputError, match=r"made@1\.0, x@1\.0"):
        analyse([one, other])
