"""Governed changes: rules and oracle change by proposal and approval, the approver being someone else.

The ledger is the only source: a suite's charter starts with its `genesis` entry (which may be unsigned, and reports say
so) and moves with every approved proposal. Whatever runs under another charter is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import jsonable
from proctor.core.errors import InputError, IntegrityError
from proctor.core.hashing import content_hash, file_hash
from proctor.pipeline.charter import Change, Charter, summary_of
from proctor.pipeline.keys import Keyring, Signer
from proctor.pipeline.ledger import Entry, Ledger


class Standing(msgspec.Struct, frozen=True):
    """On what authority a charter is in force."""

    charter: str
    since: str
    """Hash of the ledger entry that put it in force."""
    genesis: bool
    """It is the first of its suite."""
    signed_by: tuple[str, ...]
    """Names of the keys; empty for an unsigned genesis."""

    @property
    def sentence(self) -> str:
        """For the report."""
        if not self.genesis:
            return f"rules and oracle as approved by {self.signed_by[-1]}, proposed by {self.signed_by[0]}"
        if self.signed_by:
            return f"rules and oracle are the first of this suite, signed by {self.signed_by[0]}"
        return "rules and oracle are the first of this suite and nobody signed them"


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


def approved_charter(entries: Sequence[Entry], keyring: Keyring, suite: str) -> tuple[Charter, Standing] | None:
    """The charter in force for a suite; None when there is none yet."""
    found = list(charters(entries, keyring, suite))
    return found[-1] if found else None


def charters(entries: Sequence[Entry], keyring: Keyring, suite: str) -> Iterator[tuple[Charter, Standing]]:
    """Every charter a suite has had, in the order they came into force, followed through the ledger."""
    current: tuple[Charter, Standing] | None = None
    proposals: dict[str, Entry] = {}
    for entry in entries:
        body = entry.body
        if body.get("suite") != suite:
            continue
        if entry.kind == "genesis" and current is None:
            charter = Charter(suite, body["charter"])
            signature = entry.signature
            signers = (signature.key,) if signature is not None and keyring.knows(signature) else ()
            current = charter, Standing(charter.hash, entry.hash, genesis=True, signed_by=signers)
            yield current
        elif entry.kind == "import" and current is None:
            # A clone that has only the baseline file: the entries that led to its rules came with it, still signed.
            for current in charters(travelled(body["lineage"]), keyring, suite):
                yield current
        elif entry.kind == "proposal":
            proposals[body["proposal"]] = entry
        elif entry.kind == "approval" and current is not None and body["proposal"] in proposals:
            proposal = proposals[body["proposal"]]
            if proven(proposal, entry, keyring) and proposal.body["from"] == current[0].hash:
                charter = current[0].changed_by(changes_in(proposal))
                names = (proposal.signer or "", entry.signer or "")
                current = charter, Standing(charter.hash, entry.hash, genesis=False, signed_by=names)
                yield current


def proven(proposal: Entry, verdict: Entry, keyring: Keyring) -> bool:
    """Whether two different keys of this project signed proposal and verdict."""
    first, second = proposal.signature, verdict.signature
    if first is None or second is None:
        return False
    return keyring.knows(first) and keyring.knows(second) and first.public != second.public


def changes_in(proposal: Entry) -> tuple[Change, ...]:
    """What a proposal changes."""
    return msgspec.convert(proposal.body["changes"], tuple[Change, ...])


def require_approved(
    ledger: Ledger, charter: Charter, *, partial: bool = False, signer: Signer | None = None
) -> Standing:
    """The authority of a charter; the first of a suite is recorded as its genesis, any other one is refused.

    With `partial` the charter holds only the scenarios of a scope: those must be as approved, none may be new.
    """
    found = approved_charter(ledger.entries(), ledger.keyring, charter.suite)
    if found is None:
        if partial:
            message = (
                f"suite '{charter.suite}' has no approved rules yet and this run has only some of its scenarios; "
                "gate a run of the whole suite first"
            )
            raise InputError(message)
        body = {"suite": charter.suite, "charter": charter.entries, "hash": charter.hash}
        first = _of_suite("genesis", charter.suite)
        ledger.append("genesis", body, signer=signer, unless=first)
        return require_approved(ledger, charter)
    approved, standing = found
    changes = approved.changes_to(charter, partial=partial)
    if changes:
        raise InputError(refusal(charter.suite, changes))
    return standing


def refusal(suite: str, changes: Sequence[Change]) -> str:
    """The one sentence with which an unapproved change is refused."""
    count = f"{len(changes)} place" + ("s" if len(changes) > 1 else "")
    return (
        f"suite '{suite}' differs from its approved rules and oracle in {count} ({summary_of(changes)}); "
        "propose the change with `proctor govern propose` and let somebody else approve it"
    )


def propose(
    ledger: Ledger, charter: Charter, *, justification: str, evidence: Sequence[Path], signer: Signer
) -> Proposal:
    """Record the wish to change a suite's charter to this one."""
    if len(justification.split()) < 3:
        message = "say why with --because, in a sentence that somebody else can judge"
        raise InputError(message)
    if not evidence:
        message = "a change of rules needs evidence; name at least one file with --evidence"
        raise InputError(message)
    found = approved_charter(ledger.entries(), ledger.keyring, charter.suite)
    if found is None:
        message = f"suite '{charter.suite}' has no approved rules to change; the first `proctor gate` records them"
        raise InputError(message)
    changes = found[0].changes_to(charter)
    if not changes:
        message = f"suite '{charter.suite}' is as approved; there is nothing to propose"
        raise InputError(message)
    files = [{"name": path.name, "sha256": _hashed(path)} for path in evidence]
    body = {
        "suite": charter.suite,
        "from": found[0].hash,
        "to": charter.hash,
        "changes": jsonable(changes),
        "justification": justification,
        "evidence": files,
    }
    body["proposal"] = f"change-{content_hash([body, len(ledger.entries())])[:8]}"
    entry = ledger.append("proposal", body, signer=signer)
    return _proposal(entry, None)


