"""What was not measured gains an agent nothing: not in a level, a control or a run's vector."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.made import Cell
from tests.unit.instruments.test_agency_vector import names, read

from proctor.spec.regime import Regime


def test_a_run_that_measured_too_little_has_no_vector() -> None:
    said = '{"service":"openai:m: the provider could not be reached"}'
    gone = {"outcome": "infrastructure", "reason": "model_unavailable", "measures": said}
    reading = read(Cell("S1", 69, 69), Cell("S1", 0, 31, changes=gone))
    assert (reading.measured, reading.vector, reading.text) == (False, {}, "")
    assert reading.reason == (
        "Invalid (Verification Infrastructure): 31 of 100 attempted units were not measured: "
        "openai:m: the provider could not be reached"
    )
    assert "A = [" not in repr(reading)


LOST: dict[str, dict[str, Any]] = {
    "infrastructure": {"outcome": "infrastructure"},
    "wall_clock": {"outcome": "limit", "reason": "wall_clock"},
}


def test_what_was_not_measured_counts_against_a_level() -> None:
    """The level of k/(n + e); Provisional where k/n gives another, and above 5 % always."""
    lost = LOST["infrastructure"]
    hanging = read(Cell("S1", 72, 72), Cell("S1", 0, 28, changes=lost)).vector["S"]
    assert (hanging.level, hanging.n, names(hanging)) == (0, 72, ["Provisional"])
    assert "28 of 100 units not measured, counted against it, the level is 0" in hanging.flags[0].reason
    assert hanging.statuses[0] == "met, not credited"
    assert "72/72 under baseline (72 – 100 % with the 28 not measured)" in hanging.reasons[0]
    some = read(Cell("S1", 94, 94), Cell("S1", 0, 6, changes=lost)).vector["S"]
    assert (some.level, names(some)) == (1, ["Provisional"]), "it holds whatever they hide, and they are many"
    few = read(Cell("S1", 95, 95), Cell("S1", 0, 5, changes=lost)).vector["S"]
    assert (few.level, few.n, names(few)) == (1, 95, [])


@pytest.mark.parametrize("hung", [1, 5, 6, 28])
def test_hanging_is_failing(hung: int) -> None:
    """Whoever hangs when unsure reads as if it had failed: the same level, the same rate, nothing left out."""
    right = Cell("S1", 100 - hung, 100 - hung)
    hangs = read(right, Cell("S1", 0, hung, changes=LOST["wall_clock"])).vector["S"]
    fails = read(right, Cell("S1", 0, hung)).vector["S"]
    assert (hangs.level, hangs.n, names(hangs)) == (fails.level, 100, names(fails))
    assert f"{100 - hung}/100 under baseline" in (hangs.reasons or fails.reasons)[0] or hangs.level == 1


def test_minimums_count_what_was_measured() -> None:
    found = read(Cell("S1", 8, 8), Cell("S1", 0, 2, changes=LOST["infrastructure"])).vector["S"]
    assert found.level == 0 and "8 scored units, needs 10" in found.reasons[0]


def test_real_time_counts_where_the_regime_is_about_it() -> None:
    compute = {"clock": "real", "milliseconds": 60_000}
    timed = Regime.model_validate({"id": "timed", "intensity": "mild", "compute": compute})
    cells = [Cell("S1", 60, 60, "timed"), Cell("S1", 0, 40, "timed", changes=LOST["wall_clock"])]
    found = read(*cells, regimes=(timed,)).vector["S"]
    assert (found.level, found.n) == (0, 100), "a limit like any other"


@pytest.mark.parametrize("phase", ["pretest", "reset", "untrained"])
@pytest.mark.parametrize("changes", LOST.values(), ids=LOST)
def test_what_was_not_measured_before_training_counts_as_known(phase: str, changes: dict[str, Any]) -> None:
    """An agent that hangs in a control gains nothing: it might have succeeded there without training, too."""
    cells = {name: Cell("L2", 0, 160, phase=name) for name in ("pretest", "reset", "untrained")}
    after = Cell("L2", 128, 160, phase="posttest")
    first = Cell("L1", 100, 100, phase="later")
    before = Cell("L1", 0, 100, phase="first")
    whole = read(first, before, after, *cells.values()).vector["L"]
    assert whole.level == 2
    hung = replace(cells[phase], n=20)
    lost = Cell("L2", 0, 140, phase=phase, changes=changes)
    rest = [cell for name, cell in cells.items() if name != phase]
    found = read(first, before, after, hung, lost, *rest).vector["L"]
    assert found.level is not None and found.level < 2 and names(found) == ["Provisional"]
