"""Signatures on evidence: who vouches for a run and for the documents that were beside it then.

A signature is a document beside the run like any other (kind `signature`). It covers root, seal, configuration and
declarations, and every other document by its SHA-256, so a rating that was exchanged afterwards shows even where all
checksums were made anew. Documents that come later are not covered, and do not break it.

What it proves depends on the key: whoever has it vouches. A key that nobody told the reader about proves nothing, and
is reported as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from proctor.core.canonical import UNREADABLE, canonical, jsonable
from proctor.core.errors import InputError
from proctor.core.signatures import Signature
from proctor.evidence.attachments import SIGNATURE, Attachment, attachment_name
from proctor.evidence.bundle.layout import Manifest
from proctor.evidence.bundle.report import short_text
from proctor.pipeline.keys import Keyring, Signer

FORMAT = "proctor-signature"
VERSION = 1
_PURPOSE = b"proctor evidence signature 1\n"

Standing = Literal["known", "unknown", "forged"]


class Covered(Struct, frozen=True, forbid_unknown_fields=True):
    """What a signature is about."""

    run: str
    root: str
    seal: str
    config_hash: str
    declarations: str
    """SHA-256 of what was frozen."""
    documents: tuple[tuple[str, str], ...]
    """Kind and SHA-256 of every document that was beside the run, signatures apart, sorted."""

    @classmethod
    def of(cls, manifest: Manifest, documents: Iterable[Attachment]) -> Covered:
        """What a signature on this bundle covers."""
        named = sorted({(one.kind, one.sha256) for one in documents if one.kind != SIGNATURE})
        return cls(
            manifest.run, manifest.root, manifest.seal, manifest.config_hash, manifest.declarations, tuple(named)
        )


class SignatureDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of an attachment of the kind `signature`."""

    format: str
    version: int
    covers: Covered
    signature: Signature


class SignatureFound(Struct, frozen=True):
    """One signature beside a run, and what became of it."""

    name: str
    key: str
    public: str
    standing: Standing
    """`known`: it holds, and its key is known here. `unknown`: it holds, and nobody here knows its key."""
    problem: str
    """Why it is forged; empty where it is not."""
    uncovered: tuple[str, ...] = ()
    """Documents that came after it."""


def sign_bundle(manifest: Manifest, documents: Sequence[Attachment], signer: Signer) -> Attachment:
    """A signature on a bundle, as a document to be attached to it."""
    covers = Covered.of(manifest, documents)
    document = SignatureDocument(FORMAT, VERSION, covers, signer.sign(_PURPOSE + canonical(jsonable(covers))))
    return Attachment.of(SIGNATURE, canonical(jsonable(document)))


def signatures_on(manifest: Manifest, documents: Sequence[Attachment], keyring: Keyring) -> list[SignatureFound]:
    """Every signature beside a run, checked; which keys are known, the reader's keyring says and no bundle."""
    return [_found(one, manifest, documents, keyring) for one in documents if one.kind == SIGNATURE]


def _found(
    attachment: Attachment, manifest: Manifest, documents: Sequence[Attachment], keyring: Keyring
) -> SignatureFound:
    document = _document(attachment)
    if document is None:
        return SignatureFound(attachment.name, "", "", "forged", "it cannot be read as a signature")
    signature = document.signature
    here = Covered.of(manifest, documents)
    problem = _problem(document, here, keyring)
    known = not problem and _public(keyring, signature.key) == signature.public
    later = sorted(set(here.documents) - set(document.covers.documents))
    return SignatureFound(
        attachment.name,
        short_text(signature.key)[1:-1],
        signature.public,
        "forged" if problem else "known" if known else "unknown",
        problem,
        tuple(attachment_name(*one) for one in later),
    )


def _document(attachment: Attachment) -> SignatureDocument | None:
    try:
        document = msgspec.json.decode(attachment.content, type=SignatureDocument)
    except UNREADABLE:
        return None
    return document if (document.format, document.version) == (FORMAT, VERSION) else None


def _problem(document: SignatureDocument, here: Covered, keyring: Keyring) -> str:
    signature, covers = document.signature, document.covers
    if not signature.holds(_PURPOSE + canonical(jsonable(covers))):
        return "it was not made with the key it names"
    if _public(keyring, signature.key) not in (None, signature.public):
        return f"it was made with another key than {keyring.folder.name}/{signature.key}.pub"
    for name in ("run", "root", "seal", "config_hash", "declarations"):
        if getattr(covers, name) != getattr(here, name):
            return f"it was made for another {name.replace('_', ' ')}: the evidence was changed after it was signed"
    gone = sorted(set(covers.documents) - set(here.documents))
    if gone:
        return f"{attachment_name(*gone[0])} was there when it was signed, and is not any more"
    return ""


def _public(keyring: Keyring, name: str) -> str | None:
    try:
        return keyring.public(name)
    except InputError:
        return None


def signed_record(record: dict[str, Any], signer: Signer, purpose: bytes) -> dict[str, Any]:
    """A record with a signature over everything else in it."""
    plain = {name: value for name, value in jsonable(record).items() if name != "signature"}
    return {**plain, "signature": jsonable(signer.sign(purpose + canonical(plain)))}


def record_signature(record: dict[str, Any], purpose: bytes) -> Signature | None:
    """The signature of such a record; None where there is none, or it does not hold."""
    try:
        signature = msgspec.convert(record.get("signature"), Signature)
        plain = {name: value for name, value in record.items() if name != "signature"}
        return signature if signature.holds(purpose + canonical(plain)) else None
    except (*UNREADABLE, TypeError, ValueError):
        return None
