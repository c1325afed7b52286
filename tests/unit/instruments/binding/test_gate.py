"""The behaviour gate: its limits, at their edges, and what it says where nothing could be compared."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import read
from tests.unit.instruments.binding.test_scores import whole
from tests.unit.instruments.binding.twin_rows import perfect, twin_rows

from proctor.instruments.binding.criteria import Criterion
from proctor.instruments.binding.gate import behaviour_gate, needed
from proctor.instruments.binding.inference import infer
from proctor.spec.ontology import UNMAPPED

BOUND = "lower bound of the composite contrast"


def gate(given: list[dict[str, Any]], **contrasts: dict[str, float | None]) -> dict[str, Criterion]:
    inferences = {name: infer(name, units) for name, units in contrasts.items()}
    return {one.name: one for one in behaviour_gate(read(given).table, inferences).criteria}


def hundred(broken: int, **change: Any) -> list[dict[str, Any]]:
    """A hundred rows, of which so many are changed."""
    return [{"event": f"e{place}", **(change if place < broken else {})} for place in range(100)]


@pytest.mark.parametrize(("broken", "status"), [(0, "met"), (1, "met"), (2, "not met"), (3, "not met"), (6, "not met")])
@pytest.mark.parametrize(
    ("criterion", "change"),
    [("parse errors", {"parse": "not_json"}), ("unmapped actions", {"code": UNMAPPED, "how": "none"})],
)
def test_less_than_two_in_a_hundred_may_be_unreadable(
    broken: int, status: str, criterion: str, change: dict[str, Any]
) -> None:
    found = gate(hundred(broken, **change))[criterion]
    assert (found.status, found.k, found.n, found.limit) == (status, broken, 100, 0.02)


@pytest.mark.parametrize(("moved", "status"), [(14, "met"), (15, "not met"), (19, "not met")])
def test_less_than_fifteen_in_a_hundred_may_be_moved_by_a_cue(moved: int, status: str) -> None:
    given = [row for event in range(100) for row in whole(f"e{event}", ("irrelevant_cue",) if event < moved else ())]
    found = gate(given)["structured false positives"]
    assert (found.status, found.k, found.n) == (status, moved, 100)


def test_with_twins_what_differs_between_baselines_is_taken_off() -> None:
    def restless(row: dict[str, Any]) -> str:
        moved = row["role"] == "neutral" and row["event"].endswith("e0")
        return "DEFER" if moved else perfect(row)

    found = gate(twin_rows(restless, datasets=1))["structured false positives"]
    assert (found.value, found.k, found.n) == (0.25, 4, 16)
    assert found.reason == "of two baselines of an event 0 of 4 differ"
    once = gate(twin_rows(restless, datasets=1, replicates=1))["structured false positives"]
    assert (once.value, once.reason) == (0.25, "no two baselines")


def test_without_the_structured_condition_there_are_no_false_positives_to_count() -> None:
    found = gate([row | {"condition": "stochastic"} for row in whole("e1")])["structured false positives"]
    assert (found.status, found.value, found.n) == ("not measured", None, 0)


def test_contrasts_that_were_not_run_have_limits_and_no_value() -> None:
    found = gate(whole("e1"))
    positive = found["reason above its lesion"]
    assert (positive.status, positive.value, positive.limit) == ("not measured", None, 6)
    assert positive.rule == "positive in at least 6 of 7 datasets"
    assert positive.reason == "no-reason is not in this run"
    bound = found[BOUND]
    assert (bound.status, bound.value, bound.limit, bound.rule) == ("not measured", None, 0.0, "above 0")
    assert bound.reason == "no interval can be given over 0 datasets"


def test_a_condition_that_was_run_on_other_events_is_told_apart_from_one_that_was_not() -> None:
    given = [*whole("e1"), *(row | {"condition": "no-reason"} for row in whole("e2"))]
    found = gate(given, reason={"one": None})["reason above its lesion"]
    assert (found.status, found.value) == ("not measured", None)
    assert found.reason == "no dataset has all its probes under both Conditions"


@pytest.mark.parametrize(("above", "status"), [(7, "met"), (6, "met"), (5, "not met")])
def test_six_of_seven_datasets_have_to_be_positive(above: int, status: str) -> None:
    units: dict[str, float | None] = {f"d{place}": 0.5 if place < above else -0.5 for place in range(7)}
    found = gate(whole("e1"), veto=units)["veto above its lesion"]
    assert (found.status, found.value, found.limit, found.k, found.n) == (status, above, 6, above, 7)


@pytest.mark.parametrize(("units", "limit"), [(1, 1), (6, 6), (7, 6), (8, 7), (14, 12), (15, 13)])
def test_six_of_seven_is_rounded_up(units: int, limit: int) -> None:
    assert needed(units) == limit


def test_the_bound_of_the_composite_says_what_decided() -> None:
    seven: dict[str, float | None] = {f"d{place}": 0.5 + place / 10 for place in range(7)}
    met = gate(whole("e1"), composite=seven)[BOUND]
    assert (met.status, met.n, met.limit) == ("met", 7, 0.0)
    # Mean .8, SD .2160 over √7, t(6) at .975 is 2.4469: .8 − .1998.
    assert met.value == pytest.approx(0.6002, abs=5e-5)
    assert met.reason is not None
    assert met.reason.startswith("sign-flip p = 0.007812. ")
    five = gate(whole("e1"), composite={name: value for name, value in seven.items() if name < "d5"})[BOUND]
    assert (five.status, five.reason) == ("not measured", "no interval can be given over 5 datasets")
