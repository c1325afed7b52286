"""Governed changes: nothing that judges an agent changes without somebody else's signature."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.conftest import MakeSigner

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError, IntegrityError
from proctor.instruments.quality.rules import QualityRules
from proctor.pipeline.charter import Change, Charter, charter_of
from proctor.pipeline.governance import approved_charter, imported_entries, lineage, require_approved
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Ledger
from proctor.pipeline.proposals import decide_proposal, proposals, propose
from proctor.spec.rules import Rules

FIRST = Charter("quality", {"rules.weights.da": 0.35, "rules.weights.gcr": 0.3, "oracle.a": "11", "oracle.b": "22"})
HEAVIER = Charter("quality", {**FIRST.entries, "rules.weights.da": 0.3, "rules.weights.gcr": 0.35})
EDITED = Charter("quality", {**FIRST.entries, "oracle.a": "33"})


@pytest.fixture
def evidence(project: Path) -> Path:
    path = project / "study.md"
    path.write_text("why")
    return path


def edited(ledger: Ledger, evidence: Path, proposer: Signer) -> str:
    """A proposal to edit the oracle, in a ledger that begins with it."""
    require_approved(ledger, FIRST)
    reason = "the old answer was wrong"
    return propose(ledger, EDITED, justification=reason, evidence=[evidence], signer=proposer).id


def test_the_first_charter_is_genesis_and_says_that_nobody_signed(ledger: Ledger) -> None:
    standing = require_approved(ledger, FIRST)
    assert standing.genesis
    assert "for this suite, unsigned" in standing.sentence
    assert require_approved(ledger, FIRST) == standing
    assert [entry.kind for entry in ledger.entries()] == ["genesis"]


def test_a_signed_genesis_names_who(ledger: Ledger, signer: MakeSigner) -> None:
    assert "signed by anna" in require_approved(ledger, FIRST, signer=signer("anna")).sentence


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        (HEAVIER, r"rules.weights.da 0.35 → 0.3; rules.weights.gcr 0.3 → 0.35"),
        (EDITED, r"in 1 place \(oracle.a 11 → 33\)"),
        (
            Charter("quality", {"rules.weights.da": 0.35, "rules.weights.gcr": 0.3, "oracle.a": "11"}),
            "oracle.b removed",
        ),
        (Charter("quality", {**FIRST.entries, "oracle.c": "44"}), "oracle.c added"),
    ],
)
def test_an_unapproved_change_is_refused_in_one_sentence(ledger: Ledger, changed: Charter, place: str) -> None:
    require_approved(ledger, FIRST)
    with pytest.raises(InputError, match=place) as refused:
        require_approved(ledger, changed)
    assert "\n" not in str(refused.value)
    assert "govern propose" in str(refused.value)


def test_a_scope_may_leave_scenarios_out_but_not_change_them(ledger: Ledger) -> None:
    some = Charter("quality", {name: v for name, v in FIRST.entries.items() if name != "oracle.b"})
    with pytest.raises(InputError, match="whole suite first"):
        require_approved(ledger, some, partial=True)
    require_approved(ledger, FIRST)
    require_approved(ledger, some, partial=True)
    with pytest.raises(InputError, match=r"oracle\.a"):
        require_approved(ledger, Charter("quality", {**some.entries, "oracle.a": "99"}), partial=True)


def test_a_change_is_in_force_once_somebody_else_approved_it(
    ledger: Ledger, signer: MakeSigner, evidence: Path
) -> None:
    anna, ben = signer("anna"), signer("ben")
    require_approved(ledger, FIRST)
    wanted = propose(ledger, HEAVIER, justification="gates matter more here", evidence=[evidence], signer=anna)
    assert wanted.status == "open"
    assert {change.what for change in wanted.changes} == {"rules.weights.da", "rules.weights.gcr"}
    with pytest.raises(InputError):
        require_approved(ledger, HEAVIER)
    with pytest.raises(InputError, match="somebody else"):
        decide_proposal(ledger, wanted.id, approve=True, reason="it is mine", signer=anna)
    decided = decide_proposal(ledger, wanted.id, approve=True, reason="agreed in the board", signer=ben)
    assert (decided.status, decided.decided_by) == ("approved", "ben")
    standing = require_approved(ledger, HEAVIER)
    assert not standing.genesis
    assert "approved by ben, proposed by anna" in standing.sentence
    with pytest.raises(InputError):
        require_approved(ledger, FIRST)
    with pytest.raises(InputError, match="was already approved by ben"):
        decide_proposal(ledger, wanted.id, approve=False, reason="changed my mind", signer=ben)


def test_the_same_key_under_two_names_is_one_person(
    ledger: Ledger, signer: MakeSigner, evidence: Path, project: Path
) -> None:
    anna = signer("anna")
    require_approved(ledger, FIRST)
    wanted = propose(ledger, HEAVIER, justification="gates matter more here", evidence=[evidence], signer=anna)
    (project / "proctor.keys" / "other.pub").write_text((project / "proctor.keys" / "anna.pub").read_text())
    anna.name = "other"
    with pytest.raises(InputError, match="somebody else"):
        decide_proposal(ledger, wanted.id, approve=True, reason="it is me", signer=anna)
    # Written past the check, it counts for nothing either.
    ledger.append("approval", {"suite": "quality", "proposal": wanted.id, "to": HEAVIER.hash}, signer=anna)
    with pytest.raises(InputError):
        require_approved(ledger, HEAVIER)


def test_an_unsigned_or_unknown_approval_counts_for_nothing(
    ledger: Ledger, signer: MakeSigner, evidence: Path, project: Path
) -> None:
    anna, eve = signer("anna"), signer("eve")
    require_approved(ledger, FIRST)
    wanted = propose(ledger, EDITED, justification="the old answer was wrong", evidence=[evidence], signer=anna)
    (project / "proctor.keys" / "eve.pub").unlink()
    body = {"suite": "quality", "proposal": wanted.id, "to": EDITED.hash}
    for who in (None, eve):
        ledger.append("approval", body, signer=who)
        with pytest.raises(InputError):
            require_approved(ledger, EDITED)


def test_a_verdict_that_counts_for_nothing_neither_shows_nor_stands_in_the_way(
    ledger: Ledger, signer: MakeSigner, evidence: Path
) -> None:
    anna, ben = signer("anna"), signer("ben")
    wanted = edited(ledger, evidence, anna)
    body = {"suite": "quality", "proposal": wanted, "to": EDITED.hash}
    ledger.append("approval", body)
    ledger.append("denial", body, signer=anna)
    assert [one.status for one in proposals(ledger.entries(), ledger.keyring)] == ["open"]
    decide_proposal(ledger, wanted, approve=True, reason="agreed by all", signer=ben)
    assert [one.decided_by for one in proposals(ledger.entries(), ledger.keyring)] == ["ben"]
    assert not require_approved(ledger, EDITED).genesis


def test_what_was_approved_is_in_force_and_not_another_proposal_of_the_same_name(
    ledger: Ledger, signer: MakeSigner, evidence: Path
) -> None:
    anna, ben = signer("anna"), signer("ben")
    wanted = edited(ledger, evidence, anna)
    shown = ledger.entries()[-1].body
    swapped = {**shown, "to": HEAVIER.hash, "changes": jsonable(FIRST.changes_to(HEAVIER))}
    ledger.append("proposal", swapped, signer=anna)
    decide_proposal(ledger, wanted, approve=True, reason="agreed by all", signer=ben)
    assert not require_approved(ledger, EDITED).genesis
    with pytest.raises(InputError):
        require_approved(ledger, HEAVIER)


def test_an_approval_of_other_rules_than_the_proposal_is_damage(
    ledger: Ledger, signer: MakeSigner, evidence: Path
) -> None:
    anna, ben = signer("anna"), signer("ben")
    wanted = edited(ledger, evidence, anna)
    ledger.append("approval", {"suite": "quality", "proposal": wanted, "to": HEAVIER.hash}, signer=ben)
    with pytest.raises(IntegrityError, match="other rules than its proposal leads to"):
        require_approved(ledger, EDITED)


def test_a_denied_change_is_not_approved_by_a_third(ledger: Ledger, signer: MakeSigner, evidence: Path) -> None:
    anna, ben, eve = signer("anna"), signer("ben"), signer("eve")
    wanted = edited(ledger, evidence, anna)
    decide_proposal(ledger, wanted, approve=False, reason="it was right", signer=ben)
    with pytest.raises(InputError, match="was already denied by ben"):
        decide_proposal(ledger, wanted, approve=True, reason="no, wrong", signer=eve)
    # Written past the check, it counts for nothing, here and in another clone.
    ledger.append("approval", {"suite": "quality", "proposal": wanted, "to": EDITED.hash}, signer=eve)
    with pytest.raises(InputError):
        require_approved(ledger, EDITED)
    carried = approved_charter(imported_entries(lineage(ledger.entries(), "quality")), ledger.keyring, "quality")
    assert carried is not None
    assert carried[0] == FIRST


def test_a_verdict_says_why(ledger: Ledger, signer: MakeSigner, evidence: Path) -> None:
    anna, ben = signer("anna"), signer("ben")
    wanted = edited(ledger, evidence, anna)
    for reason in ("", "ok"):
        with pytest.raises(InputError, match="--because"):
            decide_proposal(ledger, wanted, approve=True, reason=reason, signer=ben)
    assert len(ledger.entries()) == 2


def test_a_denied_change_stays_out(ledger: Ledger, signer: MakeSigner, evidence: Path) -> None:
    anna, ben = signer("anna"), signer("ben")
    require_approved(ledger, FIRST)
    wanted = propose(ledger, EDITED, justification="the old answer was wrong", evidence=[evidence], signer=anna)
    assert decide_proposal(ledger, wanted.id, approve=False, reason="it was right", signer=ben).status == "denied"
    assert [p.status for p in proposals(ledger.entries(), ledger.keyring)] == ["denied"]
    with pytest.raises(InputError):
        require_approved(ledger, EDITED)


def test_a_proposal_overtaken_by_another_is_refused(ledger: Ledger, signer: MakeSigner, evidence: Path) -> None:
    anna, ben = signer("anna"), signer("ben")
    require_approved(ledger, FIRST)
    one = propose(ledger, HEAVIER, justification="gates matter more here", evidence=[evidence], signer=anna)
    two = propose(ledger, EDITED, justification="the old answer was wrong", evidence=[evidence], signer=anna)
    decide_proposal(ledger, one.id, approve=True, reason="agreed by all", signer=ben)
    with pytest.raises(InputError, match="propose it again"):
        decide_proposal(ledger, two.id, approve=True, reason="agreed by all", signer=ben)


def test_a_proposal_needs_a_reason_evidence_and_a_difference(
    ledger: Ledger, signer: MakeSigner, evidence: Path
) -> None:
    anna = signer("anna")
    with pytest.raises(InputError, match="no approved rules"):
        propose(ledger, HEAVIER, justification="gates matter more here", evidence=[evidence], signer=anna)
    require_approved(ledger, FIRST)
    with pytest.raises(InputError, match="--because"):
        propose(ledger, HEAVIER, justification="because", evidence=[evidence], signer=anna)
    with pytest.raises(InputError, match="--evidence"):
        propose(ledger, HEAVIER, justification="gates matter more here", evidence=[], signer=anna)
    with pytest.raises(InputError, match="no such evidence file"):
        propose(ledger, HEAVIER, justification="gates matter more here", evidence=[Path("nowhere")], signer=anna)
    with pytest.raises(InputError, match="nothing to propose"):
        propose(ledger, FIRST, justification="gates matter more here", evidence=[evidence], signer=anna)


def test_suites_are_governed_apart(ledger: Ledger) -> None:
    require_approved(ledger, FIRST)
    require_approved(ledger, Charter("other", {"rules.x": 1}))
    assert approved_charter(ledger.entries(), ledger.keyring, "third") is None


def test_a_lineage_travels_and_is_checked(ledger: Ledger, signer: MakeSigner, evidence: Path, project: Path) -> None:
    anna, ben = signer("anna"), signer("ben")
    require_approved(ledger, FIRST)
    wanted = propose(ledger, HEAVIER, justification="gates matter more here", evidence=[evidence], signer=anna)
    decide_proposal(ledger, wanted.id, approve=True, reason="agreed by all", signer=ben)
    carried = lineage(ledger.entries(), "quality")
    found = approved_charter(imported_entries(carried), Keyring(project), "quality")
    assert found is not None
    assert found[0] == HEAVIER
    changed = jsonable(carried)
    changed[1]["body"]["justification"] = "another"
    with pytest.raises(IntegrityError, match="proposal"):
        imported_entries(changed)
    with pytest.raises(IntegrityError, match="not entries of a ledger"):
        imported_entries([{"number": "one"}])


def test_a_change_that_does_not_fit_is_damage() -> None:
    assert FIRST.changed_by(FIRST.changes_to(HEAVIER)) == HEAVIER
    with pytest.raises(IntegrityError):
        FIRST.changed_by([Change("rules.weights.da", "changed", 0.5, 0.6)])
    with pytest.raises(IntegrityError):
        FIRST.changed_by([Change("oracle.a", "added", after="1")])


def test_a_charter_holds_rules_and_oracle_and_not_what_a_run_may_spend() -> None:
    rules = Rules()
    charter = charter_of("quality", rules, QualityRules(), {"a": "11"})
    assert charter.entries["oracle.a"] == "11"
    assert charter.entries["rules.confidence"] == 0.95
    assert charter.entries["rules.weights.DA"] == 0.35
    assert charter.entries["rules.floors.GCR"] == 0.80
    assert not [name for name in charter.entries if "limits" in name]
    assert charter_of("quality", rules.model_copy(update={"fail_fast": True}), QualityRules(), {"a": "11"}) == charter
    assert msgspec.json.decode(msgspec.json.encode(charter), type=Charter).hash == charter.hash
