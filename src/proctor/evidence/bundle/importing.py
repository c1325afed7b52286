"""Importing a bundle: verified first, then written to a store as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import structs

from proctor.core.canonical import canonical
from proctor.core.errors import InputError
from proctor.evidence.attachments import ABOUT_RESULTS, Attachment
from proctor.evidence.bundle import layout
from proctor.evidence.bundle.apart import examine_apart, rows_file
from proctor.evidence.bundle.blocks import AsideHead, ContentHead, TraceHead
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import LIMITS, Limits, Manifest
from proctor.evidence.bundle.named import Named, load_named
from proctor.evidence.bundle.read import (
    Bundle,
    find_members,
    read_arms,
    read_attachments,
    read_declarations,
    read_manifest,
    read_stages,
)
from proctor.evidence.bundle.report import Damage, VerifyReport
from proctor.evidence.bundle.verify import examine
from proctor.evidence.codec import Compressor
from proctor.evidence.row import Row
from proctor.evidence.store.contract import EvidenceStore, IncomingEpisode, IncomingRun, RunRecord, StoredText


def import_bundle(
    path: Path | str,
    store: EvidenceStore,
    *,
    plan: Named | None = None,
    tasks: Named | None = None,
    limits: Limits = LIMITS,
    apart: bool = False,
) -> str:
    """Take a bundle into a store, and give the run's name.

    A bundle that does not verify is an `IntegrityError`; a run of the same name in the store is an `InputError` that
    says whether it is the same one. All of the run is written, or nothing.

    A run that is there already, with the same root and seal, is given the documents that came since: signatures,
    determinations, challenges. Ratings and logs are not among them: results are read from those.

    `apart`: for a file from a stranger, which is verified in a process of its own; that process reads the Parquet, and
    hands its rows over.
    """
    with Source(Path(path)) as source, ExitStack() as held:
        version = source.version()
        bundle: Bundle | None
        rows: BinaryIO | None = None
        if apart:
            rows = held.enter_context(rows_file())
            report = examine_apart(source, plan, limits, tasks, rows)
            bundle = Bundle(source, find_members(source, limits)[0], limits)
        else:
            report, bundle = examine(source, load_named(plan), limits, load_named(tasks))
        if not report.ok or bundle is None:
            raise _refusal(report)
        manifest = read_manifest(bundle)
        documents = read_attachments(bundle)
        known = next((one for one in store.runs() if one.name == manifest.run), None)
        if known is not None and _take_documents(store, known, manifest, documents):
            return manifest.run
        bundle.restart()
        bundle.repack = False

        def unchanged() -> None:
            if source.version() != version:
                raise Damage("was changed while it was being imported; nothing was taken in", where=str(path))

        store.import_run(_incoming(bundle, manifest, unchanged, rows))
    return manifest.run


def _refusal(report: VerifyReport) -> Damage:
    first = report.problems[0]
    more = f" ({report.found - 1} more problems)" if report.found > 1 else ""
    return Damage(f"{first.message}{more}; it was not imported", where=f"{report.subject}: {first.place}")


def _take_documents(store: EvidenceStore, record: RunRecord, manifest: Manifest, documents: list[Attachment]) -> bool:
    """Add what a bundle of a run brings that is in the store already; refuses where there is nothing to be added."""
    if (record.root, record.seal) != (manifest.root, manifest.seal):
        message = (
            f"{store.location} has another run called {record.name} (root {str(record.root)[:12]}, "
            f"this one has {manifest.root[:12]}); import into another store with --store"
        )
        raise InputError(message)
    there = [(one.kind, one.sha256) for one in store.attachments(record.number)]
    new = [one for one in documents if (one.kind, one.sha256) not in there]
    read = [one.name for one in new if one.kind not in ABOUT_RESULTS]
    if read or not new:
        message = f"run {record.name} is in {store.location} already, with the same root and seal; "
        message += (
            f"{len(read)} attachments of the file are not there ({', '.join(read[:5])}): results are read "
            "from them; import into another store with --store"
            if read
            else "nothing to import"
        )
        raise InputError(message)
    for one in new:
        store.attach(record.number, one.kind, one.content)
    return True


def _incoming(bundle: Bundle, manifest: Manifest, check: Callable[[], None], rows: BinaryIO | None) -> IncomingRun:
    """A verified bundle as a store takes it in."""
    text = read_declarations(bundle)
    record = RunRecord(
        number=0,
        name=manifest.run,
        status=manifest.status,
        suite=manifest.suite,
        agent=manifest.agent,
        config_hash=manifest.config_hash,
        episodes=manifest.episodes,
        cut=manifest.cut,
        root=manifest.root,
        seal=manifest.seal,
        execution=bundle.document(layout.EXECUTION),
    )
    return IncomingRun(
        record,
        StoredText(canonical(text["frozen"]).decode(), canonical(text["inputs"]).decode()),
        list(read_arms(bundle)),
        list(read_stages(bundle)),
        _contents(bundle),
        _episodes(bundle, manifest, rows),
        check,
        read_attachments(bundle),
    )


def _contents(bundle: Bundle) -> Iterator[tuple[str, bytes]]:
    def damaged(damage: Damage) -> None:
        raise damage

    for name, data in bundle.contents(damaged):
        yield name, bytes(data)


def _rows(bundle: Bundle, manifest: Manifest, handed_over: BinaryIO | None) -> Iterator[Row]:
    if handed_over is not None:
        handed_over.seek(0)
        yield from map(_row_from, handed_over)
        return
    # Only where the file is read in this process at all.
    from proctor.evidence.bundle.rows import read_rows

    member, version = bundle.members[layout.ROWS], manifest.version
    yield from read_rows(bundle.source, member, read_arms(bundle), count=manifest.stored, version=version)


_row_from = msgspec.json.Decoder(Row).decode


def _episodes(bundle: Bundle, manifest: Manifest, handed_over: BinaryIO | None) -> Iterator[IncomingEpisode]:
    """Rows with their traces, in order; verification has shown that they belong together."""
    rows = _rows(bundle, manifest, handed_over)
    plain = Compressor()
    aside: bytes | None = None
    parts: list[bytes] = []
    for member in bundle.blocks(layout.EVENTS):
        for head, data in bundle.records(member):
            if isinstance(head, AsideHead):
                aside = bytes(data)
            elif isinstance(head, TraceHead) and head.more:
                parts.append(plain.pack(bytes(data)))
            elif not isinstance(head, ContentHead):
                yield IncomingEpisode(structs.replace(next(rows), aside=aside), parts, bytes(data))
                aside, parts = None, []
