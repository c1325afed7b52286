"""A bundle taken apart, and put together again with every digest computed anew: chain, root, seal, sums, statement."""

from __future__ import annotations

import copy
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import canonical, encode
from proctor.core.hashing import content_hash, sha256_hex
from proctor.evidence.bundle import layout
from proctor.evidence.bundle.archive import ArchiveWriter
from proctor.evidence.bundle.blocks import AsideHead, BlockWriter, ContentHead, TraceHead, parts_of
from proctor.evidence.bundle.digests import digest_bytes
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import LIMITS, Manifest
from proctor.evidence.bundle.match import _counts, _later_columns, _measures
from proctor.evidence.bundle.read import Bundle, find_members, read_arms, read_manifest
from proctor.evidence.bundle.rows import RowsWriter, read_rows
from proctor.evidence.bundle.trace import Trace
from proctor.evidence.chain import RealTime, replay, run_root, seal_over
from proctor.evidence.row import OUTCOMES, Arm, Row
from proctor.spec.frozen import FrozenRun, beside_hash, config_hash_of

Event = dict[str, Any]


@dataclass
class Episode:
    """One episode: its row, its events as plain data, what is beside the chain."""

    row: Row
    events: list[Event]
    aside: bytes | None = None
    raw: bytes | None = None
    """The trace as it shall be, instead of its events."""

    @property
    def trace(self) -> bytes:
        return self.raw if self.raw is not None else b"\n".join(encode(event) for event in self.events)

    def index(self, kind: str) -> int | None:
        """Where the first event of a kind is."""
        return next((number for number, event in enumerate(self.events) if event["event"] == kind), None)

    def where(self, kind: str) -> list[int]:
        return [number for number, event in enumerate(self.events) if event["event"] == kind]


