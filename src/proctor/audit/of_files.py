"""What can be checked of bundles as files: digests, signatures, and the documents that travel with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from proctor.audit.determination import Check, Subject
from proctor.core.errors import IntegrityError
from proctor.core.hashing import file_hash
from proctor.engine.checking import ORDER, TASKS
from proctor.evidence.attachments import RATING_REFERENCE, RATINGS, Attachment
from proctor.evidence.bundle import Manifest, VerifyReport, verify_apart
from proctor.evidence.bundle.attaching import bundle_documents
from proctor.evidence.ratings import ratings_of
from proctor.pipeline.keys import Keyring
from proctor.pipeline.signing import SignatureFound, signatures_on

_NAMED = 5


class File(Struct, frozen=True):
    """One bundle, read as far as it can be."""

    path: Path
    sha256: str
    report: VerifyReport
    manifest: Manifest | None
    """None where archive or checksums do not hold."""
    documents: tuple[Attachment, ...] = ()

    @classmethod
    def read(cls, path: Path) -> File:
        """Verify a bundle. Refuses only what is no file."""
        report = verify_apart(path, plan=ORDER, tasks=TASKS)
        digest = file_hash(path)
        try:
            manifest, documents = bundle_documents(path)
        except IntegrityError:
            return cls(path, digest, report, None)
        return cls(path, digest, report, manifest, tuple(documents))

    @property
    def subject(self) -> Subject:
        return Subject(self.path.name, self.sha256, self.report.run, self.report.root, self.report.seal)


def evidence_check(files: Sequence[File]) -> Check:
    """Every digest, row and byte; what is missing is told from what was changed."""
    changed, gone = [], []
    for file in files:
        report = file.report
        if report.ok and not report.unchecked:
            continue
        if report.unchecked:
            gone.append(f"{file.path.name}: {report.unchecked}")
        problems = [f"{file.path.name}: {one.place}: {one.message}" for one in report.problems if not one.missing]
        if not report.ok and not report.incomplete:
            changed += [*problems[:_NAMED], *_more(len(problems) - _NAMED)]
        elif report.incomplete:
            missing = [f"{file.path.name}: {one.place}: {one.message}" for one in report.problems if one.missing]
            gone += [*missing[:_NAMED], *_more(len(missing) - _NAMED)]
    if changed:
        return Check("evidence", "wrong", "was changed after it was written", tuple(changed))
    if gone:
        return Check("evidence", "insufficient", "is not all there", tuple(gone))
    return Check("evidence", "ok", "verified: nothing was changed since it was written")


def _more(count: int) -> list[str]:
    return [f"and {count} more problems of this kind"] if count > 0 else []


def signature_check(
    files: Sequence[File], project: Path, signed_by: str | None, declared: dict[str, str | None]
) -> tuple[Check, bool]:
    """Who vouches for the evidence; and whether somebody does who is known here, for every bundle.

    `declared` has, by run, the public key that the evaluation named as its own before the first episode.
    """
    keyring = Keyring(project)
    wrong: list[str] = []
    lacking: list[str] = []
    said: list[str] = []
    vouched = True
    for file in files:
        if file.manifest is None:
            vouched = False
            continue
        key = declared.get(file.manifest.run)
        found = signatures_on(file.manifest, file.documents, keyring)
        wrong += [f"{file.path.name}: {one.name}: {one.problem}" for one in found if one.standing == "forged"]
        good = [one for one in found if one.standing == "known"]
        vouched = vouched and bool(good) and _covers_all(good)
        if signed_by is not None and not any(keyring.public(signed_by) == one.public for one in good):
            lacking.append(f"{file.path.name}: is not signed with {keyring.folder.name}/{signed_by}.pub")
        said += [f"{file.path.name}: {_standing(one)}" for one in found]
        if key is not None and not any(one.public == key for one in found if one.standing != "forged"):
            # Counting it against them would teach evaluators to name no key.
            said.append(f"{file.path.name}: not signed with the key that the evaluation names ({key[:12]}…): ask why")
    detail = "; ".join(said) or "unsigned: nobody vouches for the evidence, and nothing shows who made it"
    if wrong:
        return Check("signature", "wrong", detail, tuple(wrong)), False
    if lacking:
        return Check("signature", "insufficient", detail, tuple(lacking)), False
    return Check("signature", "ok" if vouched else "not possible", detail), vouched


def _covers_all(found: list[SignatureFound]) -> bool:
    """Whether no ratings came after every signature: others may be added by anybody, ratings change results."""
    return any(not any(name.startswith((RATINGS, RATING_REFERENCE)) for name in one.uncovered) for one in found)


def _standing(one: SignatureFound) -> str:
    if one.standing == "known":
        later = f"; not covered, since later: {', '.join(one.uncovered[:_NAMED])}" if one.uncovered else ""
        return f"signed with {one.key} ({one.public[:12]}…), which is known here{later}"
    if one.standing == "unknown":
        return f"signed with {one.key} ({one.public[:12]}…), a key that nobody here knows: it shows nothing"
    return f"{one.name} is forged"


def documents_check(files: Sequence[File]) -> Check:
    """The documents that travel with the evidence: each has its digest, and ratings can be read."""
    unreadable = [
        f"{file.path.name}: {name}: ratings that cannot be read"
        for file in files
        for name in ratings_of(file.documents).unreadable
    ]
    if unreadable:
        return Check("documents", "insufficient", "ratings cannot be read", tuple(unreadable))
    if any(file.manifest is None for file in files):
        return Check("documents", "not possible", "the checksums of a bundle do not hold")
    names = [one.name for file in files for one in file.documents]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return Check("documents", "ok", f"beside the runs: {', '.join(names[:_NAMED])}{more}" if names else "none")
