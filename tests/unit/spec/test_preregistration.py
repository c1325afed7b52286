"""A preregistration: the claim, the digest that names it, the commitment, and what a run may do differently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.spec.test_frozen import FAMILY, PROBE, SPEC, SUITE, frozen

from proctor.core.errors import InputError
from proctor.spec.evaluation import Evaluation, Use
from proctor.spec.frozen import FrozenRun
from proctor.spec.post_hoc import Changes, changes_since
from proctor.spec.preregistration import (
    CodeState,
    Preregistration,
    PrimaryClaim,
    Registered,
    RegisteredFamily,
    agent_of,
    commit_to,
    needs_preregistration,
    opens,
    read_preregistration,
    written,
)
from proctor.spec.rules import Rules
from proctor.spec.system import Agents, Boundaries, Boundary, BoundaryKind, HumanPolicy, System

SEED, NONCE = "ab" * 32, "cd" * 32
BOTH = System(
    name="ours",
    configuration={"model": "m"},
    agents=Agents(core="clerk", extended="clerk"),
    boundaries=Boundaries(core=Boundary(tools=()), extended=Boundary(human_policy=HumanPolicy(allowed=False))),
)


def run(**changes: Any) -> FrozenRun:
    return frozen(**{"system": BOTH.within(BoundaryKind.CORE), "seed": SEED, **changes})


def registration(*runs: FrozenRun, **changes: Any) -> Preregistration:
    first = runs[0]
    facts: dict[str, Any] = {
        "created": "2026-01-01T00:00:00Z",
        "claim": PrimaryClaim.read("E=3"),
        "use": Use.RESEARCH,
        "runs": 1,
        "suite": first.suite,
        "rules": first.rules,
        "timestamp": first.timestamp,
        "families": tuple(RegisteredFamily.of(family) for family in first.families),
        "system": first.system,
        "agents": tuple(map(agent_of, runs)),
        "code": CodeState(proctor="1", sources="00", bench="1.0"),
        "commitment": commit_to(SEED, NONCE),
    }
    return Preregistration(**{**facts, **changes})


DOCUMENT = registration(run(), run(system=BOTH.within(BoundaryKind.EXTENDED)))


def registered(document: Preregistration = DOCUMENT) -> Registered:
    return Registered.of(document.model_dump(mode="json"), source="test")


@pytest.mark.parametrize(("text", "tier"), [("tier=4", 4), ("E=3", None), (" G=5 ", None)])
def test_claims(text: str, tier: int | None) -> None:
    claim = PrimaryClaim.read(text)
    assert (claim.text, claim.tier) == (text.strip(), tier)


@pytest.mark.parametrize("text", ["", "E", "E=", "E=6", "E=0", "tier=7", "tier=0", "X=2", "E=3,S=2", "e=3", "E=3=4"])
def test_what_is_no_claim_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as caught:
        PrimaryClaim.read(text)
    assert "\n" not in str(caught.value)


def test_procurement_and_the_highest_tiers_need_one() -> None:
    """§13.4.2."""
    assert needs_preregistration(Use.PROCUREMENT, None)
    assert needs_preregistration(None, 5) and needs_preregistration(Use.INTERNAL, 6)
    assert not needs_preregistration(Use.RESEARCH, 4)
    assert not needs_preregistration(None, None)


def test_a_commitment_opens_with_its_seed_and_nothing_else() -> None:
    commitment = commit_to(SEED, NONCE)
    assert opens(commitment, SEED, NONCE)
    assert not opens(commitment, "ac" + SEED[2:], NONCE)
    assert not opens(commitment, SEED, SEED)
    assert not opens(commitment, 7, NONCE)
    assert not opens(commitment, "not hex", NONCE)
    assert not opens(commitment, SEED, None)


def test_the_file_carries_its_digest_and_an_edit_shows(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    path.write_bytes(written(registered()))
    read = read_preregistration(path)
    assert (read.document, read.digest) == (DOCUMENT, registered().digest)
    data = json.loads(path.read_text())
    data["preregistration"]["families"][0]["criterion"] = "any answer will do"
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="was changed after it was written"):
        read_preregistration(path)
    data["sha256"] = Registered.of(data["preregistration"], source="x").digest
    path.write_text(json.dumps(data))
    assert read_preregistration(path).digest != registered().digest, "it is another preregistration now"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"preregistration": 1}', '{"preregistration": {}}'])
def test_what_is_no_preregistration_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError) as caught:
        read_preregistration(tmp_path / "x.json")
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read"):
        read_preregistration(tmp_path / "none.json")


def test_a_run_as_registered_changes_nothing() -> None:
    assert changes_since(DOCUMENT, run()) == Changes()
    assert changes_since(DOCUMENT, run(system=BOTH.within(BoundaryKind.EXTENDED))) == Changes()


def spec(**changes: Any) -> Any:
    return FAMILY.model_copy(update={"spec": SPEC.model_copy(update=changes)})


ENTRY = SUITE.entries[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"families": (spec(criterion="any answer will do"),)},
            "the success criterion of fam@1.0 was 'the answer is right' and is 'any answer will do'",
        ),
        ({"families": (spec(verification="a glance"),)}, "the verification of fam@1.0 changed"),
        (
            {"families": (FAMILY.model_copy(update={"probe": PROBE.model_copy(update={"verdicts": "11" * 32})}),)},
            "fam@1.0 behaves differently",
        ),
        ({"families": (spec(evidences=("S5",)),)}, "fam@1.0 was registered as evidence of nothing, and is of S5"),
        ({"families": (spec(version="1.1"),)}, "fam@1.1 was not registered"),
        ({"rules": Rules(threshold=0.6)}, "the rules changed: threshold"),
        ({"scale": 2}, "the scale was 1 and is 2"),
        ({"timestamp": "2026-01-02T00:00:00Z"}, "the logical time was"),
        ({"bench": "1.1"}, "the version of the bench was 1.0 and is 1.1"),
        (
            {"suite": SUITE.model_copy(update={"entries": (ENTRY.model_copy(update={"n": 2}),)})},
            "the sample of fam@1.0 changed",
        ),
        ({"suite": SUITE.model_copy(update={"version": "1.1"})}, "the suite was mine@1.0 and is mine@1.1"),
        ({"suite": SUITE.model_copy(update={"shuffle": False})}, "the suite changed under the same version: shuffle"),
    ],
)
def test_criteria_rules_and_samples_touch_families(change: dict[str, Any], says: str) -> None:
    changes = changes_since(DOCUMENT, run(**change))
    assert any(says in sentence for sentence in changes.criteria), changes
    assert changes.touched == {family.spec.full_name for family in run(**change).families}


def test_a_family_that_is_not_there_was_left_out() -> None:
    assert "fam@1.0 was registered and is not in the run" in changes_since(DOCUMENT, run(families=())).left_out[0]
    skipped = run(families=(), skipped={"fam@1.0": "bubblewrap is missing"})
    assert "(bubblewrap is missing)" in changes_since(DOCUMENT, skipped).left_out[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"agent": "better"}, "the agent is better (core boundary), and registered is clerk (core), clerk (extended)"),
        ({"agent_source": "11" * 32}, "the files of the agent clerk changed"),
        ({"agent_identity": "clerk of proctor 2"}, "the version or model of the agent clerk changed"),
        (
            {"system": BOTH.within(BoundaryKind.CORE).model_copy(update={"version": "2"})},
            "the declaration of the system changed: version",
        ),
        (
            {
                "system": BOTH.model_copy(
                    update={"boundaries": Boundaries(core=Boundary(), extended=BOTH.boundaries.extended)}
                ).within(BoundaryKind.CORE)
            },
            "the core boundary is not the one that was registered",
        ),
        (
            {"evaluation": Evaluation(use=Use.PROCUREMENT)},
            "it was registered for research, and is declared for procurement",
        ),
    ],
)
def test_another_system_agent_boundary_or_use_is_another_input(change: dict[str, Any], says: str) -> None:
    changes = changes_since(DOCUMENT, run(**change))
    assert any(says in sentence for sentence in changes.inputs), changes
    assert changes.touched == frozenset(), "no success rule is touched by it"
