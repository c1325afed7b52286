"""Small runs for tests of evidence, and a forger who can rewrite a bundle and sum everything up anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import canonical
from proctor.core.hashing import sha256_hex
from proctor.engine.executors.inline import InlineExecutor
from proctor.engine.plan import Plan
from proctor.engine.run import execute, freeze, start_run
from proctor.evidence.bundle import LIMITS, layout
from proctor.evidence.bundle.archive import ArchiveWriter
from proctor.evidence.bundle.blocks import AsideHead, BlockWriter, ContentHead, TraceHead, parts_of
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import Manifest
from proctor.evidence.bundle.read import (
    Bundle,
    find_members,
    read_arms,
    read_attachments,
    read_declarations,
    read_manifest,
    read_stages,
)
from proctor.evidence.bundle.report import Damage
from proctor.evidence.bundle.rows import RowsWriter, read_rows
from proctor.evidence.row import Arm, EpisodeRecord, Row
from proctor.evidence.store.contract import RunRecord, StoredStage
from proctor.evidence.store.store import Store
from proctor.spec.condition import Condition
from proctor.spec.rules import Limits, Rules
from proctor.spec.suite import Entry, Stage, Step, Suite

FOLDER = Path(__file__).parent
NOTES, FILES = "families.py:notes", "families.py:files"


class Quiet:
    """Progress that nobody watches."""

    def start(self, total: int, done: int) -> None:
        """Nothing."""

    def advance(self, records: list[EpisodeRecord]) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


def suite(*entries: Entry, **options: Any) -> Suite:
    """A suite of these entries."""
    return Suite(
        name="test-evidence", version="1.0", title="For tests", epoch="2026-01-01T00:00:00Z", entries=entries, **options
    )


def entry(family: str = NOTES, n: int = 3, kind: str = "plain", **options: Any) -> Entry:
    """One entry whose episodes are all of one kind."""
    return Entry(family=family, n=n, knobs={"kind": kind}, **options)


def small() -> Suite:
    """Four episodes."""
    return suite(entry(n=3), entry(FILES, n=1))


def wide() -> Suite:
    """Most of what a suite can declare: pairs, replicates, programs, stages, regimes, conditions, two cells alike."""
    steps = (Step(phase="train", episodes=2), Step(phase="test", before="clear", regime="mild"))
    return suite(
        entry(n=12, kind="mixed", cell="S1"),
        entry(n=2, kind="mixed", parts=2, replicates=2, regimes=("mild", "moderate-standard")),
        entry(FILES, n=3, program=steps, stage="later"),
        entry(n=2, conditions=("none", "lesion"), stage="later", cell="B1"),
        entry(n=3, kind="unbuildable"),
        entry(n=3, kind="mixed", cell="S2"),
        stages=(Stage(id="early", freeze="answers"), Stage(id="later")),
        conditions=(Condition(id="lesion", reads={"memory": "remove"}, after="early"),),
    )


def limited(episodes: int) -> Suite:
    """A run that its own limit cuts off."""
    rules = Rules(limits=Limits(run_episodes=episodes))
    return suite(entry(n=10, program=(Step(episodes=2),)), rules=rules)


def breaking() -> Suite:
    """A run that is stopped because the bench breaks, with episodes beyond the cut."""
    return suite(entry(n=20), entry(n=6, kind="breaks"), rules=Rules(max_infrastructure=3))


def run(store: Store, what: Suite, **options: Any) -> RunRecord:
    """Freeze and execute a suite with its oracle."""
    frozen = freeze(suite=what, agent=options.pop("agent", "oracle"), folder=FOLDER, **{"seed": 7, **options})
    plan = Plan(frozen)
    executor = InlineExecutor()
    record, _ = start_run(store, frozen, plan, executor=executor)
    execute(store, record, frozen, plan, folder=FOLDER, executor=executor, progress=Quiet())
    return store.run(record.name)


@dataclass
class Episode:
    """One episode of a forged bundle."""

    row: Row
    trace: bytes
    aside: bytes | None = None

    def edited(self, **columns: Any) -> Episode:
        """The same with other columns."""
        return Episode(msgspec.structs.replace(self.row, **columns), self.trace, self.aside)


@dataclass
class Forgery:
    """A bundle taken apart. `write` puts it together with checksums, manifest and statement that fit."""

    manifest: Manifest
    declarations: dict[str, Any]
    arms: list[Arm]
    execution: Any
    stages: list[StoredStage]
    episodes: list[Episode]
    contents: list[tuple[str, bytes]]
    claims: dict[str, Any] = field(default_factory=dict)
    """Fields of the manifest to set."""
    version: int = layout.FORMAT_VERSION
    attachments: list[tuple[str, bytes]] = field(default_factory=list)
    """Kind and content of every document beside the run."""

    @classmethod
    def of(cls, path: Path) -> Forgery:
        """Take a bundle apart."""
        with Source(path) as source:
            members, damage = find_members(source, LIMITS)
            assert damage is None
            bundle = Bundle(source, members, LIMITS)
            manifest, arms = read_manifest(bundle), read_arms(bundle)
            rows = list(read_rows(source, members[layout.ROWS], arms, count=manifest.stored))
            traces = list(_traces(bundle))
            contents = [(name, bytes(data)) for name, data in bundle.contents(_never)]
            return cls(
                manifest=manifest,
                declarations=read_declarations(bundle),
                arms=arms,
                execution=bundle.document(layout.EXECUTION),
                stages=read_stages(bundle),
                episodes=[Episode(row, *trace) for row, trace in zip(rows, traces, strict=True)],
                contents=contents,
                attachments=[(one.kind, one.content) for one in read_attachments(bundle)],
            )

    def write(self, path: Path) -> Path:
        """Put it together again, all sums made anew."""
        with path.open("wb") as file:
            archive = ArchiveWriter(file)
            archive.add(layout.DECLARATIONS, canonical(self.declarations))
            archive.add(layout.ARMS, canonical(self.arms))
            archive.add(layout.EXECUTION, canonical(self.execution))
            archive.add(layout.STAGES, canonical(self.stages))
            self._write_blocks(archive)
            with archive.member(layout.ROWS) as sink:
                rows = RowsWriter(sink, self.arms, self.version)
                for episode in self.episodes:
                    rows.add(episode.row)
                rows.close()
            for kind, content in self.attachments:
                archive.add(layout.attachment_member(kind, sha256_hex(content)), content)
            counts = {"stored": len(self.episodes), "contents": len(self.contents), "version": self.version}
            finish(archive, self.manifest, {**counts, **self.claims})
        return path

    def _write_blocks(self, archive: ArchiveWriter) -> None:
        blocks = BlockWriter(lambda number, data: archive.add(layout.block_name(layout.EVENTS, number), data))
        for episode in self.episodes:
            position = episode.row.position
            if episode.aside is not None:
                blocks.add(AsideHead(position, len(episode.aside)), episode.aside)
            for part, more in parts_of([episode.trace]):
                blocks.add(TraceHead(position, len(part), more), part)
        blocks.close()
        blocks = BlockWriter(lambda number, data: archive.add(layout.block_name(layout.CONTENTS, number), data))
        for name, data in self.contents:
            blocks.add(ContentHead(name, len(data)), data)
        blocks.close()


def finish(archive: ArchiveWriter, manifest: Manifest, claims: dict[str, Any]) -> None:
    """Write manifest, statement, sums and directory that fit the members so far."""
    made = msgspec.structs.replace(manifest, members=layout.member_entries(archive.members), **claims)
    data = canonical(made)
    archive.add(layout.MANIFEST, data)
    archive.add(layout.STATEMENT, layout.statement(made, sha256_hex(data)))
    archive.add(layout.SUMS, layout.checksums(archive.members))
    archive.close()


def resummed(path: Path, members: Sequence[tuple[str, bytes]], manifest: Manifest, **claims: Any) -> Path:
    """These members up to the rows, with manifest, statement and sums that fit."""
    with path.open("wb") as file:
        archive = ArchiveWriter(file)
        for name, data in members:
            if name not in (layout.MANIFEST, layout.STATEMENT, layout.SUMS):
                archive.add(name, data)
        finish(archive, manifest, claims)
    return path


def rebuilt(path: Path, members: Sequence[tuple[str, bytes]]) -> Path:
    """An archive in canonical form with any members at all."""
    with path.open("wb") as file:
        archive = ArchiveWriter(file)
        for name, data in members:
            archive.add(name, data)
        archive.close()
    return path


def members_of(path: Path) -> list[tuple[str, bytes]]:
    """The members of a bundle."""
    with Source(path) as source:
        members, damage = find_members(source, LIMITS)
        assert damage is None
        return [(member.name, source.read(member.start, member.size)) for member in members.values()]


def _traces(bundle: Bundle) -> Iterator[tuple[bytes, bytes | None]]:
    aside: bytes | None = None
    parts: list[bytes] = []
    for member in bundle.blocks(layout.EVENTS):
        for head, data in bundle.records(member):
            if isinstance(head, AsideHead):
                aside = bytes(data)
                continue
            parts.append(bytes(data))
            if isinstance(head, TraceHead) and not head.more:
                yield b"\n".join(parts), aside
                aside, parts = None, []


def _never(damage: Damage) -> None:
    raise damage
