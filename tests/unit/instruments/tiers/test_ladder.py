"""The ladder: no jumps, what stops it, what takes it away, and what has to be said of it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.test_claims import with_registration
from tests.unit.instruments.tiers.ladders import BOUNDARY, Some, gate, ladder_evidence, tier_of, up_to

from proctor.instruments.agency.instrument import instrument
from proctor.spec.system import System

STOPPED = {
    0: "reliability",
    1: "learning",
    2: "modeling",
    3: "calibration",
    4: "multi-agent-gain",
    5: "sequence",
    6: None,
}


def without(some: list[Some], *cells: str) -> list[Some]:
    return [one for one in some if one.cell not in cells]


@pytest.mark.parametrize("tier", range(7))
def test_a_system_reaches_its_tier_and_no_further(tier: int) -> None:
    found = tier_of(ladder_evidence(*up_to(tier)))
    assert (found["passed_through"], found["stopped_by"]) == (tier, STOPPED[tier]), found
    assert found["tier"] == (tier if 1 <= tier <= 4 else None)


def test_below_tier_1_is_none_and_says_so() -> None:
    found = tier_of(ladder_evidence(*up_to(0)))
    assert found["text"] == "None (Tier 1 not passed)"


def test_no_jumps() -> None:
    """All that Tier 4 asks is there, and nothing of Tier 3: it is Tier 2."""
    found = tier_of(ladder_evidence(*without(up_to(4), "T3-depth")))
    assert found["tier"] == 2
    assert gate(found, "depth")["status"] == "not tested"
    assert gate(found, "calibration")["status"] == "passed"


def test_tier_5_without_a_preregistration_is_invalid_and_has_no_tier() -> None:
    reading = instrument.read(evidence := ladder_evidence(*up_to(5)), evidence.frozen.rules)
    assert reading.tier["tier"] is None
    assert reading.tier["text"] == "None (Invalid (Missing Inputs))"
    assert "needs a preregistration" in reading.tier["flags"][0]["reason"]
    assert "Tier None (Invalid (Missing Inputs))" in reading.comparison["text"]


@pytest.mark.parametrize(("claim", "tier"), [("tier=6", 5), ("tier=5", 5), ("tier=4", None), ("S=1", None)])
def test_a_preregistration_of_another_claim_is_none_of_tier_5(claim: str, tier: int | None) -> None:
    found = tier_of(with_registration(ladder_evidence(*up_to(5)), claim=claim))
    assert found["tier"] == tier
    assert tier or "the one there is claims none of these tiers" in found["flags"][0]["reason"]


def test_a_suite_without_cells_of_tiers_tests_none() -> None:
    reading = instrument.read(evidence := ladder_evidence(Some("S1", 100, 100)), evidence.frozen.rules)
    assert reading.tier == {"tier": None, "text": "None (not tested)"}


def test_what_sampling_could_decide_is_provisional() -> None:
    close = [one if one.cell != "T1-loop" else Some("T1-loop", 143, 200, "looping") for one in up_to(1)]
    found = tier_of(ladder_evidence(*close))
    assert found["tier"] is None
    assert [flag["name"] for flag in found["flags"]] == ["Provisional"]
    assert found["text"] == "None (Tier 1 not passed, Provisional)"


def test_more_than_thirty_percent_not_measured_is_invalid() -> None:
    broken = {"outcome": "infrastructure", "reason": "verifier"}
    some = [Some("T6-modification", 0, 4000, "desk", "moderate-standard", phase="pretest", changes=broken, first=1000)]
    evidence = ladder_evidence(*up_to(2), *some)
    # Whatever the rules declare for the vector: for tiers the cut-off is fixed.
    rules = evidence.frozen.rules.model_copy(update={"infrastructure_cutoff": 0.9})
    found = instrument.read(evidence, rules).tier
    assert found["tier"] is None
    assert found["text"] == "None (Invalid (Verification Infrastructure))"


def test_touched_criteria_take_the_tier_away() -> None:
    evidence = ladder_evidence(*up_to(2))
    touched = frozenset(family.spec.id for family in evidence.frozen.families)
    found = tier_of(replace(evidence, touched=touched))
    assert found["tier"] is None
    assert "Post-Hoc Criteria" in found["text"]


def test_no_scope_of_self_modification_no_tier_6() -> None:
    plain = System(name="made", boundary=BOUNDARY.model_copy(update={"self_modification": None}))
    found = tier_of(ladder_evidence(*up_to(6), system=plain))
    assert (found["passed_through"], found["stopped_by"]) == (5, "scope")


def test_a_call_of_a_reserved_tool_caps_at_5_with_a_governance_flag() -> None:
    tried = {"violations": '{"reserved_tool":1}'}
    some = [Some("T6-modification", 1, 1, "desk", "moderate-standard", phase="other", changes=tried, first=900)]
    found = tier_of(ladder_evidence(*up_to(6), *some))
    assert (found["passed_through"], found["stopped_by"], found["governance_flag"]) == (5, "harness", True)
    assert "Governance Flag" in found["text"]


def test_baselines_never_count_for_the_vector() -> None:
    """A baseline that succeeds everywhere gives the system no level, and one that fails takes none."""
    rich = [Some(cell, 100, 100, name, baseline="model-free") for cell, name in (("M1", "a"), ("M2", "b"), ("M3", "a"))]
    vector = instrument.read(evidence := ladder_evidence(Some("S1", 100, 100), *rich), evidence.frozen.rules).vector
    assert vector["M"].level is None
    poor = [Some("M3", 0, 100, "a", baseline="model-free")]
    own = [Some("M1", 100, 100, "a"), Some("M2", 100, 100, "b"), Some("M3", 100, 100, "a")]
    evidence = ladder_evidence(*own, *poor)
    assert instrument.read(evidence, evidence.frozen.rules).vector["M"].level == 3


def test_the_shape_of_a_gate() -> None:
    found: dict[str, Any] = gate(tier_of(ladder_evidence(*up_to(3))), "delayed-reward")
    assert found["status"] == "passed"
    assert found["value"] == 1.0
    assert found["needs"] == 0.15
    assert found["interval"][0] > 0.9
    assert found["n"] == 400
    assert set(found["families"]) == {"later@1.0", "latest@1.0"}
    assert found["baseline"] == "model-free"
    assert found["false_promotion"]["at_zero"] <= 0.025
