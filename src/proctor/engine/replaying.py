"""Running an examination again from the record of an earlier one: replies come from its evidence, no model is asked.

The recording is a temporary file that workers find through their environment, so that the configuration, and with it
the root, stay those of the earlier run.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from proctor.core.canonical import unchain
from proctor.core.errors import BenchError, InputError
from proctor.evidence.events import EpisodeOpened, ModelAsked, Submitted
from proctor.evidence.exchanges import ExchangeReader
from proctor.evidence.row import Row
from proctor.evidence.store.contract import EvidenceStore, RunRecord
from proctor.models.recorded import RECORDING, RecordedExchange, write_recording
from proctor.spec.frozen import FrozenRun


class Replayed:
    """A run whose record stands in for every model."""

    def __init__(self, store: EvidenceStore, record: RunRecord) -> None:
        self._store = store
        self._record = record

    def admit(self, asked: FrozenRun) -> None:
        """Refuse, in one sentence, a run of which no request can be on record."""
        known = self._store.frozen(self._record.number)
        name = self._record.name
        for what, before, after in (
            ("agent", known.agent, asked.agent),
            # Suites may share their streams, but not their Conditions.
            ("suite", known.suite.name, asked.suite.name),
            ("suite", known.suite.stream_name, asked.suite.stream_name),
            ("seed", known.seed, asked.seed),
        ):
            if before != after:
                message = f"cannot replay {name}: its {what} is {before!r}, not {after!r}; repeat its arguments"
                raise InputError(message)
        lived = {family.spec.id for family in known.families}
        foreign = [family.spec.id for family in asked.families if family.spec.id not in lived]
        if foreign:
            message = f"cannot replay {name}: it has no episodes of family '{foreign[0]}'; repeat its arguments"
            raise InputError(message)

    def _require_complete(self, run: str) -> None:
        """Fail clearly where a run asked for something that is not on record."""
        missing = self._store.count_reason(self._store.run(run).number, "transport")
        if missing:
            message = (
                f"{missing} episodes of {run} asked for what {self._record.name} has not on record; "
                "replay with the code and the suite it was made with"
            )
            raise BenchError(message)

    def ended(self, run: str) -> str:
        """One line on whether this run came out as the one it repeats; empty where the two cannot be compared.

        Raises `BenchError` where it asked for something that is not on record.
        """
        self._require_complete(run)
        again = self._store.run(run)
        before = self._record
        if before.root is None or again.root is None or before.config_hash != again.config_hash:
            return ""
        if before.root == again.root:
            return f"{run} has the root of {before.name}: it was lived again to the letter"
        return (
            f"{run} has another root than {before.name}: its record, or the code that reads and scores replies, is not "
            f"what it was; `proctor verify {before.name}` tells whether it is the record"
        )


@contextmanager
def replaying(store: EvidenceStore, name: str) -> Iterator[Replayed]:
    """Within this block every model is replaced by what the run of this name has on record."""
    record = store.run(name)
    before = os.environ.get(RECORDING)
    with tempfile.TemporaryDirectory(prefix="proctor-replay-") as folder:
        path = Path(folder) / "recording.db"
        source = store.frozen(record.number).agent_source
        if not write_recording(path, _exchanges(store, record), run=record.name, source=source):
            message = f"{record.name} has no recorded model replies; there is nothing to replay"
            raise InputError(message)
        os.environ[RECORDING] = str(path)
        try:
            yield Replayed(store, record)
        finally:
            if before is None:
                del os.environ[RECORDING]
            else:
                os.environ[RECORDING] = before


def _exchanges(store: EvidenceStore, record: RunRecord) -> Iterator[RecordedExchange]:
    for row in store.rows(record.number):
        details = iter(_details(row))
        nonce = ""
        reader = ExchangeReader(store.content)
        for event in store.events(record.number, row.position):
            if isinstance(event, EpisodeOpened):
                nonce = event.task.nonce
            elif isinstance(event, Submitted):
                # Whoever goes on from here does so under a nonce of its own.
                nonce = sha256(f"{nonce}/relief".encode()).hexdigest()[:32]
            elif isinstance(event, ModelAsked):
                reply = None if event.reply is None else str(unchain(event.reply))
                request = unchain(reader.whole(event))
                calls = tuple(unchain(call) for call in event.calls)
                yield RecordedExchange(nonce, request, reply, event.error, next(details, {}), calls)


def _details(row: Row) -> list[dict[str, object]]:
    """What is aside about each exchange of an episode, in order."""
    if row.aside is None:
        return []
    try:
        entries = msgspec.json.decode(row.aside, type=list[list[Any]])
    except msgspec.DecodeError:
        message = f"episode {row.position}: its recorded model replies cannot be read; the store is damaged"
        raise BenchError(message) from None
    return [unchain(entry[1]) for entry in entries if entry[:1] == ["model"] and isinstance(entry[-1], dict)]
