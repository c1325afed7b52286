"""The rates instrument: denominators follow the outcomes, and missing is never zero."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.engine.small import frozen, run_small

from proctor.evidence.evidence import Evidence, evidence_of
from proctor.evidence.row import Arm, Row
from proctor.evidence.store.store import Store
from proctor.instruments.rates import instrument
from proctor.reports.sections.rates.text import rates_text
from proctor.spec.rules import Rules
from proctor.stats.intervals import proportion

ARMS = (
    Arm(0, 0, "small@1.0", "baseline", "none", None, "main"),
    Arm(1, 0, "small@1.0", "mild", "none", "S1", "main"),
    Arm(2, 0, "small@1.0", "mild", "lesion", None, "main"),
)


def row(position: int, arm: int, outcome: str, reason: str = "r") -> Row:
    where = (position, position, arm, position, 0, "t", f"{position:016x}", "test", 0)
    return Row(*where, outcome, reason, False, None, 0, 0, 0, None, None, None, None, None, None, b"", 0, 1, None)


def evidence(rows: list[Row], *, complete: bool = True) -> Evidence:
    made = frozen({"regimes": ["baseline", "mild"]})
    return Evidence("run", "ab" * 32, made.config_hash, complete, made, ARMS, tuple(rows))


def outcomes(arm: int = 0, **counts: int) -> list[Row]:
    listed = [name for name, count in counts.items() for _ in range(count)]
    return [row(1_000 * arm + n, arm, name) for n, name in enumerate(listed)]


def test_failures_and_limits_count_and_broken_episodes_do_not() -> None:
    reading = instrument.read(evidence(outcomes(success=6, failure=3, limit=1, infrastructure=2, invalid=1)), Rules())
    (value,) = reading.values
    assert (value.successes, value.estimate.n, value.estimate.missing) == (6, 10, 3)
    assert value.estimate.estimate == pytest.approx(0.6)
    expected = proportion(6, 10, method="wilson", confidence=0.95, missing=3)
    assert value.estimate == expected
    assert value.reasons == {"failure: r": 3, "infrastructure: r": 2, "limit: r": 1, "invalid: r": 1}


def test_a_pair_is_one_unit_and_needs_both_halves() -> None:
    def half(unit: int, part: int, outcome: str) -> Row:
        return replace(row(2 * unit + part, 0, outcome), unit=2 * unit, part=part)

    halves = [half(0, 0, "success"), half(0, 1, "success"), half(1, 0, "success"), half(1, 1, "failure")]
    halves += [half(2, 0, "success"), half(2, 1, "infrastructure")]
    (value,) = instrument.read(evidence(halves), Rules()).values
    assert (value.successes, value.estimate.n, value.estimate.missing) == (1, 2, 1)


def test_replicates_do_not_make_the_sample_larger_than_it_is() -> None:
    same = [
        replace(row(10 * number + again, 0, "success" if number % 2 else "failure"), instance=f"{number:016x}")
        for number in range(10)
        for again in range(10)
    ]
    (value,) = instrument.read(evidence(same), Rules()).values
    plain = proportion(50, 100)
    assert value.estimate.low is not None and plain.low is not None
    assert value.estimate.low < plain.low - 0.1, "ten instances, not a hundred"


def test_phases_are_not_pooled() -> None:
    rows = outcomes(success=3) + [replace(row(50 + n, 0, "failure"), phase="posttest") for n in range(2)]
    values = instrument.read(evidence(rows), Rules()).values
    assert [(value.where["phase"], value.successes, value.estimate.n) for value in values] == [
        ("posttest", 0, 2),
        ("test", 3, 3),
    ]


def test_nothing_scored_is_not_measured_and_never_zero() -> None:
    reading = instrument.read(evidence(outcomes(infrastructure=5)), Rules())
    assert not reading.measured
    assert reading.reason == "no episode could be scored: infrastructure: r"
    (value,) = reading.values
    assert (value.estimate.estimate, value.estimate.low, value.estimate.high) == (None, None, None)
    assert value.estimate.missing == 5
    empty = instrument.read(evidence([]), Rules())
    assert (empty.measured, empty.values) == (False, ())


@pytest.mark.parametrize(("broken", "flagged"), [(3, False), (4, True)])
def test_too_many_broken_episodes_are_flagged(broken: int, flagged: bool) -> None:
    """At the cut-off of 30 %: 3 of 10 are bearable, 4 of 10 are not."""
    reading = instrument.read(evidence(outcomes(success=10 - broken, infrastructure=broken)), Rules())
    (flag,) = reading.values[0].flags
    assert flag.name == ("Invalid (Verification Infrastructure)" if flagged else "Provisional")
    assert flag.reason == f"{broken} of 10 units were not measured"


@pytest.mark.parametrize(("broken", "names"), [(0, []), (5, []), (6, ["Provisional"])])
def test_above_five_percent_a_rate_is_provisional(broken: int, names: list[str]) -> None:
    reading = instrument.read(evidence(outcomes(success=100 - broken, infrastructure=broken)), Rules())
    (value,) = reading.values
    assert [flag.name for flag in value.flags] == names
    assert (value.band is None) == (not broken)
    assert f"with the {broken} not measured" in rates_text(reading.values) or not broken


def test_what_real_time_ended_counts_as_a_limit() -> None:
    """Otherwise an agent that hangs when it is unsure would choose what counts."""
    rows = [replace(one, reason="wall_clock") for one in outcomes(limit=2)]
    rows += [replace(row(50 + number, 0, "success")) for number in range(8)]
    (value,) = instrument.read(evidence(rows), Rules()).values
    assert (value.successes, value.estimate.n, value.estimate.missing) == (8, 10, 0)
    assert value.reasons == {"limit: wall_clock": 2}


def test_every_arm_has_a_rate_of_its_own_and_says_what_it_was_measured_on() -> None:
    rows = outcomes(0, success=2) + outcomes(1, failure=3) + outcomes(2, success=1, failure=1)
    reading = instrument.read(evidence(rows), Rules())
    assert [value.estimate.estimate for value in reading.values] == [1.0, 0.0, 0.5]
    assert [value.where for value in reading.values] == [
        {"family": "small@1.0", "regime": "baseline", "condition": "none"},
        {"family": "small@1.0", "regime": "mild", "condition": "none", "cell": "S1"},
        {"family": "small@1.0", "regime": "mild", "condition": "lesion"},
    ]


@pytest.mark.parametrize("interval", ["wilson", "agresti_coull", "exact"])
def test_the_rules_decide_the_interval(interval: Any) -> None:
    rules = Rules(interval=interval, confidence=0.9)
    (value,) = instrument.read(evidence(outcomes(success=8, failure=2)), rules).values
    assert value.estimate == proportion(8, 10, method=interval, confidence=0.9)


def test_a_reading_states_its_conditions() -> None:
    reading = instrument.read(evidence(outcomes(success=1)), Rules(confidence=0.9))
    conditions = reading.conditions
    assert (conditions["suite"], conditions["agent"], conditions["boundary"]) == ("small@1.0", "oracle", "core")
    assert conditions["regimes"]["mild"]["stability"] == {"noise": {"share": 0.05}}
    assert conditions["rules"] == {"confidence": 0.9, "profile": "default"}
    assert reading.flags == ()


def test_an_incomplete_run_is_provisional() -> None:
    (flag,) = instrument.read(evidence(outcomes(success=1), complete=False), Rules()).flags
    assert flag.name == "Provisional"


def test_order_of_rows_plays_no_part() -> None:
    rows = outcomes(0, success=3, failure=2) + outcomes(1, success=1, limit=4)
    assert instrument.read(evidence(rows), Rules()) == instrument.read(evidence(rows[::-1]), Rules())


def test_only_what_lies_before_the_cut_is_read(tmp_path: Path) -> None:
    entry = {"n": 100, "knobs": {"script": "break_some"}}
    result = run_small(tmp_path / "s.db", entry, rules={"max_infrastructure": 3})
    with Store(str(tmp_path / "s.db"), create=False) as store:
        assert store.count(1) > result.episodes, "more was lived than counts"
        seen = evidence_of(store, "latest")
    assert len(seen.rows) == result.episodes
    assert not seen.complete
    assert list(seen.of_arm(0)) == list(seen.rows)
    reading = instrument.read(seen, seen.frozen.rules)
    assert reading.values[0].estimate.missing == 3
    assert reading.values[0].estimate.n == result.outcomes["success"]


def test_a_flag_and_what_was_excluded_are_told_apart() -> None:
    reading = instrument.read(evidence(outcomes(success=2, infrastructure=12)), Rules())
    said = "Invalid (Verification Infrastructure); 14 – 100 % with the 12 not measured"
    assert rates_text(reading.values).splitlines()[-1].endswith(said)
    reading = instrument.read(evidence(outcomes(success=20, infrastructure=1)), Rules())
    assert rates_text(reading.values).splitlines()[-1].endswith("84 % – 100 %   95 – 100 % with the 1 not measured")
