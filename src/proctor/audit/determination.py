"""The answer of an audit: Compliant, Contested (Evidence Insufficient) or Invalid (Non-Compliance), as a record.

The record says what was looked at and what could not be. It can be signed, and kept beside the evidence it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from proctor.core.canonical import UNREADABLE, canonical, jsonable
from proctor.core.signatures import Signature
from proctor.evidence.attachments import DETERMINATION, Attachment
from proctor.pipeline.keys import Signer
from proctor.pipeline.signing import record_signature, signed_record

FORMAT = "proctor-determination"
VERSION = 1
_PURPOSE = b"proctor determination 1\n"

COMPLIANT, CONTESTED, INVALID = "Compliant", "Contested (Evidence Insufficient)", "Invalid (Non-Compliance)"
State = Literal["ok", "wrong", "insufficient", "not possible", "not asked"]
_ANSWERS: dict[State, str] = {"wrong": INVALID, "insufficient": CONTESTED}

REHASHED = (
    "An edit after which every digest was computed anew is found by --reverify or by a signature with a key that is "
    "known here; neither was at hand, so such an edit would not have been found."
)


class Check(Struct, frozen=True, omit_defaults=True):
    """One thing an audit looked at."""

    name: str
    state: State
    """`wrong`: it shows that the evaluation does not comply. `insufficient`: evidence that it needs is not there."""
    detail: str
    reasons: tuple[str, ...] = ()
    """What is wrong or missing, each in a sentence."""


class Subject(Struct, frozen=True):
    """A run that was audited."""

    file: str
    sha256: str
    """Of the file as it was audited."""
    run: str | None
    root: str | None
    seal: str | None


class Determination(Struct, frozen=True, omit_defaults=True):
    """The answer."""

    format: str
    version: int
    determination: str
    reasons: tuple[str, ...]
    subjects: tuple[Subject, ...]
    checks: tuple[Check, ...]
    limits: tuple[str, ...]
    """What this audit could not have found."""
    auditor: str
    """Version of Proctor that made it."""
    signature: Signature | None = None

    @property
    def compliant(self) -> bool:
        return self.determination == COMPLIANT


def determine(
    subjects: Sequence[Subject], checks: Sequence[Check], limits: Iterable[str], auditor: str
) -> Determination:
    """The gravest answer that a check gives; all reasons, the gravest first."""
    states = {check.state for check in checks}
    answer = next((_ANSWERS[state] for state in _ANSWERS if state in states), COMPLIANT)
    reasons = [
        f"{check.name}: {reason}"
        for state in _ANSWERS
        for check in checks
        if check.state == state
        for reason in check.reasons or (check.detail,)
    ]
    return Determination(
        FORMAT, VERSION, answer, tuple(reasons), tuple(subjects), tuple(checks), tuple(limits), auditor
    )


def signed(determination: Determination, signer: Signer) -> Determination:
    """The same, signed over everything in it."""
    return msgspec.convert(signed_record(_plain(determination), signer, _PURPOSE), Determination)


def as_document(determination: Determination) -> Attachment:
    """The record as a document to be kept beside the evidence."""
    return Attachment.of(DETERMINATION, canonical(_plain(determination)))


def _plain(determination: Determination) -> dict[str, Any]:
    plain: dict[str, Any] = jsonable(msgspec.to_builtins(determination))
    return plain


class Earlier(Struct, frozen=True):
    """A determination that is beside the evidence already."""

    name: str
    determination: str
    signer: Signature | None
    """None where it is unsigned, or its signature does not hold."""


def earlier_determinations(documents: Iterable[Attachment], roots: Sequence[str]) -> list[Earlier]:
    """What earlier audits of these roots found; a record of another run, or of another form, is passed over."""
    found: list[Earlier] = []
    for one in documents:
        if one.kind != DETERMINATION:
            continue
        try:
            plain = msgspec.json.decode(one.content, type=dict[str, Any])
            record = msgspec.convert(plain, Determination)
        except UNREADABLE:
            continue
        if record.format == FORMAT and any(subject.root in roots for subject in record.subjects):
            found.append(Earlier(one.name, record.determination, record_signature(plain, _PURPOSE)))
    return found
