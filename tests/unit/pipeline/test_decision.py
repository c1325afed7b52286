"""Decisions: recorded once, answered once, and the exit code says what the words say."""

from __future__ import annotations

import pytest
from tests.unit.pipeline.conftest import MakeSigner

from proctor.core.errors import InputError
from proctor.pipeline.decision import answer_escalation, decisions, open_escalations, record_decision
from proctor.pipeline.ledger import Ledger


def record(ledger: Ledger, pipeline: str, result: str) -> None:
    body = {"run": "r", "result": result, "reasons": ["no accepted baseline"], "standing": "genesis"}
    record_decision(ledger, pipeline, body)


@pytest.mark.parametrize(("result", "code"), [("deploy", 0), ("block", 100), ("escalate-to-human", 101)])
def test_exit_code_and_words_agree(ledger: Ledger, result: str, code: int) -> None:
    record(ledger, "p", result)
    (decision,) = decisions(ledger.entries(), ledger.keyring)
    assert decision.exit_code == code
    assert decision.sentence == f"{result}: no accepted baseline"


@pytest.mark.parametrize(("approve", "code", "word"), [(True, 0, "deploy"), (False, 100, "block")])
def test_an_escalation_waits_until_a_person_answers(
    ledger: Ledger, signer: MakeSigner, approve: bool, code: int, word: str
) -> None:
    record(ledger, "p", "escalate-to-human")
    assert [d.pipeline for d in open_escalations(ledger.entries(), ledger.keyring)] == ["p"]
    decision = answer_escalation(ledger, "p", approve=approve, reason="looked at it", signer=signer("anna"))
    assert decision.exit_code == code
    assert decision.sentence.startswith(f"{word}: escalated")
    assert "anna" in decision.sentence
    assert open_escalations(ledger.entries(), ledger.keyring) == []


def test_only_open_escalations_can_be_answered(ledger: Ledger, signer: MakeSigner) -> None:
    anna = signer("anna")
    record(ledger, "p", "block")
    with pytest.raises(InputError, match="waits for nobody"):
        answer_escalation(ledger, "p", approve=True, reason="looked at it", signer=anna)
    with pytest.raises(InputError, match="nothing called"):
        answer_escalation(ledger, "q", approve=True, reason="looked at it", signer=anna)
    record(ledger, "r", "escalate-to-human")
    with pytest.raises(InputError, match="--because"):
        answer_escalation(ledger, "r", approve=True, reason="", signer=anna)
    answer_escalation(ledger, "r", approve=True, reason="looked at it", signer=anna)
    with pytest.raises(InputError, match="was already approved by anna"):
        answer_escalation(ledger, "r", approve=False, reason="looked again", signer=anna)


def test_an_unsigned_answer_is_none(ledger: Ledger) -> None:
    record(ledger, "p", "escalate-to-human")
    ledger.append("resolution", {"pipeline": "p", "answer": "approved", "reason": "x"})
    assert len(open_escalations(ledger.entries(), ledger.keyring)) == 1
