"""The decision of a pipeline: written to the ledger once, and answered by a person where it escalates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec

from proctor.core.canonical import canonical, jsonable
from proctor.core.clock import format_timestamp, parse_timestamp
from proctor.core.errors import InputError, IntegrityError
from proctor.instruments.quality.decision import EXIT_CODES, Result
from proctor.pipeline.acts import Act, SignedAct, sign_act, signed_acts
from proctor.pipeline.governance import with_imported
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Entry, Ledger

ANSWER = "answer"
"""The kind of act that answers an escalation."""
LASTS = timedelta(days=30)
"""How long an answer holds."""


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
    asked_by: str | None = None
    """Who put an escalation forward by signature: anybody else may answer it."""
    answer_until: str | None = None
    """When an approval ends."""

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
            until = f" until {self.answer_until[:10]}" if self.answer_until else ""
            return f"{what}: escalated ({why}), and {self.answer}{until} by {self.answered_by}: {self.answer_reason}"
        return f"{what}: {why}"


def record_decision(ledger: Ledger, pipeline: str, body: dict[str, Any], signer: Signer | None = None) -> Entry:
    """Write a pipeline's decision, or give the one it has.

    A decision is worked out before it is looked up: one that stands there already and says something else was not made
    by this pipeline, whoever wrote it.
    """
    own = jsonable({"pipeline": pipeline, **body})
    entry = ledger.append(
        "decision",
        own,
        signer=signer,
        unless=lambda entry: entry.kind == "decision" and entry.body["pipeline"] == pipeline,
    )
    if canonical(entry.body) != canonical(own):
        message = f"it has another decision about pipeline {pipeline} than the one worked out from the evidence"
        raise IntegrityError(message, where=f"ledger entry {entry.number}")
    return entry


def decisions(entries: Sequence[Entry], keyring: Keyring, *, at: datetime | None = None) -> list[GateDecision]:
    """Every decision, oldest first, with the answer that holds now, or at the moment given."""
    moment = at or datetime.now(UTC)
    denials: dict[str, Entry] = {}
    for entry in entries:
        signature = entry.signature
        denied = entry.kind == "resolution" and entry.body["answer"] == "denied"
        if denied and signature is not None and keyring.knows(signature):
            denials.setdefault(entry.body["pipeline"], entry)
    acts = [one for one in signed_acts(with_imported(entries), keyring) if one.act.kind == ANSWER]
    return [_decision(e, denials.get(e.body["pipeline"]), acts, moment) for e in entries if e.kind == "decision"]


def open_escalations(entries: Sequence[Entry], keyring: Keyring) -> list[GateDecision]:
    """The escalations that nobody has answered."""
    return [d for d in decisions(entries, keyring) if d.result == "escalate-to-human" and d.answer is None]


def ask_for_answer(ledger: Ledger, pipeline: str, signer: Signer) -> None:
    """Put an escalation forward, once: whoever gates with a key asks, and somebody else answers."""
    entry = _decided(ledger.entries(), pipeline)
    if entry is None or entry.body["result"] != "escalate-to-human" or _names_s1(entry):
        return
    act = answer_to(entry)
    if all(one.act != act for one in signed_acts(ledger.entries(), ledger.keyring)):
        sign_act(ledger, act, because=f"put forward by the gate as {pipeline}", signer=signer)


def answer_escalation(ledger: Ledger, pipeline: str, *, approve: bool, reason: str, signer: Signer) -> GateDecision:
    """Answer an escalation by signature: one key denies it, and two different ones approve it.

    An approval is an act: it covers every later escalation for no other reasons and scenarios, in which nothing else
    was done, under the same rules and baseline, for thirty days.
    """
    if len(reason.split()) < 2:
        message = "give a reason with --because that somebody else can judge"
        raise InputError(message)
    decision = next((d for d in decisions(ledger.entries(), ledger.keyring) if d.pipeline == pipeline), None)
    entry = _decided(ledger.entries(), pipeline)
    if decision is None or entry is None:
        message = f"nothing called '{pipeline}' waits; `proctor govern list` shows what does"
        raise InputError(message)
    if decision.answer is not None:
        message = f"'{pipeline}' was already {decision.answer} by {decision.answered_by}"
        raise InputError(message)
    if decision.result != "escalate-to-human":
        message = f"'{pipeline}' was decided ({decision.result}) and waits for nobody"
        raise InputError(message)
    if not approve:
        body = {"pipeline": pipeline, "answer": "denied", "reason": reason}
        ledger.append("resolution", body, signer=signer)
    elif _names_s1(entry):
        message = f"'{pipeline}' is about an S1, which no answer covers; it stays until it is closed"
        raise InputError(message)
    else:
        sign_act(ledger, answer_to(entry), because=reason, signer=signer)
    return next(d for d in decisions(ledger.entries(), ledger.keyring) if d.pipeline == pipeline)


def answer_to(entry: Entry) -> Act:
    """The act that would approve an escalation: what it binds stands in the decision, not in whoever answers."""
    body = entry.body
    until = parse_timestamp(entry.at).replace(hour=0, minute=0, second=0, microsecond=0) + LASTS
    return Act(
        kind=ANSWER,
        suite=body.get("suite", ""),
        # A decision from before answers bound anything is bound by itself alone.
        subject=body.get("binds") or entry.hash,
        scenarios=tuple(body.get("scenarios", ())),
        # What was done stands beside the words: another act can be as many of the same class in the same scenario.
        reasons=(*body["reasons"], *body.get("done", ())),
        expires=format_timestamp(until),
    ).normal


def _covers(act: Act, entry: Entry, at: datetime) -> bool:
    """Whether an act answers an escalation: all its reasons, scenarios and what was done are in the act, and it has
    not ended.
    """
    asked = answer_to(entry)
    return (
        (act.kind, act.suite, act.subject) == (asked.kind, asked.suite, asked.subject)
        and set(asked.reasons) <= set(act.reasons)
        and set(asked.scenarios) <= set(act.scenarios)
        and not act.expired(at)
        and not _names_s1(entry)
    )


def _names_s1(entry: Entry) -> bool:
    return any(re.search(r"\bS1\b", reason) for reason in entry.body["reasons"])


def _decided(entries: Sequence[Entry], pipeline: str) -> Entry | None:
    return next((e for e in entries if e.kind == "decision" and e.body["pipeline"] == pipeline), None)


def _decision(entry: Entry, denial: Entry | None, acts: Sequence[SignedAct], at: datetime) -> GateDecision:
    body = entry.body
    escalated = body["result"] == "escalate-to-human"
    matching = [one for one in acts if escalated and _covers(one.act, entry, at)]
    held = next((one for one in matching if one.holds), None)
    answer: Literal["approved", "denied"] | None = None
    by, why = None, None
    if escalated and denial is not None:
        answer, by, why = "denied", denial.signer, denial.body["reason"]
    elif held is not None:
        answer, by, why = "approved", held.decided_by, held.because[1]
    return GateDecision(
        pipeline=body["pipeline"],
        run=body["run"],
        result=body["result"],
        reasons=tuple(body["reasons"]),
        entry=entry.hash,
        standing=body["standing"],
        label=body.get("label", ""),
        answer=answer,
        answered_by=by,
        answer_reason=why,
        scope=body.get("scope"),
        asked_by=(held or matching[0]).proposer if matching else None,
        answer_until=None if answer != "approved" or held is None else held.act.expires,
    )