def decide_proposal(ledger: Ledger, name: str, *, approve: bool, reason: str, signer: Signer) -> Proposal:
    """Approve or deny a proposal, once, as somebody other than its proposer."""
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
        verdict = _verdict(current, name)
        if verdict is not None:
            message = f"'{name}' was {_past(verdict.kind)} already by {verdict.signer}"
            raise InputError(message)
        found = approved_charter(current, ledger.keyring, proposal.body["suite"])
        if approve and (found is None or found[0].hash != proposal.body["from"]):
            message = f"the rules have changed since '{name}' was proposed; propose it again"
            raise InputError(message)
        if approve and found is not None and found[0].changed_by(changes_in(proposal)).hash != proposal.body["to"]:
            message = "its changes do not lead to the charter it names"
            raise IntegrityError(message, place=f"proposal {name}")

    body = {"suite": proposal.body["suite"], "proposal": name, "reason": reason, "to": proposal.body["to"]}
    verdict = ledger.append("approval" if approve else "denial", body, signer=signer, check=still_open)
    return _proposal(proposal, verdict)


def proposals(entries: Sequence[Entry]) -> list[Proposal]:
    """Every proposal, oldest first."""
    return [_proposal(e, _verdict(entries, e.body["proposal"])) for e in entries if e.kind == "proposal"]


def lineage(entries: Sequence[Entry], suite: str) -> list[dict[str, Any]]:
    """The entries that led to a suite's charter, as data that can travel with a baseline."""
    kinds = ("genesis", "proposal", "approval")
    found: list[dict[str, Any]] = []
    for entry in entries:
        if entry.body.get("suite") != suite:
            continue
        if entry.kind == "import" and not found:
            found += entry.body["lineage"]
        elif entry.kind in kinds:
            found.append(jsonable(entry))
    return found


def travelled(data: Sequence[Mapping[str, Any]]) -> list[Entry]:
    """Entries that came with a baseline, each checked for itself: they are an excerpt, so there is no chain."""
    entries = [msgspec.convert(item, Entry) for item in data]
    for entry in entries:
        signature = entry.signature
        if entry.hash != entry.computed_hash() or (signature is not None and not signature.holds(entry.signed_bytes())):
            message = f"the {entry.kind} it carries was changed"
            raise IntegrityError(message, place=f"ledger entry {entry.number} of the baseline")
    return entries


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


def _verdict(entries: Sequence[Entry], name: str) -> Entry | None:
    kinds = ("approval", "denial")
    return next((e for e in entries if e.kind in kinds and e.body["proposal"] == name), None)


def _past(kind: str) -> str:
    return "approved" if kind == "approval" else "denied"


def _of_suite(kind: str, suite: str) -> Any:
    return lambda entry: entry.kind == kind and entry.body.get("suite") == suite


def _hashed(path: Path) -> str:
    if not path.is_file():
        message = f"{path}: there is no such file to give as evidence"
        raise InputError(message)
    return file_hash(path)
