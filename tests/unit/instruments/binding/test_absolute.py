"""Each score by itself: what decides it is said beside it, and what could not be decided is no zero."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.twin_rows import perfect, twin_rows

from proctor.instruments.binding.criteria import Criterion
from proctor.instruments.binding.instrument import BindingInstrument


def criteria(given: list[dict[str, Any]]) -> dict[str, Criterion]:
    run = evidence(given)
    return {one.name: one for one in BindingInstrument().read(run, run.frozen.rules).gates[0].criteria}


def half(row: dict[str, Any]) -> str:
    """Reads in every second event."""
    return perfect(row) if row["event"][-1] in "02" else str(row["before"])


def test_over_corpora_the_sign_flip_test_is_said_beside_the_mean() -> None:
    found = criteria(twin_rows(half))["reason binding"]
    assert found.reason == "mean 0.500; sign-flip p = 0.007812", "2⁻⁷: all seven corpora are above zero"
    assert found.n == 7
    assert found.limit == 0.0


def test_over_events_there_is_no_sign_flip_test_to_speak_of() -> None:
    found = criteria(twin_rows(half, datasets=2))["reason binding"]
    assert found.rule == "lower bound above 0 by the event-clustered interval"
    assert found.reason == "mean 0.500"
    assert found.n == 8, "events, not corpora"


def test_too_few_events_leave_the_score_and_its_surface_undecided() -> None:
    found = criteria(twin_rows(perfect, datasets=1, events=5))
    alone, beside = found["reason binding"], found["reason binding above the surface player"]
    assert (alone.status, alone.value, alone.limit) == ("not measured", None, 0.0)
    assert alone.reason == "no interval can be given over 1 datasets"
    assert (beside.status, beside.value, beside.limit) == ("not measured", None, 0.0)
    assert beside.reason == "no surface of texts, or no interval"


def test_a_component_with_rows_in_one_event_alone_is_not_measured() -> None:
    given = [row for row in twin_rows(perfect) if row["probe"] != "memory" or row["event"] == "d0e0"]
    found = criteria(given)["memory binding"]
    assert (found.status, found.value) == ("not measured", None)


def test_a_player_below_zero_is_no_lower_hurdle() -> None:
    """Surfaces that mislead: the player says y⁺ on the twin alone, and the hurdle stays at zero."""
    corpora = {f"d{number}": number % 2 for number in range(7)}
    given = [
        row | {"surface": f"40.2.{'AB'[(row['target'] == 'ACTION_A') ^ corpora[row['dataset']]]}.M"}
        for row in twin_rows(perfect)
    ]
    found = criteria(given)["reason binding above the surface player"]
    assert found.status == "met"
    assert found.limit == pytest.approx(0.0)
