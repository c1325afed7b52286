"""Decisions: recorded once, answered once, and the exit code says what the words say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.unit.pipeline.conftest import MakeSigner

from proctor.core.errors import InputError
from proctor.pipeline.acts import sign_act
from proctor.pipeline.decision import (
    answer_escalation,
    answer_to,
    ask_for_answer,
    decisions,
    open_escalations,
    record_decision,
)
from proctor.pipeline.ledger import Ledger


def record(ledger: Ledger, pipeline: str, result: str, **more: Any) -> None:
    body = {"run": "r", "result": result, "reasons": ["no accepted baseline"], "standing": "genesis", "suite": "desk"}
    record_decision(ledger, pipeline, {**body, **more})


@pytest.mark.parametrize(("result", "code"), [("deploy", 0), ("block", 100), ("escalate-to-human", 101)])
def test_exit_code_and_words_agree(ledger: Ledger, result: str, code: int) -> None:
    record(ledger, "p", result)
    (decision,) = decisions(ledger.entries(), ledger.keyring)
    assert decision.exit_code == code
    assert decision.sentence == f"{result}: no accepted baseline"


def test_an_escalation_waits_until_two_people_approve_it(ledger: Ledger, signer: MakeSigner) -> None:
    record(ledger, "p", "escalate-to-human")
    assert [d.pipeline for d in open_escalations(ledger.entries(), ledger.keyring)] == ["p"]
    anna = signer("anna")
    asked = answer_escalation(ledger, "p", approve=True, reason="looked at it", signer=anna)
    assert (asked.answer, asked.asked_by, asked.exit_code) == (None, "anna", 101)
    with pytest.raises(InputError, match="somebody else has to decide"):
        answer_escalation(ledger, "p", approve=True, reason="looked again", signer=anna)
    decision = answer_escalation(ledger, "p", approve=True, reason="I agree", signer=signer("ben"))
    assert decision.exit_code == 0
    assert decision.sentence.startswith("deploy: escalated")
    assert "by ben: I agree" in decision.sentence
    assert open_escalations(ledger.entries(), ledger.keyring) == []


def test_whoever_gated_with_a_key_cannot_answer(ledger: Ledger, signer: MakeSigner) -> None:
    anna = signer("anna")
    record(ledger, "p", "escalate-to-human")
    ask_for_answer(ledger, "p", anna)
    ask_for_answer(ledger, "p", anna)
    with pytest.raises(InputError, match="somebody else has to decide"):
        answer_escalation(ledger, "p", approve=True, reason="looked at it", signer=anna)
    decision = answer_escalation(ledger, "p", approve=True, reason="looked at it", signer=signer("ben"))
    assert (decision.outcome, decision.asked_by, decision.answered_by) == ("deploy", "anna", "ben")


def test_one_key_denies(ledger: Ledger, signer: MakeSigner) -> None:
    record(ledger, "p", "escalate-to-human")
    ask_for_answer(ledger, "p", signer("anna"))
    decision = answer_escalation(ledger, "p", approve=False, reason="not yet", signer=signer("ben"))
    assert (decision.outcome, decision.exit_code) == ("block", 100)


def test_only_open_escalations_can_be_answered(ledger: Ledger, signer: MakeSigner) -> None:
    anna, ben = signer("anna"), signer("ben")
    record(ledger, "p", "block")
    with pytest.raises(InputError, match="waits for nobody"):
        answer_escalation(ledger, "p", approve=True, reason="looked at it", signer=anna)
    with pytest.raises(InputError, match="nothing called"):
        answer_escalation(ledger, "q", approve=True, reason="looked at it", signer=anna)
    record(ledger, "r", "escalate-to-human")
    with pytest.raises(InputError, match="--because"):
        answer_escalation(ledger, "r", approve=True, reason="", signer=anna)
    answer_escalation(ledger, "r", approve=False, reason="looked at it", signer=anna)
    with pytest.raises(InputError, match="was already denied by anna"):
        answer_escalation(ledger, "r", approve=True, reason="looked again", signer=ben)


def test_an_answer_that_one_person_could_write_is_none(ledger: Ledger, signer: MakeSigner) -> None:
    record(ledger, "p", "escalate-to-human")
    ledger.append("resolution", {"pipeline": "p", "answer": "approved", "reason": "x"})
    ledger.append("resolution", {"pipeline": "p", "answer": "approved", "reason": "x"}, signer=signer("anna"))
    ledger.append("resolution", {"pipeline": "p", "answer": "denied", "reason": "x"})
    assert len(open_escalations(ledger.entries(), ledger.keyring)) == 1


def test_an_answer_covers_the_same_reasons_again_and_no_others(ledger: Ledger, signer: MakeSigner) -> None:
    both = {"reasons": ["turned wrong", "unconfined"], "scenarios": ["a", "b"], "binds": "rules-and-baseline"}
    record(ledger, "first", "escalate-to-human", **both)
    for name in ("anna", "ben"):
        answer_escalation(ledger, "first", approve=True, reason="looked at it", signer=signer(name))
    variants = {
        "again": both,
        "fewer": {**both, "reasons": ["unconfined"], "scenarios": []},
        "another-reason": {**both, "reasons": ["turned wrong", "DA misses its target"]},
        "another-scenario": {**both, "scenarios": ["a", "c"]},
        "another-baseline": {**both, "binds": "other"},
        "another-suite": {**both, "suite": "other"},
    }
    for name, body in variants.items():
        record(ledger, name, "escalate-to-human", **body)
    answered = {d.pipeline for d in decisions(ledger.entries(), ledger.keyring) if d.answer == "approved"}
    assert answered == {"first", "again", "fewer"}
    later = datetime.now(UTC) + timedelta(days=30)
    assert [d.answer for d in decisions(ledger.entries(), ledger.keyring, at=later)] == [None] * 7


def test_no_answer_covers_an_s1(ledger: Ledger, signer: MakeSigner) -> None:
    record(ledger, "p", "escalate-to-human", reasons=["an S1 of last week is open"])
    ask_for_answer(ledger, "p", signer("anna"))
    with pytest.raises(InputError, match="no answer covers"):
        answer_escalation(ledger, "p", approve=True, reason="looked at it", signer=signer("ben"))
    entry = next(entry for entry in ledger.entries() if entry.kind == "decision")
    for name in ("carla", "dora"):
        sign_act(ledger, answer_to(entry), because="written around it", signer=signer(name))
    assert len(open_escalations(ledger.entries(), ledger.keyring)) == 1
