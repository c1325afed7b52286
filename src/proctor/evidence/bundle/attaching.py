"""Adding documents to a finished bundle: what came later travels with the evidence it is about.

Everything that was there stays as it is, byte for byte; manifest, statement and checksums are made anew. So a signature
over the file as it was no longer fits the file, while one over root, seal and earlier documents still holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import structs

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import canonical
from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex
from proctor.evidence.attachments import Attachment, require_room
from proctor.evidence.bundle import layout, report
from proctor.evidence.bundle.archive import CHUNK, ArchiveWriter
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import LIMITS, Manifest
from proctor.evidence.bundle.read import Bundle, read_attachments
from proctor.evidence.bundle.report import Damage, Findings
from proctor.evidence.bundle.verify import check_outside

_OWN = (layout.MANIFEST, layout.STATEMENT, layout.SUMS)


def attach_to_bundle(path: Path, documents: Sequence[Attachment], output: Path | None = None) -> list[str]:
    """Write the bundle with these documents beside what it has, and give the names of those that are new.

    The file appears whole or not at all; without `output` it replaces the one that was read. A file whose archive or
    checksums do not hold is refused: its checksums would be made to hold.
    """
    with Source(path) as source:
        bundle, manifest = _opened(source)
        present = read_attachments(bundle)
        new: list[Attachment] = []
        for document in documents:
            known = {(one.kind, one.sha256) for one in (*present, *new)}
            if (document.kind, document.sha256) not in known:
                require_room([*present, *new], document)
                new.append(document)
        if manifest.version < layout.FORMAT_VERSION:
            message = f"{path}: a bundle of format {manifest.version} holds no documents; import it and export it again"
            raise InputError(message)
        if new or output is not None:
            with atomic_write(output or path, private=True) as file:
                _write(bundle, manifest, new, ArchiveWriter(file))
    return [one.name for one in new]


def bundle_documents(path: Path) -> tuple[Manifest, list[Attachment]]:
    """The manifest of a bundle and the documents beside its run. Refuses a file whose checksums do not hold."""
    with Source(path) as source:
        bundle, manifest = _opened(source)
        return manifest, read_attachments(bundle)


def _opened(source: Source) -> tuple[Bundle, Manifest]:
    findings = Findings(report.BUNDLE_CHECKS)
    opened = check_outside(source, LIMITS, findings)
    found = findings.report(str(source.path), run=None, root=None, seal=None)
    if opened is None or found.problems:
        first = found.problems[0]
        raise Damage(first.message, where=f"{source.path}: {first.place}")
    return opened


def _write(bundle: Bundle, manifest: Manifest, documents: list[Attachment], archive: ArchiveWriter) -> None:
    for member in bundle.members.values():
        if member.name in _OWN:
            continue
        with archive.member(member.name) as sink:
            for start in range(member.start, member.stop, CHUNK):
                sink.write(bundle.source.read(start, min(CHUNK, member.stop - start)))
    for document in documents:
        archive.add(layout.attachment_member(document.kind, document.sha256), document.content)
    made = structs.replace(manifest, members=layout.member_entries(archive.members))
    data = canonical(made)
    archive.add(layout.MANIFEST, data)
    archive.add(layout.STATEMENT, layout.statement(made, sha256_hex(data)))
    archive.add(layout.SUMS, layout.checksums(archive.members))
    archive.close()
