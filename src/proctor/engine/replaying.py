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

import msgspec

from proctor.core.canonical import unchain
from proctor.core.errors import BenchError, InputError
from proctor.evidence.events import EpisodeOpened, ModelAsked, Submitted
from proctor.evidence.row import Row
from proctor.evidence.store.store import RunRecord, Store
from proctor.models.recorded import RECORDING, RecordedExchange, write_recording
from proctor.spec.frozen import FrozenRun


class Replayed:
    """A run whose record stands in for every model."""

    def __init__(self, store: Store, record: RunRecord) -> None:
        self._store = store
        self._record = record

    def admit(self, asked: FrozenRun) -> None:
        """Refuse, in one sentence, a run of which no request can be on record."""
        known = self._store.frozen(self._record.number)
        for what, before, after in (
            ("agent", known.agent, asked.agent),
            ("suite", known.suite.stream_name, asked.suite.stream_name),
            ("seed", known.seed, asked.seed),
        ):
            if before != after:
                name = self._record.name
                message = f"cannot replay {name}: its {what} is {before!r}, not {after!r}; repeat its arguments"
                raise InputError(message)

    def require_complete(self, run: str) -> None:
        """Fail clearly where a run asked for something that is not on record."""
        missing = self._store.count_reason(self._store.run(run).number, "transport")
        if missing:
            message = (
                f"{missing} episodes of {run} asked for what {self._record.name} has not on record; "
                "replay with the code and the suite it was made with"
            )
            raise BenchError(message)


@contextmanager
def replaying(store: Store, name: str) -> Iterator[Replayed]:
    """Within this block every model is replaced by what the run of this name has on record."""
    record = store.run(name)
    before = os.environ.get(RECORDING)
    with tempfile.TemporaryDirectory(prefix="proctor-replay-") as folder:
        path = Path(folder) / "recording.db"
        source = store.frozen(record.number).agent_source
        if not write_recording(path, _exchanges(store, record), run=record.name, source=source):
            message = f"{record.name} has no exchange with a model on record: there is nothing to replay"
            raise InputError(message)
        os.environ[RECORDING] = str(path)
        try:
            yield Replayed(store, record)
        finally:
            if before is None:
                del os.environ[RECORDING]
            else:
                os.environ[RECORDING] = before


def _exchanges(store: Store, record: RunRecord) -> Iterator[RecordedExchange]:
    for row in store.rows(record.number):
        details = iter(_details(row))
        nonce = ""
        for event in store.events(record.number, row.position):
            if isinstance(event, EpisodeOpened):
                nonce = event.task.nonce
            elif isinstance(event, Submitted):
                # Whoever goes on from here does so under a nonce of its own.
                nonce = sha256(f"{nonce}/relief".encode()).hexdigest()[:32]
            elif isinstance(event, ModelAsked):
                reply = None if event.reply is None else str(unchain(event.reply))
                yield RecordedExchange(nonce, unchain(event.request), reply, event.error, next(details, {}))


def _details(row: Row) -> list[dict[str, object]]:
    """What is aside about each exchange of an episode, in order."""
    if row.aside is None:
        return []
    return [unchain(entry[1]) for entry in msgspec.json.decode(row.aside) if entry[0] == "model"]
