"""Importing a bundle: verified first, then written to a store in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
from sqlalchemy import insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from proctor.core.canonical import canonical
from proctor.core.errors import InputError
from proctor.core.hashing import sha256_hex
from proctor.evidence.bundle import layout
from proctor.evidence.bundle.blocks import AsideHead, ContentHead, TraceHead
from proctor.evidence.bundle.declared import MakeOrder
from proctor.evidence.bundle.file import Source
from proctor.evidence.bundle.layout import LIMITS, Limits, Manifest
from proctor.evidence.bundle.read import Bundle, read_arms, read_declarations, read_manifest, read_stages
from proctor.evidence.bundle.report import Damage, VerifyReport
from proctor.evidence.bundle.rows import read_rows
from proctor.evidence.bundle.verify import examine
from proctor.evidence.codec import TRAIN_ON, Compressor, train
from proctor.evidence.row import Row
from proctor.evidence.store import schema
from proctor.evidence.store.errors import plain_errors
from proctor.evidence.store.store import Store, packed_content

_BATCH = 100
_SAMPLE_BYTES = 16 * 2**20
"""Traces held at most while a dictionary is made."""


def import_bundle(path: Path | str, store: Store, *, plan: MakeOrder | None = None, limits: Limits = LIMITS) -> str:
    """Take a bundle into a store, and give the run's name.

    A bundle that does not verify is an `IntegrityError`; a run of the same name in the store is an `InputError` that
    says whether it is the same one. All of the run is written, or nothing.
    """
    with Source(Path(path)) as source:
        version = source.version()
        report, bundle = examine(source, plan, limits)
        if not report.ok or bundle is None:
            raise _refusal(report)
        manifest = read_manifest(bundle)
        _require_new(store, manifest)
        bundle.restart()
        bundle.repack = False
        with plain_errors(store.place):
            try:
                _Import(store, bundle, manifest).load()
                if source.version() != version:
                    raise Damage("was changed while it was being imported; nothing was taken in", place=str(path))
                store.connection.commit()
            except BaseException:
                store.connection.rollback()
                raise
    return manifest.run


def _refusal(report: VerifyReport) -> Damage:
    first = report.problems[0]
    more = f" ({report.found - 1} more problems)" if report.found > 1 else ""
    return Damage(f"{first.message}{more}; it was not imported", place=f"{report.subject}: {first.place}")


def _require_new(store: Store, manifest: Manifest) -> None:
    for record in store.runs():
        if record.name != manifest.run:
            continue
        if (record.root, record.seal) == (manifest.root, manifest.seal):
            message = f"run {record.name} is in {store.place} already, with the same root and seal; nothing to import"
        else:
            message = (
                f"{store.place} has another run called {record.name} (root {str(record.root)[:12]}, "
                f"this one has {manifest.root[:12]}); import into another store with --store"
            )
        raise InputError(message)


class _Loaded(Struct):
    """One episode on its way into the store."""

    row: Row
    parts: list[bytes]
    """All but the last, packed."""
    last: bytes


class _Import:
    """A verified bundle on its way into a store."""

    def __init__(self, store: Store, bundle: Bundle, manifest: Manifest) -> None:
        self._connection = store.connection
        self._bundle = bundle
        self._manifest = manifest
        self._plain = Compressor()
        self._compressor = Compressor()
        self._number = 0

    def load(self) -> None:
        """Insert everything; the caller commits."""
        self._insert_run()
        self._insert_contents()
        waiting: list[_Loaded] | None = []
        size = 0
        batch: list[_Loaded] = []
        for episode in self._episodes():
            if waiting is None:
                batch.append(episode)
            else:
                waiting.append(episode)
                size += len(episode.last)
                if len(waiting) >= TRAIN_ON or size >= _SAMPLE_BYTES:
                    self._train(waiting)
                    batch, waiting = waiting, None
            if len(batch) >= _BATCH:
                self._insert_episodes(batch)
                batch = []
        self._insert_episodes(waiting or batch)

    def _insert_run(self) -> None:
        bundle, manifest = self._bundle, self._manifest
        text = read_declarations(bundle)
        result = self._connection.execute(
            insert(schema.runs),
            {
                "name": manifest.run,
                "status": manifest.status,
                "suite": manifest.suite,
                "agent": manifest.agent,
                "config_hash": manifest.config_hash,
                "frozen": canonical(text["frozen"]).decode(),
                "inputs": canonical(text["inputs"]).decode(),
                "execution": json.dumps(bundle.document(layout.EXECUTION), sort_keys=True),
                "episodes": manifest.episodes,
                "cut": manifest.cut,
                "root": manifest.root,
                "seal": manifest.seal,
            },
        )
        key = result.inserted_primary_key
        self._number = int(key[0]) if key else 0
        arms = [
            {"run": self._number, "arm": arm.index, **_without_index(structs.asdict(arm))} for arm in read_arms(bundle)
        ]
        if arms:
            self._connection.execute(insert(schema.arms), arms)
        stages = [{"run": self._number, **structs.asdict(stage)} for stage in read_stages(bundle)]
        if stages:
            self._connection.execute(insert(schema.stages), stages)

    def _insert_contents(self) -> None:
        def damaged(damage: Damage) -> None:
            raise damage

        statement = sqlite_insert(schema.contents).on_conflict_do_nothing()
        for name, data in self._bundle.contents(damaged):
            values = {"sha256": bytes.fromhex(name), "data": packed_content(bytes(data))}
            self._connection.execute(statement, values)

    def _episodes(self) -> Iterator[_Loaded]:
        """Rows with their traces, in order; verification has shown that they belong together."""
        bundle, manifest = self._bundle, self._manifest
        rows = read_rows(bundle.source, bundle.members[layout.ROWS], read_arms(bundle), count=manifest.stored)
        aside: bytes | None = None
        parts: list[bytes] = []
        for member in bundle.blocks(layout.EVENTS):
            for head, data in bundle.records(member):
                if isinstance(head, AsideHead):
                    aside = bytes(data)
                elif isinstance(head, TraceHead) and head.more:
                    parts.append(self._plain.pack(bytes(data)))
                elif not isinstance(head, ContentHead):
                    row = structs.replace(next(rows), aside=aside)
                    yield _Loaded(row, parts, bytes(data))
                    aside, parts = None, []

    def _train(self, episodes: list[_Loaded]) -> None:
        """Make a dictionary of the first traces, as a run does."""
        data = train([episode.last for episode in episodes])
        if data is not None:
            self._compressor.use(1, data)
            self._connection.execute(
                insert(schema.dictionaries),
                {"run": self._number, "number": 1, "sha256": sha256_hex(data), "data": data},
            )

    def _insert_episodes(self, episodes: list[_Loaded]) -> None:
        if not episodes:
            return
        base = self._number << schema.RUN_SHIFT
        segments: list[dict[str, Any]] = []
        values: list[dict[str, Any]] = []
        for episode in episodes:
            row = structs.asdict(episode.row)
            key = base + row.pop("position")
            segments += [{"episode": key, "number": n, "trace": part} for n, part in enumerate(episode.parts)]
            packed = {"dictionary": self._compressor.dictionary, "trace": self._compressor.pack(episode.last)}
            values.append({"id": key, **row, **packed})
        if segments:
            self._connection.execute(insert(schema.segments), segments)
        self._connection.execute(insert(schema.episodes), values)


def _without_index(arm: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arm.items() if name != "index"}
