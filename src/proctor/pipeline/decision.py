"""The decision of a pipeline: written to the ledger once, and answered by a person where it escalates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from proctor.core.canonical import canonical, jsonable
from proctor.core.errors import InputError, IntegrityError
from proctor.instruments.quality.decision import EXIT_CODES, Result
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Entry, Ledger


class GateDecision(msgspec.Struct, frozen=True):
    """What is to happen to the agent, and why."""

    pipeline: str
    run: str
    result: Result
    reasons: tuple[str, ...]
    entry: str
    """Hash of its ledger entry."""
    standing: str
    """On what authority the rules are in force."""
    label: str = ""
    """What has to be said wherever a result of the agent appears, e.g. that it ran unconfined."""
    answer: Literal["approved", "denied"] | None = None
    """What a person said to an escalation."""
    answered_by: str | None = None
    answer_reason: str | None = None
    scope: str | None = None
    """The part of the organisation it is about; None: the whole suite."""

    @property
    def outcome(self) -> Result:
        """What holds now: an escalation that somebody answered is deployed or blocked."""
        if self.answer is None:
            return self.result
        return "deploy" if self.answer == "approved" else "block"

    @property
    def exit_code(self) -> int:
        """Says the same as `outcome`."""
        return EXIT_CODES[self.outcome]

    @property
    def sentence(self) -> str:
        """The decision in words."""
        why = "; ".join(self.reasons)
        what = self.outcome if self.scope is None else f"{self.outcome} within {self.scope}"
        if self.answer is not None:
            return f"{what}: escalated ({why}), and {self.answer} by {self.answered_by}: {self.answer_reason}"
        return f"{what}: {why}"


def record_decision(ledger: Ledger, pipeline: str, body: dict[str, Any]) -> Entry:
    """Write a pipeline's decision, or give the one it has.

    A decision is worked out before it is looked up: one that stands there already and says something else was not made
    by this pipeline, whoever wrote it.
    """
    own = jsonable({"pipeline": pipeline, **body})
    entry = ledger.append(
        "decision", own, unless=lambda entry: entry.kind == "decision" and entry.body["pipeline"] == pipeline
    )
    if canonical(entry.body) != canonical(own):
        message = f"it has another decision about pipeline {pipeline} than the one worked out from the evidence"
        raise IntegrityError(message, where=f"ledger entry {entry.number}")
    return entry


def decisions(entries: Sequence[Entry], keyring: Keyring) -> list[GateDecision]:
    """Every decision, oldest first, with the answer a person gave."""
    answers: dict[str, Entry] = {}
    for entry in entries:
        if entry.kind == "resolution" and entry.signature is not None and keyring.knows(entry.signature):
            answers.setdefault(entry.body["pipeline"], entry)
    return [_decision(entry, answers.get(entry.body["pipeline"])) for entry in entries if entry.kind == "decision"]


def open_escalations(entries: Sequence[Entry], keyring: Keyring) -> list[GateDecision]:
    """The escalations that nobody has answered."""
    return [d for d in decisions(entries, keyring) if d.result == "escalate-to-human" and d.answer is None]


def answer_escalation(ledger: Ledger, pipeline: str, *, approve: bool, reason: str, signer: Signer) -> GateDecision:
    """Answer an escalation, once, by signature."""
    if len(reason.split()) < 2:
        message = "give a reason with --because that somebody else can judge"
        raise InputError(message)

    def still_open(entries: list[Entry]) -> None:
        decision = next((d for d in decisions(entries, ledger.keyring) if d.pipeline == pipeline), None)
        if decision is None:
            message = f"nothing called '{pipeline}' waits; `proctor govern list` shows what does"
        elif decision.answer is not None:
            message = f"'{pipeline}' was already {decision.answer} by {decision.answered_by}"
        elif decision.result != "escalate-to-human":
            message = f"'{pipeline}' was decided ({decision.result}) and waits for nobody"
        else:
            return
        raise InputError(message)

    body = {"pipeline": pipeline, "answer": "approved" if approve else "denied", "reason": reason}
    ledger.append("resolution", body, signer=signer, check=still_open)
    return next(d for d in decisions(ledger.entries(), ledger.keyring) if d.pipeline == pipeline)


def _decision(entry: Entry, answer: Entry | None) -> GateDecision:
    body = entry.body
    return GateDecision(
        pipeline=body["pipeline"],
        run=body["run"],
        result=body["result"],
        reasons=tuple(body["reasons"]),
        entry=entry.hash,
        standing=body["standing"],
        label=body.get("label", ""),
        answer=None if answer is None else answer.body["answer"],
        answered_by=None if answer is None else answer.signer,
        answer_reason=None if answer is None else answer.body["reason"],
        scope=body.get("scope"),
    )
