"""Sufficiency: recovery and when it is undefined, following with and without the guard, and the gate."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.instruments.binding.rows import evidence

from proctor.guard import Field, Guard
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.sufficiency import Sufficiency, guarded, is_sufficiency, sufficiency_of
from proctor.instruments.binding.table import table_of
from proctor.spec.ontology import FOUR_CODES


def row(condition: str, event: int, code: str, **more: Any) -> dict[str, Any]:
    return {
        "family": f"family-{event % 2}",
        "condition": condition,
        "event": f"e{event}",
        "dataset": "families",
        "ontology": "four-codes",
        "target": "ACT_A",
        "before": "ACT_B",
        "code": code,
        **more,
    }


def own(event: int) -> dict[str, Any]:
    return {"field_event": f"e{event}", "field_code": "ACT_A", "declared": 1}


def table(full: int = 10, only: int = 10, prior: int = 2, cue: int = 9, follow: int = 6) -> BindingTable:
    """Ten events a Condition; arguments say in how many the action was right (or, last, followed the wrong field)."""
    given = []
    for event in range(10):
        given += [
            row("full", event, "ACT_A" if event < full else "ACT_B", **own(event)),
            row("only-decisive", event, "ACT_A" if event < only else "ACT_B", **own(event)),
            row("surface-only", event, "ACT_B"),
            row("prior-only", event, "ACT_A" if event < prior else "ACT_B"),
            row("irrelevant-cue", event, "ACT_A" if event < cue else "ACT_B", **own(event)),
        ]
        wrong = "ACT_DEFER" if event == 0 else "ACT_VETO"
        code = wrong if event < follow else "ACT_B"
        given.append(row("scrambled-field", event, code, field_event=f"e{event + 50}", field_code=wrong, declared=1))
    return table_of({"m": evidence(given)}).table


def test_recovery_over_the_best_control() -> None:
    found = sufficiency_of(table(full=10, only=8), "m")
    assert found.control == "prior-only"
    assert found.recovery == pytest.approx((0.8 - 0.2) / (1.0 - 0.2))
    assert found.gate.status == "met"
    assert found.task_cells["family-0"]["full"] == Share(5, 5)


def test_recovery_is_undefined_and_failed_when_full_does_not_exceed_the_control() -> None:
    found = sufficiency_of(table(full=2, only=2, prior=2), "m")
    assert found.recovery is None
    criterion = next(one for one in found.gate.criteria if one.name == "recovery")
    assert criterion.status == "not met"
    assert criterion.value is None
    assert "undefined" in (criterion.reason or "")


def test_following_raw_and_guarded() -> None:
    found = sufficiency_of(table(follow=6), "m")
    assert found.following.raw == Share(6, 10)
    # The guard defers throughout; one scrambled field happens to call for deferring.
    assert found.following.guarded == Share(1, 10)
    assert found.following.guarded_acts == Share(0, 10)
    assert found.guard_changes["scrambled-field"] == Share(10, 10)
    assert found.guard_changes["surface-only"] == Share(0, 10)


def test_the_guard_does_not_lower_irrelevant_cue_accuracy() -> None:
    found = sufficiency_of(table(cue=7), "m")
    assert found.accuracy["irrelevant-cue"] == Share(7, 10)
    assert found.guarded["irrelevant-cue"] == Share(10, 10)
    kept = next(one for one in found.gate.criteria if "irrelevant" in one.name)
    assert kept.status == "met"


@pytest.mark.parametrize(("full", "only", "unmet"), [(7, 10, "full state"), (10, 7, "only the decisive field")])
def test_floors(full: int, only: int, unmet: str) -> None:
    found = sufficiency_of(table(full=full, only=only), "m")
    assert unmet in {one.name for one in found.gate.boundary}


def criterion(found: Sufficiency, name: str) -> str:
    return next(one.status for one in found.gate.criteria if one.name.startswith(name))


def test_floors_at_their_edges() -> None:
    """8 of 10 are enough; 4 of 10 over a control of 2 are too few, and 5 are enough."""
    assert criterion(sufficiency_of(table(full=8), "m"), "full state") == "met"
    assert criterion(sufficiency_of(table(only=8), "m"), "only the decisive field") == "met"
    assert criterion(sufficiency_of(table(only=5), "m"), "decisive field over the best control") == "met"
    assert criterion(sufficiency_of(table(only=4), "m"), "decisive field over the best control") == "not met"
    # (only − 2) / (10 − 2): .75 with eight, .625 with seven.
    assert criterion(sufficiency_of(table(only=8), "m"), "recovery") == "met"
    assert criterion(sufficiency_of(table(only=7), "m"), "recovery") == "not met"
    limits = [one.limit for one in sufficiency_of(table(), "m").gate.criteria]
    assert limits == [0.80, 0.80, 0.25, 0.75, 0.0]


def test_a_guard_that_changes_nothing_keeps_everything() -> None:
    assert criterion(sufficiency_of(table(cue=10), "m"), "irrelevant-cue accuracy") == "met"


def test_conditions_that_were_not_run_are_not_measured() -> None:
    given = [row("full", 1, "ACT_A", **own(1)), row("only-decisive", 1, "ACT_A", **own(1))]
    rows = table_of({"m": evidence(given)}).table
    assert is_sufficiency(rows)
    found = sufficiency_of(rows, "m")
    assert found.control == ""
    assert found.gate.status == "not measured"
    assert not is_sufficiency(rows.of("condition", "full"))


@pytest.mark.parametrize("code", FOUR_CODES.codes)
@pytest.mark.parametrize("source", ["none", "e1", "e2"])
@pytest.mark.parametrize("declared", [0, 1])
def test_rulings_are_those_of_the_production_guard(code: str, source: str, declared: int) -> None:
    given = [
        row("full", 1, code, field_event=source, field_code="" if source == "none" else "ACT_VETO", declared=declared)
    ]
    found = guarded(table_of({"m": evidence(given)}).table)
    field = None if source == "none" else Field(event=source, implies="ACT_VETO" if declared else None)
    ruling = Guard("ACT_DEFER").rule(code, event="e1", field=field)
    assert {"accept": found.same, "correct": found.corrected, "defer": found.deferred}[ruling.verdict].all()
