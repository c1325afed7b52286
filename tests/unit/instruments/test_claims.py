"""What stands around a vector: tuples, evaluation, threats to validity, preregistration, and no bare score."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.instruments.made import Cell, evidence

from proctor.evidence.evidence import Evidence
from proctor.evidence.registration import OTHER_SEED, Registration
from proctor.instruments.agency.flags import is_invalid
from proctor.instruments.agency.instrument import AgencyInstrument, AgencyReading
from proctor.instruments.agency.threats import CHECKS, Threat
from proctor.spec.evaluation import Evaluation, Independence, Use
from proctor.spec.post_hoc import Changes
from proctor.spec.preregistration import CodeState, Preregistration, PrimaryClaim, RegisteredFamily, agent_of
from proctor.spec.rules import Rules
from proctor.spec.system import Boundaries, Boundary, BoundaryKind, HumanPolicy, Memory, MemoryPersistence, Network

GOOD = Cell("S1", 100, 100)
CONTACT = "evals@example.org"


def read(found: Evidence) -> AgencyReading:
    return AgencyInstrument().read(found, found.frozen.rules)


def refrozen(found: Evidence, **changes: Any) -> Evidence:
    return replace(found, frozen=found.frozen.model_copy(update=changes))


def whole(*cells: Cell, **given: Any) -> Evidence:
    """Evidence that one boundary is enough for."""
    found = evidence(*(cells or (GOOD,)), **given)
    system = found.frozen.system
    declared = system.model_copy(update={"boundaries": Boundaries(core=system.boundary, extended="none")})
    return refrozen(found, system=declared)


def names(reading: AgencyReading) -> list[str]:
    return [flag.name for flag in reading.flags]


# Tuples.


def test_the_identification_tuple_has_the_real_date() -> None:
    """§13.2.1."""
    made = read(replace(evidence(GOOD), started="2026-03-04T05:06:07Z")).identification
    assert made["date"] == "2026-03-04", "not the logical timestamp of the run"
    assert made["suites"] == ["made@1.0"]
    assert made["regime"] == "baseline"
    digest = made["system"]["configuration_hash"][:12]
    assert made["text"] == (
        f"(Framework v.10, made, configuration {digest}, 2026-03-04, Core Boundary, made@1.0, baseline)"
    )
    assert read(evidence(GOOD)).identification["date"] == "not recorded"


def test_the_comparison_tuple_has_no_tier_that_was_not_tested() -> None:
    """§13.2.2."""
    reading = read(evidence(GOOD, Cell("M1", 100, 100, regime="moderate-standard")))
    made = reading.comparison
    assert made["tier"] == "None (not tested)"
    assert reading.tier == {"tier": None, "text": "None (not tested)"}
    assert made["regime"].startswith("made@1.0#")
    assert made["text"] == (
        f"(Framework v.10, Core Boundary, made@1.0, {made['regime']}, Tier None (not tested), "
        "A = [1, 1, –, –, –, –, –], [Flags: None])"
    )


def test_no_level_is_printed_without_its_tuple() -> None:
    """§2.3, §11.9.1: also not by `print` or at the prompt of an interpreter."""
    reading = read(evidence(GOOD))
    for printed in (repr(reading), str(reading), repr(reading.vector["S"]), f"{reading.vector['S']}"):
        assert "(Framework v.10, Core Boundary, [fam@1.0], baseline, " in printed
        assert "[Flags: None]" in printed
        assert "level=" not in printed
    assert "S = 1" in repr(reading.vector["S"])
    assert "Capability only" in repr(reading)
    unmeasured = read(evidence(Cell("X1", 1, 1)))
    assert "no entry of the suite" in repr(unmeasured)


def test_parts_of_g_have_their_tuple_too() -> None:
    part = read(evidence(Cell("G1-1", 100, 100))).vector["G"].parts["G1"]
    assert "G1 = 1, [Flags: None])" in repr(part)


# Evaluation.


def test_what_is_not_declared_says_so() -> None:
    made = read(evidence(GOOD)).evaluation
    assert {made[name] for name in ("organisation", "contact", "evaluator", "independence", "use")} == {"not declared"}
    assert (made["label"], made["statement"], made["statement_withheld"]) == ("", "", "")


def test_a_vendors_own_result_is_labelled() -> None:
    """§15.2.1."""
    made = read(refrozen(evidence(GOOD), evaluation=Evaluation(independence=Independence.VENDOR))).evaluation
    assert made["label"] == "Vendor-Evaluated"
    assert "Limited Comparability unless the protocols align" in made["cross_vendor"]
    other = read(refrozen(evidence(GOOD), evaluation=Evaluation(independence=Independence.CUSTOMER))).evaluation
    assert (other["label"], other["cross_vendor"]) == ("", "")


CERTIFIED = Evaluation(contact=CONTACT, evaluator="QA", self_certified=True)


def test_self_certification_is_in_the_words_of_the_framework() -> None:
    """§15.4.1, and only where it was declared."""
    made = read(refrozen(whole(), evaluation=CERTIFIED)).evaluation
    assert made["statement"] == (
        "This evaluation was conducted in accordance with Framework v.10. The reporting party attests that the "
        "Technical Report and artifact bundle are sufficient to reproduce the published scores under the declared "
        f"frame. Contact: QA, {CONTACT}."
    )
    silent = read(refrozen(whole(), evaluation=Evaluation(contact=CONTACT))).evaluation
    assert silent["statement"] == ""


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (evidence(GOOD), "exploratory"),
        (evidence(GOOD, boundary=Boundary()), "Invalid"),
        (replace(whole(), complete=False), "not complete"),
        (whole(rules=Rules(record_traces=False)), "traces were not recorded"),
    ],
    ids=["exploratory", "invalid", "incomplete", "unrecorded"],
)
def test_nobody_attests_what_does_not_hold(found: Evidence, why: str) -> None:
    made = read(refrozen(found, evaluation=CERTIFIED)).evaluation
    assert made["statement"] == ""
    assert why in made["statement_withheld"]


# Threats to validity.


def threats(found: Evidence) -> dict[str, Threat]:
    return {threat.name: threat for threat in read(found).threats}


def test_six_threats_are_checked_and_an_ordinary_run_rules_them_out() -> None:
    """§3, in its order."""
    found = threats(whole())
    assert list(found) == [
        "Boundary inflation",
        "Evaluator leakage",
        "Post-hoc success criteria",
        "Benchmark overfitting",
        "Regime ambiguity",
        "Verification gaps",
    ]
    assert all(threat.ruled_out and threat.reason and not threat.forces for threat in found.values())
    assert read(whole()).reporting_tuple["flags"] == "[Flags: None]"
    assert len(CHECKS) == 6


HELPED = Boundary(kind=BoundaryKind.EXTENDED, includes=("desk",), human_policy=HumanPolicy(allowed=True))
REMEMBERS = Boundary(
    kind=BoundaryKind.EXTENDED,
    memory=Memory(persistence=MemoryPersistence.PERSISTENT),
    human_policy=HumanPolicy(allowed=False),
)


@pytest.mark.parametrize(
    ("found", "threat", "says"),
    [
        (evidence(GOOD, system={"network": Network.FULL}), "Boundary inflation", "could reach a network"),
        (evidence(GOOD, boundary=HELPED), "Evaluator leakage", "people may help"),
        (refrozen(evidence(GOOD), agent="python:a.py:make,unconfined=yes"), "Evaluator leakage", "not confined"),
        (
            evidence(Cell("S1", 9, 10, changes={"attempts": 2}), boundary=REMEMBERS),
            "Evaluator leakage",
            "may have kept what the first attempt showed",
        ),
        (replace(evidence(GOOD), earlier_runs=3), "Benchmark overfitting", "met these tasks 3 times before"),
        (
            refrozen(evidence(GOOD), evaluation=Evaluation(use=Use.RESEARCH)),
            "Benchmark overfitting",
            "seed 1 is public",
        ),
        (evidence(GOOD, rules=Rules(record_traces=False)), "Verification gaps", "traces were not recorded"),
        (
            evidence(Cell("E1", 10, 10, changes={"artifact_ok": False})),
            "Verification gaps",
            "10 successes of E left no artifact",
        ),
    ],
)
def test_a_threat_that_is_not_ruled_out_limits_comparability(found: Evidence, threat: str, says: str) -> None:
    one = threats(found)[threat]
    assert not one.ruled_out
    assert one.forces == "Limited Comparability"
    assert says in one.reason
    assert f"Limited Comparability ({threat})" in names(read(found))


def test_what_is_invalid_already_is_not_flagged_twice() -> None:
    for found, threat in (
        (evidence(GOOD, boundary=Boundary()), "Boundary inflation"),
        (replace(evidence(GOOD), altered=("boundary_type",)), "Post-hoc success criteria"),
    ):
        assert threats(found)[threat].forces == "Invalid"
        assert not [name for name in names(read(found)) if threat in name]


def test_retries_are_counted() -> None:
    reason = threats(evidence(Cell("S1", 5, 10, changes={"retries": 2, "calls": 7})))["Evaluator leakage"].reason
    assert "20 retries are counted among 70 calls, 0 episodes were begun again" in reason


def test_a_committed_seed_rules_overfitting_out_where_others_rely_on_the_result() -> None:
    hidden = with_registration(refrozen(evidence(GOOD), evaluation=Evaluation(use=Use.RESEARCH)))
    assert threats(hidden)["Benchmark overfitting"].ruled_out
    assert "committed to before the run" in threats(hidden)["Benchmark overfitting"].reason


@pytest.mark.parametrize(
    "given",
    [
        {"document": None, "problems": ("not carried",)},
        {"late": "it was written afterwards"},
        {"problems": (OTHER_SEED,)},
        None,
    ],
    ids=["not carried", "late", "another seed", "none"],
)
def test_a_seed_that_nothing_committed_to_is_one_chosen_by_its_author(given: dict[str, Any] | None) -> None:
    found = refrozen(evidence(GOOD), evaluation=Evaluation(use=Use.RESEARCH), seed="ab" * 32)
    found = found if given is None else with_registration(found, **given)
    one = threats(found)["Benchmark overfitting"]
    assert not one.ruled_out
    assert "chosen by its author and not committed to beforehand" in one.reason
    assert found.seed_label == "seed chosen by the author, not committed beforehand"


def test_tasks_that_another_system_met_in_this_store_are_not_met_there_for_the_first_time() -> None:
    exploring = replace(refrozen(evidence(GOOD), seed="ab" * 32), others_before=1)
    one = threats(exploring)["Benchmark overfitting"]
    assert one.ruled_out, "systems are compared on the same tasks"
    assert "1 earlier run of other systems" in one.reason
    assert "for the first time in this store" not in one.reason
    public = threats(replace(evidence(GOOD), others_before=1))["Benchmark overfitting"]
    assert public.ruled_out
    assert "which this system meets for the first time" in public.reason, "the same words in every store"
    played = threats(replace(with_registration(evidence(GOOD)), others_before=2))["Benchmark overfitting"]
    assert not played.ruled_out
    assert "2 earlier runs of other systems in this store met too, outside the preregistration" in played.reason


def test_protocol_and_normalisation_are_stated() -> None:
    made = read(evidence(GOOD)).protocol
    assert made["approach"] == "benchmark"
    assert made["normalisation"] == "none"
    assert "fixed before the run" in made["sampling"]


# Criteria that were touched, and declarations that were changed.


def test_touched_families_make_units_invalid_and_above_the_cut_off_the_dimension() -> None:
    """§11.3.2."""
    cells = (Cell("S1", 80, 80, family="fam"), Cell("S1", 20, 20, family="late"), Cell("M1", 100, 100, family="fam"))
    some = read(replace(evidence(*cells), touched=frozenset({"late@1.0"})))
    assert (some.vector["S"].level, some.vector["S"].n) == (1, 80), "a fifth: excluded, and said"
    assert "Limited Comparability (Post-hoc success criteria)" in names(some)
    cells = (Cell("S1", 79, 79, family="fam"), Cell("S1", 21, 21, family="late"), Cell("M1", 100, 100, family="fam"))
    many = read(replace(evidence(*cells), touched=frozenset({"late@1.0"})))
    assert many.vector["S"].flags[0].name == "Invalid (Post-Hoc Criteria)"
    assert many.vector["S"].level is None
    assert many.vector["M"].level == 1, "other dimensions are not touched"


@pytest.mark.parametrize(
    ("altered", "flag"),
    [
        (("boundary_type", "configuration"), "Invalid (Missing Inputs)"),
        (("success_criteria", "configuration"), "Invalid (Post-Hoc Criteria)"),
        (("configuration",), "Invalid (Post-Hoc Criteria)"),
        (("evaluation",), "Invalid (Missing Inputs)"),
    ],
)
def test_declarations_that_were_changed_after_they_were_fixed_take_the_levels(
    altered: tuple[str, ...], flag: str
) -> None:
    reading = read(replace(evidence(GOOD), altered=altered))
    assert flag in names(reading)
    assert reading.vector["S"].level is None


@pytest.mark.parametrize("field", ["criterion", "verification"])
def test_a_family_without_a_criterion_is_a_missing_input(field: str) -> None:
    found = evidence(GOOD, Cell("M1", 100, 100, family="other"))
    bare = [
        family.model_copy(update={"spec": family.spec.model_copy(update={field: " "})})
        if family.reference == "fam"
        else family
        for family in found.frozen.families
    ]
    reading = read(refrozen(found, families=tuple(bare)))
    assert [flag.name for flag in reading.vector["S"].flags] == ["Invalid (Missing Inputs)"]
    assert "fam@1.0" in reading.vector["S"].flags[0].reason
    assert reading.vector["M"].level == 1, "only the affected dimension"


# Preregistration.


def registered(found: Evidence, claim: str = "S=1", runs: int = 1, **changes: Any) -> Registration:
    frozen = found.frozen
    document = Preregistration(
        created="2026-01-01T00:00:00Z",
        claim=PrimaryClaim.read(claim),
        use=Use.PROCUREMENT,
        runs=runs,
        suite=frozen.suite,
        rules=frozen.rules,
        timestamp=frozen.timestamp,
        families=tuple(RegisteredFamily.of(family) for family in frozen.families),
        system=frozen.system,
        agents=(agent_of(frozen),),
        code=CodeState(proctor="1", sources="00", bench="1"),
        commitment="ab" * 32,
    )
    made = Registration(
        digest="cd" * 32, document=document, number=1, here=tuple(range(1, runs + 1)), changes=Changes(), problems=()
    )
    return replace(made, **changes)


def with_registration(found: Evidence, **given: Any) -> Evidence:
    return replace(refrozen(found, seed="ab" * 32), registration=registered(found, **given))


def test_procurement_without_a_preregistration_has_no_level() -> None:
    """§13.4.2."""
    bare = refrozen(evidence(GOOD), evaluation=Evaluation(use=Use.PROCUREMENT), seed="ab" * 32)
    reading = read(bare)
    assert names(reading) == ["Invalid (Missing Inputs)", "Limited Comparability (Benchmark overfitting)"]
    assert "a result for procurement needs a preregistration" in reading.flags[0].reason
    assert reading.vector["S"].level is None
    fine = read(with_registration(bare))
    assert (fine.vector["S"].level, names(fine)) == (1, [])


@pytest.mark.parametrize(
    ("change", "flag", "says"),
    [
        ({"here": (1, 3), "runs": 3}, "Invalid (Selective Disclosure)", "run 2 of the 3 that were registered"),
        ({"here": ()}, "Invalid (Selective Disclosure)", "run 1 of the 1 that were registered"),
        ({"problems": ("there are two runs 1",)}, "Invalid (Selective Disclosure)", "two runs 1"),
        (
            {"changes": Changes(left_out=("hard@1.0 was registered and is not in the run",))},
            "Invalid (Selective Disclosure)",
            "hard@1.0",
        ),
        (
            {"changes": Changes(inputs=("the core boundary is not the one that was registered",))},
            "Invalid (Missing Inputs)",
            "core boundary",
        ),
        ({"late": "the run was started before it was written"}, "Invalid (Missing Inputs)", "before it was written"),
        (
            {"document": None, "problems": ("the run names it, and does not carry it",)},
            "Invalid (Missing Inputs)",
            "does not carry it",
        ),
        (
            {"changes": Changes(criteria=("the rules changed: threshold",))},
            "Limited Comparability (changed after preregistration)",
            "threshold",
        ),
        ({"others": ("ef" * 32,)}, "Limited Comparability (further preregistrations)", "efefefefefef"),
    ],
)
def test_what_does_not_fit_the_preregistration_is_flagged(change: dict[str, Any], flag: str, says: str) -> None:
    reading = read(with_registration(evidence(GOOD), **change))
    assert flag in names(reading)
    assert says in next(one.reason for one in reading.flags if one.name == flag)
    assert (reading.vector["S"].level is None) == any(map(is_invalid, reading.flags))


def test_the_primary_claim_is_named_and_judged_and_the_rest_carry_what_luck_would_promote() -> None:
    cells = (GOOD, Cell("M1", 100, 100))
    alone = read(evidence(*cells))
    assert alone.preregistration == {"registered": False, "text": "not preregistered"}
    primary = read(with_registration(evidence(*cells), claim="S=1"))
    assert (primary.preregistration["primary_claim"], primary.preregistration["supported"]) == ("S=1", True)
    assert alone.expected_false_promotions is not None and primary.expected_false_promotions is not None
    assert 0 < primary.expected_false_promotions < alone.expected_false_promotions
    higher = read(with_registration(evidence(*cells), claim="S=3")).preregistration
    assert (higher["found"], higher["supported"]) == ("1", False)
    tier = read(with_registration(evidence(*cells), claim="tier=4")).preregistration
    assert (tier["found"], tier["supported"]) == ("Tier None (not tested)", None)