@dataclass
class Parts:
    """Everything in a bundle. `write` sums it up anew."""

    name: str
    declarations: dict[str, Any]
    arms: list[dict[str, Any]]
    execution: dict[str, Any]
    stages: list[dict[str, Any]]
    episodes: list[Episode]
    contents: list[tuple[str, bytes]]
    manifest: Manifest
    attachments: list[tuple[str, bytes]] = field(default_factory=list)
    claims: dict[str, Any] = field(default_factory=dict)
    """Fields of the manifest that shall not follow from the rest."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Keys of the manifest beside its own."""
    members: dict[str, bytes] = field(default_factory=dict)
    """Members that shall be these bytes, whatever follows from the rest."""

    @classmethod
    def of(cls, path: Path) -> Parts:
        """Take a bundle apart."""
        with Source(path) as source:
            members, damage = find_members(source, LIMITS)
            assert damage is None
            bundle = Bundle(source, members, LIMITS)
            manifest = read_manifest(bundle)
            rows = read_rows(source, members[layout.ROWS], read_arms(bundle), count=manifest.stored)
            episodes: list[Episode] = []
            aside: bytes | None = None
            pieces: list[bytes] = []
            for member in bundle.blocks(layout.EVENTS):
                for head, data in bundle.records(member):
                    if isinstance(head, AsideHead):
                        aside = bytes(data)
                        continue
                    pieces.append(bytes(data))
                    if isinstance(head, TraceHead) and not head.more:
                        events = [json.loads(line) for line in b"\n".join(pieces).split(b"\n")]
                        episodes.append(Episode(next(rows), events, aside))
                        aside, pieces = None, []

            def never(error: Exception) -> None:
                raise error

            return cls(
                path.stem,
                bundle.document(layout.DECLARATIONS),
                bundle.document(layout.ARMS),
                bundle.document(layout.EXECUTION),
                bundle.document(layout.STAGES),
                episodes,
                [(name, bytes(data)) for name, data in bundle.contents(never)],
                manifest,
            )

    def copied(self) -> Parts:
        """The same, to be changed."""
        return copy.deepcopy(self)

    @property
    def config_hash(self) -> str:
        try:
            return config_hash_of(self.declarations["frozen"])
        except (KeyError, TypeError, AttributeError, ValueError):
            return self.manifest.config_hash

    def derive_inputs(self) -> None:
        """Write the nine inputs down anew, so that they follow from the declarations."""
        try:
            frozen = FrozenRun.model_validate(self.declarations["frozen"])
            self.declarations["inputs"] = frozen.inputs()
            beside = beside_hash(self.declarations["frozen"])
        except Exception:  # Declarations that cannot be read have no inputs; that is for verification to say.
            return
        if beside is not None:
            self.execution["declared_beside"] = beside

    def sync(self, episode: Episode) -> None:
        """Make the row say what the events say, as far as it can be read off them."""
        trace = Trace(self.config_hash, episode.row.position)
        trace.unreproducible = episode.aside
        trace.feed(episode.trace)
        changes: dict[str, Any] = {"head": trace.head, "calls": trace.calls, "retries": trace.retries}
        changes |= {"faults": _counts(trace.faults), "violations": _counts(trace.violations), "answer": trace.answer}
        if trace.closed is not None:
            changes |= {"outcome": trace.closed.outcome, "reason": trace.closed.reason}
        if trace.opened is not None:
            changes |= {name: getattr(trace.opened, name) for name in _OPENED}
        verified = trace.verified
        changes["format_error"] = verified is not None and verified.format_error
        changes["measures"] = _measures(trace)
        if episode.row.artifact_ok is not None:
            changes["artifact_ok"] = bool(verified and verified.artifacts)
        changes |= _later_columns(trace)
        episode.row = msgspec.structs.replace(episode.row, **changes)

    def write(self, path: Path) -> Path:
        """The bundle, all digests computed anew."""
        path.write_bytes(self.data())
        return path

    def data(self) -> bytes:
        file = io.BytesIO()
        archive = ArchiveWriter(file)

        def add(name: str, data: bytes) -> None:
            archive.add(name, self.members.get(name, data))

        config = self.config_hash
        heads = [replay(config, episode.row.position, episode.trace) for episode in self.episodes]
        execution = canonical(self.execution)
        add(layout.DECLARATIONS, canonical(self.declarations))
        add(layout.ARMS, canonical(self.arms))
        add(layout.EXECUTION, execution)
        add(layout.STAGES, canonical(self.stages))
        blocks = BlockWriter(lambda number, data: add(layout.block_name(layout.EVENTS, number), data))
        for episode in self.episodes:
            if episode.aside is not None:
                blocks.add(AsideHead(episode.row.position, len(episode.aside)), episode.aside)
            for part, more in parts_of([episode.trace]):
                blocks.add(TraceHead(episode.row.position, len(part), more), part)
        blocks.close()
        blocks = BlockWriter(lambda number, data: add(layout.block_name(layout.CONTENTS, number), data))
        for name, data in self.contents:
            blocks.add(ContentHead(name, len(data)), data)
        blocks.close()
        arms = [msgspec.convert(arm, Arm) for arm in self.arms]
        table = io.BytesIO()
        rows = RowsWriter(_Keeping(table), arms)
        real, outcomes = RealTime(), dict.fromkeys(OUTCOMES, 0)
        for episode, head in zip(self.episodes, heads, strict=True):
            row = episode.row
            row = row if "head" in self.claims else msgspec.structs.replace(row, head=head)
            rows.add(row)
            real.add(head, row.elapsed_us, row.attempts, row.tokens, row.cost, episode.aside)
            outcomes[row.outcome] = outcomes.get(row.outcome, 0) + 1
        rows.close()
        add(layout.ROWS, table.getvalue())
        for kind, content in self.attachments:
            add(layout.attachment_member(kind, sha256_hex(content)), content)
        root = run_root(config, heads)
        claims = {
            "config_hash": config,
            "declarations": content_hash(self.declarations.get("frozen")),
            "root": root,
            "seal": seal_over(digest_bytes(root), execution, real.digest()),
            "stored": len(self.episodes),
            "contents": len(self.contents),
            "outcomes": outcomes,
            **{name: value for name, value in self.claims.items() if name != "head"},
        }
        made = msgspec.structs.replace(self.manifest, members=layout.member_entries(archive.members), **claims)
        manifest = canonical({**msgspec.to_builtins(made), **self.extra})
        add(layout.MANIFEST, manifest)
        add(layout.STATEMENT, layout.statement(made, sha256_hex(manifest)))
        add(layout.SUMS, layout.checksums(archive.members))
        archive.close()
        return file.getvalue()


_OPENED = ("arm", "lifetime", "unit", "part", "template", "instance", "phase", "replicate")


class _Keeping:
    """A file that Parquet may close while its bytes are still wanted."""

    closed = False

    def __init__(self, file: io.BytesIO) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        return self._file.write(data)

    def tell(self) -> int:
        return self._file.tell()

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        self.closed = True
