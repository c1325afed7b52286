"""Writing a bundle: one pass over the traces, one over the contents they name, one over the rows; nothing is held."""

from __future__ import annotations

import json
from pathlib import Path

from proctor.core.atomic_write import atomic_write
from proctor.core.canonical import canonical
from proctor.core.errors import BenchError, IntegrityError
from proctor.core.hashing import content_hash, sha256_hex
from proctor.evidence.bundle import layout
from proctor.evidence.bundle.archive import ArchiveWriter
from proctor.evidence.bundle.blocks import AsideHead, BlockWriter, ContentHead, TraceHead, parts_of
from proctor.evidence.bundle.digests import Digests, digest_bytes
from proctor.evidence.bundle.layout import LIMITS, MadeWith, Manifest
from proctor.evidence.bundle.report import Damage
from proctor.evidence.bundle.rows import RowsWriter
from proctor.evidence.bundle.stored import finished_run
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.registration_log import LogEntry, require_revealed
from proctor.evidence.row import OUTCOMES
from proctor.evidence.store.contract import EvidenceStore, RunRecord, StoredEpisode


def export_bundle(
    store: EvidenceStore, run_number: int, path: Path | str, *, revealed: LogEntry | None = None
) -> Manifest:
    """Write a finished run to one file, and give its manifest.

    A run that was started against a preregistration is refused without the log entry that reveals its seed: the bundle
    holds the seed, and one without it could not be verified.

    The file appears whole or not at all, and replaces what was there. A run without digests or traces is an
    `InputError`; events that do not have the heads their rows state are an `IntegrityError`, since such a bundle would
    never verify. The same run gives the same bytes from any store.
    """
    path = Path(path)
    record = finished_run(store, run_number, "exported")
    require_revealed(record.name, store.frozen(record.number), revealed)
    store.require_traces(record.number, "no bundle can be made of it")
    with atomic_write(path, private=True) as file:
        return _Export(store, record, ArchiveWriter(file)).write()


class _Export:
    """One run on its way into an archive."""

    def __init__(self, store: EvidenceStore, record: RunRecord, archive: ArchiveWriter) -> None:
        self._store = store
        self._record = record
        self._archive = archive
        self._contents = Digests()
        self._unpacked = 0

    def write(self) -> Manifest:
        """All members in their order."""
        record, archive = self._record, self._archive
        if not digest_bytes(record.config_hash):
            raise Damage("is not 64 hex digits", where="config_hash")
        text = self._store.declared(record.number)
        try:
            frozen, inputs = json.loads(text.frozen), json.loads(text.inputs)
        except (ValueError, RecursionError) as error:
            raise Damage(f"cannot be read ({error})", where="declarations") from None
        arms = self._store.arms(record.number)
        stages = self._store.stages(record.number)
        archive.add(layout.DECLARATIONS, canonical({"frozen": frozen, "inputs": inputs}))
        archive.add(layout.ARMS, canonical(arms))
        archive.add(layout.EXECUTION, canonical(record.execution))
        archive.add(layout.STAGES, canonical(stages))
        try:
            stored = self._write_events()
            self._write_contents()
            contents = self._contents.count
        finally:
            self._contents.close()
        with archive.member(layout.ROWS) as sink:
            rows = RowsWriter(sink, arms)
            try:
                for row in self._store.rows(record.number):
                    if row.arm >= len(arms):
                        where = f"episode {row.position}"
                        raise Damage(f"its row names arm {row.arm}, which is not there", where=where)
                    rows.add(row)
            except BaseException:
                rows.abandon()
                raise
            rows.close()
        self._write_attachments()
        counted = self._store.outcomes(record.number, stop=record.cut)
        manifest = Manifest(
            format=layout.FORMAT,
            version=layout.FORMAT_VERSION,
            run=record.name,
            suite=record.suite,
            agent=record.agent,
            config_hash=record.config_hash,
            declarations=content_hash(frozen),
            root=record.root or "",
            seal=record.seal or "",
            status=record.status,
            cut=record.cut,
            episodes=record.episodes,
            stored=stored,
            outcomes={outcome: counted.get(outcome, 0) for outcome in OUTCOMES},
            contents=contents,
            made_with=MadeWith.here(),
            members=layout.member_entries(archive.members),
        )
        data = canonical(manifest)
        archive.add(layout.MANIFEST, data)
        archive.add(layout.STATEMENT, layout.statement(manifest, sha256_hex(data)))
        archive.add(layout.SUMS, layout.checksums(archive.members))
        if self._unpacked > LIMITS.unpacked(archive.close()):
            message = f"run {record.name} unpacks to {self._unpacked} bytes, more than the limit for a bundle"
            raise BenchError(message)
        return manifest

    def _write_events(self) -> int:
        """The blocks of events; how many episodes there are."""
        blocks = self._blocks(layout.EVENTS)
        stored = 0
        for episode in self._store.episodes(self._record.number):
            if isinstance(episode, IntegrityError):
                raise episode
            self._write_episode(blocks, episode)
            stored += 1
        blocks.close()
        self._unpacked += blocks.unpacked
        return stored

    def _write_episode(self, blocks: BlockWriter, episode: StoredEpisode) -> None:
        row = episode.row
        if row.aside is not None:
            blocks.add(AsideHead(row.position, len(row.aside)), row.aside)
        trace = Trace(self._record.config_hash, row.position)
        for part, more in parts_of(episode.pieces):
            trace.feed(part)
            blocks.add(TraceHead(row.position, len(part), more), part)
        if trace.head != row.head:
            raise Damage("its events do not have the head its row states", where=f"episode {row.position}")
        for reference in trace.references:
            digest = digest_bytes(reference.sha256)
            if not digest:
                raise Damage("it names a value by what is no digest", where=f"episode {row.position}")
            if self._contents.use(digest):
                continue
            if self._store.has_content(digest):
                self._contents.add(digest)
            elif reference.required:
                message = f"episode {row.position} refers to it, but the store does not have it"
                raise Damage(message, where=f"content {reference.sha256[:12]}")

    def _write_contents(self) -> None:
        blocks = self._blocks(layout.CONTENTS)
        for digest in self._contents:
            name = digest.hex()
            data = self._store.content(name)
            if data is None or sha256_hex(data) != name:
                raise Damage("the store's value does not have this SHA-256", where=f"content {name[:12]}")
            blocks.add(ContentHead(name, len(data)), data)
        blocks.close()
        self._unpacked += blocks.unpacked

    def _write_attachments(self) -> None:
        for attachment in self._store.attachments(self._record.number):
            if not attachment.intact:
                raise Damage("its content does not have the SHA-256 that was recorded for it", where=attachment.name)
            self._archive.add(layout.attachment_member(attachment.kind, attachment.sha256), attachment.content)

    def _blocks(self, folder: str) -> BlockWriter:
        return BlockWriter(lambda number, data: self._archive.add(layout.block_name(folder, number), data))
