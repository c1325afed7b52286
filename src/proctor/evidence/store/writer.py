"""Writing episodes: in batches, as they come, never twice.

At most `WINDOW_EPISODES` finished episodes or `WINDOW_SECONDS` of them are uncommitted at any moment, in this process
and its workers together; that is what a killed process can cost, and they are run again on resume. What is committed
reaches the disk at the latest `WINDOW_SECONDS` later: that is what a power cut can cost. All episodes of a lifetime are
committed together.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from msgspec.structs import astuple
from sqlalchemy import delete
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from proctor.core.hashing import sha256_hex
from proctor.evidence.codec import NO_DICTIONARY, TRAIN_ON, Compressor, train
from proctor.evidence.row import EpisodeRecord, Row, Segment
from proctor.evidence.store import schema
from proctor.evidence.store.errors import plain_errors
from proctor.evidence.store.store import UNRECORDED, Store, packed_content

WINDOW_EPISODES = 100
WINDOW_SECONDS = 0.5
BATCH_EPISODES = 50
"""Committed at once; the rest of the window belongs to workers."""

_COLUMNS = ("id", *(name for name in Row.__struct_fields__ if name != "position"), "dictionary", "trace")
_INSERT = f"INSERT INTO episodes ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608


class Writer:
    """The only one who writes episodes of a run. Without `traces` rows are kept, and nothing of their events."""

    def __init__(self, store: Store, run: int, *, traces: bool = True) -> None:
        self._store = store
        self._base = run << schema.RUN_SHIFT
        self._run = run
        self._traces = traces
        self._pending: list[tuple[Any, ...]] = []
        self._contents: dict[str, bytes] = {}
        self._segments: list[dict[str, Any]] = []
        self._known: set[str] = set()
        self._last = monotonic()
        self._synced = monotonic()
        self._samples: list[bytes] | None = []
        self._new_dictionary: dict[str, Any] | None = None
        self._compressor = Compressor()
        existing = store.dictionaries(run)
        if existing:
            newest = max(existing)
            self._compressor.use(newest, existing[newest])
            self._samples = None
        self.dictionary: tuple[int, bytes] | None = (max(existing), existing[max(existing)]) if existing else None
        """The dictionary workers should compress with, once there is one."""

    def add(self, records: list[EpisodeRecord]) -> None:
        """Take the episodes of one or more whole lifetimes."""
        pending = self._pending
        for record in records:
            row, dictionary, trace, contents = record.row, record.dictionary, record.trace, record.contents
            if not self._traces:
                # The head in the row is all that is kept; values that only events name are named by nothing.
                dictionary, trace, contents = NO_DICTIONARY, UNRECORDED, {}
            elif dictionary < 0:
                self._sample(trace)
                dictionary, trace = self._compressor.dictionary, self._compressor.pack(trace)
            for name, data in contents.items():
                if name not in self._known:
                    self._contents[name] = data
            position, *columns = astuple(row)
            pending.append((self._base + position, *columns, dictionary, trace))
        if len(pending) >= BATCH_EPISODES or monotonic() - self._last >= WINDOW_SECONDS:
            self.flush()

    def keep(self, contents: dict[str, bytes]) -> None:
        """Take contents that a record came with which is not written itself; committed with the next batch."""
        if self._traces:
            self._contents.update({name: data for name, data in contents.items() if name not in self._known})

    def add_segment(self, segment: Segment) -> None:
        """Take an earlier part of a long trace; committed with the next batch."""
        if not self._traces:
            return
        self._segments.append(
            {
                "episode": self._base + segment.position,
                "number": segment.number,
                "trace": Compressor().pack(segment.trace),
            }
        )
        if monotonic() - self._last >= WINDOW_SECONDS:
            self.flush()

    def drop_segments(self, first: int, stop: int) -> None:
        """Forget parts of traces at positions [first, stop): those episodes are lived again, and cut elsewhere."""
        low, high = self._base + first, self._base + stop
        self._segments = [part for part in self._segments if not low <= part["episode"] < high]
        column = schema.segments.c.episode
        with plain_errors(self._store.location):
            self._store.connection.execute(delete(schema.segments).where(column >= low, column < high))
            self._store.connection.commit()

    def tick(self) -> None:
        """Commit what has waited long enough, though nothing new came."""
        if self._pending and monotonic() - self._last >= WINDOW_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Commit everything taken so far."""
        store = self._store
        with plain_errors(store.location):
            try:
                if self._new_dictionary is not None:
                    # In one transaction with what is packed with it, also when a commit fails and is tried again.
                    store.connection.execute(schema.dictionaries.insert(), self._new_dictionary)
                if self._contents:
                    self._write_contents()
                if self._segments:
                    store.connection.execute(sqlite_insert(schema.segments).on_conflict_do_nothing(), self._segments)
                if self._pending:
                    store.connection.exec_driver_sql(_INSERT, self._pending)
                store.connection.commit()
            except BaseException:
                store.connection.rollback()
                raise
        self._new_dictionary = None
        self._known.update(self._contents)
        if len(self._known) > 10_000:
            self._known.clear()
        self._contents.clear()
        self._segments.clear()
        self._pending.clear()
        self._last = monotonic()
        if self._last - self._synced >= WINDOW_SECONDS:
            store.sync()
            self._synced = monotonic()

    def _write_contents(self) -> None:
        self._store.connection.execute(
            sqlite_insert(schema.contents).on_conflict_do_nothing(),
            [{"sha256": bytes.fromhex(name), "data": packed_content(data)} for name, data in self._contents.items()],
        )

    def _sample(self, trace: bytes) -> None:
        """Collect the first traces; make a dictionary of them when there are enough."""
        if self._samples is None:
            return
        self._samples.append(trace)
        if len(self._samples) < TRAIN_ON:
            return
        data = train(self._samples)
        self._samples = None
        if data is None:
            return
        self._new_dictionary = {"run": self._run, "number": 1, "sha256": sha256_hex(data), "data": data}
        self._compressor.use(1, data)
        self.dictionary = (1, data)
