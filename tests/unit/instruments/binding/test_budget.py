"""The forced budget: the gated pair, further Conditions beside it, and what was not counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.unit.instruments.binding.rows import evidence
from tests.unit.instruments.binding.test_entropy import CODES, rows
from tests.unit.instruments.binding.twin_rows import twin_rows

from proctor.instruments.binding.budget import NO_LATENCY, Budget, add_budgets, forced_budgets
from proctor.instruments.binding.claims import budget_claim
from proctor.instruments.binding.columns import BindingTable
from proctor.instruments.binding.scores import Share
from proctor.instruments.binding.table import table_of
from proctor.instruments.binding.tables import Tables
from proctor.spec.condition import Condition, Sampling


def budget_of(table: BindingTable, conditions: dict[str, Condition]) -> Budget | None:
    return next(iter(forced_budgets(table, conditions)), None)


def exact(name: str) -> Condition:
    if name == "structured":
        return Condition(id=name, sampling=Sampling(tokens=32, exact=True))
    return Condition(id=name, sampling=Sampling(tokens=32, exact=True), after="calibration", prior="family")


def budgeted(**change: Any) -> dict[str, Any]:
    details = {"model": "m", "prompt_tokens": 100, "completion_tokens": 32, "latency_ms": 50, "attempts": 1}
    return {"aside": [["model", {**details, **change}]]}


@pytest.mark.parametrize(
    ("change", "unmet"),
    [
        ({}, set()),
        ({"prompt_tokens": 101}, {"prompt tokens equal per event"}),
        ({"completion_tokens": 31}, {"completion tokens equal per event"}),
        ({"latency_ms": 200}, {"latency ratio"}),
        ({"prompt_tokens": 180}, {"prompt tokens equal per event", "total-token ratio"}),
    ],
)
def test_the_forced_budget_needs_all_five(change: dict[str, int], unmet: set[str]) -> None:
    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    given = [*rows("structured", CODES, **budgeted()), *rows("entropy-prior", CODES, **budgeted(**change))]
    found = budget_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    assert {one.name for one in found.gate.boundary} == unmet
    assert len(found.gate.criteria) == 5
    assert found.events == 4
    assert found.structured_accuracy == Share(1, 4)


def test_a_budget_nobody_counted_is_not_measured() -> None:
    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    given = [*rows("structured", CODES), *rows("entropy-prior", CODES)]
    found = budget_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    assert found.gate.status == "not measured"
    assert budget_of(table_of({"m": evidence(given)}).table, {}) is None
    assert not np.isnan(found.gate.criteria[-1].value or 0.0)


def with_padding() -> tuple[BindingTable, dict[str, Condition]]:
    """A state arm, a prior arm, and one without fields whose prompt is as long."""
    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    conditions["token-matched"] = Condition(id="token-matched", sampling=Sampling(tokens=32, exact=True))
    given = [
        *rows("structured", CODES, **budgeted()),
        *rows("entropy-prior", CODES, **budgeted()),
        *rows("token-matched", ("VETO",) * 4, **budgeted(latency_ms=None)),
    ]
    return table_of({"m": evidence(given)}).table, conditions


def test_a_third_arm_stands_beside_the_gated_pair() -> None:
    """By name `entropy-prior` comes first either way; the prior decides, so names are turned round as well."""
    table, conditions = with_padding()
    gated, beside = forced_budgets(table, conditions)
    assert (gated.control, gated.gated, gated.gate.status) == ("entropy-prior", True, "met")
    assert (beside.control, beside.gated) == ("token-matched", False)
    found = {one.name: one for one in beside.gate.criteria}
    assert found["latency ratio"].status == "not measured"
    assert found["latency ratio"].reason == NO_LATENCY
    assert found["canonical entropy gap in bits"].status == "not met"
    tables = Tables()
    add_budgets(tables, table, (gated, beside))
    columns = tables["budget"].columns
    assert columns["control"] == ["entropy-prior", "token-matched"]
    assert columns["role"] == ["gated", "shown beside it"]
    assert columns["latency_ratio"] == [1.0, None]
    assert tables["budget_conditions"].columns["condition"] == ["entropy-prior", "structured", "token-matched"]
    assert tables["budget_conditions"].columns["mean_latency_ms"] == [50.0, 50.0, None]


def test_the_prior_is_gated_whatever_arms_are_called() -> None:
    conditions = {"structured": exact("structured"), "z": exact("z")}
    conditions["no-fields"] = Condition(id="no-fields", sampling=Sampling(tokens=32, exact=True))
    given = [row for name in conditions for row in rows(name, CODES, **budgeted())]
    found = forced_budgets(table_of({"m": evidence(given)}).table, conditions)
    assert [(one.control, one.gated) for one in found] == [("z", True), ("no-fields", False)]


def test_sides_are_compared_on_the_rows_both_have() -> None:
    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    given = [
        *rows("structured", CODES, **budgeted()),
        *rows("entropy-prior", CODES[:2], **budgeted()),
    ]
    found = budget_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    assert (found.events, found.structured_accuracy.n, found.control_accuracy.n) == (2, 2, 2)
    assert found.gate.criteria[2].value == 1.0, "tokens of rows without a partner are no ratio"


def test_equal_budgets_without_a_difference_support_nothing() -> None:
    table, conditions = with_padding()
    claim = budget_claim(forced_budgets(table, conditions))
    assert claim.supported == ""
    assert "no higher accuracy" in claim.contrary
    assert "beside it token-matched" in claim.result


@pytest.mark.parametrize(
    ("change", "criterion", "status"),
    [
        # 132/126 = 1.0476, 132/125 = 1.056, 132/138 = .9565, 132/139 = .9496.
        ({"prompt_tokens": 94}, "total-token ratio", "met"),
        ({"prompt_tokens": 93}, "total-token ratio", "not met"),
        ({"prompt_tokens": 106}, "total-token ratio", "met"),
        ({"prompt_tokens": 107}, "total-token ratio", "not met"),
        ({"latency_ms": 100}, "latency ratio", "met"),
        ({"latency_ms": 101}, "latency ratio", "not met"),
        ({"latency_ms": 34}, "latency ratio", "met"),
        ({"latency_ms": 33}, "latency ratio", "not met"),
    ],
)
def test_ratios_are_within_their_ends(change: dict[str, int], criterion: str, status: str) -> None:
    """132 tokens with the state against 125 to 139 without; 50 ms against 33 to 101."""
    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    given = [*rows("structured", CODES, **budgeted()), *rows("entropy-prior", CODES, **budgeted(**change))]
    found = budget_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    assert {one.name: one.status for one in found.gate.criteria}[criterion] == status


@pytest.mark.parametrize(("count", "status"), [(9, "met"), (8, "not met")])
def test_entropies_may_differ_by_fifteen_hundredths_of_a_bit(count: int, status: str) -> None:
    """Half and half of thirty is one bit; 9 to 21 is .881 and 8 to 22 is .837."""
    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    given = [
        *rows("structured", ("ACTION_A",) * 15 + ("ACTION_B",) * 15, **budgeted()),
        *rows("entropy-prior", ("ACTION_A",) * count + ("ACTION_B",) * (30 - count), **budgeted()),
    ]
    found = budget_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    (gap,) = [one for one in found.gate.criteria if one.name == "canonical entropy gap in bits"]
    assert gap.status == status
    assert gap.limit == 0.15


@pytest.mark.parametrize("reads", [True, False])
def test_with_twins_the_state_has_to_tell_them_apart(reads: bool) -> None:
    def policy(row: dict[str, Any]) -> str:
        return str(row["target"] if reads and row["component"] else row["before"])

    conditions = {name: exact(name) for name in ("structured", "entropy-prior")}
    given = twin_rows(policy, conditions=tuple(conditions), replicates=1, **budgeted())
    found = budget_of(table_of({"m": evidence(given)}).table, conditions)
    assert found is not None
    beyond = found.gate.criteria[-1]
    assert (beyond.name, beyond.n) == ("with the state, less its twin", 7)
    assert (beyond.status, beyond.value) == (("met", 1.0) if reads else ("not met", 0.0))
    # Only rows with a target are right or wrong: six of nine in each of 28 events.
    assert (found.structured_accuracy.n, found.events) == (7 * 4 * 6, 28)
