"""Acts: two different keys over the same content, for what is written in it and no longer than it says."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from tests.unit.pipeline.conftest import MakeSigner

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError
from proctor.pipeline.acts import Act, acts_that_hold, sign_act, signed_acts
from proctor.pipeline.governance import lineage, with_imported
from proctor.pipeline.keys import PUBLIC_FOLDER
from proctor.pipeline.ledger import Ledger

NOW = datetime(2026, 3, 1, tzinfo=UTC)
CLOSING = Act(kind="close-s1", suite="desk", subject="ab" * 32, scenarios=("b", "a"), reasons=("S1 in a",))


def holding(ledger: Ledger, at: datetime = NOW) -> list[Act]:
    return [one.act for one in acts_that_hold(ledger.entries(), ledger.keyring, kind="close-s1", suite="desk", at=at)]


def test_an_act_holds_once_somebody_else_signed_it(ledger: Ledger, signer: MakeSigner) -> None:
    proposed = sign_act(ledger, CLOSING, because="fixed in 1.5", signer=signer("anna"))
    assert (proposed.holds, proposed.proposer, proposed.decided_by) == (False, "anna", None)
    assert holding(ledger) == []
    decided = sign_act(ledger, CLOSING, because="read the fix", signer=signer("ben"))
    assert (decided.holds, decided.proposer, decided.decided_by) == (True, "anna", "ben")
    assert holding(ledger) == [CLOSING.normal]


def test_the_proposer_cannot_decide_her_own(ledger: Ledger, signer: MakeSigner, project: Path) -> None:
    anna = signer("anna")
    sign_act(ledger, CLOSING, because="fixed in 1.5", signer=anna)
    with pytest.raises(InputError, match="somebody else has to decide"):
        sign_act(ledger, CLOSING, because="it is mine", signer=anna)
    # The same key under a second name is the same person, and so is an entry written around this function.
    keys = project / PUBLIC_FOLDER
    shutil.copy(keys / "anna.pub", keys / "zoe.pub")
    ledger.append("act", {**jsonable(CLOSING.normal), "because": "it is mine"}, signer=anna)
    assert holding(ledger) == []


def test_an_unsigned_or_unknown_signature_decides_nothing(ledger: Ledger, signer: MakeSigner, project: Path) -> None:
    sign_act(ledger, CLOSING, because="fixed in 1.5", signer=signer("anna"))
    ledger.append("act", {**jsonable(CLOSING.normal), "because": "nobody"})
    ben = signer("ben")
    (project / PUBLIC_FOLDER / "ben.pub").unlink()
    ledger.append("act", {**jsonable(CLOSING.normal), "because": "a stranger"}, signer=ben)
    assert holding(ledger) == []


def test_an_act_over_other_content_is_another_act(ledger: Ledger, signer: MakeSigner) -> None:
    sign_act(ledger, CLOSING, because="fixed in 1.5", signer=signer("anna"))
    more = msgspec.structs.replace(CLOSING, scenarios=("a", "b", "c"))
    assert not sign_act(ledger, more, because="and this one", signer=signer("ben")).holds
    assert len(signed_acts(ledger.entries(), ledger.keyring)) == 2
    assert holding(ledger) == []


def test_an_act_ends_when_it_says(ledger: Ledger, signer: MakeSigner) -> None:
    until = msgspec.structs.replace(CLOSING, expires="2026-03-31T00:00:00Z")
    for name in ("anna", "ben"):
        sign_act(ledger, until, because="until the fix", signer=signer(name))
    assert len(holding(ledger)) == 1
    assert holding(ledger, datetime(2026, 3, 31, tzinfo=UTC)) == []


def test_acts_travel_with_a_baseline(ledger: Ledger, signer: MakeSigner, tmp_path: Path) -> None:
    for name in ("anna", "ben"):
        sign_act(ledger, CLOSING, because="fixed in 1.5", signer=signer(name))
    clone = Ledger(tmp_path / "clone")
    clone.append("import", {"suite": "desk", "baseline": "0", "lineage": lineage(ledger.entries(), "desk")})
    entries = with_imported(clone.entries())
    (found,) = acts_that_hold(entries, ledger.keyring, kind="close-s1", suite="desk", at=NOW)
    assert found.act == CLOSING.normal
    assert acts_that_hold(entries, clone.keyring, kind="close-s1", suite="desk", at=NOW) == [], "it knows no keys"
