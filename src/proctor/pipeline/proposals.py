"""Governed changes: rules and oracle change by proposal and approval, the approver being someone else.

A proposal and its verdict are two signed entries of the ledger. A verdict that is unsigned, signed with an unknown key,
or with the proposer's own, decides nothing: it is passed over wherever proposals are read, so that it can neither bring
a change into force nor keep somebody from deciding on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError, IntegrityError
from proctor.core.hashing import content_hash, file_hash
from proctor.pipeline.charter import Change, Charter
from proctor.pipeline.governance import approved_charter, changes_in, signed_by_two
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Entry, Ledger


class Proposal(msgspec.Struct, frozen=True):
    """A change that somebody wants, and what became of it."""

    id: str
    suite: str
    changes: tuple[Change, ...]
    justification: str
    evidence: tuple[dict[str, str], ...]
    proposer: str
    status: str
    """open, approved or denied."""
    decided_by: str | None = None


def propose(
    ledger: Ledger, charter: Charter, *, justification: str, evidence: Sequence[Path], signer: Signer
) -> Proposal:
    """Record the wish to change a suite's charter to this one."""
    if len(justification.split()) < 3:
        message = "give a reason with --because that somebody else can judge"
        raise InputError(message)
    if not evidence:
        message = "a rule change needs evidence; give at least one file with --evidence"
        raise InputError(message)
    current = approved_charter(ledger.entries(), ledger.keyring, charter.suite)
    if current is None:
        message = f"suite '{charter.suite}' has no approved rules to change; the first `proctor gate` records them"
        raise InputError(message)
    changes = current[0].changes_to(charter)
    if not changes:
        message = f"suite '{charter.suite}' has not changed since it was approved; there is nothing to propose"
        raise InputError(message)
    files = [{"name": path.name, "sha256": _hashed(path)} for path in evidence]
    body = {
        "suite": charter.suite,
        "from": current[0].hash,
        "to": charter.hash,
        "changes": jsonable(changes),
        "justification": justification,
        "evidence": files,
    }
    body["proposal"] = f"change-{content_hash([body, len(ledger.entries())])[:8]}"
    entry = ledger.append("proposal", body, signer=signer)
    return _proposal(entry, None)


def decide_proposal(ledger: Ledger, name: str, *, approve: bool, reason: str, signer: Signer) -> Proposal:
    """Approve or deny a proposal, once, as somebody other than its proposer, and say why."""
    if len(reason.split()) < 2:
        message = "give a reason with --because that somebody else can judge"
        raise InputError(message)
    entries = ledger.entries()
    proposal = next((e for e in entries if e.kind == "proposal" and e.body["proposal"] == name), None)
    if proposal is None or proposal.signature is None:
        message = f"there is no proposal '{name}'; `proctor govern list` shows what waits"
        raise InputError(message)
    if proposal.signature.public == signer.public:
        message = f"'{name}' was proposed with this key; somebody else has to decide on it"
        raise InputError(message)
    if not ledger.keyring.knows(proposal.signature):
        message = f"'{name}' was proposed with a key that the project does not know; propose it again"
        raise InputError(message)

    def still_open(current: list[Entry]) -> None:
        verdict = _verdict(current, proposal, ledger.keyring)
        if verdict is not None:
            message = f"'{name}' was already {_past(verdict.kind)} by {verdict.signer}"
            raise InputError(message)
        in_force = approved_charter(current, ledger.keyring, proposal.body["suite"])
        if approve and (in_force is None or in_force[0].hash != proposal.body["from"]):
            message = f"the rules have changed since '{name}' was proposed; propose it again"
            raise InputError(message)
        if (
            approve
            and in_force is not None
            and in_force[0].changed_by(changes_in(proposal)).hash != proposal.body["to"]
        ):
            message = "its changes do not lead to the charter it names"
            raise IntegrityError(message, where=f"proposal {name}")

    body = {"suite": proposal.body["suite"], "proposal": name, "reason": reason, "to": proposal.body["to"]}
    verdict = ledger.append("approval" if approve else "denial", body, signer=signer, check=still_open)
    return _proposal(proposal, verdict)


def proposals(entries: Sequence[Entry], keyring: Keyring) -> list[Proposal]:
    """Every proposal, oldest first, with the verdict that counts."""
    return [_proposal(e, _verdict(entries, e, keyring)) for e in entries if e.kind == "proposal"]


def _proposal(entry: Entry, verdict: Entry | None) -> Proposal:
    body: Mapping[str, Any] = entry.body
    return Proposal(
        id=body["proposal"],
        suite=body["suite"],
        changes=changes_in(entry),
        justification=body["justification"],
        evidence=tuple(body["evidence"]),
        proposer=entry.signer or "",
        status="open" if verdict is None else _past(verdict.kind),
        decided_by=None if verdict is None else verdict.signer,
    )


def _verdict(entries: Sequence[Entry], proposal: Entry, keyring: Keyring) -> Entry | None:
    kinds, name = ("approval", "denial"), proposal.body["proposal"]
    verdicts = (e for e in entries if e.kind in kinds and e.body["proposal"] == name and e.number > proposal.number)
    return next((e for e in verdicts if signed_by_two(proposal, e, keyring)), None)


def _past(kind: str) -> str:
    return "approved" if kind == "approval" else "denied"


def _hashed(path: Path) -> str:
    if not path.is_file():
        message = f"{path}: no such evidence file"
        raise InputError(message)
    return file_hash(path)
