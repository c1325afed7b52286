"""Simulants without coupling fail the behaviour gate, one with it passes, and a lesion is seen where it was planted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from proctor.instruments.binding.contrasts import condition_of
from proctor.instruments.binding.instrument import BindingInstrument
from proctor.instruments.binding.reading import BindingReading
from proctor.instruments.binding.scores import COMPONENT_OF, COMPONENTS, Share, count
from proctor.instruments.binding.table import table_of
from proctor.instruments.binding.variants import STRUCTURED
from proctor.spec.rules import Rules
from tests.validity.binding_rows import COMPONENTS as FIELDS
from tests.validity.binding_rows import EVENTS, REPLICATES, Plant, planted_evidence, with_rates

NOTHING = Plant(reason=0.0, memory=0.0, veto=0.0, self=0.0, cue=0.0, noise=0.0)
UNCOUPLED = {
    "prior-only": replace(NOTHING, prior={"A": 0.5, "B": 0.3, "veto": 0.1, "recall": 0.1}),
    "format-only": NOTHING,
    "constant-A": replace(NOTHING, constant="A"),
    "random": replace(NOTHING, noise=1.0),
}
BOUND = Plant()
SOME = dict.fromkeys(EVENTS, (31, 30))
"""A quarter of the events, where that is enough."""


@cache
def reading(name: str, seed: int, profile: str = "default") -> BindingReading:
    plant = UNCOUPLED.get(name, BOUND)
    rules = Rules(profile="paper") if profile == "paper" else Rules()
    events = SOME if name in UNCOUPLED else EVENTS
    return BindingInstrument().read(planted_evidence(plant, seed, rules=rules, events=events), rules)


@cache
def before_lesion() -> dict[str, float]:
    return followed(BOUND, 11)


def followed(plant: Plant, seed: int) -> dict[str, float]:
    """c of every component under the structured Condition, rows pooled."""
    table = table_of({"simulant": planted_evidence(plant, seed)}).table
    structured = condition_of(table, STRUCTURED)
    found = count(table)
    pooled: dict[str, list[Share]] = {name: [] for name in COMPONENTS}
    for (_, condition), one in found.items():
        if condition == structured:
            for name in COMPONENTS:
                pooled[name].append(one.targets[name])
    return {name: sum(one.k for one in shares) / sum(one.n for one in shares) for name, shares in pooled.items()}


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_a_bound_simulant_passes(profile: str) -> None:
    found = reading("bound", 3, profile)
    gate = found.gates[0]
    assert gate.status == "met", [one for one in gate.criteria if one.status != "met"]
    assert len(gate.criteria) == 9
    assert found.boundary_conditions == ()
    assert found.records is not None
    assert (found.records.planned, found.records.scored, found.records.duplicate_events) == (58_896, 57_816, 1_080)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", UNCOUPLED)
def test_simulants_without_coupling_fail(name: str, seed: int) -> None:
    gate = reading(name, seed).gates[0]
    assert gate.status == "not met"
    unmet = {one.name for one in gate.boundary}
    assert "lower bound of the composite contrast" in unmet
    # Six of seven coins fall one way once in sixteen times: one component may get through by chance, not two.
    components = {"reason above its lesion", "veto above its lesion"} | {
        f"{name} above the stochastic comparator" for name in ("composite", "memory", "self-continuity")
    }
    assert len(components & unmet) >= 4


def test_constant_a_does_not_pass_for_continuity() -> None:
    events = dict.fromkeys(EVENTS, (33, 31))
    table = table_of({"simulant": planted_evidence(UNCOUPLED["constant-A"], 5, events=events)}).table
    for one in count(table).values():
        score = one.score("SCI")
        assert score is not None
        # Labels are exchanged for a half of the events: what it gains on one half it loses on the other.
        assert score <= Fraction(REPLICATES, one.targets["SCI"].n)


def test_labels_of_the_paper_let_constant_a_pass_for_continuity_and_still_fail() -> None:
    rules = Rules(profile="paper")
    run = planted_evidence(UNCOUPLED["constant-A"], 5, events=SOME, balanced=False, rules=rules)
    assert {one.score("SCI") for one in count(table_of({"simulant": run}).table).values()} == {Fraction(1)}
    assert BindingInstrument().read(run, rules).gates[0].status == "not met"


@pytest.mark.parametrize("lesioned", FIELDS)
def test_a_planted_lesion_lowers_its_component_and_no_other(lesioned: str) -> None:
    before = before_lesion()
    # Draws of its own: nothing is equal by construction.
    after = followed(with_rates(BOUND, **{lesioned: 0.3}), 12)
    hit = COMPONENT_OF[lesioned]
    assert after[hit] < before[hit] - 0.3
    for name in COMPONENTS:
        if name != hit:
            assert abs(after[name] - before[name]) <= 0.03, name


@pytest.mark.parametrize("component", ["reason", "veto"])
def test_the_lesion_conditions_take_out_their_component(component: str) -> None:
    table = table_of({"simulant": planted_evidence(BOUND, 3, events=SOME)}).table
    found = count(table)
    lesion, hit = f"no-{component}", COMPONENT_OF[component]
    for (dataset, condition), one in found.items():
        if condition == lesion:
            structured = found[dataset, "structured"]
            for name in COMPONENTS:
                first, second = structured.followed(name), one.followed(name)
                assert first is not None
                assert second is not None
                assert (first - second > 0.5) == (name == hit)


def test_two_readings_are_the_same() -> None:
    evidence = planted_evidence(BOUND, 7, events={"ds000210_self_loop": (6, 5), "narratives_formal": (4, 4)})
    assert BindingInstrument().read(evidence, Rules()) == BindingInstrument().read(evidence, Rules())
